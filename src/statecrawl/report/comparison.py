"""The comparison of strategies as one page that needs nothing else: no network, no script for what stands still.

Facts (`AppComparison`, `Run`, `Published`) come in, `page.findings` and `page.facts` condense them, `page.boxes`,
`page.curves`, `page.tables` and `page.overview` draw them, and the template in `assets/` holds style and script.
"""

from collections.abc import Mapping, Sequence

from statecrawl.report.page import quantity
from statecrawl.report.page.box_plot import box_plot, cost_unit, time_unit
from statecrawl.report.page.comparison_facts import AppComparison
from statecrawl.report.page.discovery_curves import curves
from statecrawl.report.page.headline import Headline, finding
from statecrawl.report.page.markup import Markup, join, tag
from statecrawl.report.page.overview import heat_table, mean_bars, strategies, thinking_table
from statecrawl.report.page.palette import Palette, palette
from statecrawl.report.page.standalone import standalone_page
from statecrawl.report.page.tables import complete_table, states_table

__all__ = ["AppComparison", "render"]

CLEAR_FRACTION = 9.5  # from here on "1/12" reads better than "8 %"

NO_BREAK = "\N{NO-BREAK SPACE}"


def render(
    comparisons: Sequence[AppComparison],
    *,
    command: str,
    finished: bool,
    published_next_task_ms: Mapping[str, float] | None = None,
) -> str:
    """The whole page. `command` is what a person types to make it again; `finished` is False after Ctrl-C."""
    names = strategies(comparisons)
    colours = palette(names)
    found = finding(comparisons)
    return standalone_page(
        "comparison.html",
        "statecrawl: strategies compared",
        ["palette.css", "comparison.css"],
        script="comparison.js",
        headline=_headline(found, colours),
        lead=_lead(found),
        banner="" if finished else _banner(),
        tiles=_tiles(comparisons),
        means=mean_bars(comparisons, colours),
        legend=join(tag("li", colours.label(name), data_strategy=name) for name in names),
        overview=heat_table(comparisons, colours),
        applications=join(_application(i, app, colours) for i, app in enumerate(comparisons)),
        thinking=thinking_table(comparisons, published_next_task_ms or {}, colours),
        command=tag("code", command),
    )


def _headline(found: Headline | None, colours: Palette) -> Markup:
    if found is None:
        return tag("h1", "No strategy found every state before the run ended.")
    best, reference = (tag("em", name, class_=colours.css(name)) for name in (found.best, found.reference))
    if found.best == found.reference:
        return tag("h1", best, " finds every state.")
    share = f"1/{found.ratio:.0f}" if found.ratio >= CLEAR_FRACTION else f"{100 / found.ratio:.0f}{NO_BREAK}%"
    return tag("h1", best, f" finds every state at {share} of the cost of ", reference, ".")


def _lead(found: Headline | None) -> Markup:
    what = "Strategies for crawling rich internet applications, measured on applications whose states are all known."
    return tag("p", what, f" {_detail(found)}" if found else None, class_="lead")


def _detail(found: Headline) -> str:
    over = f"In the geometric mean over {found.apps} applications" if found.apps > 1 else "On one application"
    times = f" {quantity.multiple(found.above_optimum)[1:]} times the optimal cost" if found.above_optimum else ""
    rank = f" and is the cheapest on {found.cheapest_on} of them" if found.apps > 1 else ""
    return f"{over}, {found.best} spends{times or ' the least'}{rank}."


def _banner() -> Markup:
    return tag("p", tag("b", "Interrupted. "), "This page shows what was measured until then.", class_="banner")


def _tiles(apps: Sequence[AppComparison]) -> Markup:
    figures = {
        "applications": len(apps),
        "strategies": len(strategies(apps)),
        "crawls": sum(len(app.runs) for app in apps),
        "states": sum(app.states for app in apps),
        "transitions": sum(app.transitions for app in apps),
    }
    return join(tag("div", tag("dt", name), tag("dd", quantity.count(value))) for name, value in figures.items())


def _application(place: int, app: AppComparison, colours: Palette) -> Markup:
    return tag(
        "section",
        tag("header", tag("h2", app.title or app.name), _properties(app)),
        _remarks(app),
        tag("div", _figures(app, colours), class_="pair"),
        states_table(app, colours),
        complete_table(app, colours),
        id=f"app-{place}",
        class_="application",
    )


def _properties(app: AppComparison) -> Markup:
    facts = (
        tag("code", app.name),
        tag("span", quantity.counted(app.states, "state")),
        tag("span", quantity.counted(app.transitions, "transition")),
        tag("span", f"a reset costs {quantity.counted(app.reset_cost, 'event')}"),
        tag("span", f"an event takes {quantity.duration(app.event_seconds)}"),
    )
    return tag("p", *facts, class_="properties")


def _remarks(app: AppComparison) -> Markup | None:
    return tag("ul", *(tag("li", remark) for remark in app.remarks), class_="remarks") if app.remarks else None


def _figures(app: AppComparison, colours: Palette) -> Markup:
    cost, time = (box_plot(app, unit, colours) for unit in (cost_unit(app), time_unit(app)))
    return join(
        (
            _figure("Cost to find the states", f"events + {quantity.count(app.reset_cost)} × resets", cost, "by-cost"),
            _figure("Time to find the states", f"{quantity.duration(app.event_seconds)} × cost", time, "by-time"),
            _figure("States found", "share of all states, by cost", curves(app, colours), "discovery"),
        )
    )


def _figure(caption: str, unit: str, chart: Markup, css: str) -> Markup:
    return tag("figure", tag("figcaption", caption, tag("span", unit)), chart, class_=css)
