"""Jobs as commands run them: all of them, with progress, and with a word at the end when not all were done."""

from collections.abc import Callable, Sequence

from statecrawl.cli.console import Board
from statecrawl.errors import Interrupted, StatecrawlError, WorkerLost
from statecrawl.lab.jobs import AnyJob, Result, run_all


def do_all(
    jobs: Sequence[AnyJob], board: Board, done: Callable[[int, Result], None], interrupted: str
) -> StatecrawlError | None:
    """Do all jobs; returns what must be said last, once everything known is shown, when not all of them were done."""
    try:
        return None if run_all(jobs, board.progress, done) else Interrupted(interrupted)
    except WorkerLost as lost:
        return lost
