"""A measured run knows the cost of any share of its states."""

import pytest

from statecrawl.model.cost import Cost
from statecrawl.ports.measurement import MeasuredRun


def run(*events: int, expected: int, reset_cost: float = 2.0) -> MeasuredRun:
    """Make a run that found a state after each of these numbers of events."""
    return MeasuredRun(
        app="demo",
        strategy="greedy",
        seed=0,
        reset_cost=reset_cost,
        event_seconds=0.1,
        states=len(events),
        transitions=9,
        complete=len(events) == expected,
        cost=Cost(50, 3),
        discovery=tuple(Cost(count, 1) for count in events),
        next_task_mean_us=1.0,
        next_task_p999_us=2.0,
        seconds=0.5,
        expected_states=expected,
    )


def test_all_states_were_found() -> None:
    whole = run(0, 3, 5, 11, expected=4, reset_cost=2.5)
    assert whole.total == 50 + 3 * 2.5
    assert whole.to_all_states == Cost(11, 1)
    assert whole.quartiles == (2.5, 5.5, 7.5, 13.5)


def test_shares_are_rounded_up_to_whole_states() -> None:
    whole = run(0, 3, 5, 11, 20, expected=5)
    assert [whole.cost_at(share) for share in (0.01, 0.2, 0.21, 0.8, 0.81)] == [2, 2, 5, 13, 22]


def test_what_was_not_reached_is_not_known() -> None:
    part = run(0, 3, expected=4)
    assert part.to_all_states is None
    assert part.quartiles == (2, 5, None, None)


def test_nothing_was_found() -> None:
    nothing = run(expected=4)
    assert nothing.to_all_states is None
    assert nothing.quartiles == (None, None, None, None)


@pytest.mark.parametrize("share", [0.25, 0.5, 0.75, 1.0])
def test_a_single_state_is_every_share(share: float) -> None:
    assert run(0, expected=1).cost_at(share) == 2
