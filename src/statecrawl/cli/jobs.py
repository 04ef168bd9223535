"""Simulation jobs as the commands run them, with progress."""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from rich.table import Table

from statecrawl.cli.console import Board, print_line, print_whole
from statecrawl.errors import Interrupted, StatecrawlError, WorkerLost
from statecrawl.lab.jobs import AnyJob, Result, run_all

Run = TypeVar("Run")


def print_rows(rows: Iterable[dict[str, Any]]) -> None:
    """Print JSON objects, one per line."""
    for row in rows:
        print_line(json.dumps(row))


def show_runs(
    runs: Sequence[Run],
    as_object: Callable[[Run], dict[str, Any]],
    table: Callable[[], Table],
    *,
    as_json: bool,
    error: StatecrawlError | None,
) -> None:
    """Print runs as JSON objects or as a table; then raise the error that interrupted them, if any."""
    if as_json:
        print_rows(map(as_object, runs))
    elif runs:
        print_whole(table())
    if error is not None:
        raise error


def run_jobs(
    jobs: Sequence[AnyJob], board: Board, done: Callable[[int, Result], None], interrupted: str
) -> StatecrawlError | None:
    """Run all jobs. Return the error to raise after the partial results were shown, if some jobs are not done."""
    try:
        return None if run_all(jobs, board.progress, done) else Interrupted(interrupted)
    except WorkerLost as lost:
        return lost
