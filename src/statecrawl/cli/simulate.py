"""`statecrawl simulate`: crawl one application in simulation, with one or several strategies and nodes."""

import threading
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from statecrawl.cli import shared_options
from statecrawl.cli.console import Board, note
from statecrawl.cli.jobs import run_jobs, show_runs
from statecrawl.cli.simulate_nodes import simulate_nodes
from statecrawl.cli.tables import run_table
from statecrawl.errors import BadInput, Interrupted, StatecrawlError
from statecrawl.lab.experiment import ALL, Experiment
from statecrawl.lab.grid import NodeGrid, node_counts
from statecrawl.lab.jobs import Result, interruptible
from statecrawl.lab.measurement import measure
from statecrawl.lab.paces import CLIENT_SERVER, OURS
from statecrawl.lab.subjects import is_file_name, subject
from statecrawl.model.cheapest_paths import Ties
from statecrawl.ports.measurement import MeasuredRun
from statecrawl.stores.sqlite_journal import open_journal
from statecrawl.strategies.settings import SearchMethod, StatePreference, StrategySettings, TieOrder
from statecrawl.testbed.application import Application

INTERRUPTED = "interrupted: the results above are partial."


def simulate(
    application: Annotated[str, typer.Argument(metavar="APP", help="A name from `statecrawl apps`, or a model file.")],
    strategy: shared_options.StrategyNames = [ALL],  # noqa: B006 — typer copies it
    seed: shared_options.Seed = 0,
    reset_cost: shared_options.ResetCost = None,
    ties: shared_options.TieRule = Ties.WALK,
    order: shared_options.EventOrder = TieOrder.FIXED,
    runs: shared_options.Runs = 1,
    prefer: shared_options.Preference = StatePreference.NONE,
    search: shared_options.SearchKind = SearchMethod.INDEXED,
    aging: shared_options.Aging = 1.0,
    journal: Annotated[
        Path | None, typer.Option(help="Record the crawl in a new journal file (one strategy, one run).")
    ] = None,
    nodes: shared_options.NodeCounts = None,
    architecture: shared_options.Architectures = None,
    partition: shared_options.PartitionChoice = None,
    share: shared_options.ShareExtent = None,
    share_every: shared_options.ShareEvery = None,
    share_interval: shared_options.ShareInterval = None,
    balance: shared_options.BalanceKind = None,
    components: shared_options.ComponentOwner = None,
    pace: shared_options.PaceName = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per run, one per line.")] = False,
    quiet: shared_options.Quiet = False,
) -> None:
    """Crawl an application in simulation and show the cost of each strategy.

    The application is a bundled one ([bold]statecrawl apps[/] lists them), or a model file or journal of your own. No
    browser is started, and a crawl of thousands of events takes seconds.

    Examples:
      statecrawl simulate altoro --strategy menu --strategy greedy
      # twenty runs with events in random order
      statecrawl simulate hypercube:8 --order random --runs 20
      # an application that you have crawled
      statecrawl simulate crawl-test-ria/crawl.journal -s probability
      # several nodes, with the processing times of the papers
      statecrawl simulate dyna-table -s greedy --nodes 1,5,10,20 \\
        --architecture all --pace papers

    Exit codes: 0 done; 1 a worker process died, partial results are shown; 2 the request is invalid; 3 a journal
    cannot be used; 130 interrupted, partial results are shown.
    """
    node_options = {
        "--architecture": architecture,
        "--partition": partition,
        "--share": share,
        "--share-every": share_every,
        "--share-interval": share_interval,
        "--balance": balance,
        "--components": components,
        "--pace": pace,
    }
    if nodes is None:
        _refuse(node_options, "applies to crawls by several nodes: add --nodes, for example --nodes 1..8.")
    rules = StrategySettings(ties=ties, order=order, search=search, prefer=prefer, aging=aging, seed=seed)
    experiment = Experiment(
        apps=(application,), strategies=tuple(strategy), runs=runs, reset_cost=reset_cost, rules=rules
    )
    app = subject(application)
    if is_file_name(application) and not quiet:
        note(f"{app.name}: {app.title}")
    if nodes is None:
        _simulate_walker(app, experiment, journal, as_json=as_json, quiet=quiet)
        return
    _refuse({"--journal": journal}, "records a crawl without nodes: leave --nodes out.")
    _refuse_changed(reset_cost=reset_cost, ties=ties, order=order, runs=runs, prefer=prefer, search=search, aging=aging)
    grid = NodeGrid(
        apps=(application,),
        nodes=node_counts(nodes),
        architectures=tuple(architecture or (CLIENT_SERVER,)),
        strategies=tuple(strategy),
        partition=partition,
        share=share,
        share_every=share_every,
        share_interval=share_interval,
        balance=balance,
        components=components,
        pace=pace or OURS,
        seed=seed,
    )
    simulate_nodes(app, grid, as_json=as_json, quiet=quiet, interrupted=INTERRUPTED)


