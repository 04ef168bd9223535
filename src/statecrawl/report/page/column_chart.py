"""Column charts: how nodes spent their time, as shares, by number of nodes or by node."""

from collections.abc import Sequence
from dataclasses import dataclass

from statecrawl.report.page import quantity, svg
from statecrawl.report.page.markup import Markup, tag

LEFT = 46.0
TOP = 12.0
BOTTOM = 190.0
HEIGHT = 232.0
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
GAP = 0.24  # between two columns, as a share of the room for one


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartColumn:
    """Shares from the bottom up, each with its CSS class."""

    name: str
    parts: Sequence[tuple[str, float]]


def column_chart(columns: Sequence[ChartColumn], *, title: str, below: str) -> Markup:
    """Return a chart of columns, each of which shows shares of a whole."""
    room = (svg.WIDTH - LEFT) / max(len(columns), 1)
    every = max(1, round(26 / room))
    return svg.drawing(
        *_rows(),
        *(_column(column, LEFT + place * room, room, shown=place % every == 0) for place, column in enumerate(columns)),
        svg.words((LEFT + svg.WIDTH) / 2, HEIGHT - 4, below, "tick"),
        height=HEIGHT,
        title=title,
        text="; ".join(_description(column) for column in columns),
        class_="chart columns",
    )


def _rows() -> list[Markup]:
    heights = [(share, _height(share)) for share in SHARES]
    rules = [svg.line(LEFT, y, svg.WIDTH, y, "grid") for _, y in heights]
    return rules + [svg.words(LEFT - 8, y + 4, quantity.percent(share), "tick", "end") for share, y in heights]


def _column(column: ChartColumn, x: float, room: float, *, shown: bool) -> Markup:
    bars, reached = [], 0.0
    for css, share in column.parts:
        top = _height(reached + share)
        bars.append(
            tag(
                "rect",
                x=x + room * GAP / 2,
                y=top,
                width=room * (1 - GAP),
                height=max(_height(reached) - top, 0.0),
                class_=css,
            )
        )
        reached += share
    name = svg.words(x + room / 2, BOTTOM + 17, column.name, "tick") if shown else None
    return tag("g", tag("title", _description(column)), *bars, name)


def _height(share: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * min(share, 1.0)


def _description(column: ChartColumn) -> str:
    return f"{column.name}: " + ", ".join(f"{css} {share:.0%}" for css, share in column.parts)
