"""Results as tables in a terminal."""

from collections.abc import Callable, Iterable, Sequence
from statistics import median

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from statecrawl.model.cost import Cost
from statecrawl.ports.measurement import MeasuredRun, PublishedFigure
from statecrawl.report.comparison import AppComparison
from statecrawl.report.page.quantity import clock
from statecrawl.testbed.published import STRATEGIES as PUBLISHED_STRATEGIES

MISSING = "–"


def plain_table(title: str | None = None) -> Table:
    return Table(
        title=title, title_justify="left", title_style="bold", header_style="bold", box=SIMPLE_HEAD, pad_edge=False
    )


def run_table(title: str, runs: Sequence[MeasuredRun]) -> Table:
    """Return a table with one row per strategy: the median of its runs, with the range below it."""
    table = plain_table(title)
    table.add_column("strategy", no_wrap=True)
    for until in ("all states", "complete"):
        table.add_column(f"{until}\nevents / resets", justify="right", no_wrap=True)
        table.add_column("\ncost", justify="right", no_wrap=True)
    table.add_column("µs per task\nmean / 99.9 %", justify="right", no_wrap=True)
    for strategy, several in _by_strategy(runs).items():
        reached = [cost for run in several if (cost := run.to_all_states) is not None]
        reset_cost = several[0].reset_cost
        table.add_row(
            strategy
            if all(run.complete for run in several)
            else f"{strategy} (stopped at {several[-1].transitions:,} transitions)",
            _both(reached),
            _spread(cost.total(reset_cost) for cost in reached),
            _both([run.cost for run in several]),
            _spread(run.total for run in several),
            f"{median(run.next_task_mean_us for run in several):,.0f} / "
            f"{median(run.next_task_p999_us for run in several):,.0f}",
        )
    return table


def published_tables(comparisons: Sequence[AppComparison]) -> list[Table]:
    """Return Tables II and III of Dincturk et al. 2014: our figures, with the published ones below."""
    return [
        _published_table("Finding all states (Table II)", comparisons, complete=False),
        _published_table("Complete crawl (Table III)", comparisons, complete=True),
    ]


def _published_table(title: str, comparisons: Sequence[AppComparison], *, complete: bool) -> Table:
    table = plain_table(title)
    table.add_column("application", no_wrap=True)
    table.add_column("", no_wrap=True)
    for name in (*PUBLISHED_STRATEGIES, "optimal"):
        table.add_column(name, justify="right", no_wrap=True)
    for app in comparisons:
        published = app.published_complete if complete else app.published_states
        runs = _by_strategy(app.runs)
        reached = {
            strategy: [figure for run in runs.get(strategy, ()) if (figure := _reached(run, complete=complete))]
            for strategy in PUBLISHED_STRATEGIES
        }
        for place, (measure, text) in enumerate(MEASURES.items()):
            ours = [_spread((getattr(figure, measure) for figure in several), text) for several in reached.values()]
            theirs = [_dim(published.get(strategy), measure, app.reset_cost) for strategy in PUBLISHED_STRATEGIES]
            ours.append(_optimal(app, complete=complete) if measure == "cost" else "")
            theirs.append("" if complete else _dim(app.published_optimal, measure, app.reset_cost))
            table.add_row("" if place else escape(app.name), NAMES.get(measure, measure), *ours)
            if published:
                table.add_row("", "[dim]  paper[/]", *theirs)
        table.add_section()
    return table


def _reached(run: MeasuredRun, *, complete: bool) -> PublishedFigure | None:
    """Return the figures of a run as a cell of the published tables; None if the run did not get that far."""
    cost = (run.cost if run.complete else None) if complete else run.to_all_states
    if cost is None:
        return None
    total = cost.total(run.reset_cost)
    return PublishedFigure(events=cost.events, resets=cost.resets, cost=total, seconds=total * run.event_seconds)


def _dim(cell: PublishedFigure | None, measure: str, reset_cost: float) -> str:
    """Format a published figure. The cost is computed from events and resets: some printed costs are misprints."""
    value = getattr(cell, measure, None)
    if cell is not None and measure == "cost":
        value = cell.events + reset_cost * cell.resets
    return "" if value is None else f"[dim]{MEASURES[measure](value)}[/]"


def _optimal(app: AppComparison, *, complete: bool) -> str:
    """Format the optimum that no strategy can beat, or a lower bound of it."""
    if complete:
        return _number(app.completion_bound)
    lower, upper = app.optimal_states
    return _number(lower) if lower == upper else f"≥ {_number(lower)}"


def _by_strategy(runs: Iterable[MeasuredRun]) -> dict[str, list[MeasuredRun]]:
    grouped: dict[str, list[MeasuredRun]] = {}
    for run in runs:
        grouped.setdefault(run.strategy, []).append(run)
    return grouped


def _both(costs: Sequence[Cost]) -> str:
    """Format events and resets: the medians, with the ranges below."""
    if not costs:
        return MISSING
    events = _spread(cost.events for cost in costs).split("\n")
    resets = _spread(cost.resets for cost in costs).split("\n")
    height = max(len(events), len(resets))  # a figure that is the same in all runs has no range: repeat it
    pairs = zip((events * height)[:height], (resets * height)[:height], strict=True)
    return "\n".join(f"{one} / {other}" for one, other in pairs)


def _spread(values: Iterable[float], text: Callable[[float], str] | None = None) -> str:
    """Format the median of several figures, with the range below it."""
    text = text or _number
    listed = sorted(values)
    if not listed:
        return MISSING
    if len(listed) == 1 or listed[0] == listed[-1]:
        return text(listed[0])
    return f"{text(median(listed))}\n[dim]{text(listed[0])}–{text(listed[-1])}[/]"


def _number(value: float | None) -> str:
    if value is None:
        return MISSING
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"


MEASURES: dict[str, Callable[[float], str]] = {"events": _number, "resets": _number, "cost": _number, "seconds": clock}
NAMES = {"seconds": "time"}  # computed as our cost times the published time of an event
