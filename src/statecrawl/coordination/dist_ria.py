"""Dist-RIA: nodes that decide for themselves, around a coordinator that passes states on.

S. M. Mirtaheri, D. Zou, G. V. Bochmann, G.-V. Jourdan, I. V. Onut, "Dist-RIA Crawler: A Distributed Crawler for Rich
Internet Applications", 2013; S. M. Mir Taheri, "Distributed Crawling of Rich Internet Applications", 2015, ch. 4.

Theory of operation
    A star. Only the coordinator has an address; it answers and never calls. A node (`dist_ria_node`) fires the events
    that are its own, in all states it knows, and asks the coordinator when it has found a state, when it has nothing
    left to do, or when it has not been heard of for a while. It goes on working while it waits for the answer:

        STATES      what others have found since: states, each with a way to it, and who the nodes are
        STAY        nothing new
        TERMINATE   all nodes are done, and know all states

        Disconnected ─ STATES ─▶ Active ─ nothing to do ─▶ Done ─ TERMINATE ─▶ Terminated
                                    ◀───── STATES ──────────

    Transitions are told for the record and, save for one way to each state, not passed on. What a node knows is a
    number: how far it has heard the list of everything that is passed on, which follows from the journal alone. A node
    that says it is done, having heard so far, will be done until there is more to hear; so the crawl is over when every
    node is done with all of the list, whichever coordinator they told, however late.

    The paper's nodes are known beforehand and never fail. Here the first so many are waited for, as published, and then
    nodes come and go: who asks, takes part; who says that it terminates, or is silent too long, has left, and its share
    is the others'. Both are facts, and passed on like states. Who comes back takes part again, and what it saw
    meanwhile counts.

    A share is what the partition says, or is given as a `balance` says (see `dealing`). Then it is a fact, too, whose
    the events of a state are, and passed on like states; till then they are nobody's, and it is not over. A node says
    how much it has left, and asks also when that is next to nothing. Where it has found a state, it waits for the
    answer: going away and coming back takes longer.

    Questions are numbered: one that comes again gets the same answer again, an older one is not heard. A coordinator is
    nothing but what its journal says; facts are durable before answers leave (see `client_server`). When the journal
    has lost something it has another incarnation: a node that has heard of an earlier one is told everything from the
    beginning, and tells again what it saw itself. What it said before that is not believed.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated

import msgspec

from statecrawl.coordination.assignment import Assigner
from statecrawl.coordination.balance import Balance
from statecrawl.coordination.loads import Loads
from statecrawl.coordination.shared_facts import SharingExtent, SharingFilter
from statecrawl.errors import DamagedJournal
from statecrawl.journal.crawl_bounds import exhaustion_reason
from statecrawl.journal.facts import (
    CostMeasured,
    CrawlEnded,
    CrawlStarted,
    EquivalenceRevised,
    EventsDealt,
    Fact,
    MemberJoined,
    MemberLeft,
    TransitionExplored,
)
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.journal.novelty import is_redundant
from statecrawl.strategies.journal_feed import since_revision

Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]  # as far as floating point counts
# What no node says
OTHERS = (CrawlStarted, CrawlEnded, EquivalenceRevised, CostMeasured, MemberJoined, MemberLeft, EventsDealt)


class DistRiaStatus(StrEnum):
    """Of a node."""

    DISCONNECTED = "disconnected"
    ACTIVE = "active"
    DONE = "done"
    TERMINATED = "terminated"


class WorkReport(msgspec.Struct, frozen=True):
    """How a node gets on."""

    done: Count  # tasks since the question before
    backlog: Count  # tasks that it has left, of what it has heard
    position: str | None = None  # where its page is, or was before it set out


class StatusReport(msgspec.Struct, frozen=True, tag="ask"):
    """A node tells how it is and what it saw, and wants to know what is new."""

    node: str
    number: int  # of the question; 1, 2, …
    status: DistRiaStatus
    incarnation: int  # of the journal that it has heard of
    heard: int  # how many facts of what is passed on
    facts: tuple[Fact, ...] = ()  # what it saw since the question before
    events: int = 0  # that it fired since then
    resets: int = 0
    work: WorkReport | None = None  # told where shares depend on it
    warnings: tuple[str, ...] = ()  # what whoever asked for the crawl should know


class SharedStates(msgspec.Struct, frozen=True, tag="states"):
    """What others have found."""

    node: str
    number: int
    incarnation: int
    heard: int  # with these
    facts: tuple[Fact, ...]


class NothingNew(msgspec.Struct, frozen=True, tag="stay"):
    """Nothing is new, and the crawl is not over."""

    node: str
    number: int
    heard: int


class Terminate(msgspec.Struct, frozen=True, tag="terminate"):
    """The crawl is over."""

    node: str
    number: int
    reason: str


DistRiaReply = SharedStates | NothingNew | Terminate


@dataclass(slots=True)
class DistRiaOutput:
    """What a coordinator wants: first the facts in the journal, then the answers on their way."""

    facts: list[Fact] = field(default_factory=list)
    answers: list[DistRiaReply] = field(default_factory=list)


class DistRiaMachine:
    """Folds a journal, passes on what nodes find, and knows when all are done."""

    def __init__(
        self,
        facts: Iterable[Fact],
        *,
        expected: int,
        patience: float,
        incarnation: int = 0,
        balance: Balance = Balance.STATIC,
    ) -> None:
        """`facts` is the journal so far; a crawl begins when `expected` nodes have asked; who is silent for `patience`
        of whatever `now` counts has left. ValueError when the balance is dynamic."""
        self.crawl = FoldedCrawl()
        self.incarnation = incarnation
        self._expected = expected
        self._patience = patience
        self._sieve = SharingFilter(SharingExtent.STATES)
        self._passed_on: list[tuple[Fact, str | None]] = []  # and who told it, as far as that is known
        self._heard: dict[str, int] = {}  # node -> its last question
        self._given: dict[str, DistRiaReply] = {}  # node -> the answer to that, once there is one
        self._seen: dict[str, float] = {}  # node -> when it was last heard of
        self._done: dict[str, int] = {}  # node -> how far it had heard when it said that it was done
        self._waiting: dict[str, StatusReport] = {}  # nodes without an answer, in the order of their questions
        self._loads = Loads()
        self._dealer = Assigner(balance, self.crawl, self._loads)
        for fact in since_revision(facts):
            self._learn(fact, None)
        self._dealer.forget_news()
        self.fired, self.resets = self.crawl.fired, self.crawl.resets
        self.repeated = 0  # events that were explored though somebody else had

    # -- what is heard --

    def asked(self, ask: StatusReport, now: float) -> DistRiaOutput:
        """A node wants to know what is new."""
        last = self._heard.get(ask.node, 0)
        if ask.number < last or (ask.incarnation == self.incarnation and ask.heard > len(self._passed_on)):
            return DistRiaOutput()  # it is old, or we are: somebody has told this node more than we know
        self._seen[ask.node] = now
        if ask.number == last:
            given = self._given.get(ask.node)
            return DistRiaOutput() if given is None else DistRiaOutput(answers=[given])
        self._heard[ask.node] = ask.number
        self._given.pop(ask.node, None)
        told = DistRiaOutput()
        self.fired += ask.events
        self.resets += ask.resets
        if ask.incarnation == self.incarnation:
            self._believe(ask, told, now)
        if ask.status is DistRiaStatus.TERMINATED:
            told.facts += self.left(ask.node).facts
            return told
        self._waiting[ask.node] = ask
        return self._serve(told, now)

    def left(self, node: str) -> DistRiaOutput:
        """A node has gone."""
        if self._waiting.pop(node, None) is not None:
            del self._heard[node]  # should it come back, it asks the same again
        self._loads.left(node)
        told = DistRiaOutput()
        if node in self.crawl.members:
            self._write(MemberLeft(member=node, epoch=self.crawl.epoch + 1), told)
        return told

    def heard_of(self, node: str, now: float) -> None:
        """Somebody knows that a node is there."""
        self._seen[node] = now

    def has_news(self, heard: int) -> bool:
        """Whether there is more to hear than this."""
        return heard < len(self._passed_on) or self.crawl.ended is not None

    def end(self, reason: str, now: float) -> DistRiaOutput:
        """Somebody wants the crawl to be over, whatever is left."""
        told = DistRiaOutput()
        if self.crawl.ended is None:
            self._write(_end(self.crawl, reason), told)
        return self._serve(told, now)

    def passed(self, now: float) -> DistRiaOutput:
        """Time has passed: who was silent too long has left."""
        told = DistRiaOutput()
        for node in (*self.crawl.members, *self._waiting):
            if self._seen.setdefault(node, now) + self._patience < now:
                told.facts += self.left(node).facts
        return told

    def wakes_at(self) -> float | None:
        """When `passed` has something to do next, as far as anybody was heard of."""
        seen = [self._seen[node] for node in (*self.crawl.members, *self._waiting) if node in self._seen]
        return min(seen) + self._patience if seen else None

    # -- what it makes of that --

    def _believe(self, ask: StatusReport, told: DistRiaOutput, now: float) -> None:
        """Learn what is news in a question. A node that speaks of what is not there is not believed from there on, nor
        one that speaks of the crawl as a whole."""
        is_idle = ask.status is DistRiaStatus.DONE
        if ask.work is not None:
            self._loads.told(ask.node, done=ask.work.done, backlog=ask.work.backlog, is_idle=is_idle, now=now)
        for fact in ask.facts:
            try:
                if isinstance(fact, OTHERS):
                    return
                if is_redundant(self.crawl, fact):
                    self.repeated += isinstance(fact, TransitionExplored)
                    continue
                if isinstance(fact, TransitionExplored):
                    fact = msgspec.structs.replace(fact, fired=self.fired, resets=self.resets)
                self._write(fact, told, ask.node)
            except DamagedJournal:
                return
        if is_idle:
            self._done[ask.node] = ask.heard

    def _serve(self, told: DistRiaOutput, now: float) -> DistRiaOutput:
        """Answer all who wait; at the beginning, once there are enough of them."""
        if self.crawl.epoch == 0 and len(self._waiting) < self._expected:
            return told
        if self.crawl.ended is None:
            for node in self._waiting:
                if node not in self.crawl.members:
                    self._write(MemberJoined(member=node, epoch=self.crawl.epoch + 1), told)
            places = {node: ask.work.position for node, ask in self._waiting.items() if ask.work is not None}
            for dealt in self._dealer.deals(places, now):
                self._write(dealt, told)
            if self._all_done():
                self._write(_end(self.crawl, exhaustion_reason(self.crawl)), told)
        for node, ask in self._waiting.items():
            self._given[node] = self._answer(ask)
            self._loads.answered(node)
            told.answers.append(self._given[node])
        self._waiting.clear()
        return told

    def _all_done(self) -> bool:
        everything = len(self._passed_on)
        if self._dealer.left:
            return False
        return bool(self.crawl.members) and all(self._done.get(node) == everything for node in self.crawl.members)

    def _answer(self, ask: StatusReport) -> DistRiaReply:
        if self.crawl.ended is not None:
            return Terminate(ask.node, ask.number, self.crawl.ended)
        everything = len(self._passed_on)
        if ask.incarnation != self.incarnation:
            facts = [fact for fact, _ in self._passed_on]
            return SharedStates(ask.node, ask.number, self.incarnation, everything, tuple(facts))
        news = [fact for fact, teller in self._passed_on[ask.heard :] if teller != ask.node]
        if news:
            return SharedStates(ask.node, ask.number, self.incarnation, everything, tuple(news))
        return NothingNew(ask.node, ask.number, everything)

    def _write(self, fact: Fact, told: DistRiaOutput, teller: str | None = None) -> None:
        self._learn(fact, teller)
        told.facts.append(fact)

    def _learn(self, fact: Fact, teller: str | None) -> None:
        """Raises DamagedJournal, and knows what it knew before."""
        self.crawl.apply(fact)
        self._dealer.learn(fact)
        # What one node's fact lets pass, another may have told: only the fact itself is surely known to its teller.
        self._passed_on += [(heard, teller if heard is fact else None) for heard in self._sieve.passing([fact])]


def _end(crawl: FoldedCrawl, reason: str) -> CrawlEnded:
    return CrawlEnded(reason=reason, run=1 if crawl.started is None else crawl.started.run)
