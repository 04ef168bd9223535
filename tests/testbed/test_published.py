"""The published figures are transcribed as printed: they agree with one another except where we say so."""

import pytest

from statecrawl.ports.measurement import PublishedFigure
from statecrawl.testbed.published import (
    ALL_STATES,
    COMPLETE,
    MISPRINTS,
    NEXT_TASK,
    OPTIMAL,
    RESET_COSTS,
    STRATEGIES,
    Misprint,
    event_seconds,
)


def cells() -> list[tuple[str, str, str, PublishedFigure]]:
    tables = {"II": ALL_STATES, "III": COMPLETE}
    return [
        (table, app, strategy, figures)
        for table, apps in tables.items()
        for app, strategies in apps.items()
        for strategy, figures in strategies.items()
    ] + [("II", app, "optimal", figures) for app, figures in OPTIMAL.items()]


def test_every_application_and_strategy_is_there() -> None:
    for table in (ALL_STATES, COMPLETE):
        assert list(table) == list(RESET_COSTS)
        assert all(tuple(strategies) == STRATEGIES for strategies in table.values())
    assert list(OPTIMAL) == list(RESET_COSTS)
    assert len(cells()) == 8 * 6 * 2 + 8


def test_cost_is_events_and_resets_except_for_the_listed_misprints() -> None:
    computed = {
        (table, app, column): (figures.cost, figures.events + RESET_COSTS[app] * figures.resets)
        for table, app, column, figures in cells()
    }
    wrong = {where: pair for where, pair in computed.items() if pair[0] != pair[1]}
    listed = {(m.table, m.app, m.column): (m.printed, m.expected) for m in MISPRINTS if m.table != "I"}
    assert wrong == listed


@pytest.mark.parametrize("misprint", [m for m in MISPRINTS if "reset cost of 2" in m.reason], ids=lambda m: m.column)
def test_some_costs_were_computed_with_a_reset_cost_of_two(misprint: Misprint) -> None:
    app = misprint.app
    figures = OPTIMAL[app] if misprint.column == "optimal" else ALL_STATES[app][misprint.column]
    assert figures.cost == figures.events + 2 * figures.resets


def test_finding_all_states_takes_no_more_than_the_complete_crawl_and_no_less_than_the_optimum() -> None:
    for app, strategies in ALL_STATES.items():
        for strategy, found in strategies.items():
            complete = COMPLETE[app][strategy]
            assert OPTIMAL[app].events <= found.events <= complete.events
            assert found.resets <= complete.resets
            assert found.seconds is not None
            assert complete.seconds is not None
            assert found.seconds <= complete.seconds


def test_cells_read_off_the_paper() -> None:
    assert ALL_STATES["file-tree"]["breadth-first"] == PublishedFigure(
        events=21_654, resets=1_495, cost=24_644, seconds=2_309
    )
    assert COMPLETE["bebop"]["depth-first"] == PublishedFigure(
        events=13_006_646, resets=27, cost=13_006_700, seconds=349_522
    )
    assert OPTIMAL["altoro"] == PublishedFigure(events=72, resets=1, cost=74)
    assert NEXT_TASK["greedy"].milliseconds == 0.946
    assert NEXT_TASK["depth-first"].events == 9.85


def test_seconds_of_an_event_come_from_the_greedy_complete_crawl() -> None:
    assert event_seconds("altoro") == 60 / 2_589
    assert all(0.01 < event_seconds(app) < 0.2 for app in RESET_COSTS)
    with pytest.raises(KeyError):
        event_seconds("dyna-table")
