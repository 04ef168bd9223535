"""Telling: a strategy is brought up to date with a journal, fact by fact.

The fold learns first, the strategy second, as in a live crawl. Telling a fresh strategy all facts of a journal
resumes the crawl that wrote it; what a walker had in hand when it stopped is free again, and what failed is not
tried again.
"""

from collections.abc import Iterable

from statecrawl.journal.facts import (
    EventCrashed,
    EventHung,
    EventRefused,
    Fact,
    StateFound,
    TransitionDiverged,
    TransitionExplored,
)
from statecrawl.journal.fold import Crawl
from statecrawl.model.graph import INITIAL, UNEXPLORED
from statecrawl.strategies.strategy import Strategy


class Teller:
    """Tells a strategy over `crawl.graph` whatever the crawl learns. Both must be fresh."""

    def __init__(self, crawl: Crawl, strategy: Strategy) -> None:
        self._crawl = crawl
        self._strategy = strategy
        self._unentered: set[int] = set()  # states found that no transition has led to yet

    def tell(self, facts: Iterable[Fact]) -> None:
        """Raises DamagedJournal where a fact speaks of something that is not there."""
        for fact in facts:
            match fact:
                case StateFound():
                    self._found(fact)
                case TransitionExplored() | TransitionDiverged():
                    self._travelled(fact)
                case EventRefused() | EventHung() | EventCrashed():
                    pair = self._crawl.pair(fact.state, fact.event)
                    self._crawl.apply(fact)
                    if pair in self._crawl.closed:
                        self._strategy.closed(*pair)
                case _:
                    self._crawl.apply(fact)

    def _found(self, fact: StateFound) -> None:
        graph = self._crawl.graph
        before = len(graph)
        self._crawl.apply(fact)
        if len(graph) > before:
            self._strategy.found(before)
            if before != INITIAL:
                self._unentered.add(before)

    def _travelled(self, fact: TransitionExplored | TransitionDiverged) -> None:
        graph = self._crawl.graph
        state, position = self._crawl.pair(fact.state, fact.event)
        before = graph.targets[state][position]
        linked = before in graph.links.successors[state]
        self._crawl.apply(fact)
        target = graph.targets[state][position]
        if before == UNEXPLORED and target != UNEXPLORED:
            self._strategy.explored(state, position, target, is_new=target in self._unentered)
            self._unentered.discard(target)
        elif linked and before not in graph.links.successors[state]:
            self._strategy.link_lost(state, before)
