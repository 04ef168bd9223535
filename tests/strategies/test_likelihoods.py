"""Likelihoods: the maintained values equal those counted from scratch."""

from bisect import insort
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.strategies.likelihoods import Likelihoods

LOGICALS = 6
Step = tuple[str, int, int]

logical = st.integers(0, LOGICALS - 1)
row = st.lists(logical, max_size=5)


class Counted:
    """Reference that recounts everything for each query."""

    def __init__(self, aging: float, many: int) -> None:
        self.aging = aging
        self.free: list[list[int]] = []
        self.rows: list[list[int]] = []
        self.taken: list[tuple[int, int]] = []
        self.tried = dict.fromkeys(range(LOGICALS), (0.0, 0.0))
        self.real = Likelihoods(self.free, aging, many)

    def find(self, logicals: list[int]) -> None:
        self.free.append(list(range(len(logicals))))
        self.rows.append(list(logicals))
        self.real.found(logicals)

    def add(self, random: Random) -> None:
        state, late = random.randrange(len(self.rows)), random.randrange(LOGICALS)
        self.free[state].append(len(self.rows[state]))
        self.rows[state].append(late)
        self.real.added(state, late)

    def take(self, random: Random) -> None:
        pairs = [(state, position) for state, positions in enumerate(self.free) for position in positions]
        if pairs:
            state, position = random.choice(pairs)
            self.free[state].remove(position)
            self.taken.append((state, position))
            self.real.taken(state, self.rows[state][position])

    def put_back(self, random: Random) -> None:
        if self.taken:
            state, position = self.taken.pop(random.randrange(len(self.taken)))
            insort(self.free[state], position)
            self.real.put_back(state, self.rows[state][position])

    def explore(self, random: Random) -> None:
        if self.taken:
            state, position = self.taken.pop(random.randrange(len(self.taken)))
            explored, is_new = self.rows[state][position], random.random() < 0.4
            times, finds = self.tried[explored]
            self.tried[explored] = (self.aging * times + 1, self.aging * finds + is_new)
            self.real.explored(explored, is_new=is_new)

    def chance(self, state: int, position: int) -> float:
        times, finds = self.tried[self.rows[state][position]]
        return (finds + 1) / (times + 2)

    def check(self, random: Random) -> None:
        chances = [max([self.chance(s, p) for p in free], default=0.0) for s, free in enumerate(self.free)]
        real = self.real
        assert real.best == pytest.approx(max(chances), abs=1e-9)
        assert real.mean == pytest.approx(sum(chances) / len(chances), abs=1e-9)
        for state, chance in enumerate(chances):
            assert real.chance_of(state) == pytest.approx(chance, abs=1e-9)
            if self.free[state]:
                best = [p for p in self.free[state] if self.chance(state, p) == chance]
                assert real.likeliest(state) == best
        for _ in range(3):
            asked = random.getrandbits(len(chances))
            above = random.choice([0.0, 0.2, 1 / 3, 0.5, 0.6])
            eligible = [chance for state, chance in enumerate(chances) if asked >> state & 1 and chance > above]
            found = real.best_among(asked, above)
            if not eligible:
                assert found is None
            else:
                assert found is not None
                state, chance = found
                assert asked >> state & 1
                assert chance == chances[state] == max(eligible)


@given(
    steps=st.lists(st.sampled_from(["take", "take", "explore", "put back", "find", "add"]), max_size=60),
    rows=st.lists(row, min_size=1, max_size=12),
    aging=st.sampled_from((1.0, 0.9, 0.5)),
    many=st.sampled_from((1, 3, 128)),  # all events lots of their own, some, none
    random=st.randoms(use_true_random=False),
)
@settings(max_examples=250, deadline=None)
def test_every_answer_is_that_of_counting_again(
    steps: list[str], rows: list[list[int]], aging: float, many: int, random: Random
) -> None:
    counted = Counted(aging, many)
    coming = iter(rows)
    counted.find(next(coming))
    for step in steps:
        match step:
            case "find":
                logicals = next(coming, None)
                if logicals is not None:
                    counted.find(logicals)
            case "take":
                counted.take(random)
            case "add":
                counted.add(random)
            case "put back":
                counted.put_back(random)
            case _:
                counted.explore(random)
        counted.check(random)


@pytest.mark.parametrize("number", range(4))
def test_many_steps_do_not_drift(number: int) -> None:
    random = Random(number)
    counted = Counted(0.9, many=8)
    for _ in range(40):
        counted.find([random.randrange(LOGICALS) for _ in range(random.randint(0, 8))])
    for _ in range(400):
        random.choice([counted.take, counted.take, counted.put_back, counted.explore])(random)
    counted.check(random)


@pytest.mark.parametrize(
    ("finds", "times", "chance"),
    [(0, 0, 0.5), (1, 1, 2 / 3), (0, 1, 1 / 3), (1, 2, 0.5), (5, 5, 6 / 7), (0, 10, 1 / 12), (3, 20, 4 / 22)],
)
def test_the_rule_of_succession(finds: int, times: int, chance: float) -> None:
    chances = Likelihoods([[0]])
    chances.found([0])
    for number in range(times):
        chances.explored(0, is_new=number < finds)
    assert chances.chance_of(0) == pytest.approx(chance)
    assert chances.best == pytest.approx(chance)


def test_aging_forgets() -> None:
    chances = Likelihoods([[0]], aging=0.5)
    chances.found([0])
    for is_new in (True, False):
        chances.explored(0, is_new=is_new)
    assert chances.chance_of(0) == pytest.approx((0.5 + 1) / (1.5 + 2))


def test_a_state_without_events_may_be_given_one_never_seen() -> None:
    free: list[list[int]] = [[]]
    chances = Likelihoods(free)
    chances.found([])
    assert chances.best == 0
    free[0].append(0)
    chances.added(0, 7)
    assert chances.best == chances.mean == chances.chance_of(0) == 0.5
    assert chances.likeliest(0) == [0]


def test_states_without_events_lower_the_mean() -> None:
    chances = Likelihoods([[0], []])
    chances.found([0])
    chances.found([])
    assert chances.mean == 0.25
    assert chances.chance_of(1) == 0
    assert chances.best_among(0b10, 0) is None
