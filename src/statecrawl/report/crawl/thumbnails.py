"""Thumbnails: the part of each screenshot that is worth showing in small. Pure.

A thumbnail shows the content of a page with a margin, and neither what is blank nor what does not fit: of a long page
the beginning, of a narrow one no more than can be read. Screenshots are read until their total size reaches a limit,
those that stand for a screen first. All others get the frame of the first one on the same screen: they look alike.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from statecrawl.report.crawl.picture_content import content_of
from statecrawl.report.crawl.screens import Screen

MOST_READ = 2_000_000  # bytes of all screenshots: about one second
MARGIN = 24  # pixels of the screenshot
LEAST_WIDTH = 480  # pixels; otherwise a thumbnail would be larger than the page
WIDEST, NARROWEST = 3.0, 1.3  # width to height

Frame = tuple[int, int, int, int]  # left edge, top edge, width and height in pixels of the screenshot
Thumbnail = tuple[int, int, Frame]  # width and height of the screenshot, and what is shown of it


def thumbnails_of(screens: Sequence[Screen], picture: Callable[[int], bytes | None]) -> dict[int, Thumbnail]:
    """Return for each state what is shown of its screenshot; nothing for those that are shown as they are."""
    found: dict[int, Thumbnail] = {}
    left = MOST_READ
    for state in _by_importance(screens):
        jpeg = picture(state) if left > 0 else None
        left -= len(jpeg or b"")
        if jpeg is not None and (thumbnail := thumbnail_of(jpeg)) is not None:
            found[state] = thumbnail
    for screen in screens:
        alike = next((found[state] for state in screen.states if state in found), None)
        if alike is not None:
            found |= {state: alike for state in screen.states if state not in found}
    return found


def thumbnail_of(jpeg: bytes) -> Thumbnail | None:
    """Return what is shown of a screenshot; None if it is shown as it is."""
    content = content_of(jpeg)
    if content is None:
        return None
    width, height, box = content
    left, top = max(box.left - MARGIN, 0), max(box.top - MARGIN, 0)
    wide = min(max(box.right + MARGIN - left, LEAST_WIDTH), width)
    high = round(min(max(box.bottom + MARGIN - top, wide / WIDEST), wide / NARROWEST, height))
    return width, height, (min(left, width - wide), min(top, height - high), wide, high)


def _by_importance(screens: Sequence[Screen]) -> Iterator[int]:
    """Yield the first state of each screen, then all others."""
    return chain((screen.states[0] for screen in screens), *(screen.states[1:] for screen in screens))
