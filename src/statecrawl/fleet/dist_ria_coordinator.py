"""Coordinator of Dist-RIA, with a real journal, a real clock and real nodes.

A node that has nothing to do gets a reply only when there is something new. So it neither asks without end nor sleeps
while there is work. Its link repeats the request every few seconds, which serves as its heartbeat.
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
from statecrawl.coordination.output import Output
from statecrawl.fleet.local_mailbox import LocalMailbox
from statecrawl.fleet.mailbox_coordinator import MailboxCoordinator
from statecrawl.journal.facts import Fact
from statecrawl.ports.coordinator_link import NoteEvidence, StateEvidence

EXPECTED_NODES = 1  # to wait for; nodes that join later take their share then


class DistRiaMailbox(LocalMailbox[StatusReport, DistRiaReply]):
    """Mailbox that nodes call in this process, unless they write to Redis."""

    coordinator: "DistRiaCoordinator"

    async def report(self, ask: StatusReport) -> DistRiaReply:
        """Return the reply to a report."""
        return await self.ask(ask)

    def store_evidence(self, states: Iterable[StateEvidence], notes: Iterable[NoteEvidence]) -> None:
        self.coordinator.store_evidence(states, notes)


class DistRiaCoordinator(MailboxCoordinator[StatusReport, DistRiaReply]):
    """Coordinator of Dist-RIA."""

    _machine: DistRiaMachine

    def _make_machine(self, facts: Sequence[Fact]) -> DistRiaMachine:
        self._done: dict[str, tuple[StatusReport, float]] = {}  # reports of idle nodes, and since when they are idle
        self._held_back: dict[str, NothingNew] = {}  # replies to nodes that wait for news
        fleet = self.plan.fleet or FleetSettings()
        return DistRiaMachine(
            facts,
            expected=EXPECTED_NODES,
            patience=self._lease,
            incarnation=self.incarnation,
            balance=fleet.balancing,
            follow=self._strategy(),
        )

    def _receive(self, report: StatusReport, now: float) -> Output[DistRiaReply]:
        output = self._machine.handle_report(report, now)
        if report.status is DistRiaStatus.TERMINATED:  # this was its last report
            return Output(output.facts, [Terminate(report.node, report.number, "")])
        if report.status is DistRiaStatus.DONE:
            before, since = self._done.get(report.node, (report, now))
            self._done[report.node] = report, since if before.number == report.number else now
        return output

    def _tick(self, now: float) -> Output[DistRiaReply]:
        return self._machine.tick(now)

    def _end(self, reason: str) -> Output[DistRiaReply]:
        return self._machine.end(reason, self.clock.now())

    def _due(self, replies: Sequence[DistRiaReply]) -> Sequence[DistRiaReply]:
        waiting = self._held_back | {reply.node: reply for reply in replies}
        self._held_back = {
            node: reply
            for node, reply in waiting.items()
            if isinstance(reply, NothingNew) and self._may_hold_back(reply)
        }
        due = [reply for node, reply in waiting.items() if node not in self._held_back]
        for reply in due:
            _, since = self._done.pop(reply.node, (None, None))
            if since is not None:
                self.nodes[reply.node].idle += self.clock.now() - since
        return due

    def _may_hold_back(self, reply: NothingNew) -> bool:
        """Return whether the node can wait: it is idle, and has read everything there is."""
        report, _ = self._done.get(reply.node, (None, 0.0))
        return (
            report is not None
            and (report.number, report.received) == (reply.number, reply.received)
            and not self._machine.has_news(reply.received)
        )
