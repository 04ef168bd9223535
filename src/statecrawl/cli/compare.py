"""`statecrawl compare`: all strategies on all applications, next to the published figures."""

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from statecrawl.cli import shared_options
from statecrawl.cli.console import Board, note, notes, output, print_whole
from statecrawl.cli.jobs import print_rows, run_jobs
from statecrawl.cli.output_files import check_writable, write
from statecrawl.cli.simulate import as_object, in_short
from statecrawl.cli.tables import published_tables
from statecrawl.lab import comparison
from statecrawl.lab.experiment import ALL, Experiment
from statecrawl.lab.jobs import AnyJob, BoundsJob, OfflineBounds, Result
from statecrawl.lab.subjects import subject
from statecrawl.model.cheapest_paths import Ties
from statecrawl.ports.measurement import MeasuredRun
from statecrawl.report.comparison import AppComparison, render
from statecrawl.strategies.settings import SearchMethod, StatePreference, StrategySettings, TieOrder
from statecrawl.testbed.catalogue import PUBLISHED
from statecrawl.testbed.published import NEXT_TASK


def compare(
    applications: Annotated[
        list[str] | None, typer.Argument(metavar="[APP]...", help="Applications. Default: all published ones.")
    ] = None,
    strategy: shared_options.StrategyNames = [ALL],  # noqa: B006 — typer copies it
    out: Annotated[Path, typer.Option(help="File for the HTML page.")] = Path("compare.html"),
    runs: shared_options.Runs = 1,
    seed: shared_options.Seed = 0,
    order: shared_options.EventOrder = TieOrder.FIXED,
    reset_cost: shared_options.ResetCost = None,
    ties: shared_options.TieRule = Ties.WALK,
    prefer: shared_options.Preference = StatePreference.NONE,
    search: shared_options.SearchKind = SearchMethod.INDEXED,
    aging: shared_options.Aging = 1.0,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per run instead of the tables.")
    ] = False,
    quiet: shared_options.Quiet = False,
) -> None:
    """Compare strategies in simulation with the tables of the papers, and write an HTML page with plots.

    Without arguments, all published applications are simulated, which takes a minute or two.

    Examples:
      statecrawl compare test-ria altoro
      # two strategies on an application that you have crawled
      statecrawl compare crawl-test-ria/crawl.journal -s greedy -s menu

    Exit codes: 0 done; 1 a worker process died, partial results are shown; 2 the request is invalid; 3 a journal
    cannot be used; 130 interrupted, partial results are shown.
    """
    rules = StrategySettings(ties=ties, order=order, search=search, prefer=prefer, aging=aging, seed=seed)
    names = tuple(dict.fromkeys(applications or PUBLISHED))
    experiment = Experiment(apps=names, strategies=tuple(strategy), runs=runs, reset_cost=reset_cost, rules=rules)
    with notes.status("building the models"):
        apps = {name: subject(name) for name in names}
    check_writable(out)
    jobs: list[AnyJob] = [*(BoundsJob(name, reset_cost) for name in names), *experiment.jobs()]
    titles = [f"{job.app} bounds" if isinstance(job, BoundsJob) else f"{job.app} {job.strategy}" for job in jobs]
    measured: dict[str, list[MeasuredRun]] = {name: [] for name in names}
    bounds: dict[str, OfflineBounds] = {}
    with Board(titles, quiet=quiet) as board:

        def done(number: int, result: Result) -> None:
            if isinstance(result, OfflineBounds):
                bounds[jobs[number].app] = result
                board.done(
                    number, f"all states from {result.states.lower:,.0f}, complete from {result.completion:,.0f}"
                )
            elif isinstance(result, MeasuredRun):
                measured[jobs[number].app].append(result)
                board.done(number, in_short(result))

        error = run_jobs(jobs, board, done, "interrupted: tables and page contain partial results.")
    ranks = {name: place for place, name in enumerate(experiment.chosen)}
    comparisons = [
        comparison.compare(
            apps[name], sorted(measured[name], key=lambda run: (ranks[run.strategy], run.seed)), bounds.get(name)
        )
        for name in names
        if measured[name]
    ]
    if as_json:
        print_rows(as_object(run) for app in comparisons for run in app.runs)
    else:
        _print(comparisons)
    published = {name: cell.milliseconds for name, cell in NEXT_TASK.items()}
    command = shlex.join(["statecrawl", *sys.argv[1:]]).encode(errors="backslashreplace").decode()
    page = render(comparisons, command=command, finished=error is None, published_next_task_ms=published)
    write(out, page)
    note(f"wrote {out}")
    if error is not None:
        raise error


def _print(comparisons: list[AppComparison]) -> None:
    for table in published_tables(comparisons):
        print_whole(table)
        output.print()
    for app in comparisons:
        for remark in app.remarks:
            output.print(f"{app.name}: {remark}", markup=False, soft_wrap=True)
