"""Reachability by sets: the states that can be reached at each cost.

For questions about many states at once ("the best of all states three steps away"), a set of states is an integer whose
bits are states. One machine word holds 64 of them, and the successors of a state are added to a set in one operation.

A crawl returns to the same few states again and again, so the sets around a state (`Ripples`) are cached. A link added
later matters only if it leads farther out than the ripple of its source. The sources of new links are collected in one
more set, which is checked when the ripples are used again.
"""

from collections.abc import Iterator
from math import inf

from statecrawl.model.cheapest_paths import CheapestRoute, Ties
from statecrawl.model.graph import INITIAL

MOST_CACHED = 128  # starts whose ripples are cached
BUDGET_BITS = 1 << 29  # size of the cache, about 64 megabytes
BYTE_BITS = tuple(tuple(bit for bit in range(8) if byte >> bit & 1) for byte in range(256))


class Waves:
    """Links of a growing graph as sets, with searches over them."""

    def __init__(self) -> None:
        self._ahead: list[int] = []  # state -> set of successors
        self._behind: list[int] = []  # state -> set of predecessors
        self._ripples: dict[int, Ripples] = {}  # start -> its ripples, the most recently used last

    def add_vertex(self) -> None:
        self._ahead.append(0)
        self._behind.append(0)

    def add(self, source: int, target: int) -> None:
        if self._ahead[source] >> target & 1:
            return
        bit = 1 << source
        self._ahead[source] |= 1 << target
        self._behind[target] |= bit
        for ripples in self._ripples.values():
            ripples.stale |= bit

    def remove(self, source: int, target: int) -> None:
        self._ahead[source] &= ~(1 << target)
        self._behind[target] &= ~(1 << source)
        self._ripples.clear()

    def spread(self, position: int | None, reset_cost: float) -> "WaveSpread":
        """Start a search with resets from a position (None: the walker has no page yet)."""
        walked = None if position is None else self._around(position)
        return WaveSpread(self._behind, walked, self._around(INITIAL), reset_cost)

    def _around(self, start: int) -> "Ripples":
        ripples = self._ripples.pop(start, None)
        if ripples is None:
            ripples = Ripples(self._ahead, start)
            while len(self._ripples) >= MOST_CACHED or (self._ripples and self._cached_bits() > BUDGET_BITS):
                del self._ripples[next(iter(self._ripples))]
        else:
            ripples.freshen()
        self._ripples[start] = ripples
        return ripples

    def _cached_bits(self) -> int:
        return 2 * len(self._ahead) * sum([ripples.depth for ripples in self._ripples.values()])


class Ripples:
    """Sets of states at 0, 1, 2, … links from a start, computed on demand."""

    __slots__ = ("_ahead", "_levels", "_within", "stale")

    def __init__(self, ahead: list[int], start: int) -> None:
        self.stale = 0  # sources of links added since the last use
        self._ahead = ahead
        self._levels = [1 << start]
        self._within = [1 << start]  # level -> states at that many links or fewer

    @property
    def depth(self) -> int:
        """Number of levels computed so far."""
        return len(self._levels)

    def level(self, links: int) -> int:
        """Return the states this many links away; 0 from the first empty level on."""
        levels, within = self._levels, self._within
        while links >= len(levels) and levels[-1]:
            reached = within[-1] | self._reached(levels[-1])
            levels.append(reached & ~within[-1])
            within.append(reached)
        return levels[links] if links < len(levels) else 0

    def freshen(self) -> None:
        """Drop the levels that new links have invalidated."""
        levels, within = self._levels, self._within
        if self.stale & within[-1]:
            for links, level in enumerate(levels[:-1]):
                changed = self.stale & level
                if changed and self._reached(changed) & ~within[links + 1]:
                    del levels[links + 1 :], within[links + 1 :]
                    break
        self.stale = 0

    def _reached(self, states: int) -> int:
        ahead, reached = self._ahead, 0
        for first, byte in enumerate(states.to_bytes((states.bit_length() + 7) // 8, "little")):
            if byte:
                for bit in BYTE_BITS[byte]:
                    reached |= ahead[first * 8 + bit]
        return reached


class WaveSpread:
    """Search: iterate it to get costs in ascending order, each with the set of states first reached at that cost.

    The next wave is computed only when it is requested; `beyond` is its minimal cost.
    """

    __slots__ = ("_afresh", "_behind", "_reset_cost", "_walked", "beyond")

    def __init__(self, behind: list[int], walked: Ripples | None, afresh: Ripples, reset_cost: float) -> None:
        self.beyond = 0.0
        self._behind = behind
        self._walked = walked
        self._afresh = afresh
        self._reset_cost = reset_cost

    def __iter__(self) -> Iterator[tuple[float, int]]:
        walked, afresh, reset_cost = self._walked, self._afresh, self._reset_cost
        walks = resets = seen = 0  # links followed so far on each of the two fronts
        after_walk: float = inf if walked is None else 0
        after_reset: float = reset_cost
        while (cost := min(after_walk, after_reset)) < inf:
            wave = walks_on = resets_on = 0
            if walked is not None and after_walk == cost:
                wave = walks_on = walked.level(walks)
            if after_reset == cost:
                resets_on = afresh.level(resets)
                wave |= resets_on
            wave &= ~seen
            self.beyond = min([cost + 1, *(other for other in (after_walk, after_reset) if other > cost)])
            if wave:
                seen |= wave
                yield cost, wave
            if after_walk == cost:
                walks += 1
                after_walk = walks if walks_on else inf
            if after_reset == cost:
                resets += 1
                after_reset = reset_cost + resets if resets_on else inf

    def route(self, goal: int, cost: float, ties: Ties) -> CheapestRoute:
        """Return the route to a state in the wave of this cost."""
        steps = round(cost - self._reset_cost)
        afresh = steps >= 0 and self._reset_cost + steps == cost and self._afresh.level(steps) >> goal & 1
        walked = self._walked is not None and cost == int(cost) and self._walked.level(int(cost)) >> goal & 1
        if self._walked is None or (afresh and (not walked or ties is Ties.RESET)):
            return CheapestRoute(True, self._trace(self._afresh, goal, steps), cost)
        return CheapestRoute(False, self._trace(self._walked, goal, int(cost)), cost)

    def _trace(self, front: Ripples, goal: int, steps: int) -> list[int]:
        states = [goal]
        while steps:
            steps -= 1
            before = front.level(steps) & self._behind[states[-1]]
            states.append((before & -before).bit_length() - 1)
        states.reverse()
        return states
