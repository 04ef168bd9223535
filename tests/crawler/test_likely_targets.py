"""Predictions: an event is expected to do what it did last."""

from statecrawl.crawler.likely_targets import LikelyTargets


def test_an_event_leads_where_it_led_last() -> None:
    foresight = LikelyTargets()
    foresight.add("menu", "A", "F")
    assert [foresight.guess("menu", state) for state in "ADF"] == ["F", "F", "F"]
    foresight.add("menu", "D", "H")
    assert foresight.guess("menu", "A") == "H"


def test_what_changed_nothing_changes_nothing_elsewhere() -> None:
    foresight = LikelyTargets()
    foresight.add("refresh", "E", "E")
    assert [foresight.guess("refresh", state) for state in "AE"] == ["A", "E"]


def test_nothing_is_guessed_of_events_that_are_unknown_or_forgotten() -> None:
    foresight = LikelyTargets()
    assert foresight.guess("menu", "A") is None
    foresight.add("menu", "A", "F")
    foresight.forget("menu")
    foresight.forget("other")
    assert foresight.guess("menu", "A") is None
