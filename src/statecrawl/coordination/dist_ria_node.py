"""Node of the Dist-RIA architecture (see `dist_ria`): works on its own events and reports what it finds."""

from collections.abc import Callable, Iterable
from typing import assert_never

from statecrawl.coordination.balance import LEAST_BACKLOG, Balance
from statecrawl.coordination.components import Responsibility
from statecrawl.coordination.dist_ria import (
    DistRiaReply,
    DistRiaStatus,
    NothingNew,
    SharedStates,
    StatusReport,
    Terminate,
    WorkReport,
)
from statecrawl.coordination.partition import Partition
from statecrawl.coordination.partitioned_member import PartitionedMember
from statecrawl.journal.crawl_bounds import NO_BOUNDS, CrawlBounds
from statecrawl.journal.facts import Fact, StateFound
from statecrawl.model.graph import Graph
from statecrawl.strategies.orders import Order
from statecrawl.strategies.strategy import Strategy

NOTHING_HEARD = -1  # incarnation before the first reply


class DistRiaNode:
    """State machine of one node: chooses tasks, numbers its reports and remembers the one that has no reply yet."""

    def __init__(
        self,
        name: str,
        make_strategy: Callable[[Graph], Strategy],
        partition: Partition,
        bounds: CrawlBounds = NO_BOUNDS,
        *,
        balance: Balance = Balance.STATIC,
        responsibility: Responsibility = Responsibility.GATE_KEEPERS,
    ) -> None:
        """`balance` must be the balance of the coordinator."""
        self.name = name
        self._is_dealt = balance is not Balance.STATIC
        self.member = PartitionedMember(
            name, make_strategy, partition, bounds, is_dealt=self._is_dealt, responsibility=responsibility
        )
        self.over: str | None = None  # end reason, once the crawl has ended
        self._incarnation = NOTHING_HEARD
        self._received = 0
        self._number = 0
        self._report: StatusReport | None = None  # has no reply yet
        self._events = 0
        self._resets = 0
        self._tasks = 0
        self._position: str | None = None  # state of its page when it last chose a task

    @property
    def status(self) -> DistRiaStatus:
        if self.over is not None:
            return DistRiaStatus.TERMINATED
        if self._incarnation == NOTHING_HEARD:
            return DistRiaStatus.DISCONNECTED
        return DistRiaStatus.DONE if self.member.idle else DistRiaStatus.ACTIVE

    def next_order(self, position: str | None) -> Order | None:
        """Return where to go from the current state of the page; None when there is nothing to do."""
        self._position = position
        if self.over is not None or self._awaits_reply_about(position):
            return None
        return self.member.next_order(position)

    def _awaits_reply_about(self, position: str | None) -> bool:
        """Whether the next reply assigns events of the state the page is in. The node should not leave that state
        before.
        """
        return self._is_dealt and any(
            isinstance(fact, StateFound) and fact.state == position for fact in self.member.unreported
        )

    def observe(self, facts: Iterable[Fact], events: int = 0, resets: int = 0) -> None:
        """Process what a completed walk has shown."""
        facts = list(facts)
        self._events += events
        self._resets += resets
        self._tasks += sum(not isinstance(fact, StateFound) for fact in facts)
        self.member.observe(facts)

    def next_report(self, *, at_any_rate: bool = False) -> StatusReport | None:
        """Return the next report, if there is a reason to send one; None while a report has no reply."""
        if self._report is not None or self.over is not None:
            return None
        found = any(isinstance(fact, StateFound) for fact in self.member.unreported)
        is_due = found or at_any_rate or self.member.awaits_record or self._runs_out()
        if self.status is DistRiaStatus.ACTIVE and not is_due:
            return None
        return self._make_report()

    def _runs_out(self) -> bool:
        """Whether the node has almost nothing left to do, and has not reported it yet."""
        return self._is_dealt and self._tasks > 0 and self.member.backlog <= LEAST_BACKLOG

    def leave(self, reason: str) -> StatusReport:
        """Return the last report of a node that leaves for a reason of its own. It needs no reply."""
        self.over = reason
        return self._make_report()

    def _make_report(self) -> StatusReport:
        self._number += 1
        self._report = StatusReport(
            self.name,
            self._number,
            self.status,
            self._incarnation,
            self._received,
            tuple(self.member.unreported),
            self._events,
            self._resets,
            WorkReport(self._tasks, self.member.backlog, self._position) if self._is_dealt else None,
        )
        self._events = self._resets = self._tasks = 0
        return self._report

    def repeat(self) -> StatusReport | None:
        """Return what to send after a period without a reply: the pending report again, or a new one."""
        return self._report or self.next_report(at_any_rate=True)

    def handle_reply(self, reply: DistRiaReply) -> None:
        """Process a reply. A reply to an earlier report is ignored."""
        report = self._report
        if report is None or (reply.node, reply.number) != (self.name, self._number):
            return
        self._report = None
        match reply:
            case Terminate():
                self.over = reply.reason
            case NothingNew():
                self.member.mark_recorded(len(report.facts))
                self._received = reply.received
            case SharedStates():
                if reply.incarnation == self._incarnation:
                    self.member.mark_recorded(len(report.facts))
                else:
                    self.member.restart()
                    self._incarnation = reply.incarnation
                self.member.learn(reply.facts)
                self._received = reply.received
                if self.member.contradicted:
                    self.member.restart()
                    self._incarnation, self._received = NOTHING_HEARD, 0
            case _:
                assert_never(reply)
