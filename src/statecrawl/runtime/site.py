"""A whole site: which of the addresses that a page names are opened as well.

Theory of operation
    S. M. Mir Taheri, "Distributed Crawling of Rich Internet Applications", 2015, §3.1.1 and §8.1.3, sees a site as one
    graph whose vertices are what a page shows and where, with two kinds of edges: events, and addresses that are
    followed. To follow an address is the same from wherever it is done, so it is done once: here it is an event of the
    first state, by the name `open ADDRESS`, added to that state when the address is found. So it is found by any node,
    dealt out, fired, recorded and gone again like any other event, and no strategy needs to know.

    Addresses are named by pages, and, where `--follow` asks for such, by answers that are no pages: headers, scripts,
    style sheets, data, and the files for crawlers (`runtime.files`).

    A link that nobody listens to is no event then (see `isAddress` in agent/walk.js): its URL says what it does. That
    holds in frames, too: otherwise the whole site would be crawled again inside of each. Hidden links count like
    others, and so does a window that the page wants to open. What is no page by its name is not opened.

    A URL that looks dangerous, or that the plan excludes, becomes an event as well, by the name `unopened URL`. That is
    refused at once, so that it is counted with its reason, and no page could fire an event of that name.

    Which URL is opened when, and which states are expanded when, is `strategies.front`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from mimetypes import MimeTypes
from typing import Any
from urllib.parse import urlsplit

from statecrawl.errors import BadInput
from statecrawl.journal.refusals import EXCLUDED
from statecrawl.model.event import OPENS, UNOPENED
from statecrawl.model.expression import found
from statecrawl.ports.found import in_exchange
from statecrawl.ports.page import Snapshot
from statecrawl.ports.traffic import REDIRECTED, Exchange
from statecrawl.urls.canonical import canonical
from statecrawl.urls.finding import in_strings, resolved
from statecrawl.urls.places import HEADER, LINK, MANIFEST, PLACES, REPORTED_ONLY, REQUEST, ROBOTS, SITEMAP, USUAL
from statecrawl.urls.rereading import Rereader
from statecrawl.urls.scripts import OPEN

EVERYWHERE = "all"
FOR_CRAWLERS = frozenset(
    {"Robots", "Sitemap", "Manifest", REDIRECTED}
)  # kinds of what we ask for ourselves; see runtime.files
ASKED = frozenset({"Fetch", "XHR", "EventSource", "Ping"})  # kinds of what scripts ask for
KINDS = MimeTypes()  # by the ends of names, the same on every machine


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
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

    def told(self) -> dict[str, Any]:
        """What decides what is found, by the names of the flags."""
        return {
            "follow": list(self.follow),
            "max-urls": self.urls,
            "max-alike": self.urls_alike,
            "max-states-per-url": self.states_at_url,
        }


@dataclass(slots=True)
class Addresses:
    """Finds addresses to open, each once."""

    site: Site
    first: str  # where the application begins
    allow: Sequence[str]  # expressions for addresses that belong to it
    deny: Sequence[str]
    refused: Callable[[str, str, tuple[str, ...]], str | None]  # why a URL is not opened: URL, words, selectors
    _reasons: dict[str, str] = field(default_factory=dict)  # why URLs are not opened, by the words of links to them
    _known: set[str] = field(default_factory=set)
    _reader: Rereader = field(default_factory=Rereader)

    def __post_init__(self) -> None:
        self._known.add(canonical(self.first) or self.first)

    def new(self, addresses: Iterable[str]) -> list[str]:
        """The events of those that nobody has named here before: some open a URL, some only say that it is left out."""
        fresh = [address for address in dict.fromkeys(addresses) if address not in self._known]
        self._known.update(fresh)
        return [(OPENS if self.reason(address) is None else UNOPENED) + address for address in fresh]

    def named(self, snapshot: Snapshot) -> list[str]:
        """What a state names and is to be opened."""
        return self._pages(self._named(snapshot))

    def shown(self, url: str) -> list[str]:
        """A window in which the page wanted to show a URL: what is to be opened because of it."""
        address = canonical(url)
        return [] if address is None else self._pages([address])

    def heard(self, exchange: Exchange) -> list[str]:
        """What an answer names and is to be opened."""
        if not self.listens and exchange.kind not in FOR_CRAWLERS:
            return []
        places = self._places if exchange.kind == REDIRECTED else self._others  # links of documents: see `named`
        asked = [exchange.url] if exchange.kind in ASKED and REQUEST in self._others else []
        return self._pages([*asked, *(each.url for each in in_exchange(exchange) if each.where in places)])

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

    def _pages(self, named: Iterable[str]) -> list[str]:
        return [address for address in dict.fromkeys(named) if address not in self._known and self.is_page(address)]

    def _named(self, snapshot: Snapshot) -> Iterator[str]:
        places = self._places
        matches: dict[str, tuple[str, ...]] = {}
        for written, selector in snapshot.denied:
            matches[written] = (*matches.get(written, ()), selector)
        for written, words in snapshot.addresses if LINK in places else ():
            address = canonical(written, snapshot.url)
            if address is not None:
                self._judge(address, words, matches.get(written, ()))
                yield address
        in_page = places - {SITEMAP, ROBOTS, HEADER, REQUEST}  # LINK, too: scripts hide what is in <noscript>
        if in_page:
            told = (
                *resolved(self._reader.read(snapshot.html), snapshot.url),
                *in_strings(snapshot.strings, snapshot.url),
            )
            yield from (each.url for each in told if each.where in in_page)

    def reason(self, address: str) -> str | None:
        """Why a URL must not be opened: because of what it says itself, or of what a link to it said here."""
        denied = next((each for each in self.deny if found(each, address) is not None), None)
        if denied is not None:
            return f"{EXCLUDED}--deny '{denied}'"
        return self._reasons.get(address) or self.refused(address, "", ())

    def _judge(self, address: str, words: str, matches: tuple[str, ...]) -> None:
        """Remember why a URL is not to be opened, if one of the links to it says so."""
        if address not in self._known and address not in self._reasons:
            reason = self.refused(address, words, matches)
            if reason is not None:
                self._reasons[address] = reason

    def is_page(self, address: str) -> bool:
        """Whether an address belongs to the application and is a page by its name."""
        kind = KINDS.guess_type(urlsplit(address).path.rpartition("/")[2])[0]
        if OPEN in address or (kind is not None and "html" not in kind):
            return False  # nobody knows all of it; or in a picture or a document there is nothing to do
        return any(found(expression, address) is not None for expression in self.allow)
