"""Parts of a page that change by themselves."""

from statecrawl.model.restless_units import LEAST_EVENTS, RestlessUnits

CLOCK = "clock", 0


def test_what_changes_after_different_events_is_restless() -> None:
    restless = RestlessUnits()
    found = []
    for number in range(LEAST_EVENTS):
        restless.watch([CLOCK])
        found.append(restless.blame([CLOCK], f"click {number}"))
    assert found == [False] * (LEAST_EVENTS - 1) + [True]
    assert set(restless.units) == {CLOCK}


def test_one_event_is_not_enough() -> None:
    restless = RestlessUnits()
    assert not any(restless.blame([CLOCK], "click") for _ in range(20))


def test_what_hardly_ever_changes_is_not_restless() -> None:
    restless = RestlessUnits()
    restless.blame([CLOCK], "click 0")
    for number in range(1, LEAST_EVENTS + 1):
        for _ in range(20):
            restless.watch([CLOCK])
        assert not restless.blame([CLOCK], f"click {number}")
