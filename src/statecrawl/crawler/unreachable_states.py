"""States with unexplored events that no reliable path reaches any more.

An application may remember more than its pages show. Then an event that led to a state leads elsewhere when it is fired
on a shorter path, and after a few surprises no strategy relies on it. The path on which the state was found may still
lead there, so it is walked again before the crawl gives up.
"""

from dataclasses import dataclass, field

from statecrawl.journal.end_reasons import UNREACHABLE
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.journal.witnesses import witness_paths_of
from statecrawl.model.graph import UNEXPLORED
from statecrawl.strategies.strategy import Strategy

LONGEST_PATH = 100  # events


@dataclass(slots=True)
class UnreachableStates:
    """Selects such states one after the other, and none whose path has led to nothing new."""

    _futile: set[int] = field(default_factory=set)  # states whose paths have led to nothing new
    _last: tuple[int, int] | None = None  # the state selected last, and the number of explored events then

    def next(self, crawl: FoldedCrawl, strategy: Strategy) -> tuple[str, list[str]] | None:
        """Return the id of a state and the path on which it was found; None when none is left to try."""
        graph = crawl.graph
        if self._last is not None and self._last[1] == graph.explored:
            self._futile.add(self._last[0])
        self._last = None
        if strategy.exhaustion_reason(crawl) != UNREACHABLE:
            return None
        paths = witness_paths_of(crawl, LONGEST_PATH)
        for state, targets in enumerate(graph.targets):
            unexplored = ((state, position) for position, target in enumerate(targets) if target == UNEXPLORED)
            if state in self._futile or all(pair in crawl.closed or strategy.is_spare(pair) for pair in unexplored):
                continue
            if walked := paths.walked(state):
                self._last = state, graph.explored
                return graph.ids[state], [graph.event(*pair).local for pair in walked]
        return None
