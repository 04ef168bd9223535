"""The recorder: turns the reports of walkers into facts for the model, the strategy and the journal.

Theory of operation
    While one process crawls, reports become facts here and nowhere else. The model and the strategy learn each fact at
    once, so that the next task is based on it. The journal gets facts in groups: a group costs one write, and events
    are a hundred times faster than a write. While evidence is still being written, the group waits for it, so that
    pages can load meanwhile. Facts that were not written when the machine dies were never acknowledged, and are found
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
LATE_SECONDS = 0.5  # after which a group waits for evidence no longer


class CrawlRecorder:
    """Makes facts. The strategy and the crawl must share the same graph, which is empty."""

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

        While it would have to wait (`is_busy`), facts are written later.
        """
        self.crawl = crawl
        self.strategy = strategy
        self.tally = WorkCount()
        self.warnings: dict[str, None] = {}  # for the user, each once
        self._feed = StrategyFeed(crawl, strategy)
        self._journal = journal
        self._clock = clock
        self._before_write = before_write
        self._is_busy = is_busy
        self._bounds = bounds
        self._bounds_tracker = CrawlBoundsTracker(bounds, crawl)
        self._group: list[Fact] = []
        self._written = clock()

    def restart(self, crawl: FoldedCrawl, strategy: Strategy, facts: Iterable[Fact]) -> None:
        """Replace model and strategy by new ones, which learn these facts; the journal has them already."""
        self.crawl, self.strategy = crawl, strategy
        self._feed = StrategyFeed(crawl, strategy)
        self._feed.push(facts)
        self._bounds_tracker = CrawlBoundsTracker(self._bounds, crawl)

    def record(self, *facts: Fact) -> None:
        """Learn facts, and queue them for the journal."""
        self._feed.push(facts)
        self._group += facts
        if len(self._group) >= GROUP_FACTS or self._is_due():
            self.write()

    def _is_due(self) -> bool:
        waited = self._clock() - self._written
        return waited > GROUP_SECONDS and (waited > LATE_SECONDS or not self._is_busy())

    def write_last(self, *facts: Fact) -> None:
        """Write facts that model and strategy do not learn, because `restart` follows."""
        self._group += facts
        self.write()

    def write(self) -> None:
        """Hand the queued facts to the journal.

        Raises StoreError; then they stay in the queue, because a journal must not have a gap.
        """
        self._written = self._clock()
        if self._group:
            self._before_write()
            self._journal.append(self._group)
            self._group = []

    # -- the Recorder port --

    def knows(self, state: str) -> bool:
        """Whether a state has been described."""
        return state in self.crawl.graph.numbers

    def wants(self, state: str) -> bool:
        """Whether a state has to be described now."""
        return not self.knows(state)

    def is_open(self, pair: StateEvent) -> bool:
        """Whether the target of an event is still unknown."""
        state, position = self.crawl.pair(*pair)
        return self.crawl.graph.targets[state][position] == UNEXPLORED

    def report(self, *facts: Fact) -> None:
        """Record those of these reports that are news."""
        for report in facts:
            fact = new_fact(self.crawl, report)
            if isinstance(fact, TransitionExplored):
                fact = msgspec.structs.replace(fact, fired=self.tally.events, resets=self.tally.resets)
            if fact is not None:
                self.record(fact)
                for refused in self._bounds_tracker.refusals_after(fact):
                    self.record(refused)
