"""What a node that decides for itself sends to others, and when: one class for each architecture.

Theory of operation
    A sync wakes up at the end of each walk. It sends what its machine wants to send, if anything, and receives the
    reply while the next walk is under way. Every few seconds it sends something in any case, as a heartbeat. With
    nothing to send and no work it waits for the others: at the coordinator of Dist-RIA, which replies to an idle node
    when there is something new, or at the log of peers (`listen`).

    While a message of the machine is on its way, the machine receives nothing but what the walker has seen, for which
    it is prepared.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from math import isfinite
from typing import Protocol

import msgspec

from statecrawl.coordination import dist_ria, dist_ria_node
from statecrawl.coordination.partitioned_member import PartitionedMember
from statecrawl.coordination.peer_to_peer import Peer
from statecrawl.journal.facts import Fact
from statecrawl.ports.member_links import DistRiaLink, PeerLogLink
from statecrawl.ports.recorder import WorkCount
from statecrawl.strategies.orders import Order

HEARTBEAT_SECONDS = 2.0
REPORT_SECONDS = 0.5  # for which a node of Dist-RIA holds back what it saw, unless there is a new state
PAUSE_SECONDS = 0.02  # of an idle peer between two reads of a busy log

Send = Callable[[], Awaitable[None]]  # send the evidence of everything that was seen so far


class SyncedMachine(Protocol):
    """Machine of a node of Dist-RIA, or of a peer."""

    name: str
    member: PartitionedMember
    over: str | None

    def next_order(self, position: str | None) -> Order | None: ...


class MachineSync:
    """Base of both architectures."""

    def __init__(self, machine: SyncedMachine, send: Send) -> None:
        self.name = machine.name
        self._synced = machine
        self.send = send
        self._idle = False  # the walker has no work and waits for news
        self._woken = asyncio.Event()
        self._sent_at = 0.0  # when the last reply arrived
        self._warnings: dict[str, None] = {}

    @property
    def member(self) -> PartitionedMember:
        return self._synced.member

    @property
    def over(self) -> str | None:
        return self._synced.over

    def next_order(self, position: str | None) -> Order | None:
        order = self._synced.next_order(position)
        self._idle = order is None
        if self._idle:
            self._woken.set()
        return order

    def rest(self) -> None:
        """The walker does nothing more, whatever work there is."""
        self._idle = True
        self._woken.set()

    def _on_reply(self, changed: asyncio.Event) -> None:
        """Called after the machine has received a reply."""
        self._sent_at = time.monotonic()
        self._idle = False
        changed.set()

    def _is_silent(self, seconds: float) -> bool:
        return time.monotonic() - self._sent_at >= seconds

    def _take_warnings(self) -> tuple[str, ...]:
        warnings, self._warnings = tuple(self._warnings), {}
        return warnings

    async def _wait(self, seconds: float) -> None:
        """Wait until the walker has something to report or no work, or time has passed."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):  # `wait_for` of Python 3.11 may swallow a cancellation
                await self._woken.wait()


class DistRiaSync(MachineSync):
    """Reports to the coordinator of Dist-RIA."""

    def __init__(self, machine: dist_ria_node.DistRiaNode, link: DistRiaLink, send: Send) -> None:
        super().__init__(machine, send)
        self._machine = machine
        self._link = link

    def report(self, facts: list[Fact], tally: WorkCount, warnings: dict[str, None]) -> None:
        self._machine.observe(facts, tally.events, tally.resets)
        self._warnings.update(warnings)
        self._woken.set()

    async def run(self, changed: asyncio.Event) -> None:
        while self._machine.over is None:
            self._woken.clear()
            report = self._machine.next_report(at_any_rate=self._is_silent(REPORT_SECONDS))
            if report is None:
                await self._wait(REPORT_SECONDS)
                continue
            await self.send()
            self._machine.handle_reply(await self._link.report(self._with_warnings(report)))
            self._on_reply(changed)

    async def leave(self, reason: str) -> None:
        await self.send()
        await self._link.report(self._with_warnings(self._machine.leave(reason)))

    def _with_warnings(self, report: dist_ria.StatusReport) -> dist_ria.StatusReport:
        return msgspec.structs.replace(report, warnings=self._take_warnings())


class PeerSync(MachineSync):
    """Appends to the log, reads it, and passes tokens on."""

    def __init__(self, machine: Peer, log: PeerLogLink, send: Send) -> None:
        super().__init__(machine, send)
        self._machine = machine
        self._log = log
        interval = machine.sharing.seconds
        bounded = min(HEARTBEAT_SECONDS, max(interval, PAUSE_SECONDS))
        self._pause = bounded if isfinite(interval) else HEARTBEAT_SECONDS

    def report(self, facts: list[Fact], tally: WorkCount, warnings: dict[str, None]) -> None:
        self._machine.observe(facts, time.monotonic(), tally.events, tally.resets)
        self._warnings.update(warnings)
        self._woken.set()

    async def run(self, changed: asyncio.Event) -> None:
        at_any_rate = False
        while self._machine.over is None:
            self._woken.clear()
            passing = self._machine.token_to_pass()
            if passing is not None:
                await self._log.pass_on(*passing)
            at_any_rate = at_any_rate or self._is_silent(HEARTBEAT_SECONDS)
            request = self._machine.next_request(time.monotonic(), at_any_rate=at_any_rate)
            at_any_rate = False
            if request is not None:
                await self.send()
                request = msgspec.structs.replace(request, warnings=self._take_warnings())
                self._machine.handle_entries(await self._log.exchange(request), time.monotonic())
                self._on_reply(changed)
            elif self._idle:
                await self._listen()
                at_any_rate = True
            else:
                await self._wait(self._pause)

    async def _listen(self) -> None:
        """Wait for the others: for something to read, or for the token."""
        await asyncio.sleep(PAUSE_SECONDS)
        token = await self._log.listen(self.name, *self._machine.log_position)
        if token is not None:
            self._machine.handle_token(token)
        elif (sent := self._machine.token_to_resend()) is not None:
            await self._log.pass_on(*sent)  # it may have been lost

    async def leave(self, reason: str) -> None:
        await self.send()
        request = self._machine.leave(reason)
        await self._log.exchange(msgspec.structs.replace(request, warnings=self._take_warnings()))
