"""Foresight: what an event did last is what it is expected to do."""

from statecrawl.runtime.foresight import Foresight


def test_an_event_leads_where_it_led_last() -> None:
    foresight = Foresight()
    foresight.saw("menu", 0, 5)
    assert [foresight.guess("menu", state) for state in (0, 3, 5)] == [5, 5, 5]
    foresight.saw("menu", 3, 7)
    assert foresight.guess("menu", 0) == 7


def test_what_changed_nothing_changes_nothing_elsewhere() -> None:
    foresight = Foresight()
    foresight.saw("refresh", 4, 4)
    assert [foresight.guess("refresh", state) for state in (0, 4)] == [0, 4]


def test_nothing_is_guessed_of_what_nobody_has_seen_or_somebody_doubts() -> None:
    foresight = Foresight()
    assert foresight.guess("menu", 0) is None
    foresight.saw("menu", 0, 5)
    foresight.doubt("menu")
    foresight.doubt("other")
    assert foresight.guess("menu", 0) is None
