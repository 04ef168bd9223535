"""Node that decides for itself: one page that does its share, while its machine is kept in sync with the others.

Theory of operation
    Two tasks run side by side. The *walker* asks the machine where to go, goes there, and gives the machine what it has
    seen. The *sync* (`fleet.member_sync`) sends what the machine wants to send, and gives it the replies. Neither waits
    for the other, except that a walker without work waits for news, and a sync without anything to send waits for the
    end of a walk, or for the other nodes.

    What the walker reports waits in a `MemberOutbox` until the walk is over. The machine's own crawl says whether a
    state has to be described. So a state that two nodes find at the same time is described twice, and stored once.
    Evidence is sent before the facts that refer to it.

    When the time of the crawl is over (`crawler.deadline`), the walk is broken off, and only the sync continues until
    it learns of the end.

    The page tells states apart by the rules of the crawl that the machine has read. If they change, because the crawl
    was started anew while the node was waiting, the page is closed, and what it showed last is dropped.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import Protocol

from statecrawl.config.plan import CrawlPlan
from statecrawl.coordination.partitioned_member import PartitionedMember
from statecrawl.crawler.walker import Walker
from statecrawl.errors import StatecrawlError
from statecrawl.fleet.evidence_batch import EvidenceBatch
from statecrawl.fleet.outbox import MemberOutbox
from statecrawl.fleet.worker import LAST_SECONDS, FleetWorker
from statecrawl.fleet.worker_parts import WorkerParts
from statecrawl.journal.facts import Fact
from statecrawl.ports.recorder import WorkCount
from statecrawl.strategies.orders import Order

DRAINED = "told to go"  # why a node left; it is part of the journal
LATE_SECONDS = 0.25  # between two checks for the end of the crawl after the time limit


class MemberSync(Protocol):
    """A machine and its link; see `fleet.member_sync`."""

    name: str

    @property
    def member(self) -> PartitionedMember: ...
    @property
    def over(self) -> str | None: ...

    def next_order(self, position: str | None) -> Order | None: ...
    def rest(self) -> None:
        """The walker does nothing more: listen to the others."""

    def report(self, facts: list[Fact], tally: WorkCount, warnings: dict[str, None]) -> None:
        """Give the machine what a walk has shown."""

    async def run(self, changed: asyncio.Event) -> None:
        """Run until the crawl is over; set `changed` when the walker may have work. Raises what links raise."""

    async def leave(self, reason: str) -> None:
        """Send what was seen last, and leave."""

    def send(self) -> Awaitable[None]:
        """Send the evidence of everything that was seen so far."""


class MemberNode(FleetWorker):
    """One page that does its share of a crawl."""

    def __init__(
        self,
        plan: CrawlPlan,
        parts: WorkerParts,
        evidence: EvidenceBatch,
        sync: MemberSync,
        leave: Callable[[str], Awaitable[None]],
    ) -> None:
        """`leave` announces that the node of this name has left and has sent everything."""
        super().__init__(plan, parts, evidence, MemberOutbox(sync.member))
        self._sync = sync
        self._leave = leave
        self._changed = asyncio.Event()  # there may be work
        self._is_draining = False

    @property
    def name(self) -> str:
        return self._sync.name

    def drain(self) -> None:
        self._is_draining = True
        self._parts.politeness.hurry()
        self._changed.set()

    def _is_leaving(self) -> bool:
        return self._is_draining or self._sync.over is not None

    async def run(self) -> str:
        syncing = asyncio.create_task(self._sync.run(self._changed))
        syncing.add_done_callback(lambda _: self._changed.set())
        try:
            while self._sync.over is None and not self._is_draining and not syncing.done():
                await self._work()
            if syncing.done():
                syncing.result()
            return self._sync.over or ""
        finally:
            over = self._sync.over
            syncing.cancel()
            with contextlib.suppress(asyncio.CancelledError, StatecrawlError):
                await syncing
            await self._close_walker()
            with contextlib.suppress(TimeoutError, StatecrawlError):
                async with asyncio.timeout(LAST_SECONDS):
                    await self._say_goodbye(over)

    async def _say_goodbye(self, over: str | None) -> None:
        if over is None or self._sync.member.unreported:
            await self._sync.leave(over or DRAINED)
        await self._sync.send()  # the page's last traffic
        await self._leave(self.name)

    async def _work(self) -> None:
        """Do one walk, or wait for news."""
        deadline = self._parts.deadline
        if deadline.is_over:
            await self._wait_for_end()
            return
        position = self._position()
        self._changed.clear()
        order = self._sync.next_order(position)
        if order is None:
            self._waiting_since = time.monotonic()
            await deadline.within(self._changed.wait())
            self._stop_waiting()
            return
        await deadline.within(self._walk(order))
        self._report()

    async def _wait_for_end(self) -> None:
        """After the time limit: wait until the crawl is over, or until it is clear that no node will say so."""
        self._changed.clear()
        self._sync.rest()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LATE_SECONDS):
                await self._changed.wait()
        self._is_draining = self._is_draining or self._parts.deadline.is_long_over

    async def _walk(self, order: Order) -> None:
        await self._perform(await self._open_walker(), order)

    def _report(self) -> None:
        """Report what a walk has shown, even if it was broken off."""
        facts, tally = list(self._outbox.take()), self._outbox.take_tally()
        self.events += tally.events
        self._resets += tally.resets
        warnings = self._outbox.take_warnings()
        crawl = self._sync.member.crawl
        if self._rules != frozenset(crawl.rules) and len(crawl.graph):
            self._evidence.keep_only(())
            facts = []
        self._sync.report(facts, tally, warnings)
        self._parts.on_task(self)

    async def _open_walker(self) -> Walker:
        rules = frozenset(self._sync.member.crawl.rules)
        if self._walker is not None and rules != self._rules:
            await self._close_walker()
        if self._walker is None:
            self._rules = rules
        return await super()._open_walker()
