"""Simulation jobs as the commands run them, with progress."""

from collections.abc import Callable, Sequence

from statecrawl.cli.console import Board
from statecrawl.errors import Interrupted, StatecrawlError, WorkerLost
from statecrawl.lab.jobs import AnyJob, Result, run_all


def do_all(
    jobs: Sequence[AnyJob], board: Board, done: Callable[[int, Result], None], interrupted: str
) -> StatecrawlError | None:
    """Run all jobs. Return the error to raise after the partial results were shown, if some jobs are not done."""
    try:
        return None if run_all(jobs, board.progress, done) else Interrupted(interrupted)
    except WorkerLost as lost:
        return lost
