"""Coordinator that holds the log of peers: `coordination.peer_log` with a real journal, a real clock and real peers."""

import asyncio
from collections.abc import Iterable, Sequence

from statecrawl.coordination.output import Output
from statecrawl.coordination.peer_log import PeerLogMachine
from statecrawl.coordination.peer_to_peer import LogEntries, LogRequest, PassedToken
from statecrawl.fleet.evidence_intake import EvidenceIntake
from statecrawl.fleet.local_mailbox import LocalMailbox
from statecrawl.fleet.mailbox_coordinator import MailboxCoordinator
from statecrawl.journal.facts import Fact
from statecrawl.ports.coordinator_link import NoteEvidence, StateEvidence
from statecrawl.ports.journal_store import Journal


class PeerLogMailbox(LocalMailbox[LogRequest, LogEntries]):
    """Mailbox that peers call in this process."""

    coordinator: "PeerLogCoordinator"

    def __init__(self, journal: Journal, intake: EvidenceIntake) -> None:
        super().__init__(journal, intake)
        self._changed = asyncio.Event()

    async def wait_for_change(self) -> None:
        """Wait until the log or a token may have changed."""
        await self._changed.wait()

    def announce_change(self) -> None:
        """Wake everything that waits for a change."""
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def exchange(self, request: LogRequest) -> LogEntries:
        """Append and read. Raises BadInput when the request contains impossible facts."""
        return await self.ask(request)

    async def listen(self, peer: str, incarnation: int, position: int) -> PassedToken | None:
        return await self.coordinator.listen(peer, incarnation, position)

    def pass_on(self, peer: str, passed: PassedToken) -> None:
        self.coordinator.pass_on(peer, passed)

    def store_evidence(self, states: Iterable[StateEvidence], notes: Iterable[NoteEvidence]) -> None:
        self.coordinator.store_evidence(states, notes)


class PeerLogCoordinator(MailboxCoordinator[LogRequest, LogEntries]):
    """Holds the log."""

    _machine: PeerLogMachine
    _source: PeerLogMailbox

    # -- requests of peers that bypass the mailbox --

    async def listen(self, peer: str, incarnation: int, position: int) -> PassedToken | None:
        """Wait until there is something to read or a token has arrived; return the token."""
        await self.wait_until_ready()
        node, since = self._node(peer), self.clock.now()
        try:
            while not self._machine.has_news(peer, incarnation, position):
                await self._source.wait_for_change()
            return self._machine.take_token(peer)
        finally:
            node.seen = self.clock.now()
            node.idle += node.seen - since
            self._machine.mark_alive(peer, node.seen)

    def pass_on(self, peer: str, passed: PassedToken) -> None:
        """Leave a token for a peer."""
        self._machine.store_token(peer, passed)
        self._on_change()

    # -- what the architecture defines --

    def _make_machine(self, facts: Sequence[Fact]) -> PeerLogMachine:
        return PeerLogMachine(facts, incarnation=self.incarnation, follow=self._strategy())

    def _receive(self, report: LogRequest, now: float) -> Output[LogEntries]:
        output = self._machine.handle_request(report, now)
        if output.refused:
            self._source.refuse(report, output.refused)
        return output

    def _end(self, reason: str) -> Output[LogEntries]:
        return self._machine.end(reason)

    def _on_change(self) -> None:
        self._source.announce_change()
