"""Requests that the application made, as the notes of a crawl tell them.

This is the only place that knows where requests come from. A record of the traffic that knows more can be put here.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from statecrawl.report.crawl.seen import Noted, text_of

REQUEST, FAILED, REFUSED = "request", "failed", "read-only"


@dataclass(slots=True, kw_only=True)
class Endpoint:
    """One address that was asked for in one way, whatever its query."""

    method: str
    url: str  # without query
    by: list[str]  # what asked for it: xhr, fetch, …
    queries: list[str]
    seen: list[tuple[str, str | None]]  # at which states and events it was first asked for
    trouble: str = ""  # why it did not get through


MOST_QUERIES = 20


def endpoints(notes: Iterable[Noted]) -> list[Endpoint]:
    """All requests, by address and method, in that order."""
    found: dict[tuple[str, str], Endpoint] = {}
    for note in notes:
        if note.kind not in (REQUEST, FAILED, REFUSED) or not isinstance(note.what, list):
            continue
        method, url, *rest = [text_of(part) for part in note.what] + ["", ""]
        address, _, query = url.partition("?")
        key = address, method.upper()
        known = found.get(key)
        if known is None:
            known = found[key] = Endpoint(method=key[1], url=address, by=[], queries=[], seen=[])
        at = note.state, note.event
        if at not in known.seen:
            known.seen.append(at)
        if query and query not in known.queries and len(known.queries) < MOST_QUERIES:
            known.queries.append(query)
        if note.kind == REQUEST and rest[0] and rest[0] not in known.by:
            known.by.append(rest[0])
        if note.kind == FAILED:
            known.trouble = rest[0] or "no answer"
        if note.kind == REFUSED:
            known.trouble = "refused, since the crawl was read-only"
    return [found[key] for key in sorted(found)]


def is_address(text: str) -> bool:
    """Whether a text is an address on the web."""
    try:
        return urlsplit(text).scheme in ("http", "https")
    except ValueError:
        return False
