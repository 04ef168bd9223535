"""Requests that the application made, according to the recorded traffic, if any, and to the page notes."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from statecrawl.ports.traffic import RecordedExchange
from statecrawl.report.crawl.state_evidence import NoteContent, text_of

REQUEST, FAILED, REFUSED = "request", "failed", "read-only"
LEAST_ERROR = 400  # the lowest HTTP status that is an error
LEFT = "net::ERR_ABORTED"  # the page was left before the response
LOADED = frozenset({"Document", "Stylesheet", "Image", "Media", "Font", "Script", "TextTrack", "Manifest", "Preflight"})
OURS = frozenset({"Robots", "Sitemap"})  # requests of the crawl itself; see crawler.site_files
MOST_QUERIES = 20


@dataclass(slots=True, kw_only=True)
class Endpoint:
    """A method and a URL without its query."""

    method: str
    url: str  # without query
    by: list[str] = field(default_factory=list)  # initiators: xhr, fetch, …
    queries: list[str] = field(default_factory=list)
    seen: list[tuple[str, str | None]] = field(default_factory=list)  # states and events in which it was requested
    statuses: list[int] = field(default_factory=list)  # of responses, each once
    is_part: bool = False  # part of a page, such as an image
    trouble: str = ""  # why the request failed


class Endpoints:
    """Collects requests, in any order."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], Endpoint] = {}

    def add_note(self, note: NoteContent) -> None:
        """Add the request of a page note; ignore other notes."""
        if note.kind not in (REQUEST, FAILED, REFUSED) or not isinstance(note.what, list):
            return
        method, url, *rest = [text_of(part) for part in note.what] + ["", ""]
        known = self._endpoint(method, url, [(note.state, note.event)], rest[0] if note.kind == REQUEST else "")
        if note.kind == FAILED:
            known.trouble = rest[0] or "no response"
        if note.kind == REFUSED:
            known.trouble = "refused because the crawl was read-only"

    def add_exchange(self, recorded: RecordedExchange) -> None:
        """Add a recorded request; of parts of pages, only those that failed."""
        exchange = recorded.exchange
        failed = exchange.status >= LEAST_ERROR or exchange.failure not in ("", LEFT)
        is_part = exchange.kind in LOADED and exchange.method == "GET"
        if exchange.kind in OURS or (is_part and not failed):
            return
        known = self._endpoint(exchange.method, exchange.url, recorded.places, exchange.kind.lower())
        known.is_part = is_part
        if exchange.status and exchange.status not in known.statuses:
            known.statuses.append(exchange.status)
        if failed and not known.trouble:
            known.trouble = exchange.failure or f"{exchange.status} {exchange.reason}".strip()

    def all(self) -> list[Endpoint]:
        """Return the endpoints, sorted by URL and method."""
        return [self._found[key] for key in sorted(self._found)]

    def _endpoint(self, method: str, url: str, seen: Iterable[tuple[str, str | None]], by: str) -> Endpoint:
        address, _, query = url.partition("?")
        key = address, method.upper()
        known = self._found.setdefault(key, Endpoint(method=key[1], url=address))
        known.seen += [at for at in seen if at not in known.seen]
        if query and query not in known.queries and len(known.queries) < MOST_QUERIES:
            known.queries.append(query)
        if by and by not in known.by:
            known.by.append(by)
        return known


def endpoints(notes: Iterable[NoteContent], traffic: Iterable[RecordedExchange] = ()) -> list[Endpoint]:
    """Return all endpoints, sorted by URL and method."""
    collected = Endpoints()
    for note in notes:
        collected.add_note(note)
    for recorded in traffic:
        collected.add_exchange(recorded)
    return collected.all()
