"""Base of the coordinators that write the journal for nodes which decide for themselves, and reply to them.

All messages that have arrived are handled together. What they report becomes one group in the journal, and replies go
out only after that group is durable. Messages arrive and replies leave through a mailbox (`ports.mailbox`).
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Generic

from statecrawl.coordination.client_server_messages import Heartbeat, Leave
from statecrawl.coordination.output import Output
from statecrawl.fleet.member_coordinator import MemberCoordinator
from statecrawl.fleet.member_records import Reply, Report
from statecrawl.journal.facts import Fact, TransitionExplored
from statecrawl.ports.mailbox import Mailbox


class MailboxCoordinator(MemberCoordinator[Mailbox[Report, Reply]], Generic[Report, Reply]):
    """Receives reports, writes their facts, replies."""

    _pending: list[Fact]  # to be written; set when the run starts

    # -- what an architecture defines --

    @abstractmethod
    def _receive(self, report: Report, now: float) -> Output[Reply]: ...

    @abstractmethod
    def _end(self, reason: str) -> Output[Reply]: ...

    def _tick(self, now: float) -> Output[Reply]:
        """Handle the passing of time."""
        return Output()

    def _due(self, replies: Sequence[Reply]) -> Sequence[Reply]:
        """Return the replies to send now, out of these and those held back before."""
        return replies

    def _on_change(self) -> None:
        """Called after all messages were handled."""

    # -- steps --

    async def _handle_messages(self) -> None:
        ticks = self._take_tick()
        outputs = [self._handle(message) for message in await self._source.receive(self._pause())]
        if ticks:
            outputs.append(self._tick(self.clock.now()))
        if (reason := self._end_reason()) is not None:
            outputs.append(self._end(reason))
        replies = self._due([reply for each in outputs for reply in each.replies])
        await self._commit([fact for each in outputs for fact in each.facts], replies)
        self._on_change()

    def _handle(self, message: Report | Heartbeat | Leave) -> Output[Reply]:
        if isinstance(message, Heartbeat | Leave):
            if message.node in self.nodes:
                self.nodes[message.node].gone = isinstance(message, Leave)
            return Output()
        node = self._node(message.node)
        self.warnings.update(dict.fromkeys(message.warnings))
        if message.number > node.number:
            node.number = message.number
            node.events += message.events
            node.resets += message.resets
            node.tasks += sum(isinstance(fact, TransitionExplored) for fact in message.facts)
        return self._receive(message, node.seen)

    async def _write(self, facts: Sequence[Fact]) -> None:
        self._pending = list(facts)
        await self._commit((), ())

    async def _commit(self, facts: Sequence[Fact], replies: Sequence[Reply]) -> None:
        """Write the pending facts once a state is known, then send the replies."""
        self._pending += facts
        writing = self._pending if len(self.crawl.graph) else []
        await self._source.commit(writing, replies)
        if writing:
            self._pending, self._written = [], self.crawl.graph.explored
