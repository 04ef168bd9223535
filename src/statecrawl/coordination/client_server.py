"""Client and server: a coordinator decides, and nodes do what they are given.

S. M. Mir Taheri, "Distributed Crawling of Rich Internet Applications", 2015, §6.3. The coordinator keeps the whole
graph and runs any strategy for the position of the node that asks; a node needs to know nothing but its own page.

Theory of operation
    A node asks: it says where its page is and what it saw since its last question. The answer is a task, or that the
    crawl is over; while there is nothing to do, there is no answer yet. The questions of a node are numbered. A
    question that comes again, because its answer was lost or slow, gets the same answer again; one that is older than
    the last is not heard. So messages may be lost, repeated, and come in any order.

    A node whose page is in a state that the coordinator does not know is told to look, and says the same again together
    with what it sees: states are described when somebody needs that, and by one node. While nothing is known at all,
    everybody is told to open the application first, because the first state of a journal is where it begins.

    Facts are durable before the answer leaves: whoever runs a coordinator writes `ClientServerOutput.facts` into the
    journal first and sends `ClientServerOutput.answers` then. When the journal refuses, the coordinator knows what the
    journal does not, and must be thrown away. A coordinator is nothing but what its journal says, so another one is
    made from that.

    What a node was given is leased to it. As long as it beats, the lease goes on; when it has been silent too long, the
    task is free again. A node that was only slow may still bring what it saw, which is a fact like any other; if
    somebody else has done the same meanwhile, an event was fired twice, and `repeated` counts it. Leases are forgotten
    with their coordinator. Beats tell the next one what is in whose hands, so that it gives little of that away again.

    What a node tells a coordinator first may be what it told the one before, whose answer was lost. Most facts are the
    same the second time, but surprises are counted; so those that are known already do not count in the first question
    that a coordinator hears from a node which has asked others. One too few does no harm: it will surprise again.

    The crawl is over when nothing is free and nothing is leased (§6.3.3): what is leased may lead to states that nobody
    knows.

    Before all that, somebody has to find out what is volatile in the application and what a reset costs. One node is
    told to learn that, alone and on lease, and tells what it found all at once; the others wait. What states are told
    apart by has a revision: a node that does not know the present one is told, and what it saw by other rules is not
    heard.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import assert_never

import msgspec

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
from statecrawl.errors import DamagedJournal
from statecrawl.journal.crawl_bounds import NO_BOUNDS, CrawlBounds, CrawlBoundsTracker, exhaustion_reason
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

LEARNING: Pair = (-1, -1)  # what is leased to the node that learns; no pair of the graph


@dataclass(slots=True)
class ClientServerOutput:
    """What a coordinator wants: first the facts in the journal, then the answers on their way."""

    facts: list[Fact] = field(default_factory=list)
    answers: list[TaskReply] = field(default_factory=list)
    again: bool = False  # then another coordinator has to be made from the journal, which will answer


@dataclass(slots=True)
class NodeRecord:
    """What a coordinator knows of a node."""

    name: str
    number: int  # as a walker of the strategy
    since: float
    seen: float  # when it was last heard of
    heard: int = 0  # its last question
    given: TaskReply | None = None  # the answer to that, once there is one
    tasks: int = 0
    events: int = 0
    resets: int = 0
    waited: float = 0.0  # without anything to do
    gone: bool = False  # it has said so
    is_heard: bool = False  # what it saw was heard here before


class ClientServerMachine:
    """Folds a journal, and says who does what."""

    def __init__(
        self,
        facts: Iterable[Fact],
        make_strategy: Callable[[Graph], Strategy],
        lease: float,
        *,
        learns: bool = False,
        bounds: CrawlBounds = NO_BOUNDS,
    ) -> None:
        """`facts` is the journal so far; a task is leased for `lease` of whatever `now` counts.

        With `learns`, somebody has to learn before anybody crawls, unless the journal says that it was done.
        """
        self.crawl = FoldedCrawl()
        self.strategy = make_strategy(self.crawl.graph)
        self.repeated = 0  # events that were fired though somebody else had
        self.warnings: dict[str, None] = {}  # what nodes think whoever asked for the crawl should know
        self.learning_events = self.learning_resets = 0  # to find out what is volatile
        self.members: dict[str, NodeRecord] = {}
        self._feed = StrategyFeed(self.crawl, self.strategy)
        self._feed.push(since_revision(facts))
        self.fired, self.resets = self.crawl.fired, self.crawl.resets
        self._bounding = CrawlBoundsTracker(bounds, self.crawl)
        self._learns = learns and not self.crawl.is_cost_measured and len(self.crawl.graph) == 0
        self._lease = lease
        self._leases: Leases[Pair] = Leases()
        self._waiting: dict[
            str, tuple[TaskRequest, float]
        ] = {}  # nodes without an answer, in the order of their questions

    # -- what is heard --

    def asked(self, ask: TaskRequest, now: float) -> ClientServerOutput:
        """A node wants something to do."""
        member = self._member(ask.node, now)
        if ask.number < member.heard:
            return ClientServerOutput()
        if ask.number == member.heard:
            return ClientServerOutput() if member.given is None else ClientServerOutput(answers=[member.given])
        member.heard, member.given = ask.number, None
        if self._learns:
            return self._learnt(ask, now)
        if ask.revision != self.crawl.revision:
            return self._give(ReviseRules(ask.node, ask.number, self.crawl.revision, self.crawl.rules))
        if self._must_look(ask):
            return self._give(DescribeState(ask.node, ask.number))
        self._count(ask, member)
        told = ClientServerOutput(facts=self._learn(ask, once_more=ask.number > 1 and not member.is_heard))
        member.is_heard = True
        self._end_leases(member)  # before others are served
        self._waiting[ask.node] = ask, now
        return self._serve(told, now)

    def beat(self, beat: Heartbeat, now: float) -> None:
        """A node is alive."""
        member = self._member(beat.node, now)
        self._leases.renew(beat.node, now + self._lease)
        late = beat.number != (member.heard or beat.number)
        member.heard = member.heard or beat.number
        if beat.holds is None or late or self._leases.holds(beat.node) or self.crawl.ended is not None:
            return
        try:
            pair = self.crawl.pair(*beat.holds)
        except DamagedJournal:
            return  # it was told so by somebody who knew more
        if self._leases.of(pair) is None and self.strategy.take(member.number, pair):
            self._leases.grant(pair, beat.node, now + self._lease)

    def left(self, node: str, now: float) -> ClientServerOutput:
        """A node has gone, and said so."""
        member = self.members.get(node)
        if member is not None:
            self._end_leases(member)
            self._waiting.pop(node, None)
            member.gone = True
        return self._serve(ClientServerOutput(), now)

    def end(self, reason: str, now: float) -> ClientServerOutput:
        """Somebody wants the crawl to be over, whatever is left."""
        told = ClientServerOutput()
        if self.crawl.ended is None:
            self._end(reason, told)
        return self._serve(told, now)

    def passed(self, now: float) -> ClientServerOutput:
        """Time has passed: what was not renewed is free again."""
        for lease in self._leases.overdue(now):
            self.strategy.release(self.members[lease.holder].number)
        return self._serve(ClientServerOutput(), now)

    def holds(self, node: str) -> StateEvent | None:
        """What a node is at."""
        given = self.members[node].given
        return given.holds if isinstance(given, RunTask) and self._leases.holds(node) else None

    def idle(self, node: str, now: float) -> float:
        """How long a node has had nothing to do, until now if it has nothing."""
        waits = now - self._waiting[node][1] if node in self._waiting else 0.0
        return self.members[node].waited + waits

    @property
    def learner(self) -> str | None:
        """The node that finds out what is volatile, while one does."""
        lease = self._leases.of(LEARNING)
        return None if lease is None else lease.holder

    # -- what it makes of that --

    def _must_look(self, ask: TaskRequest) -> bool:
        numbers = self.crawl.graph.numbers
        if ask.position is None or ask.position in numbers:
            return False
        if not numbers and (ask.events, ask.resets) != (0, 1):
            return False  # who knows where it is
        return not any(isinstance(fact, StateFound) and fact.state == ask.position for fact in ask.facts)

    def _learnt(self, ask: TaskRequest, now: float) -> ClientServerOutput:
        """A question while it is not known yet what is volatile: perhaps with that."""
        if any(isinstance(fact, CostMeasured) for fact in ask.facts):
            self._count(ask, self.members[ask.node])
            return ClientServerOutput(facts=self._renumbered(ask.facts), again=True)
        self._leases.end_all(ask.node)
        self._waiting[ask.node] = ask, now
        return self._serve(ClientServerOutput(), now)

    def _renumbered(self, facts: Iterable[Fact]) -> list[Fact]:
        """What somebody has learnt, with the revision that it makes here."""
        revision = self.crawl.revision + 1
        return [
            EquivalenceRevised(revision=revision, rules=fact.rules) if isinstance(fact, EquivalenceRevised) else fact
            for fact in facts
        ]

    def _count(self, ask: TaskRequest, member: NodeRecord) -> None:
        member.events += ask.events
        member.resets += ask.resets
        self.fired += ask.events
        self.resets += ask.resets
        self.learning_events += ask.learning[0]
        self.learning_resets += ask.learning[1]
        self.warnings.update(dict.fromkeys(ask.warnings))

    def _learn(self, ask: TaskRequest, *, once_more: bool) -> list[Fact]:
        """What was news in a question, which may have been asked before. What speaks of something that is not there is
        not believed.
        """
        facts: list[Fact] = []
        if not self.crawl.graph.numbers and (ask.events, ask.resets) != (0, 1):
            return facts
        for report in ask.facts:
            try:
                fact = new_fact(self.crawl, report)
                if isinstance(report, TransitionExplored) and not isinstance(fact, TransitionExplored):
                    self.repeated += 1
                if fact is None or (once_more and is_repeated_surprise(self.crawl, fact)):
                    continue
                if isinstance(fact, TransitionExplored):
                    fact = msgspec.structs.replace(fact, fired=self.fired, resets=self.resets)
                self._feed.push([fact])
            except (DamagedJournal, ValueError):
                continue
            facts += [fact, *self._refused(fact)]
            if isinstance(fact, TransitionExplored | EventRefused | EventHung | EventCrashed):
                self._leases.end(self.crawl.pair(fact.state, fact.event))
        return facts

    def _refused(self, fact: Fact) -> list[EventRefused]:
        """What must not be fired because it lies too deep."""
        refused = self._bounding.refusals_after(fact)
        self._feed.push(refused)
        return refused

    def _serve(self, told: ClientServerOutput, now: float) -> ClientServerOutput:
        """Answer all who wait and can be answered. Where there was nothing for one, there is nothing for another."""
        nothing_from: set[str | None] = set()
        for node, (ask, since) in list(self._waiting.items()):
            member = self.members[node]
            if ask.position in nothing_from or member.seen + self._lease < now:
                continue  # the latter asks again when it is back
            answer = self._answer(ask, told, now)
            if answer is None:
                nothing_from.add(ask.position)
            else:
                del self._waiting[node]
                member.waited += now - since
                member.given = answer
                told.answers.append(answer)
        return told

    def _give(self, answer: TaskReply) -> ClientServerOutput:
        self.members[answer.node].given = answer
        return ClientServerOutput(answers=[answer])

    def _answer(self, ask: TaskRequest, told: ClientServerOutput, now: float) -> TaskReply | None:
        if self.crawl.ended is not None:
            return CrawlOver(ask.node, ask.number, self.crawl.ended)
        if self._learns:
            if self._leases.of(LEARNING) is not None:
                return None
            self._leases.grant(LEARNING, ask.node, now + self._lease)
            return LearnContent(ask.node, ask.number)
        graph = self.crawl.graph
        if len(graph) == 0:
            return RunTask(ask.node, ask.number, OPEN)
        member = self.members[ask.node]
        self._end_leases(member)
        position = None if ask.position is None else graph.numbers.get(ask.position)
        task = self.strategy.next_task(member.number, position)
        match task:
            case NoTask.WAIT:
                return None
            case NoTask.DONE:
                return CrawlOver(ask.node, ask.number, self._end(exhaustion_reason(self.crawl), told))
            case Task():
                self._leases.grant(task.pair, ask.node, now + self._lease)
                member.tasks += 1
                return RunTask(ask.node, ask.number, order_of(task, graph))
        assert_never(task)

    def _end(self, reason: str, told: ClientServerOutput) -> str:
        ended = CrawlEnded(reason=reason, run=1 if self.crawl.started is None else self.crawl.started.run)
        self._feed.push([ended])
        told.facts.append(ended)
        return reason

    def _end_leases(self, member: NodeRecord) -> None:
        self._leases.end_all(member.name)
        self.strategy.release(member.number)

    def _member(self, node: str, now: float) -> NodeRecord:
        """A node that was just heard of."""
        member = self.members.get(node)
        if member is None:
            member = self.members[node] = NodeRecord(node, len(self.members), since=now, seen=now)
        member.seen, member.gone = now, False
        return member
