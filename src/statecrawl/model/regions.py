"""Regions of a page: its parts that may change independently of each other, with digests of what they show.

The page agent reads them from the normal form of a state (`browser/agent/regions.js`). Several regions of a page may
have the same place, such as the rows of a table; they are listed in the order of the page.
"""

from typing import NamedTuple


class Region(NamedTuple):
    """One region of a state."""

    place: str  # path of containers; equal siblings share it, and "" is the page itself
    shape: str  # digest of which elements there are, uncounted
    look: str  # digest of the elements in order with their conditions, without texts and values
    content: str  # digest of everything
    events: tuple[int, ...] = ()  # positions of the events of its elements


Regions = tuple[Region, ...]
Box = tuple[int, int, int, int]  # left edge, top edge, width and height of a region, in pixels of the page
