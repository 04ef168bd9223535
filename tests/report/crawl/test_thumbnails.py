"""What thumbnails show of screenshots."""

from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.report.crawl import thumbnails
from statecrawl.report.crawl.screens import Screen
from statecrawl.report.crawl.thumbnails import LEAST_WIDTH, WIDEST, thumbnail_of, thumbnails_of
from tests.report.crawl.pictures import picture

WIDE, HIGH = 80, 50  # units of 16 pixels: 1280 by 800 pixels


@settings(max_examples=20)  # of which each has four thousand units
@given(st.integers(0, WIDE - 1), st.integers(0, HIGH - 1), st.integers(0, WIDE - 1), st.integers(0, HIGH - 1))
def test_a_frame_is_inside_the_picture_and_has_a_usual_shape(left: int, top: int, right: int, bottom: int) -> None:
    found = thumbnail_of(picture(WIDE, HIGH, patterned=[(left, top), (right, bottom)]))
    assert found is not None
    width, height, (x, y, wide, high) = found
    assert (width, height) == (1280, 800)
    assert 0 <= x <= x + wide <= width
    assert 0 <= y <= y + high <= height
    assert wide >= LEAST_WIDTH
    assert wide / WIDEST - 1 <= high
    assert x <= 16 * min(left, right), "what comes first is shown"
    assert y <= 16 * min(top, bottom)


def test_small_content_fills_the_thumbnail() -> None:
    corner = [(column, row) for column in range(10) for row in range(5)]
    assert thumbnail_of(picture(WIDE, HIGH, patterned=corner)) == (1280, 800, (0, 0, 480, 160))
    everywhere = [(column, row) for column in range(WIDE) for row in range(HIGH)]
    assert thumbnail_of(picture(WIDE, HIGH, patterned=everywhere)) == (1280, 800, (0, 0, 1280, 800))
    assert thumbnail_of(picture(WIDE, HIGH)) is None
    assert thumbnail_of(b"no picture") is None


def test_states_of_a_screen_share_a_frame_if_too_much_would_be_read() -> None:
    pictures = {state: picture(WIDE, HIGH, patterned=[(2 * state, 0)]) for state in range(4)}
    screens = [Screen(pattern="", states=(0, 2)), Screen(pattern="", states=(1, 3))]
    read: list[int] = []

    def stored(state: int) -> bytes | None:
        read.append(state)
        return pictures[state] + bytes(thumbnails.MOST_READ // 2)

    found = thumbnails_of(screens, stored)
    assert read == [0, 1], "the first state of each screen"
    assert found[2] == found[0] != found[1] == found[3]
    everything = thumbnails_of(screens, pictures.get)
    assert len(set(everything.values())) == len(pictures)
    assert thumbnails_of(screens, lambda _: None) == {}
