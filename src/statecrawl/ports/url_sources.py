"""What a crawl has seen, gone over for addresses: the pages of states, and what servers have answered.

Nothing is asked for here, and nothing run. What is kept of a crawl may be large, and whoever was crawled decides what
is in it: of each text the beginning is read (`urls.scripts`), and of all texts together so much; it is said when that
was not all.
"""

import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from statecrawl.ports.traffic import REDIRECTED, Exchange, Recorded, header
from statecrawl.privacy.redaction import BLANK, without_hashes
from statecrawl.urls.canonical import canonical, with_route
from statecrawl.urls.collection import PAGE, FoundUrl, UrlCollection, UrlCollector
from statecrawl.urls.extraction import A_SITEMAP, ExtractedUrl, in_answer, in_headers, in_strings, resolved
from statecrawl.urls.incremental_reader import IncrementalReader
from statecrawl.urls.scripts import LONGEST_TEXT
from statecrawl.urls.sources import CSP, FORM, HEADER, LINK, REDIRECT

MOST_TEXT = 200_000_000  # characters of all texts together
OF_HEADERS = (HEADER, CSP, REDIRECT)
WAY_OUT = "way out"  # where: an event led there, and it was not followed
KINDS = {  # where nobody says
    "Document": "text/html",
    REDIRECTED: "text/html",
    "Script": "text/javascript",
    "Stylesheet": "text/css",
}
OURS = {"Robots": "text/plain", "Sitemap": A_SITEMAP, "Manifest": "application/manifest+json"}  # whatever anybody says
_TEXT = re.compile(r"text/|.*(?:json|xml|html|script|gzip)$")
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True, kw_only=True)
class StateUrls:
    """What a state names."""

    state: str
    url: str
    html: str = ""
    links: tuple[str, ...] = ()  # as the browser resolved them
    actions: tuple[str, ...] = ()  # of forms, likewise
    strings: tuple[str, ...] = ()  # that scripts keep and that look like URLs


def shown_of(about: Mapping[str, Any], html: str = "") -> StateUrls:
    """The same of what was kept of a state, by the names of a Snapshot: a page may have meddled with that."""
    texts = {name: str(about.get(name) or "") for name in ("state", "url")}
    forms = [form for form in _listed(about.get("forms")) if isinstance(form, Mapping)]
    links = tuple(link for link in _listed(about.get("links")) if isinstance(link, str))
    strings = tuple(text for text in _listed(about.get("strings")) if isinstance(text, str))
    actions = tuple(str(form.get("action") or "") for form in forms)
    return StateUrls(**texts, html=html, links=links, actions=actions, strings=strings)


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else ()


class UrlSearch:
    """Goes over all that a crawl has seen, piece by piece."""

    def __init__(self, holds: Callable[[str], bool], clean: Callable[[str], str]) -> None:
        """`holds` says whether an address belongs to the application, `clean` takes secrets out of it."""
        self._collector = UrlCollector(holds, clean)
        self._reader = IncrementalReader()
        self._read = 0  # characters
        self._said: dict[str, None] = {}

    def shown(self, seen: StateUrls) -> list[FoundUrl]:
        """A state; the addresses that were not known before."""
        html = self._part(seen.html)
        routes = [(seen.url, PAGE), *((link, LINK) for link in seen.links), *((each, FORM) for each in seen.actions)]
        found = [ExtractedUrl(url, where) for written, where in routes if (url := with_route(written)) is not None]
        kept = in_strings(seen.strings, seen.url)
        return self._collector.shown([*found, *resolved(self._reader.read(html), seen.url), *kept], seen.state)

    def heard(self, exchange: Exchange, state: str = "") -> list[FoundUrl]:
        """A request and its answer; the same."""
        url = canonical(exchange.url)
        if url is None:
            return []
        new = self._collector.asked(url, exchange.status, state)
        found = list(in_exchange(exchange, self._part))
        if exchange.kind == "Document" and state:  # what it names is what the state names, but for its headers
            headers = [each for each in found if each.where in OF_HEADERS]
            new += self._collector.found([each for each in found if each.where not in OF_HEADERS], state)
            found = headers
        return new + self._collector.found(found, state, url)

    def led_out(self, url: str, state: str) -> list[FoundUrl]:
        """An event led out of the application."""
        found = canonical(url)
        return [] if found is None else self._collector.found([ExtractedUrl(found, WAY_OUT)], state)

    def all(self) -> UrlCollection:
        collected = self._collector.all()
        return UrlCollection(addresses=collected.addresses, left_out=(*collected.left_out, *self._said))

    def _part(self, text: str) -> str:
        """As much of a text as is read."""
        if len(text) > LONGEST_TEXT:
            self._said[f"of long texts only the first {LONGEST_TEXT:,} characters were read"] = None
        text = text[:LONGEST_TEXT]
        if self._read + len(text) > MOST_TEXT:
            self._said[f"only the first {MOST_TEXT:,} characters of all pages and answers were read"] = None
            return ""
        self._read += len(text)
        return text


def without_secrets(url: str) -> str:
    """An address as it may be told, whichever process found it."""
    return without_hashes(BLANK.text(url))


def collected(
    states: Iterable[StateUrls],
    traffic: Iterable[Recorded],
    ways_out: Iterable[tuple[str, str]],
    holds: Callable[[str], bool],
    *,
    keep_secrets: bool = False,
) -> UrlCollection:
    """All addresses in what was kept of a crawl; `ways_out` are addresses, each with a state."""
    search = UrlSearch(holds, (lambda url: url) if keep_secrets else without_secrets)
    for seen in states:
        search.shown(seen)
    for recorded in traffic:
        search.heard(recorded.exchange, recorded.places[0][0] if recorded.places else "")
    for url, state in ways_out:
        search.led_out(url, state)
    return search.all()


def in_exchange(
    exchange: Exchange, part: Callable[[str], str] = lambda text: text[:LONGEST_TEXT]
) -> Iterator[ExtractedUrl]:
    """Addresses that an answer names, in its headers and in its body; `part` says how much of that is read."""
    headers: dict[str, str] = {}
    for name, value in exchange.response_headers:
        headers[name.lower()] = f"{headers[name.lower()]}, {value}" if name.lower() in headers else value
    yield from in_headers(headers, exchange.url)
    told = exchange.response_type.partition(";")[0].strip().lower()
    kind = OURS.get(exchange.kind) or told or KINDS.get(exchange.kind, "")
    if exchange.response_body and _TEXT.match(kind):
        text = part(text_of(exchange.response_body))
        kind = "text/xml" if kind.endswith("gzip") else kind
        yield from in_answer(kind, text, exchange.url, header(exchange.request_headers, "referer"))


def text_of(body: bytes) -> str:
    """A body as text, unpacked if it is packed, whatever is wrong with it. Browsers tell all texts in UTF-8."""
    most = 4 * LONGEST_TEXT  # bytes that so many characters can be
    if body.startswith(_GZIP):
        try:
            body = zlib.decompressobj(wbits=31).decompress(body, most)
        except zlib.error:
            return ""
    return body[: most + 4].decode(errors="replace")
