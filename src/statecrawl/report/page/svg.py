"""Common parts of charts: the drawing, vertical grid lines with labels, and the optimum."""

from collections.abc import Callable, Iterable

from statecrawl.report.page.axis import LogScale
from statecrawl.report.page.markup import Markup, number, tag

WIDTH = 560.0
LABEL_GAP = 17.0  # from the axis to the baseline of its labels


def drawing(*parts: str, height: float, title: str, text: str, **attributes: str | float | None) -> Markup:
    """Return an SVG that scales with its container and has a description for screen readers."""
    return tag(
        "svg",
        tag("title", title),
        tag("desc", text),
        *parts,
        role="img",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(WIDTH)} {number(height)}",
        **attributes,
    )


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def words(x: float, y: float, text: str, class_: str, anchor: str = "middle") -> Markup:
    return tag("text", text, x=x, y=y, class_=class_, text_anchor=anchor)


def grid(
    scale: LogScale, ticks: Iterable[float], label: Callable[[float], str], *, top: float, bottom: float
) -> list[Markup]:
    """Return a line and a label for each tick."""
    places = [(scale(tick), label(tick)) for tick in ticks]
    lines = [line(x, top, x, bottom, "grid") for x, _ in places]
    return lines + [words(x, bottom + LABEL_GAP, text, "tick") for x, text in places]


def faint_grid(scale: LogScale, ticks: Iterable[float], *, top: float, bottom: float) -> Markup:
    """Return unlabelled lines as one path."""
    drawn = "".join(f"M{number(scale(tick))},{number(top)}V{number(bottom)}" for tick in ticks)
    return tag("path", d=drawn, class_="minor")


def optimum(
    scale: LogScale, bounds: tuple[float, float | None], text: str, *, top: float, bottom: float
) -> list[Markup]:
    """Return the optimum: a dotted line at the lower bound, and a band up to the upper bound if they differ."""
    lower, upper = bounds
    if lower <= 0:
        return []
    x, end = scale(lower), scale(upper or lower)
    band = tag("rect", x=x, y=top, width=end - x, height=bottom - top, class_="optimum-band") if end > x else None
    middle = (scale.left + scale.right) / 2
    anchor, shift = ("start", -3.0) if x < middle else ("end", 3.0)
    label = words(x + shift, top - 7, text, "optimum-label", anchor)
    return [part for part in (band, line(x, top, x, bottom, "optimum"), label) if part is not None]
