"""Observing: what walkers report becomes facts, and facts are told to the model, the strategy and the journal.

Theory of operation
    Reports become facts here and nowhere else while one process crawls. Each is told to the fold and the strategy at
    once, so that the next task knows it, and kept for the journal, which is written in groups: a group costs one write,
    and events are a hundred times faster than that. Where evidence is still being written, the group waits for it, so
    that pages are loaded meanwhile. What was not written when the machine dies was never acknowledged, and is found
    again.
"""

from collections.abc import Callable, Iterable

import msgspec

from statecrawl.journal.crawl_bounds import NO_BOUNDS, CrawlBounds, CrawlBoundsTracker
from statecrawl.journal.facts import Fact, TransitionExplored
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.journal.novelty import new_fact
from statecrawl.model.graph import UNEXPLORED
from statecrawl.ports.journal_store import Journal
from statecrawl.ports.recorder import WorkCount
from statecrawl.strategies.journal_feed import StrategyFeed
from statecrawl.strategies.orders import StateEvent
from statecrawl.strategies.strategy import Strategy

GROUP_FACTS = 500
GROUP_SECONDS = 0.25
LATE_SECONDS = 0.5  # however long the evidence of what was found takes


class CrawlRecorder:
    """Makes facts. The strategy and the crawl must be over the same, fresh graph."""

    def __init__(
        self,
        crawl: FoldedCrawl,
        strategy: Strategy,
        journal: Journal,
        clock: Callable[[], float],
        before_write: Callable[[], None] = lambda: None,
        bounds: CrawlBounds = NO_BOUNDS,
        is_busy: Callable[[], bool] = lambda: False,
    ) -> None:
        """`before_write` is called before facts are handed to the journal, and may raise StoreError.

        While it would have to wait, `is_busy`, facts are rather written later.
        """
        self.crawl = crawl
        self.strategy = strategy
        self.tally = WorkCount()
        self.warnings: dict[str, None] = {}  # what whoever asked for the crawl should know, each once
        self._feed = StrategyFeed(crawl, strategy)
        self._journal = journal
        self._clock = clock
        self._before_write = before_write
        self._is_busy = is_busy
        self._bounds = bounds
        self._bounding = CrawlBoundsTracker(bounds, crawl)
        self._group: list[Fact] = []
        self._written = clock()

    def begin_again(self, crawl: FoldedCrawl, strategy: Strategy, facts: Iterable[Fact]) -> None:
        """Forget all that was told before, and be told these facts, which are in the journal already."""
        self.crawl, self.strategy = crawl, strategy
        self._feed = StrategyFeed(crawl, strategy)
        self._feed.push(facts)
        self._bounding = CrawlBoundsTracker(self._bounds, crawl)

    def tell(self, *facts: Fact) -> None:
        """Learn facts, and keep them for the journal."""
        self._feed.push(facts)
        self._group += facts
        if len(self._group) >= GROUP_FACTS or self._is_due():
            self.write()

    def _is_due(self) -> bool:
        waited = self._clock() - self._written
        return waited > GROUP_SECONDS and (waited > LATE_SECONDS or not self._is_busy())

    def tell_journal(self, *facts: Fact) -> None:
        """Write facts after which this observer is not used any more."""
        self._group += facts
        self.write()

    def write(self) -> None:
        """Hand what is kept to the journal. Raises StoreError, and keeps it then: a journal must not have a gap."""
        self._written = self._clock()
        if self._group:
            self._before_write()
            self._journal.append(self._group)
            self._group = []

    # -- what was seen --

    def knows(self, state: str) -> bool:
        """Whether a state has been described."""
        return state in self.crawl.graph.numbers

    def wants(self, state: str) -> bool:
        """Whether a state has to be described now."""
        return not self.knows(state)

    def is_open(self, pair: StateEvent) -> bool:
        """Whether nobody has found out yet where this leads."""
        state, position = self.crawl.pair(*pair)
        return self.crawl.graph.targets[state][position] == UNEXPLORED

    def report(self, *facts: Fact) -> None:
        """What was seen: as far as it is news, it becomes facts."""
        for report in facts:
            fact = new_fact(self.crawl, report)
            if isinstance(fact, TransitionExplored):
                fact = msgspec.structs.replace(fact, fired=self.tally.events, resets=self.tally.resets)
            if fact is not None:
                self.tell(fact)
                for refused in self._bounding.refusals_after(fact):
                    self.tell(refused)
