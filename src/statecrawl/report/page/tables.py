"""Tables II and III of Dincturk et al. 2014 for one application, ours and the published figures side by side."""

from dataclasses import dataclass
from math import log2

from statecrawl.ports.measurement import PublishedFigure
from statecrawl.report.page import quantity
from statecrawl.report.page.comparison_facts import AppComparison, ComparisonCount, CrawlCost, SeedSpread
from statecrawl.report.page.markup import Markup, join, tag
from statecrawl.report.page.palette import Palette

STRONGEST = 0.42  # opacity of the colour behind ratios above 4 or below 1/4; text remains legible
MEASURES = ("Events", "Resets", "Cost")
TIME = "Time h:mm:ss"
NOTHING = tag("td", "–", class_="none")
BLANK = tag("td")


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperRow:
    """Figures of one strategy: ours and published."""

    tally: ComparisonCount
    ours: CrawlCost | None
    theirs: PublishedFigure | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperTable:
    """Content of one table."""

    title: str
    source: str  # table of the paper with the published figures
    rows: list[PaperRow]
    last: list[Markup]  # cells of the bound, including those for published figures; may be empty
    optimum: PublishedFigure | None = None  # as published

    @property
    def beside(self) -> bool:
        """Whether there are published figures to compare with."""
        return any(row.theirs for row in self.rows)


def states_table(app: AppComparison, palette: Palette) -> Markup:
    """Return the table of costs to find all states (Table II), with the optimum."""
    theirs = app.published_states
    rows = [PaperRow(tally=each, ours=each.to_all_states, theirs=theirs.get(each.strategy)) for each in app.tallies]
    best = app.published_optimal
    sheet = PaperTable(title="To find all states", source="Table II", rows=rows, last=_optimum(app), optimum=best)
    return _written(sheet, app, palette)


def complete_table(app: AppComparison, palette: Palette) -> Markup:
    """Return the table of costs of complete crawls (Table III), with the lower bound."""
    theirs = app.published_complete
    rows = [PaperRow(tally=each, ours=each.to_completion, theirs=theirs.get(each.strategy)) for each in app.tallies]
    sheet = PaperTable(title="To complete the crawl", source="Table III", rows=rows, last=_bound(app))
    return _written(sheet, app, palette)


def _written(sheet: PaperTable, app: AppComparison, palette: Palette) -> Markup:
    beside = f" compared with {sheet.source} of the paper" if sheet.beside else None
    rows = [_row(app, palette, row, sheet.beside) for row in sheet.rows]
    if sheet.last:
        head, *cells = sheet.last
        rows.append(tag("tr", head, *(cells if sheet.beside else cells[::3]), class_="bound"))
    caption = tag("caption", tag("b", sheet.title), beside)
    table = tag("table", caption, _head(sheet.beside), tag("tbody", *rows), class_="figures")
    scroll = tag("div", table, class_="scroll", tabindex="0", role="region", aria_label=sheet.title)
    return join([scroll, _notes(app, sheet)])


def _head(beside: bool) -> Markup:
    if not beside:
        heads = [tag("th", name, scope="col") for name in (*MEASURES, TIME)]
        return tag("thead", tag("tr", tag("th", "Strategy", scope="col"), *heads))
    groups = [tag("th", name, colspan="3", scope="colgroup") for name in MEASURES]
    three = (tag("th", "ours", scope="col"), tag("th", "paper", scope="col"), tag("th", "ratio", scope="col"))
    return tag(
        "thead",
        tag(
            "tr",
            tag("th", "Strategy", rowspan="2", scope="col"),
            *groups,
            tag("th", TIME, colspan="2", scope="colgroup"),
        ),
        tag("tr", *three * len(MEASURES), *three[:2]),
    )


