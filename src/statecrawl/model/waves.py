"""Waves: what can be reached at which cost, by whole sets of states.

Where a question concerns many states at once ("the best of all that are three steps away"), sets are whole numbers
whose bits are states: one machine word holds 64 of them, and the successors of a state are joined to a wave in one
operation.
"""

from collections.abc import Iterator
from math import inf

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

    There are two fronts: what is walked to from the position, at whole costs, and what is walked to after a reset. A
    state that both reach at the same cost belongs to both, so that either way can be told. What lies beyond a wave is
    worked out only when the next one is asked for; `beyond` is the least it can cost.
    """

    def __init__(self, ahead: list[int], behind: list[int], position: int | None, reset_cost: float) -> None:
        self.beyond = 0.0
        self._ahead = ahead
        self._behind = behind
        self._reset_cost = reset_cost
        self._walked = [0 if position is None else 1 << position]  # by number of events
        self._afresh = [1 << INITIAL]  # by number of events after the reset

    def __iter__(self) -> Iterator[tuple[float, int]]:
        seen = 0
        walked, afresh = self._walked, self._afresh
        while walked[-1] or afresh[-1]:
            after_walk, after_reset = self._costs()
            cost = min(after_walk, after_reset)
            walks, resets = after_walk == cost, after_reset == cost
            wave = (walked[-1] if walks else 0) | (afresh[-1] if resets else 0)
            seen |= wave
            self.beyond = min([cost + 1, *(other for other in (after_walk, after_reset) if other > cost)])
            if wave:
                yield cost, wave
            if walks:
                walked.append(self._reached(walked[-1]) & ~seen)
            if resets:
                afresh.append(self._reached(afresh[-1]) & ~seen)
            if not walks:
                walked[-1] &= ~seen
            if not resets:
                afresh[-1] &= ~seen

    def route(self, goal: int, cost: float, ties: Ties) -> Route:
        """The way to a state of the wave at this cost."""
        walks = cost == int(cost) < len(self._walked) and self._walked[int(cost)] >> goal & 1
        steps = round(cost - self._reset_cost)
        costs_this = self._reset_cost + steps == cost and 0 <= steps < len(self._afresh)
        resets = costs_this and self._afresh[steps] >> goal & 1
        reset = bool(resets and (not walks or ties is Ties.RESET))
        front, steps = (self._afresh, steps) if reset else (self._walked, int(cost))
        way = [goal]
        while steps:
            steps -= 1
            before = front[steps] & self._behind[way[-1]]
            way.append((before & -before).bit_length() - 1)
        way.reverse()
        return Route(reset, way, cost)

    def _costs(self) -> tuple[float, float]:
        """What the last sets of the two fronts cost; endlessly much when they are empty."""
        walk = len(self._walked) - 1 if self._walked[-1] else inf
        return walk, self._reset_cost + (len(self._afresh) - 1) if self._afresh[-1] else inf

    def _reached(self, wave: int) -> int:
        ahead, reached = self._ahead, 0
        for first, byte in enumerate(wave.to_bytes((wave.bit_length() + 7) // 8, "little")):
            if byte:
                for bit in BYTE_BITS[byte]:
                    reached |= ahead[first * 8 + bit]
        return reached
