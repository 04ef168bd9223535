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

    Facts are durable before the answer leaves: whoever runs a coordinator writes `Told.facts` into the journal first
    and sends `Told.answers` then. When the journal refuses, the coordinator knows what the journal does not, and must
    be thrown away. A coordinator is nothing but what its journal says, so another one is made from that.

    What a node was given is leased to it. As long as it beats, the lease goes on; when it has been silent too long, the
    task is free again. A node that was only slow may still bring what it saw, which is a fact like any other; if
    somebody else has done the same meanwhile, an event was fired twice, and `repeated` counts it. Leases are forgotten
    with their coordinator. Beats tell the next one what is in whose hands, so that it gives little of that away again.

    The crawl is over when nothing is free and nothing is leased (§6.3.3): what is leased may lead to states that nobody
    knows.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import assert_never

import msgspec

from statecrawl.coordination.leases import Leases
from statecrawl.errors import DamagedJournal
from statecrawl.journal.facts import CrawlEnded, EventRefused, Fact, StateFound, TransitionExplored
from statecrawl.journal.fold import Crawl, Pair
from statecrawl.model.graph import UNEXPLORED, Graph
from statecrawl.strategies.strategy import Strategy
from statecrawl.strategies.task import Answer, Task
from statecrawl.strategies.telling import Teller, since_revision

COMPLETE = "complete"
UNREACHABLE = "unreachable"  # events are left in states to which no reliable way leads any more

Step = tuple[str, str | None]  # an event, and the state it should lead to when that is known
Named = tuple[str, str]  # a state and one of its events


class Ask(msgspec.Struct, frozen=True, tag="ask"):
    """A node wants something to do."""

    node: str
    number: int  # of the question; 1, 2, …
    position: str | None  # the state its page is in; None when it has none
    facts: tuple[Fact, ...] = ()  # what it saw since the question before
    events: int = 0  # that it fired since then
    resets: int = 0


class Beat(msgspec.Struct, frozen=True, tag="beat"):
    """A node is alive, and still at this."""

    node: str
    number: int  # of its last question
    holds: Named | None = None


class Do(msgspec.Struct, frozen=True, tag="do"):
    """Walk this way; the last step has not been gone by anybody. Without steps: open the application."""

    node: str
    number: int
    reset: bool
    start: str  # the state in which the steps begin
    steps: tuple[Step, ...]


class Look(msgspec.Struct, frozen=True, tag="look"):
    """Say that again, with the state that the page is in."""

    node: str
    number: int


class End(msgspec.Struct, frozen=True, tag="end"):
    """The crawl is over."""

    node: str
    number: int
    reason: str


Reply = Do | Look | End


@dataclass(slots=True)
class Told:
    """What a coordinator wants: first the facts in the journal, then the answers on their way."""

    facts: list[Fact] = field(default_factory=list)
    answers: list[Reply] = field(default_factory=list)


