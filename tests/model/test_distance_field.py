"""The field has the values that a search from scratch would find, after any change."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.model.distance_field import FAR, STEP, TIER, DistanceField
from statecrawl.model.successors import Successors

SIZE = 9
RANKS = (0, 1, 5, STEP - 1, STEP, STEP + 3, 2 * STEP, TIER, TIER + 2)

number = st.integers(0, SIZE - 1)
changes = st.one_of(
    st.tuples(st.just("link"), number, number),
    st.tuples(st.just("link"), number, number),
    st.tuples(st.just("unlink"), number, st.integers(1, 3)),
    st.tuples(st.just("open"), number, st.sampled_from(RANKS)),
    st.tuples(st.just("close"), number, number),
    st.tuples(st.just("retarget"), number, st.integers(0, 3)),
    st.tuples(st.just("vertex"), number, number),
)


def links_of(size: int, *pairs: tuple[int, int]) -> Successors:
    links = Successors()
    for _ in range(size):
        links.add_vertex()
    for source, target in pairs:
        links.add(source, target, 0)
    return links


def linked(links: Successors) -> list[tuple[int, int]]:
    return [(source, target) for source, targets in enumerate(links.successors) for target in targets]


def searched(links: Successors, ranks: dict[int, int]) -> list[int]:
    """Compute the values by relaxing every link until nothing changes."""
    values = [ranks.get(state, FAR) for state in range(len(links.successors))]
    changed = True
    while changed:
        changed = False
        for source, target in linked(links):
            if values[target] + STEP < values[source]:
                values[source] = values[target] + STEP
                changed = True
    return values


def check(field: DistanceField, links: Successors, ranks: dict[int, int]) -> None:
    values = searched(links, ranks)
    for state, value in enumerate(values):
        assert field.value(state) == value
        assert field.rank(state) == ranks.get(state)
        if value < FAR:
            way = field.path(state)
            assert way[0] == state
            assert all(after in links.successors[before] for before, after in pairwise(way))
            assert value == STEP * (len(way) - 1) + ranks[way[-1]]


class World:
    """A field with its links, and the expected values."""

    def __init__(self) -> None:
        self.links = links_of(2)
        self.field = DistanceField(self.links)
        self.ranks: dict[int, int] = {}

    def change(self, kind: str, one: int, other: int) -> None:
        size = len(self.links.successors)
        state = one % size
        match kind:
            case "vertex" if size < SIZE:
                self.links.add_vertex()
                self.field.add_vertex()
            case "link" | "vertex":
                if self.links.add(state, other % size, 0):
                    self.field.link_added(state, other % size)
            case "unlink":
                present = linked(self.links)
                gone = [present[(one + 7 * skip) % len(present)] for skip in range(other)] if present else []
                gone = list(dict.fromkeys(gone))
                for source, target in gone:
                    self.links.remove(source, target)
                self.field.links_removed(gone)
            case "open":
                self.ranks[state] = other
                self.field.open(state, other)
            case "close":
                self.ranks.pop(state, None)
                self.field.close(state)
            case _ if other == 0:
                self.ranks = {state: 0}
                self.field.retarget(state)


@given(st.lists(changes, min_size=1, max_size=50))
@settings(max_examples=400, deadline=None)
def test_values_are_those_of_a_search_after_every_change(steps: list[tuple[str, int, int]]) -> None:
    world = World()
    for step in steps:
        world.change(*step)
        check(world.field, world.links, world.ranks)


@pytest.fixture
def chain() -> Successors:
    """0 → 1 → 2 → 3"""
    return links_of(4, (0, 1), (1, 2), (2, 3))


def test_without_targets_everything_is_far(chain: Successors) -> None:
    field = DistanceField(chain)
    assert [field.value(state) for state in range(4)] == [FAR] * 4
    assert field.rank(0) is None


def test_values_count_links_to_the_nearest_target(chain: Successors) -> None:
    field = DistanceField(chain)
    field.open(3)
    assert [field.value(state) // STEP for state in range(4)] == [3, 2, 1, 0]
    assert field.path(0) == [0, 1, 2, 3]
    field.open(1)
    assert field.path(0) == [0, 1]


def test_a_rank_decides_between_equally_near_targets() -> None:
    field = DistanceField(links_of(3, (0, 1), (0, 2)))
    field.open(1, 5)
    field.open(2, 3)
    assert field.path(0) == [0, 2]
    field.open(2, 9)
    assert field.path(0) == [0, 1]


def test_a_rank_below_a_step_never_outweighs_one(chain: Successors) -> None:
    field = DistanceField(chain)
    field.open(1, STEP - 1)
    field.open(2, 0)
    assert field.path(0) == [0, 1]


def test_a_tier_outweighs_any_distance(chain: Successors) -> None:
    field = DistanceField(chain)
    field.open(0, TIER)
    field.open(3, 0)
    assert field.path(0) == [0, 1, 2, 3]
    field.close(3)
    assert field.path(0) == [0]


def test_closing_and_opening_what_is_so_already_changes_nothing(chain: Successors) -> None:
    field = DistanceField(chain)
    field.close(2)
    field.open(2, 4)
    field.open(2, 4)
    assert field.rank(2) == 4
    assert field.value(1) == STEP + 4


def test_a_target_whose_rank_rises_may_be_passed_by(chain: Successors) -> None:
    field = DistanceField(chain)
    field.open(1, 0)
    field.open(3, 0)
    field.open(1, 3 * STEP)
    assert field.path(0) == [0, 1, 2, 3]


def test_a_lost_link_leads_round_about() -> None:
    links = links_of(4, (0, 1), (1, 3), (0, 2), (2, 1))
    field = DistanceField(links)
    field.open(3)
    links.remove(0, 1)
    field.links_removed([(0, 1)])
    assert field.path(0) == [0, 2, 1, 3]
    links.remove(2, 1)
    field.links_removed([(2, 1)])
    assert field.value(0) == FAR


def test_losing_a_link_that_no_way_uses_changes_nothing() -> None:
    links = links_of(3, (0, 1), (1, 2), (0, 2))
    field = DistanceField(links)
    field.open(2)
    links.remove(0, 1)
    field.links_removed([(0, 1)])
    assert field.path(0) == [0, 2]


def test_retargeting_forgets_every_other_target(chain: Successors) -> None:
    field = DistanceField(chain)
    field.open(1)
    field.retarget(2)
    assert [field.rank(state) for state in range(4)] == [None, None, 0, None]
    assert field.value(3) == FAR
    assert field.path(0) == [0, 1, 2]


def test_a_target_as_good_as_the_way_it_lost_stays_where_it_is() -> None:
    links = links_of(2, (0, 1))
    field = DistanceField(links)
    field.open(1)
    field.open(0, STEP)
    assert field.path(0) == [0, 1]
    links.remove(0, 1)
    field.links_removed([(0, 1), (0, 1)])
    assert field.path(0) == [0]
    assert field.value(0) == STEP


def test_being_told_twice_of_a_lost_link_does_no_harm(chain: Successors) -> None:
    field = DistanceField(chain)
    field.open(3)
    chain.remove(1, 2)
    field.links_removed([(1, 2), (1, 2)])
    assert [field.value(state) for state in range(4)] == [FAR, FAR, STEP, 0]
