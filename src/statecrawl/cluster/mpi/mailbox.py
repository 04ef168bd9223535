"""Letters from rank to rank of an MPI job: bytes of a kind, on their way without anybody waiting for them.

Theory of operation
    MPI is asked, never waited for: its own waiting keeps a core busy, and browsers need the cores. Sending and
    receiving are begun, and asked about again and again by `MpiMailbox.run`, in the thread of the event loop, so an MPI
    needs to know nothing of threads.

    Right after a letter was sent or came, another one is likely: it is looked for at every turn of the loop. Then the
    pauses grow, each by a quarter, so a letter is never noticed later than in a quarter more than the time it took.
    A rank that has nothing to hear looks 250 times a second, which takes it some 3 % of a core.

    A large letter is on its way until its receiver has a place for it; `send` returns then. Nobody receives more than
    MOST_AT_ONCE at a time. Letters of one rank may overtake each other when the earlier one is large.
"""

import asyncio
import time
from collections.abc import Callable
from enum import IntEnum
from typing import TYPE_CHECKING, NoReturn

from statecrawl.errors import BadInput

if TYPE_CHECKING:
    from mpi4py import MPI

TURNS = 100  # of the loop, about 0.3 ms, without a pause after a letter
SHORTEST_PAUSE = 0.0001  # seconds
LONGEST_PAUSE = 0.004
GROWTH = 1.25
GRAIN = 0.0003  # seconds: a shorter pause holds up the event loop, which itself would make a millisecond of it
MOST_AT_ONCE = 64  # letters that are being received
LARGEST = 256 << 20  # bytes of a letter

Deliver = Callable[[int, int, bytes], None]  # from which rank, of which kind, what


class MessageKind(IntEnum):
    """What a letter is: its tag."""

    HELLO = 1  # to rank 0, numbered: what is the plan?
    EXCHANGE = 2  # to rank 0, numbered: a peer appends and reads
    PARCEL = 3  # to rank 0, numbered: evidence
    LISTEN = 4  # to rank 0: say when there is something to read
    LEAVE = 5  # to rank 0: a peer has gone
    TROUBLE = 6  # to rank 0: why this rank can not go on
    ANSWER = 7  # to what is numbered, which is kept by then
    REFUSED = 8  # the same: why not
    NEWS = 9  # to a peer that listens
    OVER = 10  # to all: the crawl is over, and everything is kept
    TOKEN = 11  # from any rank to any: the token of the ring


def world() -> "MPI.Intracomm":
    """All processes of this job; a process that nobody has started with others is alone. Raises BadInput."""
    try:
        import mpi4py  # noqa: PLC0415 — an extra, and importing it begins MPI
    except ImportError as trouble:
        raise BadInput(
            "--engine mpi needs mpi4py: pip install 'statecrawl[mpi]', and an MPI: the cluster's or pip install mpich."
        ) from trouble
    mpi4py.rc.thread_level = "funneled"
    try:
        from mpi4py import MPI  # noqa: PLC0415
    except (ImportError, RuntimeError) as trouble:
        raise BadInput(
            "--engine mpi finds no MPI that mpi4py can use: load the module of your cluster, or pip install mpich."
        ) from trouble
    return MPI.COMM_WORLD


class MpiMailbox:
    """Sends and receives for one rank."""

    def __init__(self, communicator: "MPI.Intracomm") -> None:
        """All ranks have to make theirs."""
        self.rank = communicator.Get_rank()
        self.size = communicator.Get_size()
        from mpi4py import MPI  # noqa: PLC0415 — whoever has a communicator has it

        self._status, self._byte = MPI.Status(), MPI.BYTE
        near = communicator.Split_type(MPI.COMM_TYPE_SHARED)
        self.is_one_machine = near.Get_size() == self.size
        near.Free()
        self._ranks = communicator
        self._leaving: list[tuple[MPI.Request, bytes, asyncio.Future[None]]] = []
        self._coming: list[tuple[MPI.Request, int, int, bytearray]] = []
        self._quiet = 0  # looks in a row that found nothing
        self._woken = asyncio.Event()

    async def send(self, rank: int, kind: MessageKind, body: bytes) -> None:
        """Returns when it is on its way, and the receiver has a place for it if it is large."""
        request = self._ranks.Isend(body, rank, kind)
        self._wake()
        if not request.Test():
            future = asyncio.get_running_loop().create_future()
            self._leaving.append((request, body, future))
            await asyncio.shield(future)  # whoever gives up waiting does not take back the letter

    async def run(self, deliver: Deliver) -> NoReturn:
        """Hand over what comes, and look after what goes, until cancelled. Raises what `deliver` raises."""
        while True:
            self._quiet = 0 if self._moved(deliver) else self._quiet + 1
            await self._pause()

    def _moved(self, deliver: Deliver) -> bool:
        """Whether anything went or came."""
        gone = [each for each in self._leaving if each[0].Test()]
        for each in gone:
            self._leaving.remove(each)
            if not each[2].done():
                each[2].set_result(None)
        self._receive()
        come = [each for each in self._coming if each[0].Test()]
        for letter in come:
            self._coming.remove(letter)
        for _, rank, kind, body in come:
            deliver(rank, kind, bytes(body))
        return bool(gone or come)

    def _receive(self) -> None:
        """Begin to receive all that is there."""
        status = self._status
        self._ranks.Iprobe()  # MPI notices here what it finds in its next look
        while len(self._coming) < MOST_AT_ONCE and (letter := self._ranks.Improbe(status=status)) is not None:
            size = status.Get_count(self._byte)
            if size > LARGEST:
                raise BadInput(f"rank {status.Get_source()} sends {size:,} bytes at once, which is too much.")
            body = bytearray(size)
            self._coming.append((letter.Irecv(body), status.Get_source(), status.Get_tag(), body))

    async def _pause(self) -> None:
        if self._quiet <= TURNS:
            await asyncio.sleep(0)
            return
        pause = min(SHORTEST_PAUSE * GROWTH ** min(self._quiet - TURNS, 99), LONGEST_PAUSE)
        if pause < GRAIN:
            time.sleep(pause)
            await asyncio.sleep(0)
            return
        self._woken.clear()
        alarm = asyncio.get_running_loop().call_later(pause, self._woken.set)
        await self._woken.wait()  # wait_for would not be cancelled by whoever wakes it at the same time
        alarm.cancel()

    def _wake(self) -> None:
        self._quiet = 0
        self._woken.set()