def _simulate_walker(
    app: Application, experiment: Experiment, journal: Path | None, *, as_json: bool, quiet: bool
) -> None:
    """Run crawls by one walker and print the results."""
    results: dict[int, MeasuredRun] = {}
    error: StatecrawlError | None
    if journal is not None:
        results[0] = _record(experiment, journal)
        error = None if results[0].complete else Interrupted(INTERRUPTED)
    else:
        jobs = experiment.jobs()
        titles = [f"{job.strategy}{f' #{job.rules.seed}' if experiment.runs > 1 else ''}" for job in jobs]
        with Board(titles, quiet=quiet) as board:

            def done(number: int, result: Result) -> None:
                if isinstance(result, MeasuredRun):
                    results[number] = result
                    board.done(number, in_short(result))

            error = run_jobs(jobs, board, done, INTERRUPTED)
    runs = [results[number] for number in sorted(results)]

    def table() -> Table:
        size = f"{len(app.truth):,} states, {app.truth.explored:,} transitions"
        return run_table(f"{escape(app.name)}: {size}, a reset costs as much as {runs[0].reset_cost:g} events", runs)

    show_runs(runs, as_object, table, as_json=as_json, error=error)


def _record(experiment: Experiment, path: Path) -> MeasuredRun:
    if len(experiment.jobs()) != 1:
        raise BadInput("--journal records a single crawl: choose one --strategy and leave --runs at 1.")
    try:
        if path.exists():
            raise BadInput(f"{path} already exists: choose a new file for the journal.")
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error.strerror}; choose another file for the journal.") from error
    (job,) = experiment.jobs()
    app = subject(job.app)
    interrupt = threading.Event()
    with interruptible(interrupt.set), closing(open_journal(path)) as journal:
        run = measure(
            app, job.strategy, job.rules_for(app), on_progress=lambda _: not interrupt.is_set(), journal=journal
        )
    note(f"recorded in {path}")
    return run


def _refuse(given: Mapping[str, object], why: str) -> None:
    for option, value in given.items():
        if value:
            raise BadInput(f"{option} {why}")


def _refuse_changed(**given: object) -> None:
    """Refuse options that only apply to a crawl without nodes."""
    defaults = {
        "ties": Ties.WALK,
        "order": TieOrder.FIXED,
        "runs": 1,
        "prefer": StatePreference.NONE,
        "search": SearchMethod.INDEXED,
        "aging": 1.0,
    }
    changed = [name for name, value in given.items() if value != defaults.get(name)]
    _refuse({f"--{name.replace('_', '-')}": True for name in changed}, "cannot be combined with --nodes.")


def in_short(run: MeasuredRun) -> str:
    return f"{run.cost.events:,} events, {run.cost.resets:,} resets, {run.seconds:.1f} s"


def as_object(run: MeasuredRun) -> dict[str, Any]:
    """Return a run as a JSON object."""
    reached = run.to_all_states
    return {
        "app": run.app,
        "strategy": run.strategy,
        "seed": run.seed,
        "reset_cost": float(run.reset_cost),
        "complete": run.complete,
        "states": run.states,
        "transitions": run.transitions,
        "events": run.cost.events,
        "resets": run.cost.resets,
        "cost": float(run.total),
        "events_to_all_states": reached.events if reached else None,
        "resets_to_all_states": reached.resets if reached else None,
        "cost_quartiles": list(run.quartiles),
        "next_task_mean_us": round(run.next_task_mean_us, 3),
        "next_task_p999_us": round(run.next_task_p999_us, 3),
        "seconds": round(run.seconds, 3),
    }
