"""The comparison of strategies as one standalone page.

`page.headline` and `page.comparison_facts` condense the facts (`AppComparison`). `page.box_plot`,
`page.discovery_curves`, `page.tables` and `page.overview` draw them. Template, styles and script are in `assets/`.
"""

from collections.abc import Mapping, Sequence

from statecrawl.report.page import quantity
from statecrawl.report.page.box_plot import box_plot, cost_unit, time_unit
from statecrawl.report.page.comparison_facts import AppComparison
from statecrawl.report.page.discovery_curves import curves
from statecrawl.report.page.headline import Headline, headline_of
from statecrawl.report.page.markup import Markup, join, tag
from statecrawl.report.page.overview import heat_table, mean_bars, strategies, thinking_table
from statecrawl.report.page.palette import Palette, palette
from statecrawl.report.page.standalone import standalone_page
from statecrawl.report.page.tables import complete_table, states_table

__all__ = ["AppComparison", "render"]

CLEAR_FRACTION = 9.5  # from this ratio on, "1/12" reads better than "8 %"

NO_BREAK = "\N{NO-BREAK SPACE}"


def render(
    comparisons: Sequence[AppComparison],
    *,
    command: str,
    finished: bool,
    published_next_task_ms: Mapping[str, float] | None = None,
) -> str:
    """Return the page. `command` generates it again; `finished` is False after Ctrl-C."""
    names = strategies(comparisons)
    colours = palette(names)
    headline = headline_of(comparisons)
    return standalone_page(
        "comparison.html",
        "statecrawl: strategies compared",
        ["palette.css", "comparison.css"],
        script="comparison.js",
        headline=_headline(headline, colours),
        lead=_lead(headline),
        banner="" if finished else _banner(),
        tiles=_tiles(comparisons),
        means=mean_bars(comparisons, colours),
        legend=join(tag("li", colours.label(name), data_strategy=name) for name in names),
        overview=heat_table(comparisons, colours),
        applications=join(_application(i, app, colours) for i, app in enumerate(comparisons)),
        thinking=thinking_table(comparisons, published_next_task_ms or {}, colours),
        command=tag("code", command),
    )


def _headline(headline: Headline | None, colours: Palette) -> Markup:
    if headline is None:
        return tag("h1", "No strategy found every state before the run ended.")
    best, reference = (tag("em", name, class_=colours.css(name)) for name in (headline.best, headline.reference))
    if headline.best == headline.reference:
        return tag("h1", best, " finds every state.")
    share = f"1/{headline.ratio:.0f}" if headline.ratio >= CLEAR_FRACTION else f"{100 / headline.ratio:.0f}{NO_BREAK}%"
    return tag("h1", best, f" finds every state at {share} of the cost of ", reference, ".")


def _lead(headline: Headline | None) -> Markup:
    what = "Strategies for crawling rich internet applications, measured on applications whose states are all known."
    return tag("p", what, f" {_detail(headline)}" if headline else None, class_="lead")


def _detail(headline: Headline) -> str:
    over = f"In the geometric mean over {headline.apps} applications" if headline.apps > 1 else "On one application"
    times = f" {quantity.multiple(headline.above_optimum)[1:]} times the optimal cost" if headline.above_optimum else ""
    rank = f" and is the cheapest on {headline.cheapest_on} of them" if headline.apps > 1 else ""
    return f"{over}, {headline.best} spends{times or ' the least'}{rank}."


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