def _row(app: AppComparison, palette: Palette, row: PaperRow, beside: bool) -> Markup:
    ours, theirs = row.ours, row.theirs
    head = tag("th", palette.label(row.tally.strategy), _reached(row), scope="row")
    mine = (ours.events, ours.resets, ours.cost) if ours else (None, None, None)
    others = (theirs.events, theirs.resets, app.published_cost(theirs)) if theirs else (None, None, None)
    groups = [(_ours(one), *_theirs(one, other)) for one, other in zip(mine, others, strict=True)]
    cells = [cell for group in groups for cell in group[: 3 if beside else 1]]
    time = tag("td", quantity.clock(ours.cost.median * app.event_seconds)) if ours else NOTHING
    printed = tag("td", quantity.clock(theirs.seconds), class_="theirs") if theirs and theirs.seconds else NOTHING
    return tag("tr", head, *cells, time, printed if beside else None)


def _reached(row: PaperRow) -> Markup | None:
    """A note on how many runs the figures are based on, if needed."""
    runs, got = len(row.tally.runs), row.ours.runs if row.ours else 0
    if got == runs:
        return tag("small", f"median of {runs}") if runs > 1 else None
    if runs > 1:
        return tag("small", f"{got} of {runs} runs")
    return tag("small", f"{quantity.percent(row.tally.reached)} found" if row.tally.reached < 1 else "interrupted")


def _ours(mine: SeedSpread | None) -> Markup:
    if mine is None:
        return NOTHING
    ends = (f"{quantity.count(mine.low)}–", tag("wbr"), quantity.count(mine.high))
    span = tag("small", *ends) if mine.wide else None
    return tag("td", quantity.count(mine.median), span, class_="ours")


def _theirs(mine: SeedSpread | None, other: float | None) -> tuple[Markup, Markup]:
    if other is None:
        return NOTHING, NOTHING
    shown = tag("td", quantity.count(other), class_="theirs")
    if mine is None or other <= 0 or mine.median <= 0:
        return shown, NOTHING
    return shown, _ratio(mine.median / other)


def _ratio(ratio: float) -> Markup:
    strength = min(abs(log2(ratio)) / 2, 1.0) * STRONGEST
    css = "ratio dearer" if ratio > 1 else "ratio cheaper"
    return tag("td", quantity.multiple(ratio), class_=css, style=f"--a:{strength:.3f}")


def _optimum(app: AppComparison) -> list[Markup]:
    lower, upper = app.optimal_states
    best = app.published_optimal
    theirs = [best.events, best.resets, app.published_cost(best)] if best else []
    paper = [tag("td", quantity.count(value), class_="theirs") for value in theirs] or [NOTHING] * 3
    ratio = _ratio(lower / theirs[2]) if theirs and lower > 0 and lower == upper else NOTHING
    time = tag("td", quantity.clock(lower * app.event_seconds)) if lower > 0 else NOTHING
    cost = tag("td", quantity.bounds(lower, upper, quantity.count))
    head = tag("th", "optimum", scope="row")
    return [head, BLANK, paper[0], BLANK, BLANK, paper[1], BLANK, cost, paper[2], ratio, time, BLANK]


def _bound(app: AppComparison) -> list[Markup]:
    if app.completion_bound is None:
        return []
    cost = tag("td", quantity.count(app.completion_bound))
    time = tag("td", quantity.clock(app.completion_bound * app.event_seconds))
    return [tag("th", "optimum", scope="row"), *[BLANK] * 6, cost, BLANK, BLANK, time, BLANK]


def _notes(app: AppComparison, sheet: PaperTable) -> Markup:
    """A note on published costs that contradict the published events and resets."""
    cells = [(row.tally.strategy, row.theirs) for row in sheet.rows] + [("the optimum", sheet.optimum)]
    odd = [
        f"{quantity.count(theirs.cost)} for {name}"
        for name, theirs in cells
        if theirs and theirs.cost is not None and theirs.cost != app.published_cost(theirs)
    ]
    if not odd:
        return Markup("")
    rule = f"Published costs are recomputed as events + {quantity.count(app.reset_cost)} × resets"
    return tag("p", f"{rule}; the paper prints {', '.join(odd)}.", class_="note")
