"""Where the log of peers is kept: `coordination.peer_log` with a real journal, a real clock, and peers that wait."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from statecrawl.config.plan import CrawlPlan
from statecrawl.coordination.peer_log import PeerLogMachine
from statecrawl.coordination.peer_to_peer import LogEntries, LogRequest, PassedToken
from statecrawl.fleet.local_mailbox import LocalMailbox
from statecrawl.fleet.mailbox_coordinator import MailboxCoordinator
from statecrawl.fleet.member_coordinator import KeepEvidence, RunWarmUp
from statecrawl.fleet.member_records import CoordinatorOutput
from statecrawl.journal.facts import Fact
from statecrawl.ports.coordinator_link import NoteEvidence, StateEvidence


class PeerLogMailbox(LocalMailbox[LogRequest, LogEntries]):
    """Where peers come to."""

    keeping: "PeerLogCoordinator"

    async def exchange(self, request: LogRequest) -> LogEntries:
        """Append and read. Raises BadInput when the peer says what can not be."""
        return await self.ask(request)

    async def listen(self, peer: str, incarnation: int, position: int) -> PassedToken | None:
        return await self.keeping.listen(peer, incarnation, position)

    def pass_on(self, peer: str, passed: PassedToken) -> None:
        self.keeping.pass_on(peer, passed)

    def keep(self, kept: Iterable[StateEvidence], notes: Iterable[NoteEvidence]) -> None:
        self.keeping.keep(kept, notes)


class PeerLogCoordinator(MailboxCoordinator[LogRequest, LogEntries]):
    """Keeps the log."""

    def __init__(
        self,
        plan: CrawlPlan,
        desk: PeerLogMailbox,
        learn: RunWarmUp,
        keep: KeepEvidence,
        told: Callable[[Any], None] = lambda _: None,
    ) -> None:
        super().__init__(plan, desk, learn, keep, told)
        self._desk = desk
        self._changed = asyncio.Event()
        self._log: PeerLogMachine

    # -- what peers say, beside what they ask at the desk --

    async def listen(self, peer: str, incarnation: int, position: int) -> PassedToken | None:
        """Wait until there is something to read, or a token has come, which is given out then."""
        await self.wait_until_ready()
        node, since = self._node(peer), self.clock.now()
        try:
            while not self._log.has_news(peer, incarnation, position):
                await self._changed.wait()
            return self._log.fetch(peer)
        finally:
            node.seen = self.clock.now()
            node.idle += node.seen - since
            self._log.heard_of(peer, node.seen)

    def pass_on(self, peer: str, passed: PassedToken) -> None:
        """A token for a peer."""
        self._log.post(peer, passed)
        self._has_changed()

    # -- inside --

    def _made(self, facts: Sequence[Fact]) -> PeerLogMachine:
        self._log = PeerLogMachine(facts, incarnation=self.incarnation)
        return self._log

    def _hear(self, said: LogRequest, now: float) -> CoordinatorOutput[LogEntries]:
        told = self._log.asked(said, now)
        if told.refused:
            self._desk.refuse(said, told.refused)
        return CoordinatorOutput(told.facts, told.answers)

    def _end(self, reason: str) -> CoordinatorOutput[LogEntries]:
        return CoordinatorOutput(self._log.end(reason).facts)

    def _has_changed(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()
