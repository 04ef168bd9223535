"""Units whose values never end."""

from statecrawl.model.component_tasks import beyond
from statecrawl.model.open_ends import MOST_ALIKE, MOST_VALUES, OpenEnds
from statecrawl.model.regions import Region

MONTH = "calendar", 0


def month(number: int) -> Region:
    return Region("calendar", "shape", "look", f"month {number}")


def pressed(ends: OpenEnds, number: int, event: str, before: int) -> bool:
    ends.seen(MONTH, month(number), number)
    return ends.made(MONTH, month(number), f"month {before}", [event], event)


def test_values_that_one_event_makes_in_a_row_are_cut_after_a_few() -> None:
    ends = OpenEnds()
    ends.seen(MONTH, month(0), 0)
    cut = [pressed(ends, number, "click next", number - 1) for number in range(1, MOST_VALUES + 2)]
    assert cut == [False] * MOST_VALUES + [True]
    later = month(MOST_VALUES + 2)
    ends.seen(MONTH, later, MOST_VALUES + 2)
    assert ends.value(MONTH, later) == beyond("shape")
    assert ends.value(MONTH, month(1)) == "month 1", "the first ones stay"


def test_values_from_different_starts_are_cut_later() -> None:
    ends = OpenEnds()
    cut = [pressed(ends, number, "click day", 1000 + number) for number in range(1, MOST_ALIKE + 2)]
    assert cut == [False] * MOST_ALIKE + [True]


def test_the_cut_tells_who_made_how_many_values() -> None:
    ends = OpenEnds()
    for number in range(1, MOST_VALUES + 2):
        pressed(ends, number, "click next", number - 1)
    (end,) = ends.listed()
    assert (end.unit, end.event, end.fired) == (MONTH, "click next", MOST_VALUES + 1)
