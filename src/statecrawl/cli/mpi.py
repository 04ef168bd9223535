"""`statecrawl crawl --engine mpi`: the same command line in all processes of an MPI job, of which one speaks.

Whatever ends one rank before its time ends the job, by MPI's own means: whoever waits for it would wait for ever.
"""

import asyncio
import signal
import sys
import traceback
from collections.abc import Callable
from typing import NoReturn, TypeVar

from statecrawl.cli.console import note
from statecrawl.cluster.mpi.mailbox import MpiMailbox, world
from statecrawl.errors import EXIT_INTERRUPTED, EXIT_LOST, StatecrawlError
from statecrawl.fleet.mpi import Crew, follow, with_browsers

MPI = "mpi"  # the engine
Done = TypeVar("Done")


def as_rank(lead: Callable[[MpiMailbox], Done], crew: Crew = with_browsers) -> Done | None:
    """Be the rank that this process is: what `lead` answers at rank 0, nothing elsewhere. Raises BadInput."""
    ranks = world()
    post = MpiMailbox(ranks)

    def abort(exit_code: int) -> NoReturn:
        sys.stdout.flush()
        sys.stderr.flush()
        ranks.Abort(exit_code)
        sys.exit(exit_code)

    try:
        if post.rank == 0:
            return lead(post)
        asyncio.run(_follow(post, crew))
    except StatecrawlError as error:
        if post.size == 1:
            raise
        note(f"statecrawl: {error}")
        abort(error.exit_code)
    except KeyboardInterrupt:
        abort(EXIT_INTERRUPTED)
    except Exception:
        traceback.print_exc()
        abort(EXIT_LOST)
    return None


async def _follow(post: MpiMailbox, crew: Crew) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):  # all ranks are told: rank 0 ends the crawl
        asyncio.get_running_loop().add_signal_handler(number, lambda: None)
    await follow(post, crew)
