"""Search of recorded evidence for URLs: snapshots of states, and exchanges with servers.

This module sends no requests and runs no scripts. Evidence may be large and its content is chosen by the crawled
application, so the search reads only the start of each text (`urls.scripts`) and a limited amount in total. The result
states where it stopped.
"""

import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from statecrawl.ports.traffic import REDIRECTED, Exchange, RecordedExchange, header
from statecrawl.privacy.redaction import BLANK, without_hashes
from statecrawl.urls.canonical import canonical, with_route
from statecrawl.urls.collection import PAGE, CollectedUrl, UrlCollection, UrlCollector
from statecrawl.urls.extraction import A_SITEMAP, ExtractedUrl, in_answer, in_headers, in_strings, resolved
from statecrawl.urls.incremental_reader import IncrementalReader
from statecrawl.urls.scripts import LONGEST_TEXT
from statecrawl.urls.sources import CSP, FORM, HEADER, LINK, REDIRECT

MOST_TEXT = 200_000_000  # characters of all texts
OF_HEADERS = (HEADER, CSP, REDIRECT)
WAY_OUT = "way out"  # source of a URL: an event led there and was not followed
KINDS = {  # content types by resource type, for responses without one
    "Document": "text/html",
    REDIRECTED: "text/html",
    "Script": "text/javascript",
    "Stylesheet": "text/css",
}
OURS = {
    "Robots": "text/plain",
    "Sitemap": A_SITEMAP,
    "Manifest": "application/manifest+json",
}  # always
_TEXT = re.compile(r"text/|.*(?:json|xml|html|script|gzip)$")
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True, kw_only=True)
class StateUrls:
    """Texts of a state that may contain URLs."""

    state: str
    url: str
    html: str = ""
    links: tuple[str, ...] = ()  # resolved by the browser
    actions: tuple[str, ...] = ()  # of forms, also resolved
    strings: tuple[str, ...] = ()  # strings in variables of scripts that look like URLs


def urls_of_state(about: Mapping[str, Any], html: str = "") -> StateUrls:
    """Read `StateUrls` from a stored snapshot. Its values come from the page, so their types are not trusted."""
    texts = {name: str(about.get(name) or "") for name in ("state", "url")}
    forms = [form for form in _listed(about.get("forms")) if isinstance(form, Mapping)]
    links = tuple(link for link in _listed(about.get("links")) if isinstance(link, str))
    strings = tuple(text for text in _listed(about.get("strings")) if isinstance(text, str))
    actions = tuple(str(form.get("action") or "") for form in forms)
    return StateUrls(**texts, html=html, links=links, actions=actions, strings=strings)


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else ()


class UrlSearch:
    """Searches the evidence of a crawl incrementally."""

    def __init__(self, holds: Callable[[str], bool], clean: Callable[[str], str]) -> None:
        """`holds` decides whether a URL belongs to the application; `clean` removes secrets from it."""
        self._collector = UrlCollector(holds, clean)
        self._reader = IncrementalReader()
        self._read = 0  # characters
        self._limits_hit: dict[str, None] = {}  # as sentences, each once

    def add_state(self, seen: StateUrls) -> list[CollectedUrl]:
        """Search a state. Return the URLs that were not known before."""
        html = self._part(seen.html)
        routes = [(seen.url, PAGE), *((link, LINK) for link in seen.links), *((each, FORM) for each in seen.actions)]
        found = [ExtractedUrl(url, where) for written, where in routes if (url := with_route(written)) is not None]
        strings = in_strings(seen.strings, seen.url)
        return self._collector.add_state([*found, *resolved(self._reader.read(html), seen.url), *strings], seen.state)

    def add_exchange(self, exchange: Exchange, state: str = "") -> list[CollectedUrl]:
        """Search an exchange. Return the URLs that were not known before."""
        url = canonical(exchange.url)
        if url is None:
            return []
        new = self._collector.add_request(url, exchange.status, state)
        found = list(in_exchange(exchange, self._part))
        if exchange.kind == "Document" and state:  # its body is the state's, its headers are not
            headers = [each for each in found if each.where in OF_HEADERS]
            new += self._collector.add([each for each in found if each.where not in OF_HEADERS], state)
            found = headers
        return new + self._collector.add(found, state, url)

    def add_external(self, url: str, state: str) -> list[CollectedUrl]:
        """Add the URL of an event that led out of the application."""
        found = canonical(url)
        return [] if found is None else self._collector.add([ExtractedUrl(found, WAY_OUT)], state)

    def all(self) -> UrlCollection:
        collected = self._collector.all()
        return UrlCollection(urls=collected.urls, left_out=(*collected.left_out, *self._limits_hit))

    def _part(self, text: str) -> str:
        """Return the part of a text that is searched."""
        if len(text) > LONGEST_TEXT:
            self._limits_hit[f"only the first {LONGEST_TEXT:,} characters of long texts were read"] = None
        text = text[:LONGEST_TEXT]
        if self._read + len(text) > MOST_TEXT:
            self._limits_hit[f"only the first {MOST_TEXT:,} characters of all pages and responses were read"] = None
            return ""
        self._read += len(text)
        return text


def without_secrets(url: str) -> str:
    """Redact a URL, with the same result in every process."""
    return without_hashes(BLANK.text(url))


def collected(
    states: Iterable[StateUrls],
    traffic: Iterable[RecordedExchange],
    ways_out: Iterable[tuple[str, str]],
    holds: Callable[[str], bool],
    *,
    keep_secrets: bool = False,
) -> UrlCollection:
    """Collect all URLs in the evidence of a crawl. `ways_out` are external URLs, each with the state it was seen in."""
    search = UrlSearch(holds, (lambda url: url) if keep_secrets else without_secrets)
    for seen in states:
        search.add_state(seen)
    for recorded in traffic:
        search.add_exchange(recorded.exchange, recorded.places[0][0] if recorded.places else "")
    for url, state in ways_out:
        search.add_external(url, state)
    return search.all()


def in_exchange(
    exchange: Exchange, part: Callable[[str], str] = lambda text: text[:LONGEST_TEXT]
) -> Iterator[ExtractedUrl]:
    """Find the URLs in headers and body of a response. `part` limits the searched text."""
    headers: dict[str, str] = {}
    for name, value in exchange.response_headers:
        headers[name.lower()] = f"{headers[name.lower()]}, {value}" if name.lower() in headers else value
    yield from in_headers(headers, exchange.url)
    media = exchange.response_type.partition(";")[0].strip().lower()
    kind = OURS.get(exchange.kind) or media or KINDS.get(exchange.kind, "")
    if exchange.response_body and _TEXT.match(kind):
        text = part(text_of(exchange.response_body))
        kind = "text/xml" if kind.endswith("gzip") else kind
        yield from in_answer(kind, text, exchange.url, header(exchange.request_headers, "referer"))


def text_of(body: bytes) -> str:
    """Decode a body as text, decompressing gzip and replacing invalid characters. Browsers deliver text in UTF-8."""
    most = 4 * LONGEST_TEXT  # bytes that this many characters may take
    if body.startswith(_GZIP):
        try:
            body = zlib.decompressobj(wbits=31).decompress(body, most)
        except zlib.error:
            return ""
    return body[: most + 4].decode(errors="replace")
