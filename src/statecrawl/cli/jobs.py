"""Simulation jobs as the commands run them, with progress."""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from statecrawl.cli.console import Board, print_line
from statecrawl.errors import Interrupted, StatecrawlError, WorkerLost
from statecrawl.lab.jobs import AnyJob, Result, run_all


def print_rows(rows: Iterable[dict[str, Any]]) -> None:
    """Print JSON objects, one per line."""
    for row in rows:
        print_line(json.dumps(row))


def do_all(
    jobs: Sequence[AnyJob], board: Board, done: Callable[[int, Result], None], interrupted: str
) -> StatecrawlError | None:
    """Run all jobs. Return the error to raise after the partial results were shown, if some jobs are not done."""
    try:
        return None if run_all(jobs, board.progress, done) else Interrupted(interrupted)
    except WorkerLost as lost:
        return lost
