"""Mailbox of one rank in an MPI job: sends and receives typed messages without blocking.

Theory of operation
    MPI is polled, never waited for: its own waiting keeps a core busy, and the browsers need the cores. Sends and
    receives are started, and polled repeatedly by `MpiMailbox.run` in the thread of the event loop, so the MPI library
    needs no thread support.

    After a message was sent or received, another one is likely, so the mailbox polls at every turn of the loop. Then
    the pauses grow, each by a quarter, so a message waits at most a quarter longer than necessary. A rank without
    messages polls 250 times a second, which takes about 3 % of a core.

    A large message is under way until its receiver has a buffer for it; only then does `send` return. No rank receives
    more than MOST_AT_ONCE messages at a time. Messages of one rank may overtake each other when the earlier one is
    large.
"""

import asyncio
import time
from collections.abc import Callable
from enum import IntEnum
from typing import TYPE_CHECKING, NoReturn

from statecrawl.errors import BadInput

if TYPE_CHECKING:
    from mpi4py import MPI

TURNS = 100  # of the loop without a pause after a message, about 0.3 ms
SHORTEST_PAUSE = 0.0001  # seconds
LONGEST_PAUSE = 0.004
GROWTH = 1.25
GRAIN = 0.0003  # seconds: a shorter pause blocks the loop, whose own timers would take a millisecond
MOST_AT_ONCE = 64  # messages that are being received
LARGEST = 256 << 20  # bytes of a message

Deliver = Callable[[int, int, bytes], None]  # called with rank, kind and body of a message


class MessageKind(IntEnum):
    """Kind of a message: its MPI tag."""

    HELLO = 1  # to rank 0, numbered: greeting; the reply is the plan
    EXCHANGE = 2  # to rank 0, numbered: a peer appends and reads
    PARCEL = 3  # to rank 0, numbered: evidence
    LISTEN = 4  # to rank 0: notify a peer when there is something to read
    LEAVE = 5  # to rank 0: a peer has left
    FAILURE = 6  # to rank 0: why this rank cannot continue
    ANSWER = 7  # reply to a numbered message, whose content is stored by then
    REFUSED = 8  # negative reply, with the reason
    NEWS = 9  # notification of a peer that listens
    OVER = 10  # to all ranks: the crawl is over, and everything is stored
    TOKEN = 11  # between any ranks: the token of the ring


def world() -> "MPI.Intracomm":
    """Return the communicator of all processes of this job, or of this process alone. Raises BadInput."""
    try:
        import mpi4py  # noqa: PLC0415 — optional dependency, and the import initializes MPI
    except ImportError as error:
        raise BadInput(
            "--engine mpi needs mpi4py and an MPI library: run pip install 'statecrawl[mpi]', and use the MPI of your"
            " cluster or run pip install mpich."
        ) from error
    mpi4py.rc.thread_level = "funneled"
    try:
        from mpi4py import MPI  # noqa: PLC0415
    except (ImportError, RuntimeError) as error:
        raise BadInput(
            "--engine mpi found no MPI library for mpi4py: load the MPI module of your cluster, or run pip install"
            " mpich."
        ) from error
    return MPI.COMM_WORLD


class MpiMailbox:
    """Sends and receives messages for one rank."""

    def __init__(self, communicator: "MPI.Intracomm") -> None:
        """Collective operation: all ranks must create theirs."""
        self.rank = communicator.Get_rank()
        self.size = communicator.Get_size()
        from mpi4py import MPI  # noqa: PLC0415 — present, as there is a communicator

        self._status, self._byte = MPI.Status(), MPI.BYTE
        near = communicator.Split_type(MPI.COMM_TYPE_SHARED)
        self.is_one_machine = near.Get_size() == self.size
        near.Free()
        self._ranks = communicator
        self._leaving: list[tuple[MPI.Request, bytes, asyncio.Future[None]]] = []
        self._coming: list[tuple[MPI.Request, int, int, bytearray]] = []
        self._quiet = 0  # consecutive polls without a message
        self._woken = asyncio.Event()

    async def send(self, rank: int, kind: MessageKind, body: bytes) -> None:
        """Send a message; return when it is under way, and the receiver has a buffer for it if it is large."""
        request = self._ranks.Isend(body, rank, kind)
        self._wake()
        if not request.Test():
            future = asyncio.get_running_loop().create_future()
            self._leaving.append((request, body, future))
            await asyncio.shield(future)  # cancelling the caller does not cancel the message

    async def run(self, deliver: Deliver) -> NoReturn:
        """Deliver incoming messages and complete outgoing ones, until cancelled. Raises what `deliver` raises."""
        while True:
            self._quiet = 0 if self._moved(deliver) else self._quiet + 1
            await self._pause()

    def _moved(self, deliver: Deliver) -> bool:
        """Whether a message was sent or received."""
        gone = [each for each in self._leaving if each[0].Test()]
        for each in gone:
            self._leaving.remove(each)
            if not each[2].done():
                each[2].set_result(None)
        self._receive()
        come = [each for each in self._coming if each[0].Test()]
        for message in come:
            self._coming.remove(message)
        for _, rank, kind, body in come:
            deliver(rank, kind, bytes(body))
        return bool(gone or come)

    def _receive(self) -> None:
        """Start to receive all available messages."""
        status = self._status
        self._ranks.Iprobe()  # lets MPI make progress, so that the next probe finds new messages
        while len(self._coming) < MOST_AT_ONCE and (message := self._ranks.Improbe(status=status)) is not None:
            size = status.Get_count(self._byte)
            if size > LARGEST:
                raise BadInput(f"rank {status.Get_source()} sent a message of {size:,} bytes, which is too large.")
            body = bytearray(size)
            self._coming.append((message.Irecv(body), status.Get_source(), status.Get_tag(), body))

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
        await self._woken.wait()  # wait_for would swallow a cancellation at the moment of a wake-up
        alarm.cancel()

    def _wake(self) -> None:
        self._quiet = 0
        self._woken.set()
