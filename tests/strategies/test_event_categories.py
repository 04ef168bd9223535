"""The results of an event so far predict the next one."""

import pytest

from statecrawl.strategies.event_categories import UNKNOWN, EventCategory, EventHistory


def history(*explored: tuple[int, int]) -> EventHistory:
    known = EventHistory()
    for source, target in explored:
        known.add(source, target)
    return known


@pytest.mark.parametrize(
    ("explored", "category", "predicted"),
    [
        ([], EventCategory.NEW, UNKNOWN),
        ([(1, 2)], EventCategory.ONCE, 2),
        ([(1, 1)], EventCategory.ONCE, 9),
        ([(1, 2), (3, 2)], EventCategory.MENU, 2),
        ([(1, 1), (2, 2)], EventCategory.SELF, 9),
        ([(1, 2), (3, 4)], EventCategory.OTHER, UNKNOWN),
        ([(1, 1), (2, 3)], EventCategory.OTHER, UNKNOWN),
        ([(1, 1), (2, 1)], EventCategory.MENU, 1),
        ([(1, 2), (3, 2), (4, 5)], EventCategory.OTHER, UNKNOWN),
        ([(1, 1), (2, 2), (3, 4)], EventCategory.OTHER, UNKNOWN),
        ([(1, 2), (3, 4), (5, 2)], EventCategory.OTHER, UNKNOWN),
    ],
)
def test_category_and_prediction(explored: list[tuple[int, int]], category: EventCategory, predicted: int) -> None:
    known = history(*explored)
    assert known.category is category
    assert known.predict(9) == predicted
    assert known.times == len(explored)


def test_only_one_common_target_is_a_destination() -> None:
    assert history((1, 2)).destination == 2
    assert history((1, 1)).destination == UNKNOWN
    assert history((1, 1), (2, 2)).destination == UNKNOWN
    assert history((1, 3), (2, 3)).destination == 3


def test_a_menu_that_misbehaves_once_never_comes_back() -> None:
    known = history((1, 2), (3, 2), (4, 5), (6, 2), (7, 2))
    assert known.category is EventCategory.OTHER


def test_likelier_categories_come_first() -> None:
    assert list(EventCategory) == [
        EventCategory.NEW,
        EventCategory.ONCE,
        EventCategory.OTHER,
        EventCategory.MENU,
        EventCategory.SELF,
    ]
