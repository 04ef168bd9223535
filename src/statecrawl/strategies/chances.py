"""Chances: how likely each logical event is to find a new state, and where the best ones are.

An event explored N times that found S new states has the chance (S + 1) / (N + 2), the rule of succession; one
never explored has 1/2. The chance of a state is the best of its free events'. Two questions are asked before every
task, and neither may cost a pass over the model: the mean chance over all states, and which states of a given set
have a chance above some value.

Theory of operation
    Free pairs are grouped into *lots*: all events never explored are one lot, every other logical event is a lot of
    its own. A lot has one chance and the set (bits of a whole number) of the states where it is free. Every state
    that has a free event is *led* by one lot, one with the best chance there, so the sum of chances is a sum over
    lots. Exploring an event changes the chance of one lot only; then states move between leaders in whole sets,
    best lots first.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence

UNTRIED = -1  # the lot of all events never explored
FAR_LOT = 1 << 62  # sorts behind every lot
PRIOR = 0.5
FEW = 4  # states whose chances are cheaper to compute than to look up


class Chances:
    """Told of free pairs by (state, logical number); `free` is the strategy's own list of free positions."""

    def __init__(self, free: list[list[int]], aging: float = 1.0) -> None:
        """`aging` below 1 forgets: each exploration of an event first multiplies what was known of it by this."""
        self._free = free
        self._aging = aging
        self._logicals: list[Sequence[int]] = []  # state -> logical number of each position
        self._tried: dict[int, tuple[float, float]] = {}  # logical number -> (N, S)
        self._chances: dict[int, float] = {UNTRIED: PRIOR}
        self._where: dict[int, int] = {UNTRIED: 0}  # lot -> states where it is free
        self._led: dict[int, int] = {UNTRIED: 0}  # lot -> states it leads
        self._ranking: list[tuple[float, int]] = []  # (−chance, lot) of the lots that are free somewhere
        self._untried_at: list[int] = []  # state -> free pairs never explored
        self._untried_where: dict[int, list[int]] = {}  # untried logical number -> states that enable it
        self._total = 0.0
        self.open = 0  # states with a free event

    def likeliest(self, state: int) -> list[int]:
        """The free positions of a state with its best chance."""
        logicals, chances = self._logicals[state], self._chances
        ranked = [(chances.get(logicals[position], PRIOR), position) for position in self._free[state]]
        best = max(ranked)[0]
        return [position for chance, position in ranked if chance == best]

    def chance_of(self, state: int) -> float:
        """The best chance among the free events of a state, 0 when there is none."""
        logicals, chances = self._logicals[state], self._chances
        return max([chances.get(logicals[position], PRIOR) for position in self._free[state]], default=0.0)

    @property
    def mean(self) -> float:
        """The mean chance over all states found, those without a free event counting 0."""
        return self._total / len(self._logicals)

    @property
    def best(self) -> float:
        """The best chance of any free pair, 0 when there is none."""
        return -self._ranking[0][0] if self._ranking else 0.0

    def best_among(self, states: int, above: float) -> tuple[int, float] | None:
        """A state of the set with the best chance, and that chance, if it is greater than `above`."""
        states &= self.open
        if not states:
            return None
        if states.bit_count() <= FEW:
            best, found = above, -1
            while states:
                state = states.bit_length() - 1
                states ^= 1 << state
                chance = self.chance_of(state)
                if chance > best or (chance == best and found >= 0):
                    best, found = chance, state
            return None if found < 0 else (found, best)
        for minus, lot in self._ranking:
            if -minus <= above:
                return None
            hit = self._where[lot] & states
            if hit:
                return (hit & -hit).bit_length() - 1, -minus
        return None

    # -- changes --

    def found(self, logicals: Sequence[int]) -> None:
        """The next state was found, with these logical events, all free."""
        state = len(self._logicals)
        bit = 1 << state
        self._logicals.append(logicals)
        self._untried_at.append(0)
        for logical in logicals:
            if logical not in self._tried:
                self._untried_where.setdefault(logical, []).append(state)
            self._join(state, bit, logical)
        if logicals:
            self.open |= bit
            self._lead(self._best_lot(state), bit)

    def taken(self, state: int, logical: int) -> None:
        """A pair is free no longer; the strategy's list says so already."""
        bit = 1 << state
        lot = self._lot(logical)
        if self._leave(state, bit, logical) and self._led[lot] & bit:
            self._unlead(lot, bit)
            if self._free[state]:
                self._lead(self._best_lot(state), bit)
        if not self._free[state]:
            self.open ^= bit

    def put_back(self, state: int, logical: int) -> None:
        """A pair is free again; the strategy's list says so already."""
        bit = 1 << state
        leader = next((lot for lot in map(self._lot, self._logicals[state]) if self._led[lot] & bit), None)
        if leader is not None:
            self._unlead(leader, bit)
        self._join(state, bit, logical)
        self.open |= bit
        self._lead(self._best_lot(state), bit)

    def explored(self, logical: int, *, is_new: bool) -> None:
        """An event was explored; it found a new state or not."""
        times, finds = self._tried.get(logical, (0.0, 0.0))
        times, finds = self._aging * times + 1, self._aging * finds + is_new
        first = logical not in self._tried
        self._tried[logical] = (times, finds)
        if first:
            self._part_from_untried(logical, (finds + 1) / (times + 2))
        else:
            self._change(logical, (finds + 1) / (times + 2))

    def _part_from_untried(self, logical: int, chance: float) -> None:
        """An event is explored for the first time and becomes a lot of its own."""
        where = gone = 0
        for state in dict.fromkeys(self._untried_where.pop(logical, ())):
            times = self._times_free(state, logical)
            if times:
                where |= 1 << state
                self._untried_at[state] -= times
                if not self._untried_at[state]:
                    gone |= 1 << state
        self._set_where(UNTRIED, self._where[UNTRIED] & ~gone)
        self._chances[logical] = chance
        self._where[logical] = self._led[logical] = 0
        self._set_where(logical, where)
        stranded = self._led[UNTRIED] & gone
        self._unlead(UNTRIED, stranded)
        self._hand_over(stranded, max(PRIOR, chance))
        self._win_over(logical)

    def _change(self, lot: int, chance: float) -> None:
        """The chance of a lot changes; states follow to better leaders, or come from worse ones."""
        before, where, led = self._chances[lot], self._where[lot], self._led[lot]
        self._unlead(lot, led)
        self._set_where(lot, 0)
        self._chances[lot] = chance
        self._set_where(lot, where)
        self._hand_over(led, max(before, chance))
        if chance > before:
            self._win_over(lot)

    def _set_where(self, lot: int, states: int) -> None:
        """A lot is free in these states; it is ranked while there are any."""
        before, self._where[lot] = self._where[lot], states
        if bool(before) != bool(states):
            entry = (-self._chances[lot], lot)
            if states:
                insort(self._ranking, entry)
            else:
                del self._ranking[bisect_left(self._ranking, entry)]

    def _hand_over(self, states: int, best: float) -> None:
        """Give states without a leader their best lot; no lot there has a better chance than `best`."""
        begin = bisect_left(self._ranking, (-best, UNTRIED))
        for _, lot in self._ranking[begin:]:
            if not states:
                return
            hit = states & self._where[lot]
            if hit:
                self._lead(lot, hit)
                states ^= hit

    def _win_over(self, winner: int) -> None:
        """Let a lot lead wherever it is free and the leader has a worse chance."""
        chance, where = self._chances[winner], self._where[winner]
        if not where:
            return
        begin = bisect_right(self._ranking, (-chance, FAR_LOT))
        for _, lot in self._ranking[begin:]:
            hit = self._led[lot] & where
            if hit:
                self._unlead(lot, hit)
                self._lead(winner, hit)

    def _lot(self, logical: int) -> int:
        return logical if logical in self._tried else UNTRIED

    def _best_lot(self, state: int) -> int:
        logicals = self._logicals[state]
        return max([self._lot(logicals[position]) for position in self._free[state]], key=self._chances.__getitem__)

    def _lead(self, lot: int, states: int) -> None:
        self._led[lot] |= states
        self._total += self._chances[lot] * states.bit_count()

    def _unlead(self, lot: int, states: int) -> None:
        self._led[lot] &= ~states
        self._total -= self._chances[lot] * states.bit_count()

    def _times_free(self, state: int, logical: int) -> int:
        logicals = self._logicals[state]
        return sum([logicals[position] == logical for position in self._free[state]])

    def _join(self, state: int, bit: int, logical: int) -> None:
        lot = self._lot(logical)
        self._set_where(lot, self._where[lot] | bit)
        if lot == UNTRIED:
            self._untried_at[state] += 1

    def _leave(self, state: int, bit: int, logical: int) -> bool:
        """True when the lot is not free in this state any more."""
        lot = self._lot(logical)
        if lot == UNTRIED:
            self._untried_at[state] -= 1
            left = self._untried_at[state]
        else:
            left = self._times_free(state, logical)
        if left:
            return False
        self._set_where(lot, self._where[lot] ^ bit)
        return True
