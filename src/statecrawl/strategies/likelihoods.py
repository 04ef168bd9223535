"""Chances: how likely each logical event is to find a new state, and where the best ones are.

An event explored N times that found S new states has the chance (S + 1) / (N + 2), the rule of succession; one never
explored has 1/2. The chance of a state is the best of its free events'. Two questions are asked before every task, and
neither may cost a pass over the model: the mean chance over all states, and which state of a given set has the best
chance.

Theory of operation
    Free pairs are grouped into *lots*. A lot has one chance and the set (bits of a whole number) of the states where it
    is free. Every state that has a free event is *led* by one lot, one with the best chance there, so the sum of
    chances is a sum over lots, and the best of some states is the first of the ranked lots that is free in one of them.

    An event that is free in many states is a lot of its own: exploring it changes the chance of that lot, and states
    move to other leaders, or come from them, in whole sets. All other events of the same chance are one lot together,
    a *pool*, which counts in each state how many of its events are free there; exploring such an event moves it from
    one pool to another, state by state. So there are few lots, however many events, and nothing is moved one by one
    that stands in many places.
"""

from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Iterable

MANY = 128  # free pairs from which an event is a lot of its own
FEW = 4  # states whose chances are cheaper to compute than to look up
LAST = 1 << 62  # sorts behind every lot


