"""`statecrawl crawl --engine mpi`: every process of an MPI job runs the same command line; only rank 0 prints.

If a rank fails, the whole job is aborted by MPI, because the other ranks would wait for it forever.
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
    """Run the part of this process's rank. Return the result of `lead` at rank 0, None elsewhere. Raises BadInput."""
    ranks = world()
    mailbox = MpiMailbox(ranks)

    def abort(exit_code: int) -> NoReturn:
        sys.stdout.flush()
        sys.stderr.flush()
        ranks.Abort(exit_code)
        sys.exit(exit_code)

    try:
        if mailbox.rank == 0:
            return lead(mailbox)
        asyncio.run(_follow(mailbox, crew))
    except StatecrawlError as error:
        if mailbox.size == 1:
            raise
        note(f"statecrawl: {error}")
        abort(error.exit_code)
    except KeyboardInterrupt:
        abort(EXIT_INTERRUPTED)
    except Exception:  # of any rank: the others would wait for it forever
        traceback.print_exc()
        abort(EXIT_LOST)
    return None


async def _follow(mailbox: MpiMailbox, crew: Crew) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):  # every rank receives the signal, and rank 0 ends the crawl
        asyncio.get_running_loop().add_signal_handler(number, lambda: None)
    await follow(mailbox, crew)
