"""Waves: what can be reached at which cost, by whole sets of states.

Where a question concerns many states at once ("the best of all that are three steps away"), sets are whole numbers
whose bits are states: one machine word holds 64 of them, and the successors of a state are joined to a wave in one
operation.
"""

import heapq
from collections.abc import Iterator

from statecrawl.model.graph import INITIAL
from statecrawl.model.paths import Route, Ties

BYTE_BITS = tuple(tuple(bit for bit in range(8) if byte >> bit & 1) for byte in range(256))


class Waves:
    """The links of a growing graph as sets, and searches over them."""

    def __init__(self) -> None:
        self._ahead: list[int] = []  # state -> set of successors
        self._behind: list[int] = []  # state -> set of predecessors

    def add_vertex(self) -> None:
        self._ahead.append(0)
        self._behind.append(0)

    def add(self, source: int, target: int) -> None:
        self._ahead[source] |= 1 << target
        self._behind[target] |= 1 << source

    def remove(self, source: int, target: int) -> None:
        self._ahead[source] &= ~(1 << target)
        self._behind[target] &= ~(1 << source)

    def spread(self, position: int | None, reset_cost: float) -> "Spread":
        return Spread(self._ahead, self._behind, position, reset_cost)


class Spread:
    """One search: iterate it to get costs in ascending order, each with the set of states first reached at it.

    What lies beyond a wave is worked out only when the next one is asked for; `beyond` is the least it can cost.
    """

    def __init__(self, ahead: list[int], behind: list[int], position: int | None, reset_cost: float) -> None:
        self._ahead = ahead
        self._behind = behind
        self._position = position
        self._reset_cost = reset_cost
        self._waves: dict[float, int] = {}
        self.beyond = 0.0

    def __iter__(self) -> Iterator[tuple[float, int]]:
        ahead, waves = self._ahead, self._waves
        coming = {self._reset_cost: 1 << INITIAL}
        if self._position is not None:
            coming[0] = coming.get(0, 0) | 1 << self._position
        costs: list[float] = sorted(coming)
        seen = 0
        while costs:
            cost = heapq.heappop(costs)
            wave = coming.pop(cost) & ~seen
            if not wave:
                continue
            seen |= wave
            waves[cost] = wave
            self.beyond = min(costs[0], cost + 1) if costs else cost + 1
            yield cost, wave
            reached = 0
            for first, byte in enumerate(wave.to_bytes((wave.bit_length() + 7) // 8, "little")):
                if byte:
                    for bit in BYTE_BITS[byte]:
                        reached |= ahead[first * 8 + bit]
            if reached:
                if cost + 1 not in coming:
                    heapq.heappush(costs, cost + 1)
                    coming[cost + 1] = 0
                coming[cost + 1] |= reached

    def route(self, goal: int, cost: float, ties: Ties) -> Route:
        """The way to a state of the wave at this cost, among the waves seen so far."""
        way = [goal]
        left = cost
        while True:
            state = way[-1]
            walked = state == self._position and left == 0
            afresh = state == INITIAL and left == self._reset_cost
            before = self._waves.get(left - 1, 0) & self._behind[state]
            if walked or (afresh and (ties is Ties.RESET or not before)):
                break
            way.append((before & -before).bit_length() - 1)
            left -= 1
        way.reverse()
        return Route(not walked, way, cost)
