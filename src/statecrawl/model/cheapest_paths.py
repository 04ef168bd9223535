"""Cheapest paths with resets, with the fixed tie order on which the comparison with published figures relies.

From a state, a walker may follow explored links (one event each) or reset (c_r) and walk from the initial state. States
are settled in order of cost; among equals, the first one queued is settled first. The links of a state are queued in
the order in which they were explored, and the reset right after the links of the start. With the rule `reset`, this
order alone decides ties; with `walk`, a path that starts with a reset comes after all walks of the same cost.
"""

import heapq
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from statecrawl.model.graph import INITIAL, Graph

UNREACHED = -1


class Ties(StrEnum):
    """Which one is preferred when a reset and a walk cost the same."""

    WALK = "walk"
    RESET = "reset"


@dataclass(frozen=True, slots=True)
class CheapestRoute:
    """Route to a state: perhaps a reset, then the states on the path, including the first one."""

    reset: bool
    states: list[int]
    cost: float

    @property
    def actions(self) -> int:
        """Number of events, plus one for a reset."""
        return len(self.states) - 1 + self.reset

    @property
    def goal(self) -> int:
        return self.states[-1]


class Settling:
    """Search from one position. Iterate it to get states and costs, then call `route` for a settled state."""

    __slots__ = ("_extra", "_graph", "_parents", "_position", "_reset_cost", "_ties", "costs")

    def __init__(
        self,
        graph: Graph,
        position: int | None,
        reset_cost: float,
        ties: Ties,
        extra: Callable[[int], Iterable[int]] | None = None,
    ) -> None:
        """`position` is None if the walker has no page yet. `extra` returns hypothetical links of a state."""
        self._graph = graph
        self._position = position
        self._reset_cost = reset_cost
        self._ties = ties
        self._extra = extra
        self._parents: dict[int, tuple[int, bool]] = {}
        self.costs: dict[int, float] = {}

    def __iter__(self) -> Iterator[tuple[int, float]]:
        successors, costs, parents = self._graph.links.successors, self.costs, self._parents
        position, late = self._position, int(self._ties is Ties.WALK)
        queued: list[tuple[float, int, int, int, int, bool]] = []
        counter = 0
        if position is None:
            heapq.heappush(queued, (self._reset_cost, 0, 0, INITIAL, UNREACHED, True))
        else:
            heapq.heappush(queued, (0, 0, 0, position, UNREACHED, False))
        while queued:
            cost, after, _, state, parent, reset = heapq.heappop(queued)
            if state in costs:
                continue
            costs[state] = cost
            parents[state] = (parent, reset)
            yield state, cost
            reachable: Iterable[int] = successors[state]
            if self._extra is not None:
                reachable = (*reachable, *self._extra(state))
            for target in reachable:
                if target not in costs:
                    counter += 1
                    heapq.heappush(queued, (cost + 1, after, counter, target, state, False))
            if state == position and state != INITIAL:
                counter += 1
                heapq.heappush(queued, (self._reset_cost, late, counter, INITIAL, state, True))

    def route(self, goal: int) -> CheapestRoute:
        """Return the route to a state that this search has settled."""
        states = [goal]
        parent, reset = self._parents[goal]
        while parent != UNREACHED and not reset:
            states.append(parent)
            parent, reset = self._parents[parent]
        states.reverse()
        return CheapestRoute(reset, states, self.costs[goal])


def cheapest_route(
    graph: Graph, position: int | None, goal: int, reset_cost: float, ties: Ties = Ties.WALK
) -> CheapestRoute | None:
    """Return the cheapest route from a position to a state; None if it cannot be reached."""
    search = Settling(graph, position, reset_cost, ties)
    return next((search.route(goal) for state, _ in search if state == goal), None)
