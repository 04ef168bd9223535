"""Hearing: one process keeps the journal of nodes that decide for themselves, and answers them.

All messages that have come are dealt with at once: what they tell becomes one group of the journal, and only when that
is durable are the answers given. Where messages come from and where facts and answers go is the business of a post
(`ports.mailbox`).
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Generic

from statecrawl.config.plan import CrawlPlan
from statecrawl.coordination.client_server_messages import Heartbeat, Leave
from statecrawl.fleet.member_coordinator import KeepEvidence, MemberCoordinator, RunWarmUp
from statecrawl.fleet.member_records import Answer, CoordinatorOutput, Said
from statecrawl.journal.facts import Fact, TransitionExplored
from statecrawl.ports.mailbox import Mailbox


class MailboxCoordinator(MemberCoordinator, Generic[Said, Answer]):
    """Hears, writes, answers."""

    def __init__(
        self,
        plan: CrawlPlan,
        post: Mailbox[Said, Answer],
        learn: RunWarmUp,
        keep: KeepEvidence,
        told: Callable[[Any], None] = lambda _: None,
    ) -> None:
        super().__init__(plan, post, learn, keep, told)
        self._post = post
        self._pending: list[Fact] = []  # what is to be written

    @abstractmethod
    def _hear(self, said: Said, now: float) -> CoordinatorOutput[Answer]: ...

    @abstractmethod
    def _end(self, reason: str) -> CoordinatorOutput[Answer]: ...

    def _look_around(self, now: float) -> CoordinatorOutput[Answer]:
        """Time has passed."""
        return CoordinatorOutput()

    def _due(self, answers: Sequence[Answer]) -> Sequence[Answer]:
        """What to send now, of these and of what was held back before."""
        return answers

    def _has_changed(self) -> None:
        """All that was heard is dealt with."""

    # -- inside --

    async def _turn(self, *, ticks: bool) -> None:
        told = [self._heard(message) for message in await self._post.receive(self._pause())]
        if ticks:
            told.append(self._look_around(self.clock.now()))
        if (reason := self._limit()) is not None:
            told.append(self._end(reason))
        answers = self._due([answer for each in told for answer in each.answers])
        await self._commit([fact for each in told for fact in each.facts], answers)
        self._has_changed()

    def _heard(self, said: Said | Heartbeat | Leave) -> CoordinatorOutput[Answer]:
        if isinstance(said, Heartbeat | Leave):
            if said.node in self.nodes:
                self.nodes[said.node].gone = isinstance(said, Leave)
            return CoordinatorOutput()
        node = self._node(said.node)
        self.warnings.update(dict.fromkeys(said.warnings))
        if said.number > node.number:
            node.number = said.number
            node.events += said.events
            node.resets += said.resets
            node.transitions += sum(isinstance(fact, TransitionExplored) for fact in said.facts)
        return self._hear(said, node.seen)

    async def _write(self, facts: Sequence[Fact]) -> None:
        self._pending = list(facts)
        await self._commit((), ())

    async def _commit(self, facts: Sequence[Fact], answers: Sequence[Answer]) -> None:
        """As soon as anything was seen, what is to be written is durable when this returns."""
        self._pending += facts
        writing = self._pending if len(self.crawl.graph) else []
        await self._post.commit(writing, answers)
        if writing:
            self._pending, self._written = [], self.crawl.graph.explored
