"""Where parts of the page are in a screenshot."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.report.crawl.part_pictures import LONGEST, PAGE, picture_of

PLACE = ("#a", 0)
ROW, OTHER_ROW = ("ul>li", 0), ("ul>li", 1)
SCREEN = (0, 0, 1280, 800)


def test_a_part_is_shown_with_a_margin() -> None:
    assert picture_of({PAGE: SCREEN, PLACE: (100, 200, 400, 100)}, [PLACE]) == (1280, 800, (92, 192, 416, 116))


def test_rows_are_shown_together() -> None:
    boxes = {PAGE: SCREEN, ROW: (100, 200, 400, 40), OTHER_ROW: (100, 240, 400, 60)}
    assert picture_of(boxes, [ROW, OTHER_ROW]) == (1280, 800, (92, 192, 416, 116))


@pytest.mark.parametrize("box", [(0, 900, 100, 100), (-300, 0, 200, 50), (10, 10, 0, 0), (1280, 0, 5, 5)])
def test_what_the_screenshot_does_not_show_has_no_picture(box: tuple[int, int, int, int]) -> None:
    assert picture_of({PAGE: SCREEN, PLACE: box}, [PLACE]) is None


def test_older_evidence_has_no_pictures() -> None:
    assert picture_of({}, [PLACE]) is None


edges = st.integers(-3000, 3000)


@given(st.tuples(edges, edges, edges, edges), st.integers(1, 3000), st.integers(1, 3000))
def test_a_picture_is_inside_the_screenshot(box: tuple[int, int, int, int], width: int, height: int) -> None:
    found = picture_of({PAGE: (0, 0, width, height), PLACE: box}, [PLACE])
    if found is None:
        return
    wide, high, (left, top, across, down) = found
    assert (wide, high) == (width, height)
    assert 0 <= left < left + across <= width
    assert 0 <= top < top + down <= height
    assert down <= across * LONGEST + 1
