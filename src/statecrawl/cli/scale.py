"""`statecrawl scale`: simulate how crawls scale with the number of nodes, as in the papers and beyond."""

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from statecrawl.cli import shared_options
from statecrawl.cli.console import note, output, print_whole
from statecrawl.cli.jobs import print_rows
from statecrawl.cli.output_files import check_writable, write
from statecrawl.cli.simulate_nodes import as_object, run_settings, scaled_table
from statecrawl.cli.tables import plain_table
from statecrawl.errors import BadInput
from statecrawl.lab.assignments import partition_balances
from statecrawl.lab.claims import claims
from statecrawl.lab.experiment import ALL
from statecrawl.lab.grid import NodeGrid, node_counts
from statecrawl.lab.paces import OURS
from statecrawl.lab.saturation import saturations
from statecrawl.lab.studies import NODES, STRATEGIES, Studies, Study, all_studies
from statecrawl.lab.subjects import subject
from statecrawl.ports.scale_run import ScaleResult
from statecrawl.report.scale_page import ScalingFacts, pictures, render
from statecrawl.testbed.published_nodes import PEERS_OVER_CLIENTS, TABLE_NODES

INTERRUPTED = "interrupted: tables and page contain partial results."
PARTITIONED_APPS = ("dyna-table", "clip-marks")


def scale(
    applications: Annotated[
        list[str] | None,
        typer.Argument(metavar="[APP]...", help="Applications. Default: all studies of the papers."),
    ] = None,
    nodes: shared_options.NodeCounts = None,
    architecture: shared_options.Architectures = None,
    strategy: shared_options.SomeStrategies = None,
    pace: shared_options.PaceName = None,
    full: Annotated[
        bool,
        typer.Option(
            "--full", help="Also run the studies that take minutes: the largest applications, and 5,000 nodes."
        ),
    ] = False,
    seed: shared_options.Seed = 0,
    out: Annotated[Path, typer.Option(help="File for the HTML page.")] = Path("scale.html"),
    plots: Annotated[Path | None, typer.Option(help="Also write each plot to this directory.")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per crawl instead of the tables.")
    ] = False,
    quiet: shared_options.Quiet = False,
) -> None:
    """Simulate crawls by many nodes, compare them with the claims of the papers, and write an HTML page with plots.

    Without arguments, all studies run, which takes two or three minutes. With names of applications, only their scaling
    is simulated.

    Examples:
      statecrawl scale
      # one application
      statecrawl scale altoro --nodes 1,2,4,8,16 --strategy greedy

    Exit codes: 0 done; 1 a worker process died, partial results are shown; 2 the request is invalid; 3 a journal
    cannot be used; 130 interrupted, partial results are shown.
    """
    grid = _grid(applications, nodes, architecture, strategy, pace, seed)
    if grid is not None and full:
        raise BadInput("--full applies to all studies: leave out either the applications or --full.")
    studies: Studies = all_studies(full=full, seed=seed) if grid is None else {Study.ARCHITECTURES: grid.settings()}
    for app in {setting.app for settings in studies.values() for setting in settings}:
        subject(app)
    check_writable(out)
    settings = list(dict.fromkeys(setting for listed in studies.values() for setting in listed))
    results, error = run_settings(settings, quiet=quiet, interrupted=INTERRUPTED)
    facts = _facts(studies, results)
    if as_json:
        print_rows(map(as_object, results))
    else:
        _print(facts)
    command = shlex.join(["statecrawl", *sys.argv[1:]]).encode(errors="backslashreplace").decode()
    write(out, render(facts, command=command, finished=error is None))
    note(f"wrote {out}")
    if plots is not None:
        _write_plots(plots, facts)
    if error is not None:
        raise error


def _grid(
    applications: list[str] | None,
    nodes: list[str] | None,
    architecture: list[str] | None,
    strategy: list[str] | None,
    pace: str | None,
    seed: int,
) -> NodeGrid | None:
    """Return the grid for the given applications; None without applications, for all studies. Raises BadInput."""
    options = {"--nodes": nodes, "--architecture": architecture, "--strategy": strategy, "--pace": pace}
    if not applications:
        for option, value in options.items():
            if value:
                raise BadInput(f"{option} applies to named applications: add their names, such as altoro.")
        return None
    return NodeGrid(
        apps=tuple(dict.fromkeys(applications)),
        nodes=node_counts(nodes) if nodes else NODES,
        architectures=tuple(architecture or (ALL,)),
        strategies=tuple(strategy or STRATEGIES),
        pace=pace or OURS,
        seed=seed,
    )


def _facts(studies: Studies, results: list[ScaleResult]) -> ScalingFacts:
    by = {run.setting: run for run in results}
    studied = {study: [by[each] for each in studies.get(study, ()) if each in by] for study in Study}
    everything = Study.LARGE in studies
    balances = (
        [each for app in PARTITIONED_APPS for each in partition_balances(subject(app), TABLE_NODES)]
        if everything
        else []
    )
    return ScalingFacts(
        architectures=studied[Study.ARCHITECTURES],
        idle=studied[Study.IDLE],
        sharing=studied[Study.SHARING],
        balance=studied[Study.BALANCE],
        large=studied[Study.LARGE],
        saturations=saturations(studied[Study.LARGE] or studied[Study.ARCHITECTURES]),
        dealings=balances,
        claims=claims(studied, balances) if everything else (),
        published=PEERS_OVER_CLIENTS,
        published_nodes=TABLE_NODES,
    )


def _print(facts: ScalingFacts) -> None:
    if facts.claims:
        table = plain_table("Claims of the papers and our results")
        for head in ("claim", "published", "ours", "holds"):
            table.add_column(head, overflow="fold")
        for claim in facts.claims:
            holds = {True: "yes", False: "no", None: "partly"}[claim.holds]
            table.add_row(*map(escape, (f"{claim.text} ({claim.source})", claim.published, claim.ours, holds)))
        output.print(table)
    else:
        for app in dict.fromkeys(run.setting.app for run in facts.architectures):
            print_whole(scaled_table(escape(app), [run for run in facts.architectures if run.setting.app == app]))
    table = plain_table("Saturation: from this number of nodes on, doubling it saves less than a tenth of the time")
    for head in ("architecture", "strategy", "pace", "application", "nodes", "speed-up", "bottleneck"):
        table.add_column(head)
    for each in facts.saturations:
        nodes = f"{each.nodes:,}" if each.is_found else f"> {each.nodes:,}"
        words = (
            each.architecture,
            each.strategy,
            each.pace,
            each.app,
            nodes,
            f"{each.speed_up:,.1f}×",
            each.bottleneck,
        )
        table.add_row(*map(escape, words))
    print_whole(table)


def _write_plots(folder: Path, facts: ScalingFacts) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"cannot create {folder}: {error.strerror}; choose another directory for --plots.") from error
    for name, drawn in pictures(facts).items():
        write(folder / name, drawn)
        note(f"wrote {folder / name}")
