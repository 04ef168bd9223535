"""The part of a screenshot that shows something."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.report.crawl.picture_content import Box, content_of
from tests.report.crawl.pictures import Place, picture

PLACES = st.sets(st.tuples(st.integers(0, 7), st.integers(0, 4)), max_size=5)


def around(places: set[Place], size: int) -> Box:
    columns, rows = [column for column, _ in places], [row for _, row in places]
    return Box(min(columns) * size, min(rows) * size, (max(columns) + 1) * size, (max(rows) + 1) * size)


@given(PLACES, PLACES, st.booleans())
def test_it_is_the_smallest_box_around_everything(patterned: set[Place], dark: set[Place], colours: bool) -> None:
    places = patterned | dark
    found = content_of(picture(8, 5, patterned=patterned, dark=dark, colours=colours))
    size = 16 if colours else 8
    assert found == ((8 * size, 5 * size, around(places, size)) if places else None)


def test_a_picture_without_a_blank_block_shows_everything() -> None:
    everywhere = [(column, row) for column in range(3) for row in range(2)]
    assert content_of(picture(3, 2, patterned=everywhere)) == (48, 32, Box(0, 0, 48, 32))


def test_a_large_area_of_another_colour_is_content_and_the_larger_one_is_blank() -> None:
    dark = [(column, row) for column in range(8) for row in range(2)]
    assert content_of(picture(8, 5, dark=dark)) == (128, 80, Box(0, 0, 128, 32))


@pytest.mark.parametrize("what", [b"", b"\xff\xd8", b"GIF89a", b"\xff\xd8\xff\xda\x00\x02", b"\xff\xd8\xff\xd9"])
def test_nothing_is_found_in_what_is_no_picture(what: bytes) -> None:
    assert content_of(what) is None


@given(st.data())
def test_a_damaged_picture_is_no_error(data: st.DataObject) -> None:
    whole = bytearray(picture(4, 3, patterned=[(1, 1)]))
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    content_of(bytes(whole[: data.draw(st.integers(0, len(whole)))]))


def test_a_picture_that_claims_to_be_huge_is_not_read() -> None:
    small = picture(1, 1, patterned=[(0, 0)])
    assert content_of(small) is not None
    assert content_of(small.replace(b"\x08\x00\x10\x00\x10", b"\x08\xff\xff\xff\xff")) is None
