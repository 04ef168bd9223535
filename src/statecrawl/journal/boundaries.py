"""Bounds: what is left out on purpose, because it lies too deep or there is too much of its kind.

What is beyond a bound is refused, each event with a reason that begins in the same way, so that everybody who reads the
journal knows why, and a later run that it was for the sake of the bound alone.

URLs that are opened are events of the first state (`crawler.site_urls`). A URL that must not be opened is not opened
by any of its events (`journal.blocked_urls`). Of several members that find URLs at the same time, each counts those it
knows: together they may open a few more than the bound allows.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from statecrawl.journal.blocked_urls import BlockedUrls
from statecrawl.journal.depths import BEYOND, Depths, cut_off
from statecrawl.journal.end_reasons import COMPLETE, MAX_ALIKE, MAX_DEPTH, MAX_STATES_PER_URL, MAX_URLS, UNREACHABLE
from statecrawl.journal.facts import EventAdded, EventRefused, Fact, StateFound
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.journal.idle_containers import IdleContainers
from statecrawl.model.event import opened_url
from statecrawl.urls.url_patterns import UrlPatterns

_ADDRESSES, _ALIKE, _AT = " addresses", " addresses like ", " states at "  # what follows the number in a reason


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlBounds:
    """How far a crawl goes; None is no bound."""

    depth: int | None = None  # events from the first page
    urls: int | None = None  # addresses that are opened
    urls_alike: int | None = None  # of those that are alike
    states_at_url: int | None = None  # that are expanded, of one address
    probes: int = 0  # of containers that are alike, before they are left out; 0 leaves none out


NO_BOUNDS = CrawlBounds()


class BoundaryTracker:
    """Told every fact of a crawl in order, after it was folded."""

    def __init__(self, bounds: CrawlBounds, crawl: FoldedCrawl) -> None:
        self._bounds = bounds
        self._crawl = crawl
        self._depths = Depths(bounds.depth, crawl)
        self._containers = IdleContainers(bounds.probes, crawl)
        self._openings = BlockedUrls(crawl)
        self._opened: set[str] = set()
        self._patterns = UrlPatterns()
        self._alike: Counter[str] = Counter()
        self._states: Counter[str] = Counter(map(_place, crawl.urls.values()))
        for event in crawl.graph.vocabulary:
            self._count(event.local)

    def refusals_after(self, fact: Fact) -> list[EventRefused]:
        """What has to be refused because of a fact that has just been folded."""
        refused = self._depths.refusals_after(fact)
        match fact:
            case EventAdded():
                names = [fact.event if isinstance(fact.event, str) else fact.event[0]]
                refused += self._too_many(fact.state, names)
            case StateFound():
                names = [name if isinstance(name, str) else name[0] for name in fact.events]
                refused += self._too_many(fact.state, names)
                refused += self._too_many_here(fact, names)
        return refused + self._containers.refusals_after(fact) + self._openings.refusals_after(fact)

    def _too_many(self, state: str, names: Iterable[str]) -> Iterator[EventRefused]:
        """Of the events that open URLs, those beyond a bound."""
        for name in names:
            like = self._count(name)
            reason = None if like is None else self._reason(like)
            if reason is not None:
                yield EventRefused(state=state, event=name, reason=reason)

    def _count(self, name: str) -> str | None:
        """The pattern of the URL that this opens; None unless it is one of which nobody knew."""
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
            return f"{BEYOND}{bounds.urls}{_ADDRESSES}"
        if bounds.urls_alike is not None and self._alike[like] > bounds.urls_alike:
            return f"{BEYOND}{bounds.urls_alike}{_ALIKE}{like}"
        return None

    def _too_many_here(self, fact: StateFound, names: Iterable[str]) -> Iterator[EventRefused]:
        most = self._bounds.states_at_url
        if fact.url is None:
            return
        place = _place(fact.url)
        self._states[place] += 1
        if most is not None and self._states[place] > most:
            reason = f"{BEYOND}{most}{_AT}{place}"
            yield from (EventRefused(state=fact.state, event=name, reason=reason) for name in names)


def option_of(reason: str) -> str:
    """The option that a crawl would need to be greater, to fire what was refused for this reason."""
    if reason.endswith(_ADDRESSES):
        return "--max-urls"
    return "--max-alike" if _ALIKE in reason else "--max-states-per-url" if _AT in reason else "--max-depth"


def _place(url: str) -> str:
    """A URL without its fragment, unless that is a route: #/users, #!users."""
    plain, _, fragment = url.partition("#")
    return url if fragment.startswith(("/", "!")) else plain


def exhaustion_reason(crawl: FoldedCrawl) -> str:
    """Why a crawl ends in which nobody finds anything to do any more."""
    if not crawl.progress().complete:
        return UNREACHABLE
    if cut_off(crawl):
        return MAX_DEPTH
    reasons = {failure.reason for failures in crawl.failures.values() for failure in failures}
    beyond = [reason for reason in reasons if reason.startswith(BEYOND)]
    if any(reason.endswith(_ADDRESSES) for reason in beyond):
        return MAX_URLS
    if any(_ALIKE in reason for reason in beyond):
        return MAX_ALIKE
    return MAX_STATES_PER_URL if beyond else COMPLETE
