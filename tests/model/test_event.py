"""Events are values."""

from statecrawl.model.event import Event


def test_one_name_serves_both_purposes() -> None:
    assert Event.named("open") == Event("open", "open")


def test_events_with_the_same_ids_are_the_same() -> None:
    assert len({Event("a", "x"), Event("a", "x"), Event("b", "x"), Event("a", "y")}) == 3
