"""Bounds of a crawl: events that are refused because they lie too deep or because there are too many of their kind.

Every event beyond a bound is refused with a reason that starts with `BEYOND`. Readers of the journal see why, and a
later run with a larger bound knows that the event was refused for this bound alone.

URLs are opened by events of the first state (`crawler.site_urls`). A blocked URL is not opened by any event
(`journal.blocked_urls`). When several members find URLs at the same time, each counts those it knows, so together they
may open slightly more URLs than the bound allows.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from statecrawl.journal.blocked_urls import BlockedUrls
from statecrawl.journal.depths import BEYOND, Depths, cut_off
from statecrawl.journal.end_reasons import (
    BOUNDED,
    COMPLETE,
    COMPONENTS,
    MAX_ALIKE,
    MAX_DEPTH,
    MAX_STATES_PER_URL,
    MAX_URLS,
    UNREACHABLE,
)
from statecrawl.journal.facts import EventAdded, EventRefused, Fact, StateFound
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.journal.idle_containers import IdleContainers
from statecrawl.model.event import opened_url
from statecrawl.urls.url_patterns import UrlPatterns

# What follows the number in a reason
_URLS, _ALIKE, _AT = " URLs", " URLs like ", " states at "
_OLD_URLS, _OLD_ALIKE = " addresses", " addresses like "  # the same, as the first release wrote it


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlBounds:
    """How far a crawl goes. None means unbounded."""

    depth: int | None = None  # events from the first page
    urls: int | None = None  # URLs that are opened
    urls_alike: int | None = None  # URLs that are opened per URL pattern
    states_at_url: int | None = None  # states per URL whose events are fired
    probes: int = 0  # events fired on similar containers before the rest is refused; 0: never refuse them


NO_BOUNDS = CrawlBounds()


class CrawlBoundsTracker:
    """Receives every fact of a crawl in order, after it was folded."""

    def __init__(self, bounds: CrawlBounds, crawl: FoldedCrawl) -> None:
        self._bounds = bounds
        self._crawl = crawl
        self._depths = Depths(bounds.depth, crawl)
        self._containers = IdleContainers(bounds.probes, crawl)
        self._blocked = BlockedUrls(crawl)
        self._opened: set[str] = set()
        self._patterns = UrlPatterns()
        self._alike: Counter[str] = Counter()
        self._states: Counter[str] = Counter(map(_place, crawl.urls.values()))
        for event in crawl.graph.vocabulary:
            self._count(event.local)

    def refusals_after(self, fact: Fact) -> list[EventRefused]:
        """Return the refusals that follow from a fact that has just been folded."""
        refused = self._depths.refusals_after(fact)
        match fact:
            case EventAdded():
                names = [fact.event if isinstance(fact.event, str) else fact.event[0]]
                refused += self._too_many(fact.state, names)
            case StateFound():
                names = [name if isinstance(name, str) else name[0] for name in fact.events]
                refused += self._too_many(fact.state, names)
                refused += self._too_many_here(fact, names)
        return refused + self._containers.refusals_after(fact) + self._blocked.refusals_after(fact)

    def _too_many(self, state: str, names: Iterable[str]) -> Iterator[EventRefused]:
        """Refuse the events that open URLs beyond a bound."""
        for name in names:
            like = self._count(name)
            reason = None if like is None else self._reason(like)
            if reason is not None:
                yield EventRefused(state=state, event=name, reason=reason)

    def _count(self, name: str) -> str | None:
        """Count the URL that an event opens and return its pattern; None if it opens no URL or a known one."""
        url = opened_url(name)
        if url is None or url in self._opened:
            return None
        self._opened.add(url)
        like = self._patterns.of(url)
        self._alike[like] += 1
        return like

    def _reason(self, like: str) -> str | None:
        bounds = self._bounds
        if bounds.urls is not None and len(self._opened) > bounds.urls:
            return f"{BEYOND}{bounds.urls}{_URLS}"
        if bounds.urls_alike is not None and self._alike[like] > bounds.urls_alike:
            return f"{BEYOND}{bounds.urls_alike}{_ALIKE}{like}"
        return None

    def _too_many_here(self, fact: StateFound, names: Iterable[str]) -> Iterator[EventRefused]:
        """Refuse the events of a state if there are too many states at its URL."""
        most = self._bounds.states_at_url
        if fact.url is None:
            return
        place = _place(fact.url)
        self._states[place] += 1
        if most is not None and self._states[place] > most:
            reason = f"{BEYOND}{most}{_AT}{place}"
            yield from (EventRefused(state=fact.state, event=name, reason=reason) for name in names)


def option_of(reason: str) -> str:
    """Return the option that must be larger to fire an event refused for this reason."""
    if _is_beyond_urls(reason):
        return "--max-urls"
    return "--max-alike" if _is_beyond_alike(reason) else "--max-states-per-url" if _AT in reason else "--max-depth"


def _is_beyond_urls(reason: str) -> bool:
    return reason.endswith((_URLS, _OLD_URLS))


def _is_beyond_alike(reason: str) -> bool:
    return _ALIKE in reason or _OLD_ALIKE in reason


def _place(url: str) -> str:
    """Return a URL without its fragment, unless the fragment is a route: #/users, #!users."""
    plain, _, fragment = url.partition("#")
    return url if fragment.startswith(("/", "!")) else plain


def exhaustion_reason(crawl: FoldedCrawl, spare: int = 0, *, is_cut: bool = False) -> str:
    """Return the end reason of a crawl in which no event is left that can be fired.

    `spare` events need not be fired, because of components; `is_cut` says that rows or values without end were cut.
    """
    if crawl.graph.unexplored > len(crawl.closed) + spare or not len(crawl.graph):
        return UNREACHABLE
    if cut_off(crawl):
        return MAX_DEPTH
    reasons = {failure.reason for failures in crawl.failures.values() for failure in failures}
    beyond = [reason for reason in reasons if reason.startswith(BEYOND)]
    if any(map(_is_beyond_urls, beyond)):
        return MAX_URLS
    if any(map(_is_beyond_alike, beyond)):
        return MAX_ALIKE
    if beyond:
        return MAX_STATES_PER_URL
    if not spare:
        return COMPLETE
    return BOUNDED if is_cut else COMPONENTS
