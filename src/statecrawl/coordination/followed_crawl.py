"""Followed crawl: what a process that explores nothing itself knows from the record.

In a crawl by components, it follows with a strategy that no walker asks. That tells which events are spare, and
therefore why the crawl has ended and how far its result can be trusted (`strategies.component_summary`).
"""

from collections.abc import Callable, Iterable

from statecrawl.journal.crawl_bounds import exhaustion_reason
from statecrawl.journal.facts import Fact
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.model.graph import Graph
from statecrawl.strategies.component_summary import NO_COMPONENTS, ComponentSummary, summary_of_frontier
from statecrawl.strategies.journal_feed import StrategyFeed
from statecrawl.strategies.strategy import Strategy

MakeStrategy = Callable[[Graph], Strategy]


class FollowedCrawl:
    """Fold of the facts of a record, with what follows about components."""

    def __init__(self, make_strategy: MakeStrategy | None) -> None:
        """Without a strategy, nothing is known about components."""
        self.crawl = FoldedCrawl()
        self._strategy = None if make_strategy is None else make_strategy(self.crawl.graph)
        self._feed = None if self._strategy is None else StrategyFeed(self.crawl, self._strategy)

    def extend(self, facts: Iterable[Fact]) -> None:
        """Learn the next facts, up to the first that is impossible. Raises DamagedJournal for that one."""
        if self._feed is None:
            self.crawl.extend(facts)
        else:
            self._feed.push(facts)

    def exhaustion_reason(self) -> str:
        """Return why the crawl ends if no node has anything left to do."""
        return exhaustion_reason(self.crawl) if self._strategy is None else self._strategy.exhaustion_reason(self.crawl)

    def components(self) -> ComponentSummary:
        """Return what is known about components."""
        return NO_COMPONENTS if self._strategy is None else summary_of_frontier(self._strategy.component_frontier)
