"""Client-server architecture: a coordinator assigns tasks, and nodes execute them.

S. M. Mir Taheri, "Distributed Crawling of Rich Internet Applications", 2015, §6.3. The coordinator holds the whole
graph and runs any strategy for the position of the requesting node; a node only needs to know its own page.

Theory of operation
    A node sends a request: the state of its page, and what it observed since its last request. The reply is a task, or
    says that the crawl is over. While there is nothing to do, the reply is delayed. The requests of a node are
    numbered. A request that arrives again, because its reply was lost or slow, gets the same reply again; a request
    older than the last one is ignored. So messages may be lost, duplicated and reordered.

    A node whose page is in a state unknown to the coordinator is asked to describe it, and repeats its request with
    the description. So a state is described when a description is needed, and by one node only. While no state is
    known at all, every node first opens the application, because the first state of a journal is the initial state.

    Facts are durable before a reply leaves: the caller first appends `ClientServerOutput.facts` to the journal and
    then sends `ClientServerOutput.replies`. When the journal refuses the facts, the machine knows more than the
    journal and must be discarded. The state of a machine follows from the journal alone, so a new machine can be
    built from it.

    A task is leased to its node. Heartbeats renew the lease; when the node is silent for too long, the task becomes
    free again. A node that was merely slow may still deliver its observation, which is a fact like any other. If
    another node has explored the same event meanwhile, the event was fired twice, and `repeated` counts it. A machine
    that is replaced takes its leases with it. Heartbeats tell its successor which tasks are in progress, so that it
    assigns few of them again.

    The first report of a node to a new coordinator may repeat what it reported to the previous one, because that reply
    was lost. Most facts are idempotent, but surprises are counted; so in the first request from a node that has sent
    requests before, surprises that are already known do not count. Missing one does no harm: it will occur again.

    The crawl is over when no task is free and none is leased (§6.3.3): a leased task may still lead to unknown states.

    Before the crawl starts, one node must learn the dynamic content of the application and the cost of a reset. The
    coordinator leases this to a single node, which reports everything it learned at once, while the others wait. The
    resulting state equivalence rules have a revision: a node with an older revision is sent the current rules, and
    what it observed under the old rules is ignored.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import assert_never

from statecrawl.coordination.client_server_messages import (
    CrawlOver,
    DescribeState,
    Heartbeat,
    LearnContent,
    ReviseRules,
    RunTask,
    TaskReply,
    TaskRequest,
)
from statecrawl.coordination.leases import Leases
from statecrawl.coordination.output import Output
from statecrawl.coordination.reported_facts import with_costs
from statecrawl.errors import DamagedJournal
from statecrawl.journal.crawl_bounds import NO_BOUNDS, CrawlBounds, CrawlBoundsTracker
from statecrawl.journal.facts import (
    CostMeasured,
    CrawlEnded,
    EquivalenceRevised,
    EventCrashed,
    EventHung,
    EventRefused,
    Fact,
    StateFound,
    TransitionExplored,
)
from statecrawl.journal.fold import FoldedCrawl, Pair
from statecrawl.journal.novelty import is_repeated_surprise, new_fact
from statecrawl.model.graph import Graph
from statecrawl.strategies.journal_feed import StrategyFeed, since_revision
from statecrawl.strategies.orders import OPEN, StateEvent, order_of
from statecrawl.strategies.strategy import Strategy
from statecrawl.strategies.task import NoTask, Task

LEARNING: Pair = (-1, -1)  # lease of the node that learns dynamic content; not a pair of the graph


@dataclass(slots=True)
class ClientServerOutput(Output[TaskReply]):
    """Output of a `ClientServerMachine`."""

    restart: bool = False  # the machine is void: make another one from the journal, which will reply


@dataclass(slots=True)
class NodeRecord:
    """What the coordinator knows of a node."""

    name: str
    number: int  # its walker number in the strategy
    since: float
    seen: float  # time of its last message
    last_number: int = 0  # of its last request
    last_reply: TaskReply | None = None  # reply to that request, once there is one
    tasks: int = 0
    events: int = 0
    resets: int = 0
    waited: float = 0.0  # seconds without a task
    gone: bool = False  # it has left the crawl
    has_reported: bool = False  # this machine has processed a report of the node


class ClientServerMachine:
    """State machine of the coordinator: folds the journal and assigns tasks."""

    def __init__(
        self,
        facts: Iterable[Fact],
        make_strategy: Callable[[Graph], Strategy],
        lease: float,
        *,
        learns: bool = False,
        bounds: CrawlBounds = NO_BOUNDS,
    ) -> None:
        """`facts` is the journal so far; a task is leased for `lease` of whatever unit `now` has.

        With `learns`, a node learns the dynamic content before the crawl starts, unless the journal contains that.
        """
        self.crawl = FoldedCrawl()
        self.strategy = make_strategy(self.crawl.graph)
        self.repeated = 0  # events that more than one node explored
        self.warnings: dict[str, None] = {}  # from the nodes, for the user
        self.learning_events = self.learning_resets = 0  # spent on learning dynamic content
        self.members: dict[str, NodeRecord] = {}
        self._feed = StrategyFeed(self.crawl, self.strategy)
        self._feed.push(since_revision(facts))
        self.fired, self.resets = self.crawl.fired, self.crawl.resets
        self._bounds_tracker = CrawlBoundsTracker(bounds, self.crawl)
        self._learns = learns and not self.crawl.is_cost_measured and len(self.crawl.graph) == 0
        self._lease = lease
        self._leases: Leases[Pair] = Leases()
        self._waiting: dict[str, tuple[TaskRequest, float]] = {}  # nodes without a reply, in order of their requests

    # -- input --

    def handle_request(self, request: TaskRequest, now: float) -> ClientServerOutput:
        """Process the request of a node for its next task."""
        member = self._member(request.node, now)
        if request.number < member.last_number:
            return ClientServerOutput()
        if request.number == member.last_number:
            return (
                ClientServerOutput() if member.last_reply is None else ClientServerOutput(replies=[member.last_reply])
            )
        member.last_number, member.last_reply = request.number, None
        if self._learns:
            return self._handle_learning(request, now)
        if request.revision != self.crawl.revision:
            return self._reply_at_once(ReviseRules(request.node, request.number, self.crawl.revision, self.crawl.rules))
        if self._must_describe(request):
            return self._reply_at_once(DescribeState(request.node, request.number))
        self._count(request, member)
        output = ClientServerOutput(
            facts=self._record(request, once_more=request.number > 1 and not member.has_reported)
        )
        member.has_reported = True
        self._end_leases(member)  # before replying to others
        self._waiting[request.node] = request, now
        return self._reply_to_waiting(output, now)

    def handle_heartbeat(self, heartbeat: Heartbeat, now: float) -> None:
        """Renew the leases of a node."""
        member = self._member(heartbeat.node, now)
        self._leases.renew(heartbeat.node, now + self._lease)
        late = heartbeat.number != (member.last_number or heartbeat.number)
        member.last_number = member.last_number or heartbeat.number
        if heartbeat.holds is None or late or self._leases.holds(heartbeat.node) or self.crawl.ended is not None:
            return
        try:
            pair = self.crawl.pair(*heartbeat.holds)
        except DamagedJournal:
            return  # its task came from a coordinator that knew more
        if self._leases.of(pair) is None and self.strategy.take(member.number, pair):
            self._leases.grant(pair, heartbeat.node, now + self._lease)

    def handle_leave(self, node: str, now: float) -> ClientServerOutput:
        """Process the departure of a node."""
        member = self.members.get(node)
        if member is not None:
            self._end_leases(member)
            self._waiting.pop(node, None)
            member.gone = True
        return self._reply_to_waiting(ClientServerOutput(), now)

    def end(self, reason: str, now: float) -> ClientServerOutput:
        """End the crawl, whatever is left to do."""
        output = ClientServerOutput()
        if self.crawl.ended is None:
            self._end(reason, output)
        return self._reply_to_waiting(output, now)

    def tick(self, now: float) -> ClientServerOutput:
        """Release the tasks whose leases have expired."""
        for lease in self._leases.overdue(now):
            self.strategy.release(self.members[lease.holder].number)
        return self._reply_to_waiting(ClientServerOutput(), now)

    def holds(self, node: str) -> StateEvent | None:
        """Return the state and event that a node is exploring, if any."""
        given = self.members[node].last_reply
        return given.holds if isinstance(given, RunTask) and self._leases.holds(node) else None

    def idle_seconds(self, node: str, now: float) -> float:
        """Return for how long a node has been without a task in total."""
        waits = now - self._waiting[node][1] if node in self._waiting else 0.0
        return self.members[node].waited + waits

    @property
    def learner(self) -> str | None:
        """The node that learns the dynamic content, while one does."""
        lease = self._leases.of(LEARNING)
        return None if lease is None else lease.holder

    # -- inside --

    def _must_describe(self, request: TaskRequest) -> bool:
        numbers = self.crawl.graph.numbers
        if request.position is None or request.position in numbers:
            return False
        if not numbers and (request.events, request.resets) != (0, 1):
            return False  # its page need not be in the initial state
        return not any(isinstance(fact, StateFound) and fact.state == request.position for fact in request.facts)

    def _handle_learning(self, request: TaskRequest, now: float) -> ClientServerOutput:
        """Process a request before the dynamic content is known; it may contain what a node has learned."""
        if any(isinstance(fact, CostMeasured) for fact in request.facts):
            self._count(request, self.members[request.node])
            return ClientServerOutput(facts=self._renumbered(request.facts), restart=True)
        self._leases.end_all(request.node)
        self._waiting[request.node] = request, now
        return self._reply_to_waiting(ClientServerOutput(), now)

    def _renumbered(self, facts: Iterable[Fact]) -> list[Fact]:
        """Return what a node has learned, with the revision number that follows the current one."""
        revision = self.crawl.revision + 1
        return [
            EquivalenceRevised(revision=revision, rules=fact.rules) if isinstance(fact, EquivalenceRevised) else fact
            for fact in facts
        ]

    def _count(self, request: TaskRequest, member: NodeRecord) -> None:
        member.events += request.events
        member.resets += request.resets
        self.fired += request.events
        self.resets += request.resets
        self.learning_events += request.learning[0]
        self.learning_resets += request.learning[1]
        self.warnings.update(dict.fromkeys(request.warnings))

    def _record(self, request: TaskRequest, *, once_more: bool) -> list[Fact]:
        """Record what is new in a request, which may be a repetition, and return the new facts.

        Facts that refer to unknown states or events are dropped.
        """
        facts: list[Fact] = []
        if not self.crawl.graph.numbers and (request.events, request.resets) != (0, 1):
            return facts
        for report in request.facts:
            try:
                fact = new_fact(self.crawl, report)
                if isinstance(report, TransitionExplored) and not isinstance(fact, TransitionExplored):
                    self.repeated += 1
                if fact is None or (once_more and is_repeated_surprise(self.crawl, fact)):
                    continue
                fact = with_costs(fact, self.fired, self.resets)
                self._feed.push([fact])
            except (DamagedJournal, ValueError):
                continue
            facts += [fact, *self._refuse_too_deep(fact)]
            if isinstance(fact, TransitionExplored | EventRefused | EventHung | EventCrashed):
                self._leases.end(self.crawl.pair(fact.state, fact.event))
        return facts

    def _refuse_too_deep(self, fact: Fact) -> list[EventRefused]:
        """Refuse the events of a new state that lie beyond the crawl bounds."""
        refused = self._bounds_tracker.refusals_after(fact)
        self._feed.push(refused)
        return refused

    def _reply_to_waiting(self, output: ClientServerOutput, now: float) -> ClientServerOutput:
        """Reply to all waiting nodes that can be served. What is unavailable to one node is unavailable to all in its
        state.
        """
        nothing_from: set[str | None] = set()
        for node, (request, since) in self._in_turn():
            member = self.members[node]
            if request.position in nothing_from or member.seen + self._lease < now:
                continue  # a silent node sends its request again when it is back
            reply = self._reply_to(request, output, now)
            if reply is None:
                nothing_from.add(request.position)
            else:
                del self._waiting[node]
                member.waited += now - since
                member.last_reply = reply
                output.replies.append(reply)
        return output

    def _in_turn(self) -> list[tuple[str, tuple[TaskRequest, float]]]:
        """Return the waiting nodes: first come, first served.

        In a crawl by components, a node whose page shows the state that was reached last comes first. Random checks
        follow one another, and another node would have to go there for each of them.
        """
        frontier, numbers = self.strategy.component_frontier, self.crawl.graph.numbers
        waiting = list(self._waiting.items())
        if frontier is None:
            return waiting
        return sorted(waiting, key=lambda item: numbers.get(item[1][0].position or "") != frontier.landed)

    def _reply_at_once(self, reply: TaskReply) -> ClientServerOutput:
        self.members[reply.node].last_reply = reply
        return ClientServerOutput(replies=[reply])

    def _reply_to(self, request: TaskRequest, output: ClientServerOutput, now: float) -> TaskReply | None:
        if self.crawl.ended is not None:
            return CrawlOver(request.node, request.number, self.crawl.ended)
        if self._learns:
            if self._leases.of(LEARNING) is not None:
                return None
            self._leases.grant(LEARNING, request.node, now + self._lease)
            return LearnContent(request.node, request.number)
        graph = self.crawl.graph
        if len(graph) == 0:
            return RunTask(request.node, request.number, OPEN)
        member = self.members[request.node]
        self._end_leases(member)
        position = None if request.position is None else graph.numbers.get(request.position)
        task = self.strategy.next_task(member.number, position)
        match task:
            case NoTask.WAIT:
                return None
            case NoTask.DONE:
                return CrawlOver(
                    request.node, request.number, self._end(self.strategy.exhaustion_reason(self.crawl), output)
                )
            case Task():
                self._leases.grant(task.pair, request.node, now + self._lease)
                member.tasks += 1
                return RunTask(request.node, request.number, order_of(task, graph))
        assert_never(task)

    def _end(self, reason: str, output: ClientServerOutput) -> str:
        ended = CrawlEnded(reason=reason, run=1 if self.crawl.started is None else self.crawl.started.run)
        self._feed.push([ended])
        output.facts.append(ended)
        return reason

    def _end_leases(self, member: NodeRecord) -> None:
        self._leases.end_all(member.name)
        self.strategy.release(member.number)

    def _member(self, node: str, now: float) -> NodeRecord:
        """Return the record of a node that has just sent a message."""
        member = self.members.get(node)
        if member is None:
            member = self.members[node] = NodeRecord(node, len(self.members), since=now, seen=now)
        member.seen, member.gone = now, False
        return member
