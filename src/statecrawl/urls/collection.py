"""Collection of URLs: each URL once, with the places where it was found.

Theory of operation
    A reader of evidence passes every URL and its place to a collector, which merges equal URLs. A page can invent any
    number of URLs and repeat one on every page. So the number of URLs and of places per URL is limited, but at least
    one place of every kind is kept. Omitted URLs are counted and reported.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from statecrawl.urls.extraction import ExtractedUrl
from statecrawl.urls.sources import REQUEST

MOST_URLS = 100_000
MOST_PLACES = 20  # per URL
PAGE = "page"  # kind of place: the URL of a state


class UrlPlace(NamedTuple):
    """Place where a URL was found: kind, state, and the response that contains it if it is not the page itself."""

    where: str
    state: str = ""
    resource: str = ""


@dataclass(slots=True, kw_only=True)
class CollectedUrl:
    """URL with all its places."""

    url: str
    in_scope: bool
    places: list[UrlPlace] = field(default_factory=list)
    more: int = 0  # further places that were omitted
    states: int = 0  # states that contain it
    visited: bool = False  # it is the URL of a state, or was requested
    status: int | None = None  # HTTP status of the response; 0: no response; None: not requested
    where: list[str] = field(default_factory=list)  # kinds of places

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
    """All URLs found, sorted, and sentences about omitted ones."""

    urls: list[CollectedUrl]
    left_out: tuple[str, ...] = ()


class UrlCollector:
    """Collects URLs."""

    def __init__(self, holds: Callable[[str], bool], clean: Callable[[str], str] = lambda url: url) -> None:
        """`holds` decides whether a URL belongs to the application; `clean` removes secrets from it."""
        self._holds = holds
        self._clean = clean
        self._cleaned: dict[str, str] = {}  # URL as found -> redacted URL
        self._known: dict[str, CollectedUrl] = {}
        self._left_out = 0

    def add_state(self, found: Iterable[ExtractedUrl], state: str) -> list[CollectedUrl]:
        """Add the URLs in the page of a state. Return those not known before."""
        found = list(found)
        new = self.add(found, state)
        for url in {self._redacted(each.url) for each in found} & self._known.keys():
            self._known[url].states += 1
        return new

    def add(self, found: Iterable[ExtractedUrl], state: str = "", resource: str = "") -> list[CollectedUrl]:
        """Add the URLs found in one place. Return those not known before."""
        resource = self._redacted(resource) if resource else ""
        new: list[CollectedUrl] = []
        for each in found:
            collected = self._collected(each.url, new)
            if collected is None:
                self._left_out += 1
                continue
            collected.add(UrlPlace(each.where, state, resource))
            collected.visited |= each.where == PAGE
        return new

    def add_request(self, url: str, status: int, state: str = "") -> list[CollectedUrl]:
        """Add a requested URL. The last status counts, unless there was no response."""
        new = self.add([ExtractedUrl(url, REQUEST)], state)
        collected = self._known.get(self._redacted(url))
        if collected is not None:
            collected.visited = True
            collected.status = status or collected.status or 0
        return new

    def all(self) -> UrlCollection:
        urls = sorted(self._known.values(), key=lambda collected: collected.url)
        omitted = f"only the first {MOST_URLS:,} URLs are kept; {self._left_out:,} more were found"
        return UrlCollection(urls=urls, left_out=(omitted,) if self._left_out else ())

    def _redacted(self, url: str) -> str:
        redacted = self._cleaned.get(url)
        if redacted is None:
            redacted = self._clean(url)
            if len(self._cleaned) < 2 * MOST_URLS:
                self._cleaned[url] = redacted
        return redacted

    def _collected(self, url: str, new: list[CollectedUrl]) -> CollectedUrl | None:
        """Look up a URL, or add it and append it to `new`. None if the collection is full."""
        redacted = self._redacted(url)
        collected = self._known.get(redacted)
        if collected is None:
            if len(self._known) >= MOST_URLS:
                return None
            collected = self._known[redacted] = CollectedUrl(url=redacted, in_scope=self._holds(redacted))
            new.append(collected)
        return collected
