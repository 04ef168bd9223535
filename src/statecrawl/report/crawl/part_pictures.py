"""Pictures of parts of the page: where they are in a screenshot. Pure."""

from collections.abc import Iterable, Mapping

from statecrawl.model.component_tasks import Unit
from statecrawl.model.regions import Box
from statecrawl.report.crawl.thumbnails import Thumbnail

MARGIN = 8  # pixels
LEAST_WIDTH, LEAST_HEIGHT = 160, 36  # pixels; otherwise a picture would be larger than the page
LONGEST = 1.2  # height to width

Boxes = Mapping[Unit, Box]  # of the parts of one state; that of the page is what the screenshot shows
PAGE: Unit = ("", 0)


def picture_of(boxes: Boxes, units: Iterable[Unit]) -> Thumbnail | None:
    """Return the part of a screenshot that shows these units; None if it shows nothing of them."""
    page = boxes.get(PAGE)
    shown = [box for unit in units if (box := boxes.get(unit)) is not None and box[2] > 0 and box[3] > 0]
    if page is None or page[2] <= 0 or page[3] <= 0 or not shown:
        return None
    _, _, width, height = page
    left, top = (max(min(box[side] for box in shown), 0) for side in (0, 1))
    right = min(max(box[0] + box[2] for box in shown), width)
    bottom = min(max(box[1] + box[3] for box in shown), height)
    if left >= right or top >= bottom:
        return None
    left, wide = _framed(left, right, width, LEAST_WIDTH)
    top, high = _framed(top, bottom, height, LEAST_HEIGHT)
    return width, height, (left, top, wide, min(high, round(wide * LONGEST)))


def is_hidden(boxes: Boxes, unit: Unit) -> bool:
    """Whether a part takes no room in the page, as far as that is known."""
    box = boxes.get(unit)
    return PAGE in boxes and box is not None and (box[2] <= 0 or box[3] <= 0)


def _framed(start: int, end: int, most: int, least: int) -> tuple[int, int]:
    """Return start and length with a margin on both sides, inside the picture."""
    length = min(max(end - start + 2 * MARGIN, least), most)
    middle = (start + end) // 2
    return min(max(middle - length // 2, 0), most - length), length
