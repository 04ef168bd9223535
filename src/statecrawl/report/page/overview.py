"""Tables over all applications: multiples of the optimal cost, and the time to choose the next task."""

from collections.abc import Iterable, Mapping, Sequence
from math import log10
from statistics import median

from statecrawl.report.page import quantity
from statecrawl.report.page.comparison_facts import AppComparison, ComparisonCount, ordered
from statecrawl.report.page.headline import mean, multiples
from statecrawl.report.page.markup import Markup, tag
from statecrawl.report.page.palette import Palette

NEAR = 0.34  # opacity of the cool colour behind a multiple of 1; it decreases to 0 at 10
FAR = 0.64  # opacity of the warm colour behind a multiple of 10^4 and beyond; it starts at 10

NOTHING = tag("td", "–", class_="none")


def heat_table(apps: Sequence[AppComparison], palette: Palette) -> Markup:
    """Return the table of costs to find all states, as multiples of the optimum, by application and strategy."""
    names = strategies(apps)
    body = [_heat_row(place, app, names) for place, app in enumerate(apps)]
    means = {name: mean(multiples(app).get(name, 0.0) for app in apps) for name in names}
    foot = tag("tr", tag("th", "geometric mean", scope="row"), *_heat_cells(means, names)) if len(apps) > 1 else None
    table = tag("table", _head(names, palette), tag("tbody", *body), tag("tfoot", foot), class_="heat")
    return tag("div", table, class_="scroll", tabindex="0", role="region", aria_label="Overview")


def mean_bars(apps: Sequence[AppComparison], palette: Palette) -> Markup:
    """Return the geometric means as bars, on a logarithmic scale that starts at the optimum."""
    means = [(name, mean(multiples(app).get(name, 0.0) for app in apps)) for name in strategies(apps)]
    known = sorted(((value, name) for name, value in means if value), reverse=True)
    longest = log10(max([value for value, _ in known] + [10.0]))
    return tag("ul", *(_bar(value, name, longest, palette) for value, name in known), class_="means")


def thinking_table(apps: Sequence[AppComparison], published: Mapping[str, float], palette: Palette) -> Markup:
    """Return the table of times to choose the next task: mean and 99.9th percentile."""
    names = strategies(apps)
    body = [_thinking_row(app, names) for app in apps]
    foot = _published_row(published, names) if published else None
    table = tag("table", _head(names, palette), tag("tbody", *body), tag("tfoot", foot), class_="thinking")
    return tag("div", table, class_="scroll", tabindex="0", role="region", aria_label="Time to choose the next task")


def strategies(apps: Iterable[AppComparison]) -> tuple[str, ...]:
    return ordered(run.strategy for app in apps for run in app.runs)


def _bar(value: float, name: str, longest: float, palette: Palette) -> Markup:
    share = max(log10(value), 0.0) / longest
    bar = tag("span", tag("i", style=f"width:{share:.1%}"), tag("b", quantity.multiple(value)), class_="bar-line")
    return tag("li", tag("span", name, class_="bar-name"), bar, class_=palette.css(name), data_strategy=name)


def _head(names: Sequence[str], palette: Palette) -> Markup:
    columns = [tag("th", palette.label(name), scope="col") for name in names]
    return tag("thead", tag("tr", tag("th", "Application", scope="col"), *columns))


def _heat_row(place: int, app: AppComparison, names: Sequence[str]) -> Markup:
    size = f"{quantity.counted(app.states, 'state')} · {quantity.counted(app.transitions, 'transition')}"
    head = tag("th", tag("a", app.name, href=f"#app-{place}"), tag("small", size), scope="row")
    tallies = {tally.strategy: tally for tally in app.tallies}
    missing = {name: _missing(tallies.get(name)) for name in names}
    return tag("tr", head, *_heat_cells(multiples(app), names, missing))


def _heat_cells(
    values: Mapping[str, float | None], names: Sequence[str], missing: Mapping[str, Markup] | None = None
) -> list[Markup]:
    best = min((value for value in values.values() if value), default=0.0)
    cells = []
    for name in names:
        value = values.get(name)
        cells.append(_heat_cell(value, best=value <= best) if value else (missing or {}).get(name, NOTHING))
    return cells


def _heat_cell(value: float, *, best: bool) -> Markup:
    beyond = min(max(log10(value), 0.0), 4.0) - 1.0  # decades from 10
    strength = FAR * beyond / 3.0 if beyond > 0 else NEAR * -beyond
    css = f"heat-{'far' if beyond > 0 else 'near'}{' best' if best else ''}"
    return tag("td", quantity.multiple(value), class_=css, style=f"--a:{strength:.3f}")


def _missing(tally: ComparisonCount | None) -> Markup:
    return tag("td", f"{quantity.percent(tally.reached)} found", class_="none") if tally else NOTHING


def _thinking_row(app: AppComparison, names: Sequence[str]) -> Markup:
    tallies = {tally.strategy: tally for tally in app.tallies}
    cells = [_thinking_cell(tallies[name]) if name in tallies else NOTHING for name in names]
    return tag("tr", tag("th", app.name, scope="row"), *cells)


def _thinking_cell(tally: ComparisonCount) -> Markup:
    typical = median(run.next_task_mean_us for run in tally.runs) * 1e-6
    rare = max(run.next_task_p999_us for run in tally.runs) * 1e-6
    return tag("td", quantity.duration(typical), tag("small", quantity.duration(rare)))


def _published_row(published: Mapping[str, float], names: Sequence[str]) -> Markup:
    cells = [tag("td", quantity.duration(published[n] * 1e-3)) if n in published else NOTHING for n in names]
    return tag("tr", tag("th", "published", tag("small", "on Dyna-Table, 2015"), scope="row"), *cells)
