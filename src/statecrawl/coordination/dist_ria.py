"""Dist-RIA architecture: nodes choose their own tasks, and a coordinator distributes the states they find.

S. M. Mirtaheri, D. Zou, G. V. Bochmann, G.-V. Jourdan, I. V. Onut, "Dist-RIA Crawler: A Distributed Crawler for Rich
Internet Applications", 2013; S. M. Mir Taheri, "Distributed Crawling of Rich Internet Applications", 2015, ch. 4.

Theory of operation
    The topology is a star. Only the coordinator has an address; it replies and never calls. A node (`dist_ria_node`)
    fires its own events in all states it knows. It reports to the coordinator when it has found a state, when it has
    nothing left to do, or when it has sent nothing for a while. It continues to work while it waits for the reply:

        STATES      states found by others since the last reply, each with a path to it, and changes of members
        STAY        nothing new
        TERMINATE   all nodes are done and know all states

        Disconnected ─ STATES ─▶ Active ─ nothing to do ─▶ Done ─ TERMINATE ─▶ Terminated
                                    ◀───── STATES ──────────

    Transitions are reported for the journal and, except for one path to each state, not shared. The knowledge of a
    node is a number: how many entries it has received of the list of shared facts, which follows from the journal
    alone. A node that reports that it is done, having received n entries, stays done until the list grows beyond n. So
    the crawl is over when every node is done with the whole list, whichever coordinator received the reports, and
    however late they arrive.

    In the paper, the nodes are fixed in advance and never fail. Here the coordinator waits for a given number of nodes,
    as published, and then nodes come and go: a node joins by sending a report; it leaves when it reports that it
    terminates or when it is silent for too long, and the others take over its share. Both are facts and are shared like
    states. A node that comes back joins again, and what it observed meanwhile counts.

    The share of a node follows from the partition, or is dealt by a `balance` (see `assignment`). In the second case
    the owners of a state's events are a fact, too, and shared like states; until then the events have no owner, and
    the crawl is not over. A node reports its backlog, and also reports when that is nearly empty. A node that has found
    a state waits there for the reply, because leaving and returning would take longer.

    In a crawl by components, the nodes receive all facts in the order of the journal, their own included, because what
    they conclude depends on that order (see `partitioned_member`). A node reports after each walk.

    Reports are numbered: a report that arrives again gets the same reply again, and an older one is ignored. The state
    of a coordinator follows from the journal alone, and facts are durable before replies leave (see `client_server`).
    When the journal has lost facts, it gets another incarnation: a node that knows an earlier incarnation is sent all
    facts from the start, and reports its own observations again. Its earlier report is ignored.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated

import msgspec

from statecrawl.coordination.assignment import Assigner
from statecrawl.coordination.balance import Balance
from statecrawl.coordination.followed_crawl import FollowedCrawl, MakeStrategy
from statecrawl.coordination.loads import Loads
from statecrawl.coordination.output import Output
from statecrawl.coordination.reported_facts import NOT_FROM_NODES, with_costs
from statecrawl.coordination.shared_facts import SharingExtent, SharingFilter
from statecrawl.errors import DamagedJournal
from statecrawl.journal.facts import CrawlEnded, Fact, MemberJoined, MemberLeft, TransitionExplored
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.journal.novelty import is_redundant
from statecrawl.strategies.journal_feed import since_revision

Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]  # integers that a double represents exactly


class DistRiaStatus(StrEnum):
    """Status of a node."""

    DISCONNECTED = "disconnected"
    ACTIVE = "active"
    DONE = "done"
    TERMINATED = "terminated"


class WorkReport(msgspec.Struct, frozen=True):
    """Progress of a node."""

    done: Count  # tasks since the previous report
    backlog: Count  # tasks left, as far as the node knows
    position: str | None = None  # state of its page, or the state in which its current walk started


class StatusReport(msgspec.Struct, frozen=True, tag="ask"):
    """Report of a node: its status and what it observed. Asks for what others have found."""

    node: str
    number: int  # of the report: 1, 2, …
    status: DistRiaStatus
    incarnation: int  # of the journal that it knows
    received: int  # number of shared facts that it has received
    facts: tuple[Fact, ...] = ()  # observed since the previous report
    events: int = 0  # fired since then
    resets: int = 0
    work: WorkReport | None = None  # sent when shares depend on it
    warnings: tuple[str, ...] = ()  # for the user


class SharedStates(msgspec.Struct, frozen=True, tag="states"):
    """Reply: facts found by others."""

    node: str
    number: int
    incarnation: int
    received: int  # number of shared facts, including these
    facts: tuple[Fact, ...]


class NothingNew(msgspec.Struct, frozen=True, tag="stay"):
    """Reply: nothing new, and the crawl is not over."""

    node: str
    number: int
    received: int


class Terminate(msgspec.Struct, frozen=True, tag="terminate"):
    """Reply: the crawl is over."""

    node: str
    number: int
    reason: str


DistRiaReply = SharedStates | NothingNew | Terminate


DistRiaOutput = Output[DistRiaReply]


class DistRiaMachine:
    """State machine of the coordinator: folds the journal, distributes facts and detects the end of the crawl."""

    def __init__(
        self,
        facts: Iterable[Fact],
        *,
        expected: int,
        patience: float,
        incarnation: int = 0,
        balance: Balance = Balance.STATIC,
        follow: MakeStrategy | None = None,
    ) -> None:
        """`facts` is the journal so far; the crawl starts when `expected` nodes have reported.

        A node that is silent for `patience` of whatever unit `now` has is considered lost. In a crawl by components,
        `follow` makes a strategy like those of the nodes. ValueError when the balance is dynamic.
        """
        self.followed = FollowedCrawl(follow)
        self.crawl = self.followed.crawl
        self.incarnation = incarnation
        self._expected = expected
        self._patience = patience
        self._shares_all = follow is not None
        self._filter = SharingFilter(SharingExtent.ALL if self._shares_all else SharingExtent.STATES)
        self._shared: list[tuple[Fact, str | None]] = []  # with the reporting node, if known
        self._last_numbers: dict[str, int] = {}  # node -> number of its last report
        self._last_replies: dict[str, DistRiaReply] = {}  # node -> reply to that report, once there is one
        self._seen: dict[str, float] = {}  # node -> time of its last message
        self._done: dict[str, int] = {}  # node -> shared facts it had received when it was done
        self._waiting: dict[str, StatusReport] = {}  # nodes without a reply, in order of their reports
        self._loads = Loads()
        self._assigner = Assigner(balance, self.crawl, self._loads)
        for fact in since_revision(facts):
            self._learn(fact, None)
        self._assigner.skip_known()
        self.fired, self.resets = self.crawl.fired, self.crawl.resets
        self.repeated = 0  # events that more than one node explored

    # -- input --

    def handle_report(self, report: StatusReport, now: float) -> DistRiaOutput:
        """Process the report of a node."""
        last = self._last_numbers.get(report.node, 0)
        if report.number < last or (report.incarnation == self.incarnation and report.received > len(self._shared)):
            return DistRiaOutput()  # outdated; or the node knows more than this machine, which is itself outdated
        self._seen[report.node] = now
        if report.number == last:
            given = self._last_replies.get(report.node)
            return DistRiaOutput() if given is None else DistRiaOutput(replies=[given])
        self._last_numbers[report.node] = report.number
        self._last_replies.pop(report.node, None)
        output = DistRiaOutput()
        self.fired += report.events
        self.resets += report.resets
        if report.incarnation == self.incarnation:
            self._record(report, output, now)
        if report.status is DistRiaStatus.TERMINATED:
            output.facts += self.handle_leave(report.node).facts
            return output
        self._waiting[report.node] = report
        return self._reply_to_waiting(output, now)

    def handle_leave(self, node: str) -> DistRiaOutput:
        """Process the departure or loss of a node."""
        if self._waiting.pop(node, None) is not None:
            del self._last_numbers[node]  # if the node comes back, it repeats its report
        self._loads.remove(node)
        output = DistRiaOutput()
        if node in self.crawl.members:
            self._write(MemberLeft(member=node, epoch=self.crawl.epoch + 1), output)
        return output

    def has_news(self, received: int) -> bool:
        """Whether there is more to send than this number of shared facts."""
        return received < len(self._shared) or self.crawl.ended is not None

    def end(self, reason: str, now: float) -> DistRiaOutput:
        """End the crawl, whatever is left to do."""
        output = DistRiaOutput()
        if self.crawl.ended is None:
            self._write(_end(self.crawl, reason), output)
        return self._reply_to_waiting(output, now)

    def tick(self, now: float) -> DistRiaOutput:
        """Remove the nodes that have been silent for too long."""
        output = DistRiaOutput()
        for node in (*self.crawl.members, *self._waiting):
            if self._seen.setdefault(node, now) + self._patience < now:
                output.facts += self.handle_leave(node).facts
        return output

    # -- inside --

    def _record(self, report: StatusReport, output: DistRiaOutput, now: float) -> None:
        """Record what is new in a report.

        Ignore the report from the first fact on that refers to something unknown, or to the crawl as a whole.
        """
        is_idle = report.status is DistRiaStatus.DONE
        if report.work is not None:
            self._loads.report(
                report.node, done=report.work.done, backlog=report.work.backlog, is_idle=is_idle, now=now
            )
        for fact in report.facts:
            try:
                if isinstance(fact, NOT_FROM_NODES):
                    return
                if is_redundant(self.crawl, fact):
                    self.repeated += isinstance(fact, TransitionExplored)
                    continue
                self._write(with_costs(fact, self.fired, self.resets), output, report.node)
            except DamagedJournal:
                return
        if is_idle:
            self._done[report.node] = report.received

    def _reply_to_waiting(self, output: DistRiaOutput, now: float) -> DistRiaOutput:
        """Reply to all waiting nodes; at the start, only once enough of them have reported."""
        if self.crawl.epoch == 0 and len(self._waiting) < self._expected:
            return output
        if self.crawl.ended is None:
            for node in self._waiting:
                if node not in self.crawl.members:
                    self._write(MemberJoined(member=node, epoch=self.crawl.epoch + 1), output)
            places = {node: report.work.position for node, report in self._waiting.items() if report.work is not None}
            for dealt in self._assigner.deals(places, now):
                self._write(dealt, output)
            if self._all_done():
                self._write(_end(self.crawl, self.followed.exhaustion_reason()), output)
        for node, report in self._waiting.items():
            self._last_replies[node] = self._reply_to(report)
            self._loads.mark_answered(node)
            output.replies.append(self._last_replies[node])
        self._waiting.clear()
        return output

    def _all_done(self) -> bool:
        everything = len(self._shared)
        if self._assigner.unassigned:
            return False
        return bool(self.crawl.members) and all(self._done.get(node) == everything for node in self.crawl.members)

    def _reply_to(self, report: StatusReport) -> DistRiaReply:
        if self.crawl.ended is not None:
            return Terminate(report.node, report.number, self.crawl.ended)
        everything = len(self._shared)
        if report.incarnation != self.incarnation:
            facts = [fact for fact, _ in self._shared]
            return SharedStates(report.node, report.number, self.incarnation, everything, tuple(facts))
        news = [fact for fact, source in self._shared[report.received :] if source != report.node]
        if news:
            return SharedStates(report.node, report.number, self.incarnation, everything, tuple(news))
        return NothingNew(report.node, report.number, everything)

    def _write(self, fact: Fact, output: DistRiaOutput, source: str | None = None) -> None:
        self._learn(fact, source)
        output.facts.append(fact)

    def _learn(self, fact: Fact, source: str | None) -> None:
        """Raises DamagedJournal, leaving the machine unchanged."""
        self.followed.extend([fact])
        self._assigner.learn(fact)
        # A fact of one node may release held-back facts of others, so its source surely knows only the fact itself.
        knows = None if self._shares_all else source
        self._shared += [(shared, knows if shared is fact else None) for shared in self._filter.share([fact])]


def _end(crawl: FoldedCrawl, reason: str) -> CrawlEnded:
    return CrawlEnded(reason=reason, run=1 if crawl.started is None else crawl.started.run)
