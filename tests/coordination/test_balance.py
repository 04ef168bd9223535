"""Load balancing: all members receive shares that let them finish together, and the shares add up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.coordination.balance import (
    MemberLoad,
    allot,
    deal,
    predicted_idle,
    reserved,
    reserved_ratio,
    runs_out,
    shares,
)

loads = st.dictionaries(
    st.text(min_size=1, max_size=4),
    st.builds(MemberLoad, st.integers(0, 1000), st.floats(0.01, 1000), st.integers(0, 500)),
    min_size=1,
    max_size=12,
)


def load(speed: float, backlog: int) -> MemberLoad:
    return MemberLoad(done=round(speed * 1000), seconds=1000.0, backlog=backlog)


def test_the_example_of_the_closed_form() -> None:
    """Speeds 2 and 1, backlogs 4 and 6, ten events: both members finish after 20/3 seconds."""
    given_ = shares(10, {"a": load(2, 4), "b": load(1, 6)})
    assert given_ == pytest.approx({"a": 28 / 3, "b": 2 / 3})
    assert deal(10, given_) == {"a": 9, "b": 1}


@given(events=st.integers(0, 500), known=loads)
def test_shares_are_not_negative_and_add_up_to_all_events(events: int, known: dict[str, MemberLoad]) -> None:
    given_ = shares(events, known)
    assert given_.keys() == known.keys()
    assert all(share >= 0 for share in given_.values())
    assert sum(given_.values()) == pytest.approx(events, abs=1e-6)


@given(events=st.integers(1, 500), known=loads)
def test_all_members_with_a_share_finish_together(events: int, known: dict[str, MemberLoad]) -> None:
    given_ = shares(events, known)
    measured = [one.speed for one in known.values() if one.speed > 0]
    usual = sum(measured) / len(measured) if measured else 1.0
    speeds = {name: one.speed or usual for name, one in known.items()}
    ends = {name: (known[name].backlog + given_[name]) / speeds[name] for name in known}
    busy = [ends[name] for name in known if given_[name] > 1e-9]
    assert busy
    assert max(busy) == pytest.approx(min(busy), rel=1e-6)
    assert all(ends[name] >= max(busy) * (1 - 1e-6) for name in known if given_[name] <= 1e-9)


@given(events=st.integers(0, 500), known=loads)
def test_integer_shares_add_up_to_all_events(events: int, known: dict[str, MemberLoad]) -> None:
    given_ = shares(events, known)
    whole = deal(events, given_)
    assert sum(whole.values()) == events
    assert all(abs(whole[name] - given_[name]) < 1 + 1e-6 for name in known)


@given(undone=st.lists(st.booleans(), max_size=60), known=loads)
def test_every_member_receives_its_number_of_undone_events(undone: list[bool], known: dict[str, MemberLoad]) -> None:
    whole = deal(sum(undone), shares(sum(undone), known))
    row = iter(undone)
    given_ = {name: sum([next(row) for _ in range(count)]) for name, count in allot(undone, whole)}
    assert given_ == {name: count for name, count in whole.items() if count}
    assert not any(row)  # what is left over is done


def test_a_new_member_is_assumed_to_have_the_average_speed() -> None:
    given_ = shares(30, {"a": load(1, 0), "b": load(3, 0), "new": MemberLoad(0, 0.0, 0)})
    assert given_ == pytest.approx({"a": 5, "b": 15, "new": 10})


def test_all_members_are_equal_at_the_start() -> None:
    assert shares(9, {name: MemberLoad(0, 0.0, 0) for name in "abc"}) == pytest.approx(dict.fromkeys("abc", 3))


def test_a_member_with_a_long_backlog_gets_nothing() -> None:
    assert shares(4, {"slow": load(1, 100), "fast": load(2, 0)}) == pytest.approx({"slow": 0, "fast": 4})


def test_sharing_needs_a_member() -> None:
    with pytest.raises(ValueError, match="no members to share with"):
        shares(3, {})


@pytest.mark.parametrize(("idle", "members", "ratio"), [(0, 8, 0), (0.05, 8, 0.4), (0.125, 8, 1), (0.5, 8, 1)])
def test_the_reserved_part_depends_on_idle_time(idle: float, members: int, ratio: float) -> None:
    assert reserved_ratio(idle, members) == pytest.approx(ratio)


@pytest.mark.parametrize(
    ("speeds", "idle"), [((), 0), ((2,), 0), ((1, 1, 0), 0), ((1, 2), 0.25), ((4, 4, 4, 1), 0.5625), ((1, 1, 4), 0.25)]
)
def test_idle_time_is_predicted_from_speeds(speeds: tuple[float, ...], idle: float) -> None:
    """A member that is twice as fast waits half of the time."""
    assert predicted_idle([load(speed, 3) for speed in speeds]) == pytest.approx(idle)


@given(events=st.integers(0, 1000), ratio=st.floats(0, 1))
def test_at_most_all_events_are_reserved(events: int, ratio: float) -> None:
    assert 0 <= reserved(events, ratio) <= events
    assert reserved(events, 0) == 0
    assert reserved(events, 1) == events


def test_states_are_held_back_until_a_member_runs_out_of_work() -> None:
    assert not runs_out({"a": load(1, 2), "b": load(1, 9)})
    assert runs_out({"a": load(1, 1), "b": load(1, 9)})
