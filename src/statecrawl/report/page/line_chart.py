"""Line charts with logarithmic axes: quantities by number of nodes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from statecrawl.report.page import quantity, svg
from statecrawl.report.page.axis import LogScale, around, decimal_ticks, round_times
from statecrawl.report.page.markup import Markup, number, tag

LEFT = 62.0
TOP = 16.0
BOTTOM = 268.0
HEIGHT = 312.0
MARGIN = 16.0  # on the right, without labels
LABELS = 150.0  # on the right, with the names of the lines
APART = 15.0  # between two names
TICK_GAP = 26.0  # between two labels of the x axis

Point = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartLine:
    """One line; `css` are its CSS classes."""

    name: str
    css: str
    points: Sequence[Point]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartAxis:
    """The vertical axis."""

    text: Callable[[float], str]
    ticks: Callable[[LogScale], list[float]]


TIME = ChartAxis(text=quantity.duration, ticks=round_times)
TIMES = ChartAxis(text=lambda value: f"{quantity.short(value)}×", ticks=decimal_ticks)


def line_chart(
    lines: Sequence[ChartLine], axis: ChartAxis, *, title: str, named: bool = False, ideal: Sequence[Point] = ()
) -> Markup:
    """Return a chart of all lines. If `named`, each line is labelled at its end; `ideal` is the ideal line."""
    points = [point for line in lines for point in line.points]
    right = svg.WIDTH - (LABELS if named else MARGIN)
    across = around((x for x, _ in points), left=LEFT, right=right)
    across = LogScale(low=min(x for x, _ in points) / 1.06, high=across.high, left=LEFT, right=right)
    up = around((y for _, y in points), left=BOTTOM, right=TOP)
    return svg.drawing(
        *_rows(up, axis, right),
        *_columns(across, sorted({x for x, _ in points})),
        *((tag("path", d=_path(ideal, across, up), class_="ideal"),) if ideal else ()),
        *(_drawn(line, across, up, axis) for line in lines),
        *(_names(lines, across, up) if named else ()),
        svg.words((LEFT + right) / 2, HEIGHT - 4, "nodes", "tick"),
        height=HEIGHT,
        title=title,
        text="; ".join(_description(line, axis) for line in lines),
        class_="chart lines",
    )


def _rows(up: LogScale, axis: ChartAxis, right: float) -> list[Markup]:
    ticks = [(up(tick), axis.text(tick)) for tick in axis.ticks(up)]
    rules = [svg.line(LEFT, y, right, y, "grid") for y, _ in ticks]
    return rules + [svg.words(LEFT - 8, y + 4, text, "tick", "end") for y, text in ticks]


def _columns(across: LogScale, counts: Sequence[float]) -> list[Markup]:
    marks = [svg.line(across(count), BOTTOM, across(count), BOTTOM + 4, "grid") for count in counts]
    shown: list[float] = []
    for count in counts:
        if not shown or across(count) - across(shown[-1]) >= TICK_GAP:
            shown.append(count)
    return marks + [svg.words(across(count), BOTTOM + 18, quantity.count(count), "tick") for count in shown]


def _drawn(line: ChartLine, across: LogScale, up: LogScale, axis: ChartAxis) -> Markup:
    dots = [
        tag(
            "circle",
            tag("title", f"{line.name}, {x:,.0f} nodes: {axis.text(y)}"),
            cx=across(x),
            cy=up(y),
            r=3.2,
            class_="end",
        )
        for x, y in line.points
    ]
    return tag(
        "g",
        tag("title", line.name),
        tag("path", d=_path(line.points, across, up), class_="curve"),
        *dots,
        class_=f"mark {line.css}",
    )


def _path(points: Sequence[Point], across: LogScale, up: LogScale) -> str:
    return "M" + "L".join(f"{number(across(x))},{number(up(y))}" for x, y in points)


def _names(lines: Sequence[ChartLine], across: LogScale, up: LogScale) -> list[Markup]:
    """Labels at the ends of the lines, moved down where they would overlap."""
    ends = [(up(line.points[-1][1]), across(line.points[-1][0]), line) for line in lines]
    ends.sort(key=lambda end: end[0])
    heights = [y for y, _, _ in ends]
    for above, below in pairwise(range(len(heights))):
        heights[below] = max(heights[below], heights[above] + APART)
    return [
        tag("g", svg.words(x + 9, height + 4, line.name, "line-name", "start"), class_=line.css)
        for height, (_, x, line) in zip(heights, ends, strict=True)
    ]


def _description(line: ChartLine, axis: ChartAxis) -> str:
    return f"{line.name}: " + ", ".join(f"{axis.text(y)} with {x:,.0f}" for x, y in line.points)