class Coordinator:
    """Folds a journal, and says who does what."""

    def __init__(self, facts: Iterable[Fact], make_strategy: Callable[[Graph], Strategy], lease: float) -> None:
        """`facts` is the journal so far; a task is leased for `lease` of whatever `now` counts."""
        self.crawl = Crawl()
        self.strategy = make_strategy(self.crawl.graph)
        self.repeated = 0  # events that were fired though somebody else had
        self._teller = Teller(self.crawl, self.strategy)
        self._teller.tell(since_revision(facts))
        self._lease = lease
        self._leases: Leases[Pair] = Leases()
        self._walkers: dict[str, int] = {}  # node -> its number
        self._heard: dict[str, int] = {}  # node -> its last question
        self._given: dict[str, Reply] = {}  # node -> the answer to that, once there is one
        self._seen: dict[str, float] = {}  # node -> when it was last heard of
        self._waiting: dict[str, Ask] = {}  # nodes without an answer, in the order of their questions

    # -- what is heard --

    def asked(self, ask: Ask, now: float) -> Told:
        """A node wants something to do."""
        last = self._heard.get(ask.node, 0)
        self._seen[ask.node] = now
        if ask.number < last:
            return Told()
        if ask.number == last:
            given = self._given.get(ask.node)
            return Told() if given is None else Told(answers=[given])
        self._heard[ask.node] = ask.number
        self._given.pop(ask.node, None)
        if self._must_look(ask):
            self._given[ask.node] = Look(ask.node, ask.number)
            return Told(answers=[self._given[ask.node]])
        told = Told(facts=self._learn(ask))
        self._end_leases(ask.node)  # before others are served
        self._waiting[ask.node] = ask
        return self._serve(told, now)

    def beat(self, beat: Beat, now: float) -> None:
        """A node is alive."""
        self._seen[beat.node] = now
        self._leases.renew(beat.node, now + self._lease)
        late = beat.number != self._heard.setdefault(beat.node, beat.number)
        if beat.holds is None or late or self._leases.holds(beat.node) or self.crawl.ended is not None:
            return
        try:
            pair = self.crawl.pair(*beat.holds)
        except DamagedJournal:
            return  # it was told so by somebody who knew more
        if self._leases.of(pair) is None and self.strategy.take(self._walker(beat.node), pair):
            self._leases.grant(pair, beat.node, now + self._lease)

    def left(self, node: str, now: float) -> Told:
        """A node has gone, and said so."""
        self._end_leases(node)
        self._waiting.pop(node, None)
        return self._serve(Told(), now)

    def passed(self, now: float) -> Told:
        """Time has passed: what was not renewed is free again."""
        for lease in self._leases.overdue(now):
            self.strategy.release(self._walker(lease.holder))
        return self._serve(Told(), now)

    def wakes_at(self) -> float | None:
        """When `passed` has something to do next."""
        return self._leases.next_end()

    # -- what it makes of that --

    def _must_look(self, ask: Ask) -> bool:
        numbers = self.crawl.graph.numbers
        if ask.position is None or ask.position in numbers:
            return False
        if not numbers and (ask.events, ask.resets) != (0, 1):
            return False  # who knows where it is
        return not any(isinstance(fact, StateFound) and fact.state == ask.position for fact in ask.facts)

    def _learn(self, ask: Ask) -> list[Fact]:
        """What was news in a question. A node that speaks of what is not there is not believed from there on."""
        news: list[Fact] = []
        if not self.crawl.graph.numbers and (ask.events, ask.resets) != (0, 1):
            return news
        fired, resets = self.crawl.fired + ask.events, self.crawl.resets + ask.resets
        for fact in ask.facts:
            stamped = msgspec.structs.replace(fact, fired=fired, resets=resets) if _explores(fact) else fact
            try:
                if self._is_known(fact):
                    self.repeated += _explores(fact)
                    continue
                self._teller.tell([stamped])
            except (DamagedJournal, ValueError):
                break
            news.append(stamped)
            if isinstance(fact, TransitionExplored | EventRefused):
                self._leases.end(self.crawl.pair(fact.state, fact.event))
        return news

    def _is_known(self, fact: Fact) -> bool:
        match fact:
            case StateFound():
                return fact.state in self.crawl.graph.numbers
            case TransitionExplored():
                state, position = self.crawl.pair(fact.state, fact.event)
                target = self.crawl.graph.targets[state][position]
                return target != UNEXPLORED and self.crawl.graph.ids[target] == fact.target
            case _:
                return False

    def _serve(self, told: Told, now: float) -> Told:
        """Answer all who wait and can be answered."""
        for node, ask in list(self._waiting.items()):
            if self._seen[node] + self._lease < now:
                continue  # it asks again when it is back
            answer = self._answer(ask, told, now)
            if answer is not None:
                del self._waiting[node]
                self._given[node] = answer
                told.answers.append(answer)
        return told

    def _answer(self, ask: Ask, told: Told, now: float) -> Reply | None:
        if self.crawl.ended is not None:
            return End(ask.node, ask.number, self.crawl.ended)
        graph = self.crawl.graph
        if len(graph) == 0:
            return Do(ask.node, ask.number, reset=True, start="", steps=())
        self._end_leases(ask.node)
        position = None if ask.position is None else graph.numbers.get(ask.position)
        task = self.strategy.next_task(self._walker(ask.node), position)
        match task:
            case Answer.WAIT:
                return None
            case Answer.DONE:
                reason = COMPLETE if self.crawl.progress().complete else UNREACHABLE
                ended = CrawlEnded(reason=reason, run=1 if self.crawl.started is None else self.crawl.started.run)
                self._teller.tell([ended])
                told.facts.append(ended)
                return End(ask.node, ask.number, reason)
            case Task():
                self._leases.grant(task.pair, ask.node, now + self._lease)
                return self._do(ask, task)
        assert_never(task)

    def _do(self, ask: Ask, task: Task) -> Do:
        graph = self.crawl.graph
        steps: list[Step] = [
            (graph.event(*pair).local, graph.ids[graph.targets[pair[0]][pair[1]]]) for pair in task.path
        ]
        steps.append((graph.event(*task.pair).local, None))
        start = task.path[0][0] if task.path else task.pair[0]
        return Do(ask.node, ask.number, task.reset, graph.ids[start], tuple(steps))

    def _end_leases(self, node: str) -> None:
        self._leases.end_all(node)
        self.strategy.release(self._walker(node))

    def _walker(self, node: str) -> int:
        return self._walkers.setdefault(node, len(self._walkers))


def _explores(fact: Fact) -> bool:
    return isinstance(fact, TransitionExplored)


class Node:
    """Asks, and remembers what it has not been answered yet."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.over: str | None = None  # why the crawl ended, once it has
        self._question: Ask | None = None  # that has no answer yet, or has to be asked again
        self._number = 0
        self._task: Do | None = None

    def ask(self, position: str | None, facts: Iterable[Fact] = (), events: int = 0, resets: int = 0) -> Ask:
        """The next question, when what was given is done, or at the beginning."""
        self._number += 1
        self._task = None
        self._question = Ask(self.name, self._number, position, tuple(facts), events, resets)
        return self._question

    def looked(self, state: StateFound) -> Ask:
        """The last question once more, with the state that the page is in. ValueError when nobody wants to know."""
        last = self._question
        if last is None:
            raise ValueError(f"{self.name} was not told to look")
        return self.ask(last.position, (state, *last.facts), last.events, last.resets)

    def again(self) -> Ask | Beat:
        """What to say when nothing was heard for a while: the question once more, or that it is still at it."""
        if self._question is not None:
            return self._question
        return Beat(self.name, self._number, None if self._task is None else self._holds(self._task))

    def heard(self, reply: Reply) -> Do | Look | None:
        """An answer; what to do now. None when it is old, or the crawl is over."""
        if self._question is None or (reply.node, reply.number) != (self.name, self._number):
            return None
        match reply:
            case Look():
                return reply
            case End():
                self.over = reply.reason
            case Do():
                self._task = reply
        self._question = None
        return self._task

    @staticmethod
    def _holds(task: Do) -> Named | None:
        if not task.steps:
            return None
        state = task.steps[-2][1] if len(task.steps) > 1 else task.start
        return (state or task.start, task.steps[-1][0])
