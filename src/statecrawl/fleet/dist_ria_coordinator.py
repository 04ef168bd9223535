"""The coordinator of Dist-RIA with a real journal, a real clock, and nodes that wait.

A node that is done is told that nothing is new only when something is: so it neither asks without end nor sleeps when
there is something to do. Its line asks the same again every few seconds, which says that it is there.
"""

from collections.abc import Iterable, Sequence

from statecrawl.config.fleet import FleetSettings
from statecrawl.coordination.dist_ria import (
    DistRiaMachine,
    DistRiaReply,
    DistRiaStatus,
    NothingNew,
    StatusReport,
    Terminate,
)
from statecrawl.fleet.local_mailbox import LocalMailbox
from statecrawl.fleet.mailbox_coordinator import MailboxCoordinator
from statecrawl.fleet.member_coordinator import PATIENCE
from statecrawl.fleet.member_records import CoordinatorOutput
from statecrawl.journal.facts import Fact
from statecrawl.ports.coordinator_link import NoteEvidence, StateEvidence

EXPECTED = 1  # nodes that are waited for: whoever comes later takes its share then


class DistRiaMailbox(LocalMailbox[StatusReport, DistRiaReply]):
    """Where nodes come to, unless they write to a Redis."""

    keeping: "DistRiaCoordinator"

    async def report(self, ask: StatusReport) -> DistRiaReply:
        """The answer to a question."""
        return await self.ask(ask)

    def keep(self, kept: Iterable[StateEvidence], notes: Iterable[NoteEvidence]) -> None:
        self.keeping.keep(kept, notes)


class DistRiaCoordinator(MailboxCoordinator[StatusReport, DistRiaReply]):
    """Coordinates."""

    def _made(self, facts: Sequence[Fact]) -> DistRiaMachine:
        self._done: dict[
            str, tuple[StatusReport, float]
        ] = {}  # questions of nodes that have nothing to do, and since when
        self._staying: dict[str, NothingNew] = {}  # what those will be told who wait for news
        balance = (self.plan.fleet or FleetSettings()).balancing
        self._coordinator = DistRiaMachine(
            facts, expected=EXPECTED, patience=PATIENCE, incarnation=self.incarnation, balance=balance
        )
        return self._coordinator

    def _hear(self, said: StatusReport, now: float) -> CoordinatorOutput[DistRiaReply]:
        told = self._coordinator.asked(said, now)
        if said.status is DistRiaStatus.TERMINATED:  # its last words have been heard
            return CoordinatorOutput(told.facts, [Terminate(said.node, said.number, "")])
        if said.status is DistRiaStatus.DONE:
            before, since = self._done.get(said.node, (said, now))
            self._done[said.node] = said, since if before.number == said.number else now
        return CoordinatorOutput(told.facts, told.answers)

    def _look_around(self, now: float) -> CoordinatorOutput[DistRiaReply]:
        told = self._coordinator.passed(now)
        return CoordinatorOutput(told.facts, told.answers)

    def _end(self, reason: str) -> CoordinatorOutput[DistRiaReply]:
        told = self._coordinator.end(reason, self.clock.now())
        return CoordinatorOutput(told.facts, told.answers)

    def _due(self, answers: Sequence[DistRiaReply]) -> Sequence[DistRiaReply]:
        waiting = self._staying | {answer.node: answer for answer in answers}
        self._staying = {
            node: answer
            for node, answer in waiting.items()
            if isinstance(answer, NothingNew) and self._may_wait(answer)
        }
        due = [answer for node, answer in waiting.items() if node not in self._staying]
        for answer in due:
            _, since = self._done.pop(answer.node, (None, None))
            if since is not None:
                self.nodes[answer.node].idle += self.clock.now() - since
        return due

    def _may_wait(self, answer: NothingNew) -> bool:
        """Whether a node that has nothing to do is told nothing new. It has to know all there is: else it says so."""
        ask, _ = self._done.get(answer.node, (None, 0.0))
        return (
            ask is not None
            and (ask.number, ask.heard) == (answer.number, answer.heard)
            and not self._coordinator.has_news(answer.heard)
        )
