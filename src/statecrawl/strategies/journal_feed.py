"""Telling: a strategy is brought up to date with a journal, fact by fact.

The fold learns first, the strategy second, as in a live crawl. Telling a fresh strategy all facts of a journal
resumes the crawl that wrote it; what a walker had in hand when it stopped is free again, and what failed is not
tried again.

When the rules by which states are told apart are revised, the graph that a strategy works over is void, and the
strategy with it: nobody can go on telling it. A fresh crawl and a fresh strategy are then told what still counts, which
is what `since_revision` finds in a journal.
"""

from collections.abc import Iterable

from statecrawl.journal.facts import (
    CostMeasured,
    CrawlEnded,
    CrawlStarted,
    EquivalenceRevised,
    EventAdded,
    EventCrashed,
    EventHung,
    EventRefused,
    Fact,
    MemberJoined,
    MemberLeft,
    StateFound,
    TransitionDiverged,
    TransitionExplored,
)
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.model.graph import INITIAL, UNEXPLORED
from statecrawl.strategies.strategy import Strategy

_LASTING = CrawlStarted | CostMeasured | MemberJoined | MemberLeft | CrawlEnded  # what no revision makes void


def since_revision(facts: Iterable[Fact]) -> list[Fact]:
    """The facts that still count: all, or the last revision that counts, what follows it, and the runs, the members and
    the costs of a reset that were told before it.

    Told to a fresh `FoldedCrawl` they give what all the facts would, save for what was spent before the revision: the
    first transition explored behind it says that.
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
    """Tells a strategy over `crawl.graph` whatever the crawl learns. The graph must be empty, the strategy fresh."""

    def __init__(self, crawl: FoldedCrawl, strategy: Strategy) -> None:
        self._crawl = crawl
        self._strategy = strategy
        self._unentered: set[int] = set()  # states found that no transition has led to yet

    def tell(self, facts: Iterable[Fact]) -> None:
        """Raises DamagedJournal where a fact speaks of something that is not there, and ValueError where a revision
        makes void what the strategy was told (see `since_revision`). Both know what came before that fact.
        """
        for fact in facts:
            match fact:
                case StateFound():
                    self._found(fact)
                case EventAdded():
                    self._event_added(fact)
                case EquivalenceRevised():
                    if fact.revision > self._crawl.revision and len(self._crawl.graph):
                        raise ValueError(f"revision {fact.revision} makes void what this strategy was told")
                    self._crawl.apply(fact)
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
            self._strategy.found(before, url=fact.url or "", links=fact.links, forms=fact.forms)
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
            self._strategy.explored(state, position, target, is_new=target in self._unentered)
            self._unentered.discard(target)
        elif linked and before not in graph.links.successors[state]:
            self._strategy.link_lost(state, before)
