"""Results as tables in a terminal."""

from collections.abc import Callable, Iterable, Sequence
from statistics import median

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from statecrawl.model.cost import Cost
from statecrawl.ports.measured import Published, Run
from statecrawl.report.comparison import AppComparison
from statecrawl.testbed.published import STRATEGIES as PUBLISHED_STRATEGIES

MISSING = "–"


def plain_table(title: str | None = None) -> Table:
    return Table(
        title=title, title_justify="left", title_style="bold", header_style="bold", box=SIMPLE_HEAD, pad_edge=False
    )


def run_table(title: str, runs: Sequence[Run]) -> Table:
    """One row per strategy; of several runs the median, with the range below it."""
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
            strategy if all(run.complete for run in several) else f"{strategy} (stopped)",
            _both(reached),
            _spread(cost.total(reset_cost) for cost in reached),
            _both([run.cost for run in several]),
            _spread(run.total for run in several),
            f"{median(run.next_task_mean_us for run in several):,.0f} / "
            f"{median(run.next_task_p999_us for run in several):,.0f}",
        )
    return table


def published_tables(comparisons: Sequence[AppComparison]) -> list[Table]:
    """Tables II and III of Dincturk et al. 2014, ours first and the published figure below it."""

    def at_all_states(run: Run) -> Published | None:
        cost = run.to_all_states
        if cost is None:
            return None
        return Published(events=cost.events, resets=cost.resets, cost=cost.total(run.reset_cost))

    def at_the_end(run: Run) -> Published | None:
        return Published(events=run.cost.events, resets=run.cost.resets, cost=run.total) if run.complete else None

    return [
        _published_table("Finding all states (Table II)", comparisons, at_all_states, complete=False),
        _published_table("Complete crawl (Table III)", comparisons, at_the_end, complete=True),
    ]


def _published_table(
    title: str, comparisons: Sequence[AppComparison], figure: Callable[[Run], Published | None], *, complete: bool
) -> Table:
    table = plain_table(title)
    table.add_column("application", no_wrap=True)
    table.add_column("", no_wrap=True)
    for name in (*PUBLISHED_STRATEGIES, "optimal"):
        table.add_column(name, justify="right", no_wrap=True)
    for app in comparisons:
        published = app.published_complete if complete else app.published_states
        runs = _by_strategy(app.runs)
        for place, measure in enumerate(("events", "resets", "cost")):
            ours, theirs = [], []
            for strategy in PUBLISHED_STRATEGIES:
                figures = [found for run in runs.get(strategy, ()) if (found := figure(run)) is not None]
                ours.append(_spread(getattr(found, measure) for found in figures))
                theirs.append(_dim(published.get(strategy), measure))
            ours.append(_optimal(app, complete=complete) if measure == "cost" else "")
            theirs.append("" if complete else _dim(app.published_optimal, measure))
            table.add_row("" if place else escape(app.name), measure, *ours)
            if published:
                table.add_row("", "[dim]  paper[/]", *theirs)
        table.add_section()
    return table


def _dim(cell: Published | None, measure: str) -> str:
    return f"[dim]{_number(getattr(cell, measure))}[/]" if cell else ""


def _optimal(app: AppComparison, *, complete: bool) -> str:
    """What no strategy can beat: a figure, or what encloses it."""
    if complete:
        return _number(app.completion_bound)
    lower, upper = app.optimal_states
    return _number(lower) if lower == upper else f"≥ {_number(lower)}"


def _by_strategy(runs: Iterable[Run]) -> dict[str, list[Run]]:
    grouped: dict[str, list[Run]] = {}
    for run in runs:
        grouped.setdefault(run.strategy, []).append(run)
    return grouped


def _both(costs: Sequence[Cost]) -> str:
    """Events and resets; of several the medians, with the ranges below."""
    if not costs:
        return MISSING
    events = _spread(cost.events for cost in costs).split("\n")
    resets = _spread(cost.resets for cost in costs).split("\n")
    height = max(len(events), len(resets))  # what is the same in all runs has no range: say it again
    pairs = zip((events * height)[:height], (resets * height)[:height], strict=True)
    return "\n".join(f"{one} / {other}" for one, other in pairs)


def _spread(values: Iterable[float]) -> str:
    listed = sorted(values)
    if not listed:
        return MISSING
    if len(listed) == 1 or listed[0] == listed[-1]:
        return _number(listed[0])
    return f"{_number(median(listed))}\n[dim]{_number(listed[0])}–{_number(listed[-1])}[/]"


def _number(value: float | None) -> str:
    if value is None:
        return MISSING
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"