class Likelihoods:
    """Told of free pairs by (state, logical number); `free` is the strategy's own list of free positions."""

    def __init__(self, free: list[list[int]], aging: float = 1.0, many: int = MANY) -> None:
        """`aging` below 1 forgets: each exploration of an event first multiplies what was known of it by this."""
        self._many = many
        self.open = 0  # states with a free event
        self._free = free
        self._aging = aging
        self._logicals: list[list[int]] = []  # state -> logical number of each position
        self._tried: dict[int, tuple[float, float]] = {}  # logical number -> (N, S)
        self._total = 0.0
        # lots: a logical number for one of its own, a negative number for a pool
        self._chances: dict[int, float] = {}
        self._where: dict[int, int] = {}  # states where the lot is free
        self._led: dict[int, int] = {}  # states it leads
        self._ranking: list[tuple[float, int]] = []  # (−chance, lot) of the lots that are free somewhere
        self._pools: dict[float, int] = {}  # chance -> its pool
        self._last_pool = 0
        self._counts: dict[int, Counter[int]] = {}  # pool -> state -> free pairs
        self._pooled: dict[int, list[int]] = {}  # logical number in a pool -> states where it is free, once per pair

    @property
    def mean(self) -> float:
        """The mean chance over all states found, those without a free event counting 0."""
        return self._total / len(self._logicals)

    @property
    def best(self) -> float:
        """The best chance of any free pair, 0 when there is none."""
        return -self._ranking[0][0] if self._ranking else 0.0

    def likeliest(self, state: int) -> list[int]:
        """The free positions of a state with its best chance."""
        logicals = self._logicals[state]
        ranked = [(self._chance(logicals[position]), position) for position in self._free[state]]
        best = max(ranked)[0]
        return [position for chance, position in ranked if chance == best]

    def chance_of(self, state: int) -> float:
        """The best chance among the free events of a state, 0 when there is none."""
        logicals = self._logicals[state]
        return max([self._chance(logicals[position]) for position in self._free[state]], default=0.0)

    def best_among(self, states: int, above: float) -> tuple[int, float] | None:
        """A state of the set with the best chance, and that chance, if it is greater than `above`."""
        states &= self.open
        if states.bit_count() <= FEW:
            return self._best_of_few(states, above)
        for minus, lot in self._ranking:
            if -minus <= above:
                break
            hit = self._where[lot] & states
            if hit:
                return (hit & -hit).bit_length() - 1, -minus
        return None

    # -- changes --

    def found(self, logicals: Iterable[int]) -> None:
        """The next state was found, with these logical events, all free."""
        state = len(self._logicals)
        self._logicals.append(list(logicals))
        for logical in self._logicals[state]:
            self._join(state, logical)
        if self._logicals[state]:
            self.open |= 1 << state
            self._lead(self._best_lot(state), 1 << state)

    def added(self, state: int, logical: int) -> None:
        """A known state has one more event at its end, free; the strategy's list says so already."""
        self._logicals[state].append(logical)
        self.put_back(state, logical)

    def taken(self, state: int, logical: int) -> None:
        """A pair is free no longer; the strategy's list says so already."""
        bit = 1 << state
        lot = self._lot(logical)
        if self._leave(state, logical) and self._led[lot] & bit:
            self._unlead(lot, bit)
            if self._free[state]:
                self._lead(self._best_lot(state), bit)
        if not self._free[state]:
            self.open ^= bit
        self._drop(lot)

    def put_back(self, state: int, logical: int) -> None:
        """A pair is free again; the strategy's list says so already."""
        bit = 1 << state
        for lot in {self._lot(other) for other in self._logicals[state]}:
            if self._led.get(lot, 0) & bit:
                self._unlead(lot, bit)
        self._join(state, logical)
        self.open |= bit
        self._lead(self._best_lot(state), bit)

    def explored(self, logical: int, *, is_new: bool) -> None:
        """An event was explored; it found a new state or not."""
        before = self._chance(logical)
        times, finds = self._tried.get(logical, (0.0, 0.0))
        self._tried[logical] = times, finds = self._aging * times + 1, self._aging * finds + is_new
        chance = (finds + 1) / (times + 2)
        if logical in self._where:
            self._change(logical, chance)
        elif logical in self._pooled and chance != before:
            self._move(logical, before, chance)

    def _change(self, lot: int, chance: float) -> None:
        """The chance of a lot of its own changes."""
        before, where, led = self._chances[lot], self._where[lot], self._led[lot]
        self._unlead(lot, led)
        self._set_where(lot, 0)
        self._chances[lot] = chance
        self._set_where(lot, where)
        self._hand_over(led, max(before, chance))
        if chance > before:
            self._win_over(lot, where)

    def _move(self, logical: int, before: float, chance: float) -> None:
        """An event moves to the pool of its new chance."""
        old, new = self._pools[before], self._pool(chance)
        states = self._pooled[logical]
        gone = self._uncount(old, states)
        came = self._count(new, states)
        stranded = self._led[old] & gone
        self._unlead(old, stranded)
        self._hand_over(stranded, max(before, chance))
        self._win_over(new, came)
        self._drop(old)

    def _hand_over(self, states: int, best: float) -> None:
        """Give states without a leader their best lot; no lot there has a better chance than `best`."""
        begin = bisect_left(self._ranking, (-best, -LAST))
        for _, lot in self._ranking[begin:]:
            if not states:
                return
            hit = states & self._where[lot]
            if hit:
                self._lead(lot, hit)
                states ^= hit

    def _win_over(self, winner: int, states: int) -> None:
        """Let a lot lead those of the states whose leader has a worse chance."""
        begin = bisect_right(self._ranking, (-self._chances[winner], LAST))
        for _, lot in self._ranking[begin:] if states else ():
            hit = self._led[lot] & states
            if hit:
                self._unlead(lot, hit)
                self._lead(winner, hit)

    # -- lots --

    def _chance(self, logical: int) -> float:
        times, finds = self._tried.get(logical, (0.0, 0.0))
        return (finds + 1) / (times + 2)

    def _lot(self, logical: int) -> int:
        return logical if logical in self._where else self._pool(self._chance(logical))

    def _pool(self, chance: float) -> int:
        pool = self._pools.get(chance)
        if pool is None:
            self._last_pool -= 1
            pool = self._pools[chance] = self._last_pool
            self._chances[pool] = chance
            self._where[pool] = self._led[pool] = 0
            self._counts[pool] = Counter()
        return pool

    def _drop(self, lot: int) -> None:
        """Forget a pool with nothing in it: with aging, no chance comes back."""
        if lot < 0 and not self._where[lot]:
            del self._pools[self._chances[lot]], self._chances[lot], self._where[lot], self._led[lot], self._counts[lot]

    def _best_lot(self, state: int) -> int:
        logicals = self._logicals[state]
        best = max([(self._chance(logicals[position]), logicals[position]) for position in self._free[state]])
        return self._lot(best[1])

    def _best_of_few(self, states: int, above: float) -> tuple[int, float] | None:
        best: tuple[int, float] | None = None
        while states:
            state = states.bit_length() - 1
            states ^= 1 << state
            chance = self.chance_of(state)
            if chance > above or (best is not None and chance == above):
                best, above = (state, chance), chance
        return best

    def _lead(self, lot: int, states: int) -> None:
        self._led[lot] |= states
        self._total += self._chances[lot] * states.bit_count()

    def _unlead(self, lot: int, states: int) -> None:
        self._led[lot] &= ~states
        self._total -= self._chances[lot] * states.bit_count()

    def _set_where(self, lot: int, states: int) -> None:
        """A lot is free in these states; it is ranked while there are any."""
        before, self._where[lot] = self._where[lot], states
        if bool(before) != bool(states):
            entry = (-self._chances[lot], lot)
            if states:
                insort(self._ranking, entry)
            else:
                del self._ranking[bisect_left(self._ranking, entry)]

    def _join(self, state: int, logical: int) -> None:
        """A pair of this event is free."""
        if logical in self._where:
            self._set_where(logical, self._where[logical] | 1 << state)
            return
        states = self._pooled.setdefault(logical, [])
        states.append(state)
        pool = self._pool(self._chance(logical))
        self._count(pool, (state,))
        if len(states) >= self._many:
            self._part(logical, pool)

    def _part(self, logical: int, pool: int) -> None:
        """An event leaves its pool, since it is free in many states, and becomes a lot of its own."""
        states = self._pooled.pop(logical)
        gone = self._uncount(pool, states)
        self._chances[logical] = self._chances[pool]
        self._where[logical] = self._led[logical] = 0
        self._set_where(logical, _set_of(states))
        led = self._led[pool] & gone
        self._unlead(pool, led)
        self._lead(logical, led)

    def _leave(self, state: int, logical: int) -> bool:
        """A pair of this event is free no longer; True when its lot is not free in this state any more."""
        if logical in self._where:
            logicals = self._logicals[state]
            if logical in [logicals[position] for position in self._free[state]]:
                return False
            self._set_where(logical, self._where[logical] ^ 1 << state)
            return True
        states = self._pooled[logical]
        states.remove(state)
        if not states:
            del self._pooled[logical]
        return bool(self._uncount(self._pools[self._chance(logical)], (state,)))

    def _count(self, pool: int, states: Iterable[int]) -> int:
        """More pairs of a pool are free in these states; the set of those where none was."""
        counts, came = self._counts[pool], []
        for state in states:
            counts[state] += 1
            if counts[state] == 1:
                came.append(state)
        new = _set_of(came)
        self._set_where(pool, self._where[pool] | new)
        return new

    def _uncount(self, pool: int, states: Iterable[int]) -> int:
        """Fewer pairs of a pool are free in these states; the set of those where none is left."""
        counts, left = self._counts[pool], []
        for state in states:
            counts[state] -= 1
            if not counts[state]:
                del counts[state]
                left.append(state)
        gone = _set_of(left)
        self._set_where(pool, self._where[pool] & ~gone)
        return gone


def _set_of(states: Iterable[int]) -> int:
    joined = 0
    for state in states:
        joined |= 1 << state
    return joined
