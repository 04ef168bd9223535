"""Discovery curves: the share of states found, by cost, one line for each strategy.

Lines are step functions, because nothing is found between two states. The script reads the steps back from the SVG path
to show the figures at the pointer, so the page contains the data only once.
"""

from collections.abc import Callable, Sequence
from statistics import median

from statecrawl.report.page import quantity, svg
from statecrawl.report.page.axis import LogScale, around, decimal_ticks, minor_ticks
from statecrawl.report.page.comparison_facts import AppComparison, ComparisonCount
from statecrawl.report.page.markup import Markup, number, tag
from statecrawl.report.page.palette import Palette

POINTS = 200  # for one curve: finer than a pixel, and eight applications stay far below a megabyte
HEIGHT = 330.0
LEFT = 52.0
RIGHT = 14.0
TOP = 34.0
BOTTOM = 300.0
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)

Place = tuple[float, float]


def curve(tally: ComparisonCount, pick: Callable[[Sequence[float]], float] = median) -> list[tuple[float, int]]:
    """Return points (cost, states found), for as many states as half of the runs found; at most `POINTS`."""
    found = sorted(len(run.discovery) for run in tally.runs)[(len(tally.runs) - 1) // 2]
    return [
        (pick([r.discovery[i].total(r.reset_cost) for r in tally.runs if i < len(r.discovery)]), i + 1)
        for i in _indices(found)
    ]


def curves(app: AppComparison, palette: Palette) -> Markup:
    """Return a chart of all strategies of an application. Dashed lines are drawn above solid ones."""
    tallies = app.tallies
    ends = [tally.stopped_at for tally in tallies if tally.cost_at(1.0) is None]
    costs = [cost for tally in tallies for pick in (min, max) for cost, _ in curve(tally, pick)]
    scale = around([*costs, *ends, app.optimal_states[0]], left=LEFT, right=svg.WIDTH - RIGHT)
    marks = [_mark(tally, scale, app.states, palette) for tally in reversed(tallies)]
    return svg.drawing(
        svg.faint_grid(scale, minor_ticks(scale), top=TOP, bottom=BOTTOM),
        *svg.grid(scale, decimal_ticks(scale), quantity.short, top=TOP, bottom=BOTTOM),
        *_shares(),
        *svg.optimum(scale, (app.optimal_states[0], None), "optimum", top=TOP, bottom=BOTTOM),
        *marks,
        height=HEIGHT,
        title=f"States of {app.name} found by cost, for each strategy",
        text="The box plot next to this chart has the same figures.",
        class_="chart curves",
        data_low=repr(scale.low),
        data_high=repr(scale.high),
        data_left=scale.left,
        data_right=scale.right,
        data_top=TOP,
        data_bottom=BOTTOM,
        data_states=str(app.states),
        data_seconds=repr(app.event_seconds),
    )


def stairs(places: Sequence[Place]) -> str:
    """Return the SVG path of a step function."""
    (x, y), *rest = places
    return f"M{number(x)},{number(y)}" + "".join(f"H{number(x)}V{number(y)}" for x, y in rest)


def height_of(states: int, of: int) -> float:
    return BOTTOM - (BOTTOM - TOP) * min(states / max(of, 1), 1.0)


def _indices(found: int) -> list[int]:
    if found <= POINTS:
        return list(range(found))
    return [round(i * (found - 1) / (POINTS - 1)) for i in range(POINTS)]


def _mark(tally: ComparisonCount, scale: LogScale, states: int, palette: Palette) -> Markup:
    places = _places(curve(tally), scale, states)
    css = f"mark {palette.css(tally.strategy)}"
    if not places:
        return tag("g", class_=css)
    (x, y), whole = places[-1], tally.cost_at(1.0) is not None
    if not whole:
        x = scale(tally.stopped_at)
        places.append((x, y))
    return tag(
        "g",
        tag("title", tally.strategy),
        _band(tally, scale, states) if len(tally.runs) > 1 else None,
        tag("path", d=stairs(places), class_="curve"),
        tag("circle", cx=x, cy=y, r=3.5, class_="end" if whole else "end open"),
        class_=css,
        data_strategy=tally.strategy,
    )


def _places(points: Sequence[tuple[float, int]], scale: LogScale, states: int) -> list[Place]:
    return [(scale(cost), height_of(found, states)) for cost, found in points]


def _band(tally: ComparisonCount, scale: LogScale, states: int) -> Markup:
    """The range between the cheapest and the most expensive run."""
    cheap, costly = (_places(curve(tally, pick), scale, states) for pick in (min, max))
    back = "".join(f"L{number(x)},{number(y)}" for x, y in reversed(costly))
    return tag("path", d=f"{stairs(cheap)}{back}Z", class_="band")


def _shares() -> list[Markup]:
    heights = [(share, BOTTOM - (BOTTOM - TOP) * share) for share in SHARES]
    lines = [svg.line(LEFT, y, svg.WIDTH - RIGHT, y, "grid") for _, y in heights]
    return lines + [svg.words(LEFT - 8, y + 4, quantity.percent(share), "tick", "end") for share, y in heights]
