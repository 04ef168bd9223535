"""Found addresses: each once, with the places where it was found.

Theory of operation
    Whoever reads what a crawl has kept tells a collector what was found where; it brings together what is the same.
    A page can make up any number of addresses, and name one on every page: so many are kept, and of each so many
    places, but every kind of place at least once. What was left out is counted, and said.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from statecrawl.urls.extraction import ExtractedUrl
from statecrawl.urls.sources import REQUEST

MOST_ADDRESSES = 100_000
MOST_PLACES = 20  # of one address
PAGE = "page"  # where: it is the address of a state


class UrlPlace(NamedTuple):
    """Where an address was found: how, in which state, and in which answer where it was not in the page itself."""

    where: str
    state: str = ""
    resource: str = ""


@dataclass(slots=True, kw_only=True)
class FoundUrl:
    """One that was found."""

    url: str
    in_scope: bool
    places: list[UrlPlace] = field(default_factory=list)
    more: int = 0  # times that it was found in other places
    states: int = 0  # that name it
    visited: bool = False  # it is the address of a state, or a page asked for it
    status: int | None = None  # of the answer; 0: there was none; None: nobody asked

    where: list[str] = field(default_factory=list)  # in which ways it was found

    _kept: set[UrlPlace] = field(default_factory=set, repr=False)

    def add(self, place: UrlPlace) -> None:
        if place in self._kept:
            return
        is_new = place.where not in self.where
        if is_new:
            self.where.append(place.where)
        if is_new or len(self.places) < MOST_PLACES:
            self._kept.add(place)
            self.places.append(place)
        else:
            self.more += 1


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlCollection:
    """All that were found, in their order, and what to say of those that were not looked for."""

    addresses: list[FoundUrl]
    left_out: tuple[str, ...] = ()


class UrlCollector:
    """Collects addresses."""

    def __init__(self, holds: Callable[[str], bool], clean: Callable[[str], str] = lambda url: url) -> None:
        """`holds` says whether an address belongs to the application, `clean` takes secrets out of it."""
        self._holds = holds
        self._clean = clean
        self._cleaned: dict[str, str] = {}  # as it was found -> as it is told
        self._known: dict[str, FoundUrl] = {}
        self._left_out = 0

    def shown(self, found: Iterable[ExtractedUrl], state: str) -> list[FoundUrl]:
        """What the page of a state names; those addresses of which nobody knew before."""
        found = list(found)
        new = self.found(found, state)
        for url in {self._told(each.url) for each in found} & self._known.keys():
            self._known[url].states += 1
        return new

    def found(self, found: Iterable[ExtractedUrl], state: str = "", resource: str = "") -> list[FoundUrl]:
        """What was found in one place; the same."""
        resource = self._told(resource) if resource else ""
        new: list[FoundUrl] = []
        for each in found:
            address = self._address(each.url, new)
            if address is None:
                self._left_out += 1
                continue
            address.add(UrlPlace(each.where, state, resource))
            address.visited |= each.where == PAGE
        return new

    def asked(self, url: str, status: int, state: str = "") -> list[FoundUrl]:
        """An address that was asked for; what was answered last counts, but for no answer."""
        new = self.found([ExtractedUrl(url, REQUEST)], state)
        address = self._known.get(self._told(url))
        if address is not None:
            address.visited = True
            address.status = status or address.status or 0
        return new

    def all(self) -> UrlCollection:
        addresses = sorted(self._known.values(), key=lambda address: address.url)
        said = f"only the first {MOST_ADDRESSES:,} addresses are kept: {self._left_out:,} times one more was found"
        return UrlCollection(addresses=addresses, left_out=(said,) if self._left_out else ())

    def _told(self, url: str) -> str:
        told = self._cleaned.get(url)
        if told is None:
            told = self._clean(url)
            if len(self._cleaned) < 2 * MOST_ADDRESSES:
                self._cleaned[url] = told
        return told

    def _address(self, url: str, new: list[FoundUrl]) -> FoundUrl | None:
        told = self._told(url)
        address = self._known.get(told)
        if address is None:
            if len(self._known) >= MOST_ADDRESSES:
                return None
            address = self._known[told] = FoundUrl(url=told, in_scope=self._holds(told))
            new.append(address)
        return address
