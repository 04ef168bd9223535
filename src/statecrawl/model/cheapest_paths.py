"""Cheapest paths with resets, in the fixed order of ties that published figures are compared in.

From a state one may walk explored links (each costs one event) or reset (c_r) and walk from the initial state. States
are settled in order of cost; among equals the one that was queued first goes first, the links of a state are queued in
the order in which they were explored, and the reset is queued right after the links of the start. Under the rule
`reset` that order alone decides; under `walk` a way that begins with a reset comes after every walk of the same cost.
"""

import heapq
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from statecrawl.model.graph import INITIAL, Graph

UNREACHED = -1


class Ties(StrEnum):
    """Who wins when a reset and a walk cost the same."""

    WALK = "walk"
    RESET = "reset"


@dataclass(frozen=True, slots=True)
class CheapestRoute:
    """How to get to a state: perhaps a reset, then the states passed, the first one included."""

    reset: bool
    way: list[int]
    cost: float

    @property
    def actions(self) -> int:
        """How many things are done on the way, a reset being one."""
        return len(self.way) - 1 + self.reset

    @property
    def goal(self) -> int:
        return self.way[-1]


class Settling:
    """One search from one position; iterate it to get states and costs, then ask for the route to a settled state."""

    __slots__ = ("_extra", "_graph", "_parents", "_position", "_reset_cost", "_ties", "costs")

    def __init__(
        self,
        graph: Graph,
        position: int | None,
        reset_cost: float,
        ties: Ties,
        extra: Callable[[int], Iterable[int]] | None = None,
    ) -> None:
        """`position` None means that there is no page yet; `extra` adds hypothetical links to each state's own."""
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
        """The way to a state that this search has settled."""
        way = [goal]
        parent, reset = self._parents[goal]
        while parent != UNREACHED and not reset:
            way.append(parent)
            parent, reset = self._parents[parent]
        way.reverse()
        return CheapestRoute(reset, way, self.costs[goal])


def cheapest_route(
    graph: Graph, position: int | None, goal: int, reset_cost: float, ties: Ties = Ties.WALK
) -> CheapestRoute | None:
    """The cheapest way from a position to a state; None when it cannot be reached."""
    search = Settling(graph, position, reset_cost, ties)
    return next((search.route(goal) for state, _ in search if state == goal), None)
