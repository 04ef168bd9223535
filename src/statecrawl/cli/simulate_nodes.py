"""`statecrawl simulate --nodes`: crawl one application with several nodes in virtual time."""

from collections.abc import Iterable, Sequence
from typing import Any

from rich.markup import escape
from rich.table import Table

from statecrawl.cli.console import Board
from statecrawl.cli.jobs import run_jobs, show_runs
from statecrawl.cli.tables import MISSING, plain_table
from statecrawl.errors import StatecrawlError
from statecrawl.lab.grid import NodeGrid
from statecrawl.lab.jobs import Result
from statecrawl.ports.scale_run import ScaleResult, ScaleSetting
from statecrawl.report.page.quantity import duration
from statecrawl.testbed.application import Application

# fields with the same names in JSON
SETTING_FIELDS = (
    "app", "architecture", "strategy", "nodes", "partition", "share", "share_every", "share_interval", "balance",
    "components", "slowdown", "slowdown_period", "pace", "seed",
)  # fmt: skip
RESULT_FIELDS = ("complete", "states", "transitions", "events", "resets", "messages", "repeated")
SHARES = ("walking", "overhead", "idle", "coordinator_busy")
COLUMNS = (
    "nodes",
    "all states",
    "finished",
    "speed-up",
    "events",
    "resets",
    "messages",
    "idle",
    "coordinator\nbusy",
    "repeated",
)


def simulate_nodes(app: Application, grid: NodeGrid, *, as_json: bool, quiet: bool, interrupted: str) -> None:
    """Run the grid and print the results; raise the error that interrupted it, if any."""
    results, error = run_settings(grid.settings(), quiet=quiet, interrupted=interrupted)
    size = f"{len(app.truth):,} states, {app.truth.explored:,} transitions"
    title = f"{escape(app.name)}: {size}, pace {grid.pace}: an event takes {duration(app.event_seconds)}"
    show_runs(results, as_object, lambda: scaled_table(title, results), as_json=as_json, error=error)


def run_settings(
    settings: Sequence[ScaleSetting], *, quiet: bool, interrupted: str
) -> tuple[list[ScaleResult], StatecrawlError | None]:
    """Return the results in the order of the settings, and the error to raise after they were shown, if any."""
    results: dict[int, ScaleResult] = {}
    titles = [f"{each.app} {each.architecture} {each.strategy} × {each.nodes:,}" for each in settings]
    with Board(titles, quiet=quiet) as board:

        def done(number: int, result: Result) -> None:
            if isinstance(result, ScaleResult):
                results[number] = result
                board.done(number, f"{duration(result.seconds)}, {result.events:,} events")

        error = run_jobs(settings, board, done, interrupted)
    return [results[number] for number in sorted(results)], error


def scaled_table(title: str, runs: Sequence[ScaleResult]) -> Table:
    """Return a table with one row per crawl, grouped by architecture and strategy."""
    table = plain_table(title)
    table.add_column("architecture", no_wrap=True)
    table.add_column("strategy", no_wrap=True)
    for name in COLUMNS:
        table.add_column(name, justify="right", no_wrap=True)
    ups = speed_ups(runs)
    before = None
    for run, up in zip(runs, ups, strict=True):
        setting = run.setting
        group = (setting.architecture, setting.strategy)
        if before not in (None, group):
            table.add_section()
        table.add_row(
            *(group if group != before else ("", "")),
            f"{setting.nodes:,}",
            MISSING if run.seconds_to_states is None else duration(run.seconds_to_states),
            duration(run.seconds) if run.complete else "stopped",
            MISSING if up is None else f"{up:,.1f}×",
            f"{run.events:,}",
            f"{run.resets:,}",
            f"{run.messages:,}",
            f"{run.idle:.0%}",
            f"{run.coordinator_busy:.0%}",
            f"{run.repeated:,}",
        )
        before = group
    return table


def speed_ups(runs: Iterable[ScaleResult]) -> list[float | None]:
    """Return the speed-up of each run over the run with one node and otherwise the same setting, if there is one."""
    listed = list(runs)
    alone = {_group(run.setting): run.seconds for run in listed if run.setting.nodes == 1 and run.complete}
    seconds = [alone.get(_group(run.setting)) if run.complete else None for run in listed]
    return [None if one is None else one / run.seconds for one, run in zip(seconds, listed, strict=True)]


def _group(setting: ScaleSetting) -> tuple[object, ...]:
    return setting.app, setting.architecture, setting.strategy, setting.pace


def as_object(run: ScaleResult) -> dict[str, Any]:
    """Return a run as a JSON object."""
    return {
        **{name: getattr(run.setting, name) for name in SETTING_FIELDS},
        **{name: getattr(run, name) for name in RESULT_FIELDS},
        "seconds": round(run.seconds, 6),
        "seconds_to_all_states": None if run.seconds_to_states is None else round(run.seconds_to_states, 6),
        "shared_view": run.is_shared_view,
        **{name: round(getattr(run, name), 6) for name in SHARES},
        "idle_by_node": [round(idle, 4) for idle in run.idle_by_node],
    }
