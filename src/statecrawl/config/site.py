"""A whole site: which of the addresses that a page names are opened as well.

Theory of operation
    S. M. Mir Taheri, "Distributed Crawling of Rich Internet Applications", 2015, §3.1.1 and §8.1.3, sees a site as one
    graph whose vertices are what a page shows and where, with two kinds of edges: events, and addresses that are
    followed. To follow an address is the same from wherever it is done, so it is done once: here it is an event of the
    first state, by the name `open ADDRESS`, added to that state when the address is found. So it is found by any node,
    dealt out, fired, recorded and gone again like any other event, and no strategy needs to know.

    Addresses are named by pages, and, where `--follow` asks for such, by answers that are no pages: headers, scripts,
    style sheets, data, and the files for crawlers (`crawler.site_files`).

    A link that nobody listens to is no event then (see `isAddress` in agent/walk.js): its URL says what it does. That
    holds in frames, too: otherwise the whole site would be crawled again inside of each. Hidden links count like
    others, and so does a window that the page wants to open. What is no page by its name is not opened.

    What the application offers (`urls.sources.OFFERED`, and windows) is opened by `open URL`. A URL that was found only
    in a script, in text or the like is a guess. It is opened later, by `try URL`; where the server answers with an
    error, there is no state, only a refused event that tells the status. If a link offers the same URL, it is opened
    once more by `open URL`: then the error page is what a person gets to see, and a state like any other.

    A URL that looks dangerous, or that the plan excludes, becomes an event as well, by the name `unopened URL`. That is
    refused at once, so that it is counted with its reason, and no page could fire an event of that name.

    Which URL is opened when, and which states are expanded when, is `strategies.site_frontier`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from mimetypes import MimeTypes
from typing import Any
from urllib.parse import urlsplit

from statecrawl.errors import BadInput
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
from statecrawl.urls.sources import (
    HEADER,
    LINK,
    MANIFEST,
    OFFERED,
    PLACES,
    REPORTED_ONLY,
    REQUEST,
    ROBOTS,
    SITEMAP,
    USUAL,
)

EVERYWHERE = "all"
FOR_CRAWLERS = frozenset(
    {"Robots", "Sitemap", "Manifest", REDIRECTED}
)  # kinds of what we ask for ourselves; see crawler.site_files
DOCUMENT = "Document"  # kind of an exchange
ASKED = frozenset({"Fetch", "XHR", "EventSource", "Ping"})  # kinds of what scripts ask for
KINDS = MimeTypes()  # by the ends of names, the same on every machine

Offers = Mapping[str, bool]  # URLs to open, and whether the application offers them; the others are guesses


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSettings:
    """What is followed, and how far."""

    follow: tuple[str, ...] = USUAL  # URLs that are found there
    urls: int | None = None  # that are opened at most
    urls_alike: int | None = 20  # that are opened at most of those that are alike
    states_at_url: int | None = 50  # whose events are fired at most, of those at one URL

    def __post_init__(self) -> None:
        for place in self.follow:
            if place not in (*PLACES, EVERYWHERE):
                raise BadInput(f"--follow takes any of {', '.join((*PLACES, EVERYWHERE))}, not '{place}'.")
        limits = {"--max-urls": self.urls, "--max-alike": self.urls_alike, "--max-states-per-url": self.states_at_url}
        for name, most in limits.items():
            if most is not None and most < 1:
                raise BadInput(f"a limit must be more than 0: {name} {most}.")

    def heard_only(self) -> list[str]:
        """What is followed that no page names."""
        return [place for place in self.follow if place in (HEADER, REQUEST)]

    def recorded_settings(self) -> dict[str, Any]:
        """What decides what is found, by the names of the flags."""
        return {
            "follow": list(self.follow),
            "max-urls": self.urls,
            "max-alike": self.urls_alike,
            "max-states-per-url": self.states_at_url,
        }


@dataclass(slots=True)
class SiteUrls:
    """Finds addresses to open, each once."""

    site: SiteSettings
    first: str  # where the application begins
    allow: Sequence[str]  # expressions for addresses that belong to it
    deny: Sequence[str]
    refused: Callable[[str, str, tuple[str, ...]], str | None]  # why a URL is not opened: URL, words, selectors
    _reasons: dict[str, str] = field(default_factory=dict)  # why URLs are not opened, by the words of links to them
    _judged: set[int] = field(default_factory=set)  # hashes of links
    _known: set[str] = field(default_factory=set)
    _offered: set[str] = field(default_factory=set)  # of these, and of others that are no pages by their names
    _shown: set[str] = field(default_factory=set)  # URLs of states: what their documents name is known
    _wrong: set[str] = field(default_factory=set)  # guesses at which there is no page
    _doubted: dict[str, str] = field(default_factory=dict)  # URLs that were named, and then found to be left out: why
    _reader: IncrementalReader = field(default_factory=IncrementalReader)

    def __post_init__(self) -> None:
        self._known.add(canonical(self.first) or self.first)

    def new(self, named: Offers) -> list[str]:
        """The events of URLs that nobody has named here before: some open one, some only say that it is left out."""
        fresh = [(url, offered) for url, offered in named.items() if url not in self._known]
        self._known.update(url for url, _ in fresh)
        return [self.event(url, offered=offered) for url, offered in fresh]

    def event(self, url: str, *, offered: bool) -> str:
        """The name of the event that opens a URL, or says that it is left out."""
        return (UNOPENED if self.reason(url) is not None else OPENS if offered else TRIES) + url

    def has_no_page(self, url: str) -> list[str]:
        """A guess was wrong. The event that opens the URL all the same, if a link offers it."""
        if url in self._offered:
            return [OPENS + url]
        self._wrong.add(url)
        self._known.discard(url)
        return []

    def named(self, snapshot: Snapshot) -> Offers:
        """What a state names and is to be opened."""
        self._shown.add(canonical(snapshot.url) or "")
        return self._pages(self._named(snapshot))

    def shown(self, url: str) -> Offers:
        """A window in which the page wanted to show a URL: what is to be opened because of it."""
        address = canonical(url)
        return {} if address is None else self._pages([(address, True)])

    def heard(self, exchange: Exchange) -> Offers:
        """What an answer names and is to be opened."""
        if not self.listens and exchange.kind not in FOR_CRAWLERS:
            return {}
        places = self._places if exchange.kind in (REDIRECTED, DOCUMENT) else self._others
        asked = [canonical(exchange.url)] if exchange.kind in ASKED and REQUEST in self._others else []
        if exchange.kind == DOCUMENT and canonical(exchange.url) in self._shown:
            exchange = replace(exchange, response_body=b"")  # see `named`; others are those of frames
        found = ((each.url, each.where in OFFERED) for each in in_exchange(exchange) if each.where in places)
        return self._pages([*((url, False) for url in asked if url), *found])

    @property
    def listens(self) -> bool:
        """Whether anything that pages ask for may name what is to be opened."""
        return bool(self._others - {SITEMAP, ROBOTS, MANIFEST})

    @property
    def _places(self) -> frozenset[str]:
        follow = self.site.follow
        return frozenset(PLACES if EVERYWHERE in follow else follow) - REPORTED_ONLY

    @property
    def _others(self) -> frozenset[str]:
        return self._places - {LINK}

    def _pages(self, named: Iterable[tuple[str, bool]]) -> Offers:
        found: dict[str, bool] = {}
        for url, offered in named:
            if offered:
                self._offered.add(url)
            if url in found:
                found[url] |= offered
            elif url not in self._known and (offered or url not in self._wrong) and self.is_page(url):
                found[url] = offered
        return found

    def _named(self, snapshot: Snapshot) -> Iterator[tuple[str, bool]]:
        places = self._places
        matches: dict[str, tuple[str, ...]] = {}
        for written, selector in snapshot.denied:
            matches[written] = (*matches.get(written, ()), selector)
        for written, words in snapshot.addresses if LINK in places else ():
            address = canonical(written, snapshot.url)
            if address is not None:
                self._judge(address, words, matches.get(written, ()))
                yield address, True
        in_page = places - {SITEMAP, ROBOTS, HEADER, REQUEST}  # LINK, too: scripts hide what is in <noscript>
        if in_page:
            told = (
                *resolved(self._reader.read(snapshot.html), snapshot.url),
                *in_strings(snapshot.strings, snapshot.url),
            )
            yield from ((each.url, each.where in OFFERED) for each in told if each.where in in_page)

    def reason(self, address: str) -> str | None:
        """Why a URL must not be opened: because of what it says itself, or of what a link to it said here."""
        denied = next((each for each in self.deny if found(each, address) is not None), None)
        if denied is not None:
            return f"{EXCLUDED}--deny '{denied}'"
        return self._reasons.get(address) or self.refused(address, "", ())

    def _judge(self, address: str, words: str, matches: tuple[str, ...]) -> None:
        """Remember why a URL is not to be opened, if one of the links to it says so, even after others did not."""
        link = hash((address, words, matches))
        if link not in self._judged and address not in self._reasons:
            self._judged.add(link)
            reason = self.refused(address, words, matches)
            if reason is not None:
                self._reasons[address] = reason
                if address in self._known:
                    self._doubted[address] = reason

    def take_doubted(self) -> dict[str, str]:
        """URLs that were named as if they could be opened, and must not be after all, each once and with the reason."""
        taken, self._doubted = self._doubted, {}
        return taken

    def is_page(self, address: str) -> bool:
        """Whether an address belongs to the application and is a page by its name."""
        kind = KINDS.guess_type(urlsplit(address).path.rpartition("/")[2])[0]
        if OPEN in address or (kind is not None and "html" not in kind):
            return False  # nobody knows all of it; or in a picture or a document there is nothing to do
        return any(found(expression, address) is not None for expression in self.allow)
