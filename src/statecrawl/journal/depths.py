"""Depths: how many events lie between the first page and a state, along the way on which it was found.

With a greatest depth, the events of states that lie as deep are refused, each with a reason by which a later run knows
that it was for the sake of depth alone.
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

BEYOND = "beyond "  # how a refusal begins that is for the sake of a bound alone,
DEEP = " events from the first page"  # and how it ends when that is the depth


class Depths:
    """Told every fact of a crawl in order."""

    def __init__(self, most: int | None, crawl: FoldedCrawl) -> None:
        self._most = most
        self._crawl = crawl
        ids = crawl.graph.ids
        self._depths = {ids[state]: depth for state, depth in enumerate(depths(crawl.graph))}
        self._fresh: str | None = None  # the state found last, as long as nothing was told of how it was reached

    def refusals_after(self, fact: Fact) -> list[EventRefused]:
        """What has to be refused because of a fact that has just been folded."""
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
                return []  # of what says that it is dangerous; how the state was reached is still to come
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
    """The states that were not expanded, with the greatest depth at that time."""
    found = {}
    for (state, _), failures in crawl.failures.items():
        for failure in failures:
            if failure.reason.startswith(BEYOND) and failure.reason.endswith(DEEP):
                found[state] = int(failure.reason.removeprefix(BEYOND).split()[0])
    return found


def depths(graph: Graph) -> list[int]:
    """How many events each state is from the first page; 0 for those to which no way is known."""
    found = [0] * len(graph)
    reached = {INITIAL} if len(graph) else set()
    edge, depth = list(reached), 0
    while edge:
        depth += 1
        ahead = {target for state in edge for target in graph.targets[state] if target >= 0} - reached
        for state in ahead:
            found[state] = depth
        reached |= ahead
        edge = list(ahead)
    return found
