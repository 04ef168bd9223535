"""A node of Dist-RIA: works at what is its own, tells what it finds, and hears what others do (see `dist_ria`)."""

from collections.abc import Callable, Iterable
from typing import assert_never

from statecrawl.coordination.balance import LEAST_BACKLOG, Balance
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

NOTHING_HEARD = -1  # the incarnation of a journal that nobody has told of


class DistRiaNode:
    """Works, asks, and remembers what it has not been answered yet."""

    def __init__(
        self,
        name: str,
        make_strategy: Callable[[Graph], Strategy],
        partition: Partition,
        bounds: CrawlBounds = NO_BOUNDS,
        *,
        balance: Balance = Balance.STATIC,
    ) -> None:
        """The balance is the coordinator's."""
        self.name = name
        self._is_dealt = balance is not Balance.STATIC
        self.member = PartitionedMember(name, make_strategy, partition, bounds, is_dealt=self._is_dealt)
        self.over: str | None = None  # why the crawl ended, once it has
        self._incarnation = NOTHING_HEARD
        self._heard = 0
        self._number = 0
        self._question: StatusReport | None = None  # that has no answer yet
        self._events = 0
        self._resets = 0
        self._tasks = 0
        self._position: str | None = None  # where its page was when it was last asked where to go

    @property
    def status(self) -> DistRiaStatus:
        if self.over is not None:
            return DistRiaStatus.TERMINATED
        if self._incarnation == NOTHING_HEARD:
            return DistRiaStatus.DISCONNECTED
        return DistRiaStatus.DONE if self.member.idle else DistRiaStatus.ACTIVE

    def next_order(self, position: str | None) -> Order | None:
        """Where to go, from the state that its page is in; None when there is nothing to do."""
        self._position = position
        if self.over is not None or self._learns_about(position):
            return None
        return self.member.next_order(position)

    def _learns_about(self, position: str | None) -> bool:
        """Whether the next answer says what is to be done where its page is: it would go away from there before."""
        return self._is_dealt and any(
            isinstance(fact, StateFound) and fact.state == position for fact in self.member.untold
        )

    def seen(self, facts: Iterable[Fact], events: int = 0, resets: int = 0) -> None:
        """A walk has come to its end, and showed this."""
        facts = list(facts)
        self._events += events
        self._resets += resets
        self._tasks += sum(not isinstance(fact, StateFound) for fact in facts)
        self.member.seen(facts)

    def ask(self, *, at_any_rate: bool = False) -> StatusReport | None:
        """The next question, when there is reason to ask; None while one has no answer."""
        if self._question is not None or self.over is not None:
            return None
        found = any(isinstance(fact, StateFound) for fact in self.member.untold)
        if self.status is DistRiaStatus.ACTIVE and not (found or at_any_rate or self._runs_out()):
            return None
        return self._next_question()

    def _runs_out(self) -> bool:
        """Whether it has next to nothing left to do, and has not said so yet."""
        return self._is_dealt and self._tasks > 0 and self.member.backlog <= LEAST_BACKLOG

    def leave(self, reason: str) -> StatusReport:
        """The last it has to say, before it goes for a reason of its own; nobody answers that."""
        self.over = reason
        return self._next_question()

    def _next_question(self) -> StatusReport:
        self._number += 1
        self._question = StatusReport(
            self.name,
            self._number,
            self.status,
            self._incarnation,
            self._heard,
            tuple(self.member.untold),
            self._events,
            self._resets,
            WorkReport(self._tasks, self.member.backlog, self._position) if self._is_dealt else None,
        )
        self._events = self._resets = self._tasks = 0
        return self._question

    def again(self) -> StatusReport | None:
        """What to say when nothing was heard for a while: the question once more, or another."""
        return self._question or self.ask(at_any_rate=True)

    def heard(self, reply: DistRiaReply) -> None:
        """An answer. One to an earlier question changes nothing."""
        question = self._question
        if question is None or (reply.node, reply.number) != (self.name, self._number):
            return
        self._question = None
        match reply:
            case Terminate():
                self.over = reply.reason
            case NothingNew():
                self.member.recorded(len(question.facts))
                self._heard = reply.heard
            case SharedStates():
                if reply.incarnation == self._incarnation:
                    self.member.recorded(len(question.facts))
                else:
                    self.member.begin_again()
                    self._incarnation = reply.incarnation
                self.member.learn(reply.facts)
                self._heard = reply.heard
                if self.member.contradicted:
                    self.member.begin_again()
                    self._incarnation, self._heard = NOTHING_HEARD, 0
            case _:
                assert_never(reply)
