"""Breadth-first and depth-first: explore the oldest or the newest state that still has free events.

The optimized variants take the cheapest known path (Dincturk et al., "A Model-Based Approach for Crawling Rich
Internet Applications", 2014, §7.2). The default variants reset and replay whenever the target is not the current
state.
"""

import heapq
from typing import ClassVar

from statecrawl.model.cheapest_paths import CheapestRoute
from statecrawl.model.graph import Graph
from statecrawl.strategies.settings import StrategySettings
from statecrawl.strategies.strategy import Choice, Strategy, here


class Traversal(Strategy):
    """Explores states in the order, or reverse order, in which they were found."""

    _sign: ClassVar[int]  # +1: oldest first, −1: newest first
    _replays: ClassVar[bool] = False  # reset before every walk

    def __init__(self, graph: Graph, settings: StrategySettings) -> None:
        super().__init__(graph, settings)
        self._queue: list[tuple[int, int]] = []  # (tier, ± number) of states that may have free events
        self._queued: set[int] = set()
        self._nearest = self._index()
        self._target: int | None = None

    def _refresh(self, state: int) -> None:
        if self.free[state] and state not in self._queued:
            self._queued.add(state)
            heapq.heappush(self._queue, (self._tier(state), self._sign * state))

    def _choose(self, walker: int, position: int | None) -> Choice | None:
        passed: list[tuple[int, int]] = []
        choice = None
        while self._queue and choice is None:
            entry = self._queue[0]
            state = self._sign * entry[1]
            if self.free[state]:
                route = self._route(position, state)
                choice = None if route is None else (route, self._pick(self.free[state], state))
            if choice is None:
                heapq.heappop(self._queue)
                if self.free[state]:
                    passed.append(entry)  # cannot be reached now, but perhaps later
                else:
                    self._queued.discard(state)
        for entry in passed:
            heapq.heappush(self._queue, entry)
        return choice

    def _route(self, position: int | None, state: int) -> CheapestRoute | None:
        if position == state:
            return here(state)
        if state != self._target:
            self._nearest.retarget(state)
            self._target = state
        return self._nearest.nearest(None if self._replays else position)


class BreadthFirst(Traversal):
    """Oldest state first, over the cheapest known path."""

    name: ClassVar[str] = "breadth-first"
    _sign: ClassVar[int] = 1


class DepthFirst(Traversal):
    """Newest state first, over the cheapest known path."""

    name: ClassVar[str] = "depth-first"
    _sign: ClassVar[int] = -1


class BreadthFirstDefault(BreadthFirst):
    """Breadth-first that reaches states only by reset and replay."""

    name: ClassVar[str] = "breadth-first-default"
    _replays: ClassVar[bool] = True


class DepthFirstDefault(DepthFirst):
    """Depth-first that reaches states only by reset and replay."""

    name: ClassVar[str] = "depth-first-default"
    _replays: ClassVar[bool] = True
