"""Likelihoods: how likely each logical event is to find a new state, and which states have the likeliest events.

An event explored N times that found S new states has the chance (S + 1) / (N + 2), the rule of succession; an event
never explored has 1/2. The chance of a state is the best chance among its free events. Every task needs two answers,
neither of which may require a pass over the model: the mean chance over all states, and the state with the best chance
in a given set.

Theory of operation
    Free pairs are grouped into *lots*. A lot has one chance and the set (bits of an integer) of the states where it is
    free. Every state with a free event is *led* by one lot, one with the best chance in that state. So the sum of
    chances is a sum over lots, and the best state of a set is in the first of the ranked lots that is free in the set.

    An event that is free in many states is a lot of its own: exploring it changes the chance of that lot, and whole
    sets of states change their leader. All other events with the same chance form one lot, a *pool*, which counts for
    each state how many of its events are free there. Exploring such an event moves it from one pool to another, state
    by state. So there are few lots, however many events, and events that occur in many states are never moved one state
    at a time.
"""

from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Iterable

MANY = 128  # free pairs from which on an event is a lot of its own
FEW = 4  # states whose chances are cheaper to compute than to look up
LAST = 1 << 62  # sorts behind every lot


class Likelihoods:
    """Chances of all free pairs, identified by (state, logical number)."""

    def __init__(self, free: list[list[int]], aging: float = 1.0, many: int = MANY) -> None:
        """`free` are the strategy's free positions. Each exploration first multiplies the event's counts by `aging`."""
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
        """Mean chance over all states found; states without a free event count as 0."""
        return self._total / len(self._logicals)

    @property
    def best(self) -> float:
        """Best chance of all free pairs; 0 if there are none."""
        return -self._ranking[0][0] if self._ranking else 0.0

    def likeliest(self, state: int) -> list[int]:
        """Return the free positions of a state that have its best chance."""
        logicals = self._logicals[state]
        ranked = [(self._chance(logicals[position]), position) for position in self._free[state]]
        best = max(ranked)[0]
        return [position for chance, position in ranked if chance == best]

    def chance_of(self, state: int) -> float:
        """Return the best chance among the free events of a state; 0 if there are none."""
        logicals = self._logicals[state]
        return max([self._chance(logicals[position]) for position in self._free[state]], default=0.0)

    def best_among(self, states: int, above: float) -> tuple[int, float] | None:
        """Return the state with the best chance in a set, and that chance, if it is greater than `above`."""
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
        """Add the next state, with these logical events, all free."""
        state = len(self._logicals)
        self._logicals.append(list(logicals))
        for logical in self._logicals[state]:
            self._join(state, logical)
        if self._logicals[state]:
            self.open |= 1 << state
            self._lead(self._best_lot(state), 1 << state)

    def added(self, state: int, logical: int) -> None:
        """Append a free event to a known state. `free` must already contain it."""
        self._logicals[state].append(logical)
        self.put_back(state, logical)

    def taken(self, state: int, logical: int) -> None:
        """Record that a pair is no longer free. `free` must already reflect this."""
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
        """Record that a pair is free again. `free` must already contain it."""
        bit = 1 << state
        for lot in {self._lot(other) for other in self._logicals[state]}:
            if self._led.get(lot, 0) & bit:
                self._unlead(lot, bit)
        self._join(state, logical)
        self.open |= bit
        self._lead(self._best_lot(state), bit)

    def explored(self, logical: int, *, is_new: bool) -> None:
        """Update the chance of an event that was explored and did or did not find a new state."""
        before = self._chance(logical)
        times, finds = self._tried.get(logical, (0.0, 0.0))
        self._tried[logical] = times, finds = self._aging * times + 1, self._aging * finds + is_new
        chance = (finds + 1) / (times + 2)
        if logical in self._where:
            self._change(logical, chance)
        elif logical in self._pooled and chance != before:
            self._move(logical, before, chance)

    def _change(self, lot: int, chance: float) -> None:
        """Change the chance of an event that is a lot of its own."""
        before, where, led = self._chances[lot], self._where[lot], self._led[lot]
        self._unlead(lot, led)
        self._set_where(lot, 0)
        self._chances[lot] = chance
        self._set_where(lot, where)
        self._hand_over(led, max(before, chance))
        if chance > before:
            self._win_over(lot, where)

    def _move(self, logical: int, before: float, chance: float) -> None:
        """Move an event to the pool of its new chance."""
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
        """Give states without a leader their best lot. No lot in them has a better chance than `best`."""
        begin = bisect_left(self._ranking, (-best, -LAST))
        for _, lot in self._ranking[begin:]:
            if not states:
                return
            hit = states & self._where[lot]
            if hit:
                self._lead(lot, hit)
                states ^= hit

    def _win_over(self, winner: int, states: int) -> None:
        """Make a lot the leader of those states whose leader has a worse chance."""
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
        """Remove a pool that has become empty: with aging, its chance never recurs."""
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
        """Set the states where a lot is free. The lot is ranked while there are any."""
        before, self._where[lot] = self._where[lot], states
        if bool(before) != bool(states):
            entry = (-self._chances[lot], lot)
            if states:
                insort(self._ranking, entry)
            else:
                del self._ranking[bisect_left(self._ranking, entry)]

    def _join(self, state: int, logical: int) -> None:
        """Add a free pair of this event."""
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
        """Take an event that is free in many states out of its pool and make it a lot of its own."""
        states = self._pooled.pop(logical)
        gone = self._uncount(pool, states)
        self._chances[logical] = self._chances[pool]
        self._where[logical] = self._led[logical] = 0
        self._set_where(logical, _set_of(states))
        led = self._led[pool] & gone
        self._unlead(pool, led)
        self._lead(logical, led)

    def _leave(self, state: int, logical: int) -> bool:
        """Remove a free pair of this event. Return whether its lot is no longer free in this state."""
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
        """Count one more free pair of a pool in each state. Return the set of states that had none."""
        counts, came = self._counts[pool], []
        for state in states:
            counts[state] += 1
            if counts[state] == 1:
                came.append(state)
        new = _set_of(came)
        self._set_where(pool, self._where[pool] | new)
        return new

    def _uncount(self, pool: int, states: Iterable[int]) -> int:
        """Count one free pair of a pool less in each state. Return the set of states that have none left."""
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
    bits = 0
    for state in states:
        bits |= 1 << state
    return bits
