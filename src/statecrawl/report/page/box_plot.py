"""Box plots of the cost, or the time, to find the states: figures 5 and 6 of Dincturk et al. 2014.

A line runs from the first state to the last, a box from 25 % to 75 % of the states, with a mark at 50 %. A hollow
diamond marks the published end. With several runs, each of these is the median, and a thin line shows the range of the
last state.
"""

from collections.abc import Callable
from dataclasses import dataclass

from statecrawl.ports.measurement import QUARTILES, PublishedFigure
from statecrawl.report.page import quantity, svg
from statecrawl.report.page.axis import LogScale, around, clock_ticks, decimal_ticks, minor_ticks
from statecrawl.report.page.comparison_facts import AppComparison, ComparisonCount, SeedSpread
from statecrawl.report.page.markup import Markup, tag
from statecrawl.report.page.palette import Palette

PLOT = 266.0  # total height of the rows, the same as of the discovery curves next to them
ROW = (34.0, 60.0)  # minimum and maximum height of one
BOX = 17.0
TOP = 34.0
BOTTOM = 30.0
VALUES = 66.0  # room for the column of figures on the right
LETTER = 8.2  # pixels, with a margin: letters are larger on narrow screens
NAMES = (84.0, 190.0)  # minimum and maximum width of the names of the strategies


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotUnit:
    """The quantity on the axis."""

    name: str
    factor: float  # per unit of cost
    ticks: Callable[[LogScale], list[float]]
    tick_label: Callable[[float], str]
    text: Callable[[float], str]
    published: Callable[[PublishedFigure], float | None]


def cost_unit(app: AppComparison) -> PlotUnit:
    return PlotUnit(
        name="cost",
        factor=1.0,
        ticks=decimal_ticks,
        tick_label=quantity.short,
        text=quantity.short,
        published=app.published_cost,
    )


def time_unit(app: AppComparison) -> PlotUnit:
    return PlotUnit(
        name="time",
        factor=app.event_seconds,
        ticks=clock_ticks,
        tick_label=quantity.duration,
        text=quantity.duration,
        published=lambda published: published.seconds,
    )


def box_plot(app: AppComparison, unit: PlotUnit, palette: Palette) -> Markup:
    """One row for each strategy, on a logarithmic scale."""
    tallies = app.tallies
    row = min(max(PLOT / max(len(tallies), 1), ROW[0]), ROW[1])
    bottom = TOP + row * len(tallies)
    scale = _scale(app, unit)
    rows = [_row(app, unit, tally, scale, palette, TOP + row * (i + 0.5)) for i, tally in enumerate(tallies)]
    return svg.drawing(
        svg.faint_grid(scale, minor_ticks(scale) if unit.name == "cost" else (), top=TOP, bottom=bottom),
        *svg.grid(scale, unit.ticks(scale), unit.tick_label, top=TOP, bottom=bottom),
        svg.words(svg.WIDTH, TOP - 7, "all states", "column", "end"),
        *_optimum(app, unit, scale, bottom),
        *rows,
        height=bottom + BOTTOM,
        title=f"{unit.name.capitalize()} to find the states of {app.name}, by strategy",
        text="; ".join(_description(tally, unit) for tally in tallies),
        class_="chart boxes",
    )


def _scale(app: AppComparison, unit: PlotUnit) -> LogScale:
    ours = [value * unit.factor for tally in app.tallies for value in _extent(tally)]
    theirs = [unit.published(published) or 0.0 for published in app.published_states.values()]
    bounds = [bound * unit.factor for bound in app.optimal_states if bound]
    longest = max((len(tally.strategy) for tally in app.tallies), default=0)
    names = min(max(longest * LETTER + 14, NAMES[0]), NAMES[1])
    return around([*ours, *theirs, *bounds], left=names, right=svg.WIDTH - VALUES)


