"""Discovery of the URLs that a crawl of a whole site opens, each once.

Theory of operation
    S. M. Mir Taheri, "Distributed Crawling of Rich Internet Applications", 2015, §3.1.1 and §8.1.3, models a site as
    one graph. Its vertices are what a page shows and where; its edges are events and followed URLs. Opening a URL has
    the same effect wherever it is done, so it is done once: it is an event of the first state, named `open URL`, which
    is added to that state when the URL is found. Any node can find, receive, fire, record and replay it like any other
    event, and no strategy treats it specially.

    URLs are found in pages and, where `--follow` asks for it, in responses that are not pages: headers, scripts, style
    sheets, data, and the files for crawlers (`crawler.site_files`).

    A link without listeners is then not an event (see `isAddress` in agent/walk.js), because its URL says what it does.
    This also holds in frames; otherwise the whole site would be crawled again inside each frame. Hidden links count
    like visible ones, and so does a window that the page tries to open. A URL whose name shows that it is not a page is
    not opened.

    A URL that the application offers (`urls.sources.OFFERED`, and windows) is opened by `open URL`. A URL that appears
    only in a script, in text or the like is a guess. It is opened later, by `try URL`. If the server answers with an
    error, there is no state, only a refused event with the status. If a link offers the same URL, it is opened once
    more by `open URL`: a user can reach the error page, so it is a state like any other.

    A URL that looks dangerous or that the plan excludes becomes an event, too, named `unopened URL`. It is refused at
    once, so that it is counted with its reason. A page cannot fire an event of that name.

    `strategies.site_frontier` decides which URL is opened and which states are expanded next.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from mimetypes import MimeTypes
from urllib.parse import urlsplit

from statecrawl.config.site import EVERYWHERE, SiteSettings
from statecrawl.journal.refusal_reasons import EXCLUDED
from statecrawl.model.event import OPENS, TRIES, UNOPENED
from statecrawl.model.regex import found
from statecrawl.ports.page import Snapshot
from statecrawl.ports.traffic import REDIRECTED, Exchange
from statecrawl.ports.url_sources import in_exchange
from statecrawl.urls.canonical import canonical
from statecrawl.urls.extraction import in_strings, resolved
from statecrawl.urls.incremental_reader import IncrementalReader
from statecrawl.urls.scripts import OPEN
from statecrawl.urls.sources import HEADER, LINK, MANIFEST, OFFERED, PLACES, REPORTED_ONLY, REQUEST, ROBOTS, SITEMAP

FOR_CRAWLERS = frozenset({"Robots", "Sitemap", "Manifest", REDIRECTED})  # kinds of exchanges of crawler.site_files
DOCUMENT = "Document"  # kind of an exchange
REQUESTED = frozenset({"Fetch", "XHR", "EventSource", "Ping"})  # kinds of exchanges started by scripts
MEDIA_TYPES = MimeTypes()  # built in, so the same on every machine

Offers = Mapping[str, bool]  # URL to open -> whether the application offers it; otherwise it is a guess


@dataclass(slots=True)
class SiteUrls:
    """Finds the URLs to open and reports each once."""

    site: SiteSettings
    first: str  # URL where the application starts
    allow: Sequence[str]  # regular expressions for URLs that belong to the application
    deny: Sequence[str]  # regular expressions for URLs that do not
    refused: Callable[[str, str, tuple[str, ...]], str | None]  # (URL, link text, matching selectors) -> reason
    _reasons: dict[str, str] = field(default_factory=dict)  # URL -> why it is not opened, from the text of its links
    _judged: set[int] = field(default_factory=set)  # hashes of links
    _known: set[str] = field(default_factory=set)
    _offered: set[str] = field(default_factory=set)  # offered URLs, including those whose name is not that of a page
    _in_states: set[str] = field(default_factory=set)  # URLs of states, whose documents have been searched
    _missing: set[str] = field(default_factory=set)  # guesses for which the server has no page
    _withdrawn: dict[str, str] = field(default_factory=dict)  # known URLs that must not be opened after all -> reason
    _reader: IncrementalReader = field(default_factory=IncrementalReader)

    def __post_init__(self) -> None:
        self._known.add(canonical(self.first) or self.first)

    def new_events(self, offers: Offers) -> list[str]:
        """Return the events of the URLs that are new here. Some open a URL, some only record that it is left out."""
        fresh = [(url, offered) for url, offered in offers.items() if url not in self._known]
        self._known.update(url for url, _ in fresh)
        return [self.event_for(url, offered=offered) for url, offered in fresh]

    def event_for(self, url: str, *, offered: bool) -> str:
        """Return the name of the event that opens a URL or records that it is left out."""
        return (UNOPENED if self.refusal(url) is not None else OPENS if offered else TRIES) + url

    def mark_missing(self, url: str) -> list[str]:
        """Record that a guess was wrong. Return the event that still opens the URL, if a link offers it."""
        if url in self._offered:
            return [OPENS + url]
        self._missing.add(url)
        self._known.discard(url)
        return []

    def from_snapshot(self, snapshot: Snapshot) -> Offers:
        """Return the URLs to open that a state contains."""
        self._in_states.add(canonical(snapshot.url) or "")
        return self._pages(self._in_snapshot(snapshot))

    def from_window(self, url: str) -> Offers:
        """Return the URLs to open because the page tried to show one in a new window."""
        opened = canonical(url)
        return {} if opened is None else self._pages([(opened, True)])

    def from_exchange(self, exchange: Exchange) -> Offers:
        """Return the URLs to open that a request or its response contains."""
        if not self.reads_exchanges and exchange.kind not in FOR_CRAWLERS:
            return {}
        places = self._places if exchange.kind in (REDIRECTED, DOCUMENT) else self._other_places
        requested = [canonical(exchange.url)] if exchange.kind in REQUESTED and REQUEST in self._other_places else []
        if exchange.kind == DOCUMENT and canonical(exchange.url) in self._in_states:
            exchange = replace(exchange, response_body=b"")  # searched in `from_snapshot`; the others are in frames
        contained = ((each.url, each.where in OFFERED) for each in in_exchange(exchange) if each.where in places)
        return self._pages([*((url, False) for url in requested if url), *contained])

    @property
    def reads_exchanges(self) -> bool:
        """Whether the requests of pages and their responses may contain URLs to open."""
        return bool(self._other_places - {SITEMAP, ROBOTS, MANIFEST})

    @property
    def _places(self) -> frozenset[str]:
        follow = self.site.follow
        return frozenset(PLACES if EVERYWHERE in follow else follow) - REPORTED_ONLY

    @property
    def _other_places(self) -> frozenset[str]:
        return self._places - {LINK}

    def _pages(self, urls: Iterable[tuple[str, bool]]) -> Offers:
        offers: dict[str, bool] = {}
        for url, offered in urls:
            if offered:
                self._offered.add(url)
            if url in offers:
                offers[url] |= offered
            elif url not in self._known and (offered or url not in self._missing) and self.is_page(url):
                offers[url] = offered
        return offers

    def _in_snapshot(self, snapshot: Snapshot) -> Iterator[tuple[str, bool]]:
        places = self._places
        matches: dict[str, tuple[str, ...]] = {}
        for written, selector in snapshot.denied:
            matches[written] = (*matches.get(written, ()), selector)
        for written, words in snapshot.addresses if LINK in places else ():
            url = canonical(written, snapshot.url)
            if url is not None:
                self._judge(url, words, matches.get(written, ()))
                yield url, True
        in_page = places - {SITEMAP, ROBOTS, HEADER, REQUEST}  # LINK, too: scripts hide the content of <noscript>
        if in_page:
            contained = (
                *resolved(self._reader.read(snapshot.html), snapshot.url),
                *in_strings(snapshot.strings, snapshot.url),
            )
            yield from ((each.url, each.where in OFFERED) for each in contained if each.where in in_page)

    def refusal(self, url: str) -> str | None:
        """Return why a URL must not be opened, judged by the URL itself and by the links to it; None if it may."""
        denied = next((each for each in self.deny if found(each, url) is not None), None)
        if denied is not None:
            return f"{EXCLUDED}--deny '{denied}'"
        return self._reasons.get(url) or self.refused(url, "", ())

    def _judge(self, url: str, words: str, matches: tuple[str, ...]) -> None:
        """Remember why a URL must not be opened if any link to it gives a reason, even if earlier links did not."""
        link = hash((url, words, matches))
        if link not in self._judged and url not in self._reasons:
            self._judged.add(link)
            reason = self.refused(url, words, matches)
            if reason is not None:
                self._reasons[url] = reason
                if url in self._known:
                    self._withdrawn[url] = reason

    def take_withdrawn(self) -> dict[str, str]:
        """Return, once each, the reported URLs that must not be opened after all, with the reason."""
        taken, self._withdrawn = self._withdrawn, {}
        return taken

    def is_page(self, url: str) -> bool:
        """Whether a URL belongs to the application and its name is that of a page."""
        media_type = MEDIA_TYPES.guess_type(urlsplit(url).path.rpartition("/")[2])[0]
        if OPEN in url or (media_type is not None and "html" not in media_type):
            return False  # a part of the URL is unknown, or it is an image or a document without events
        return any(found(expression, url) is not None for expression in self.allow)
