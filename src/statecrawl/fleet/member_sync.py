"""Talking: what a node that decides for itself says to others, and when; one class for each architecture.

Theory of operation
    A talker is told of the end of each walk, and wakes up. It says what its machine wants to say, if anything, and
    hears the answer while the next walk is under way. Now and then it says something at any rate, so that it is known
    to be there. With nothing to say and nothing to do it waits where the others are: at the coordinator of Dist-RIA,
    which answers a node that is done when something is new; or at the log of peers (`listen`).

    A machine is never told anything while a message that it made is on its way out, but what the walker saw, which it
    is made for.
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

BEAT_SECONDS = 2.0  # between two signs of life
TELL_SECONDS = 0.5  # that what a node of Dist-RIA saw waits, when there is no state among it
PAUSE_SECONDS = 0.02  # of a peer without anything to do, between two looks at a busy log

Send = Callable[[], Awaitable[None]]  # have the evidence kept of all that was seen so far


class SyncedMachine(Protocol):
    """A node of Dist-RIA, or a peer."""

    name: str
    member: PartitionedMember
    over: str | None

    def next_order(self, position: str | None) -> Order | None: ...


class MachineSync:
    """What talkers have in common."""

    def __init__(self, machine: SyncedMachine, send: Send) -> None:
        self.name = machine.name
        self._knows = machine
        self.send = send
        self._idle = False  # the walker has nothing to do, and waits for news
        self._woken = asyncio.Event()
        self._said = 0.0  # when it last said something
        self._warnings: dict[str, None] = {}

    @property
    def member(self) -> PartitionedMember:
        return self._knows.member

    @property
    def over(self) -> str | None:
        return self._knows.over

    def next_order(self, position: str | None) -> Order | None:
        order = self._knows.next_order(position)
        self._idle = order is None
        if self._idle:
            self._woken.set()
        return order

    def rest(self) -> None:
        """The walker does nothing any more, whatever there is to do."""
        self._idle = True
        self._woken.set()

    def _heard(self, changed: asyncio.Event) -> None:
        """The machine was told something."""
        self._said = time.monotonic()
        self._idle = False
        changed.set()

    def _is_silent(self, seconds: float) -> bool:
        return time.monotonic() - self._said >= seconds

    def _take_warnings(self) -> tuple[str, ...]:
        warnings, self._warnings = tuple(self._warnings), {}
        return warnings

    async def _wait(self, seconds: float) -> None:
        """Until the walker has something to tell, or is done, or time has passed."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):  # `wait_for` of Python 3.11 may swallow that it was cancelled
                await self._woken.wait()


class DistRiaSync(MachineSync):
    """Asks the coordinator of Dist-RIA."""

    def __init__(self, machine: dist_ria_node.DistRiaNode, star: DistRiaLink, send: Send) -> None:
        super().__init__(machine, send)
        self._machine = machine
        self._star = star

    def seen(self, facts: list[Fact], tally: WorkCount, warnings: dict[str, None]) -> None:
        self._machine.seen(facts, tally.events, tally.resets)
        self._warnings.update(warnings)
        self._woken.set()

    async def talk(self, changed: asyncio.Event) -> None:
        while self._machine.over is None:
            self._woken.clear()
            ask = self._machine.ask(at_any_rate=self._is_silent(TELL_SECONDS))
            if ask is None:
                await self._wait(TELL_SECONDS)
                continue
            await self.send()
            self._machine.heard(await self._star.report(self._with_warnings(ask)))
            self._heard(changed)

    async def leave(self, reason: str) -> None:
        await self.send()
        await self._star.report(self._with_warnings(self._machine.leave(reason)))

    def _with_warnings(self, ask: dist_ria.StatusReport) -> dist_ria.StatusReport:
        return msgspec.structs.replace(ask, warnings=self._take_warnings())


class PeerSync(MachineSync):
    """Appends to the log, reads it, and passes tokens on."""

    def __init__(self, machine: Peer, log: PeerLogLink, send: Send) -> None:
        super().__init__(machine, send)
        self._machine = machine
        self._log = log
        waits = machine.sharing.seconds
        self._pause = min(BEAT_SECONDS, max(waits, PAUSE_SECONDS)) if isfinite(waits) else BEAT_SECONDS

    def seen(self, facts: list[Fact], tally: WorkCount, warnings: dict[str, None]) -> None:
        self._machine.seen(facts, time.monotonic(), tally.events, tally.resets)
        self._warnings.update(warnings)
        self._woken.set()

    async def talk(self, changed: asyncio.Event) -> None:
        at_any_rate = False
        while self._machine.over is None:
            self._woken.clear()
            passing = self._machine.pass_on()
            if passing is not None:
                await self._log.pass_on(*passing)
            at_any_rate = at_any_rate or self._is_silent(BEAT_SECONDS)
            request = self._machine.request(time.monotonic(), at_any_rate=at_any_rate)
            at_any_rate = False
            if request is not None:
                await self.send()
                request = msgspec.structs.replace(request, warnings=self._take_warnings())
                self._machine.heard(await self._log.exchange(request), time.monotonic())
                self._heard(changed)
            elif self._idle:
                await self._listen()
                at_any_rate = True
            else:
                await self._wait(self._pause)

    async def _listen(self) -> None:
        """Wait for the others: for something to read, or the token."""
        await asyncio.sleep(PAUSE_SECONDS)
        token = await self._log.listen(self.name, *self._machine.place)
        if token is not None:
            self._machine.got(token)
        elif (sent := self._machine.sent()) is not None:
            await self._log.pass_on(*sent)  # it may have been lost

    async def leave(self, reason: str) -> None:
        await self.send()
        request = self._machine.leave(reason)
        await self._log.exchange(msgspec.structs.replace(request, warnings=self._take_warnings()))