def _extent(tally: ComparisonCount) -> list[float]:
    ends = [tally.first, tally.cost_at(1.0)]
    return [value for end in ends if end for value in (end.low, end.high)] + [tally.stopped_at if None in ends else 0.0]


def _optimum(app: AppComparison, unit: PlotUnit, scale: LogScale, bottom: float) -> list[Markup]:
    lower = app.optimal_states[0] * unit.factor
    upper = app.optimal_states[1] and app.optimal_states[1] * unit.factor
    label = f"optimum {quantity.bounds(lower, upper, unit.text)}"
    return svg.optimum(scale, (lower, upper), label, top=TOP, bottom=bottom)


def _row(
    app: AppComparison, unit: PlotUnit, tally: ComparisonCount, scale: LogScale, palette: Palette, y: float
) -> Markup:
    end = tally.cost_at(1.0)
    value = unit.text(end.median * unit.factor) if end else quantity.percent(tally.reached)
    return tag(
        "g",
        tag("title", _description(tally, unit)),
        tag("rect", x=0, y=y - ROW[0] / 2, width=svg.WIDTH, height=ROW[0], class_="hit"),
        svg.words(scale.left - 12, y + 4, tally.strategy, "name", "end"),
        *_box(tally, unit, scale, y),
        *_published(app, unit, tally, scale, y),
        svg.words(svg.WIDTH, y + 4, value, "value" if end else "value missing", "end"),
        class_=f"mark {palette.css(tally.strategy)}",
        data_strategy=tally.strategy,
    )


def _box(tally: ComparisonCount, unit: PlotUnit, scale: LogScale, y: float) -> list[Markup]:
    """Whisker, box, mark at 50 %, cap; unreached ends are left open."""
    quarter, half, three, last = (_place(tally.cost_at(share), unit, scale) for share in QUARTILES)
    first = _place(tally.first, unit, scale)
    if first is None:
        return []
    stopped = scale(tally.stopped_at * unit.factor)
    parts = [svg.line(first, y, last or stopped, y, "whisker" if last else "whisker open")]
    parts.append(svg.line(first, y - 4, first, y + 4, "cap"))
    if quarter is not None:
        wide = max((three or stopped) - quarter, 1.5)
        parts.append(
            tag("rect", x=quarter, y=y - BOX / 2, width=wide, height=BOX, rx=2.5, class_="box" if three else "box open")
        )
    if half is not None:
        parts.append(svg.line(half, y - BOX / 2, half, y + BOX / 2, "half"))
    if last is not None:
        parts += [*_range(tally.cost_at(1.0), unit, scale, y), tag("circle", cx=last, cy=y, r=4, class_="end")]
    return parts


def _range(end: SeedSpread | None, unit: PlotUnit, scale: LogScale, y: float) -> list[Markup]:
    if end is None or not end.wide:
        return []
    low, high = scale(end.low * unit.factor), scale(end.high * unit.factor)
    return [svg.line(low, y, high, y, "range")] + [svg.line(x, y - 5, x, y + 5, "range-cap") for x in (low, high)]


def _published(app: AppComparison, unit: PlotUnit, tally: ComparisonCount, scale: LogScale, y: float) -> list[Markup]:
    published = app.published_states.get(tally.strategy)
    value = unit.published(published) if published else None
    if value is None:
        return []
    return [tag("path", d=f"M{scale(value):.1f},{y - 7:.1f}l7,7l-7,7l-7,-7z", class_="published")]


def _place(spread: SeedSpread | None, unit: PlotUnit, scale: LogScale) -> float | None:
    return scale(spread.median * unit.factor) if spread else None


def _description(tally: ComparisonCount, unit: PlotUnit) -> str:
    shares = [(quantity.percent(share), tally.cost_at(share)) for share in QUARTILES]
    reached = [f"{name} of the states at {unit.text(at.median * unit.factor)}" for name, at in shares if at]
    return f"{tally.strategy}: {', '.join(reached) or 'less than a quarter of the states found'}"
