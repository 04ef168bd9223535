"""Depth of a state: the number of events between the first page and the state, on the path that found it.

With a maximum depth, the events of states at that depth are refused. The reason tells a later run that they were
refused for their depth alone.
"""

from statecrawl.journal.facts import (
    EventRefused,
    ExternalTransition,
    Fact,
    StateFound,
    TransitionDiverged,
    TransitionExplored,
)
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.model.graph import INITIAL, Graph

BEYOND = "beyond "  # start of the reason of every refusal for a bound
DEEP = " events from the first page"  # end of the reason if that bound is the depth


class Depths:
    """Receives every fact of a crawl in order."""

    def __init__(self, most: int | None, crawl: FoldedCrawl) -> None:
        self._most = most
        self._crawl = crawl
        ids = crawl.graph.ids
        self._depths = {ids[state]: depth for state, depth in enumerate(depths(crawl.graph))}
        self._fresh: str | None = None  # the state found last, until the transition to it is known

    def refusals_after(self, fact: Fact) -> list[EventRefused]:
        """Return the refusals that follow from a fact that has just been folded."""
        match fact:
            case StateFound():
                self._fresh = fact.state
                return self._reached(fact.state, 0, is_sure=len(self._depths) == 0)
            case TransitionExplored() if fact.target == self._fresh:
                return self._reached(fact.target, self._depths.get(fact.state, 0) + 1)
            case TransitionDiverged() if fact.landed == self._fresh:
                return self._reached(fact.landed, self._depths.get(fact.state, 0) + 1)
            case ExternalTransition() if fact.target == self._fresh:
                return self._reached(fact.target, self._depths.get(fact.state, 0))
            case EventRefused():
                return []  # a dangerous event of the new state; the transition to the state is still to come
            case _:
                self._fresh = None
                return []

    def _reached(self, state: str, depth: int, *, is_sure: bool = True) -> list[EventRefused]:
        self._depths[state] = depth
        if not is_sure:
            return []
        self._fresh = None
        if self._most is None or depth < self._most:
            return []
        graph = self._crawl.graph
        number = graph.numbers[state]
        reason = f"{BEYOND}{self._most}{DEEP}"
        return [
            EventRefused(state=state, event=graph.event(number, position).local, reason=reason)
            for position in range(len(graph.events[number]))
        ]


def cut_off(crawl: FoldedCrawl) -> dict[int, int]:
    """Return the states that were not expanded, with the maximum depth that applied."""
    maximum = {}
    for (state, _), failures in crawl.failures.items():
        for failure in failures:
            if failure.reason.startswith(BEYOND) and failure.reason.endswith(DEEP):
                maximum[state] = int(failure.reason.removeprefix(BEYOND).split()[0])
    return maximum


def depths(graph: Graph) -> list[int]:
    """Return the depth of every state; 0 for states that no known path reaches."""
    result = [0] * len(graph)
    reached = {INITIAL} if len(graph) else set()
    edge, depth = list(reached), 0
    while edge:
        depth += 1
        ahead = {target for state in edge for target in graph.targets[state] if target >= 0} - reached
        for state in ahead:
            result[state] = depth
        reached |= ahead
        edge = list(ahead)
    return result
