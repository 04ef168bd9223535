"""Journal feed: brings a strategy up to date with a journal, fact by fact.

The fold learns first, the strategy second, as in a live crawl. Feeding all facts of a journal to a new strategy resumes
the crawl that wrote it: pairs that walkers held when it stopped are free again, and failed events are not tried again.

A revision of the rules of state equivalence voids the graph of a strategy, and the strategy with it, so the feed cannot
continue. A new crawl and a new strategy are then fed with the facts that still count (`since_revision`).
"""

from collections.abc import Iterable

from statecrawl.journal.facts import (
    EquivalenceRevised,
    EventAdded,
    Fact,
    Failure,
    Membership,
    RunFact,
    StateFound,
    TransitionDiverged,
    TransitionExplored,
)
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.model.graph import INITIAL, UNEXPLORED
from statecrawl.strategies.strategy import Strategy

_LASTING = RunFact | Membership  # not voided by a revision


def since_revision(facts: Iterable[Fact]) -> list[Fact]:
    """Return the facts that still count: all, or those from the last valid revision on, preceded by the runs, members
    and reset costs recorded before it.

    Folding them gives the same result as folding all facts, except for the cost spent before the revision. The first
    explored transition after the revision states that.
    """
    revision = 0
    since: list[Fact] = []
    for fact in facts:
        if isinstance(fact, EquivalenceRevised) and fact.revision > revision:
            revision = fact.revision
            since = [earlier for earlier in since if isinstance(earlier, _LASTING)]
        since.append(fact)
    return since


class StrategyFeed:
    """Passes facts to a crawl and to a strategy over `crawl.graph`. The graph must be empty and the strategy new."""

    def __init__(self, crawl: FoldedCrawl, strategy: Strategy) -> None:
        self._crawl = crawl
        self._strategy = strategy
        self._unentered: set[int] = set()  # states found to which no transition leads yet

    def push(self, facts: Iterable[Fact]) -> None:
        """Pass on facts in the order of the journal.

        Raises DamagedJournal when a fact refers to an unknown state or event, and ValueError when a revision voids what
        the strategy has learned (see `since_revision`). The facts before that one have been passed on.
        """
        for fact in facts:
            match fact:
                case StateFound():
                    self._found(fact)
                case EventAdded():
                    self._event_added(fact)
                case EquivalenceRevised():
                    if fact.revision > self._crawl.revision and len(self._crawl.graph):
                        raise ValueError(f"revision {fact.revision} voids what this strategy has learned")
                    self._crawl.apply(fact)
                case TransitionExplored() | TransitionDiverged():
                    self._travelled(fact)
                case _ if isinstance(fact, Failure):
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
            self._strategy.found(before, url=fact.url or "", links=fact.links, forms=fact.forms, regions=fact.regions)
            if before != INITIAL:
                self._unentered.add(before)

    def _event_added(self, fact: EventAdded) -> None:
        graph = self._crawl.graph
        before = graph.unexplored
        self._crawl.apply(fact)
        if graph.unexplored > before:
            state = graph.numbers[fact.state]
            self._strategy.event_added(state, len(graph.events[state]) - 1)

    def _travelled(self, fact: TransitionExplored | TransitionDiverged) -> None:
        graph = self._crawl.graph
        state, position = self._crawl.pair(fact.state, fact.event)
        before = graph.targets[state][position]
        linked = before in graph.links.successors[state]
        self._crawl.apply(fact)
        target = graph.targets[state][position]
        if before == UNEXPLORED and target != UNEXPLORED:
            fired = fact.fired if isinstance(fact, TransitionExplored) else None
            self._strategy.explored(state, position, target, is_new=target in self._unentered, fired=fired)
            self._unentered.discard(target)
        elif linked and before not in graph.links.successors[state]:
            self._strategy.link_lost(state, before)
