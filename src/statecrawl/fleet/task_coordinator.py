"""Coordinating: a real journal, a real clock, and the machine that says which node does what.

Theory of operation
    All messages that have come are dealt with at once: what they tell becomes one group of the journal, and only when
    that is durable are the answers given. Where messages come from and where facts and answers go is the business of a
    post (`ports.mailbox`).

    The machine is nothing but what the journal says. Another one is made from the journal when the machine wants that,
    because it has just been learnt what states are told apart by, and when the journal turns out to be another than was
    thought. Who waits for an answer is heard again then; of what it saw, what is in the journal already is left out.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from statecrawl.browser.awake_clock import AwakeClock
from statecrawl.config.plan import CrawlPlan
from statecrawl.config.recorded_settings import configuration_of
from statecrawl.config.secrets import application_of
from statecrawl.coordination.client_server import ClientServerMachine, ClientServerOutput, NodeRecord
from statecrawl.coordination.client_server_messages import (
    Heartbeat,
    LearnContent,
    Leave,
    NodeMessage,
    TaskReply,
    TaskRequest,
)
from statecrawl.crawler.loop import DEFAULT_RESET_COST
from statecrawl.crawler.outcome import Outcome, outcome_of
from statecrawl.crawler.resume import check_same, warn_of_loss
from statecrawl.crawler.status import NodeStatus, PageHealth, status_of
from statecrawl.errors import DamagedJournal
from statecrawl.journal.crawl_bounds import exhaustion_reason
from statecrawl.journal.end_reasons import MAX_TIME
from statecrawl.journal.facts import CrawlStarted, Fact
from statecrawl.journal.fold import FoldedCrawl, fold
from statecrawl.model.graph import Graph
from statecrawl.ports.mailbox import JournalOutdated, Mailbox
from statecrawl.ports.recorder import WorkCount
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.settings import StrategySettings
from statecrawl.strategies.strategy import Strategy

LEASE_SECONDS = 10.0  # of silence, after which a node's task is given to somebody else
TICK_SECONDS = 1.0  # between two looks at the leases
FAREWELL_SECONDS = 10.0  # for nodes to hear that it is over, and to tell what they saw last
LATE_FAREWELL_SECONDS = 1.0  # the same when the time is over: nodes know that by themselves
LINGER_SECONDS = 3.0  # for nodes of an earlier run to come back, when there was nothing left to do
WAITING, LEARNING, CRAWLING, ENDED = "waiting", "learning", "crawling", "ended"  # what may be going on


class TaskCoordinator:
    """The coordinator of one crawl, or of one more run of it."""

    def __init__(
        self,
        plan: CrawlPlan,
        post: Mailbox[TaskRequest, TaskReply],
        told: Callable[["TaskCoordinator"], None] = lambda _: None,
        lease: float = LEASE_SECONDS,
    ) -> None:
        """Call `begin` before anything else."""
        self.plan = plan
        self.clock = AwakeClock()  # a pause of the machine is no silence of its nodes
        self.begun = self.clock.now()
        self.spent = 0.0  # seconds for which others have coordinated this run
        self._post = post
        self._told = told
        self._lease = lease
        self._stop: str | None = None
        self._was_complete = False  # the journal, when we began
        self._hurries = False
        self._learns_since = self.begun
        self._open: dict[str, TaskRequest] = {}  # node -> its question, while it has no answer
        self._written = 0  # transitions that the journal had, when it was written last
        self._outdated = False  # the journal is not what the machine was made from
        self._machine: ClientServerMachine
        self._beginning: list[Fact]  # the journal, as long as it has no state
        self._preface: list[Fact]  # written with the first facts: what was never seen leaves nothing behind

    async def begin(self, place: str = "") -> None:
        """Read the journal, at this place. Raises BadInput when it is of another crawl; StoreError; Deposed."""
        facts = await self._post.read()
        before = await asyncio.to_thread(fold, facts)
        check_same(self.plan, before, place)
        self._events_before = before.fired
        self._run = 1 if before.started is None else before.started.run + 1
        self._was_complete = before.progress().complete
        await self._make(facts)

    @property
    def crawl(self) -> FoldedCrawl:
        return self._machine.crawl

    @property
    def members(self) -> Sequence[NodeRecord]:
        """The nodes that were heard of lately."""
        now = self.clock.now()
        return [
            member for member in self._machine.members.values() if now - member.seen < self._lease and not member.gone
        ]

    @property
    def seconds(self) -> float:
        """For which this run has been coordinated, by whomever."""
        return self.spent + self.clock.now() - self.begun

    @property
    def repeated(self) -> int:
        """Events that were fired though somebody else had."""
        return self._machine.repeated

    # -- the crawl --

    async def run(self) -> Outcome:
        """Coordinate until the crawl is over and its nodes know. Raises StoreError, and Deposed."""
        self.clock.start()
        try:
            await self._coordinate()
        finally:
            self.clock.stop()
        return self.outcome()

    async def _coordinate(self) -> None:
        over: float | None = None
        ticked = self.clock.now()
        while over is None or not (self._hurries or self._has_said_farewell(self.clock.now() - over)):
            try:
                if self._outdated:
                    await self._make_again()
                messages = await self._post.receive(self.plan.limits.pause(self.seconds, TICK_SECONDS / 4))
                ticks = self.clock.now() - ticked >= TICK_SECONDS
                ticked = self.clock.now() if ticks else ticked
                await self._deal_with(messages, ticks=ticks)
            except JournalOutdated:
                self._outdated = True
            if self._outdated or self.crawl.ended is None:
                over = None  # the journal does not say so, or not any more
            elif over is None:
                over = self.clock.now()
            self._told(self)

    def stop(self, reason: str) -> None:
        """Have the crawl end, for this reason."""
        self._stop = self._stop or reason

    @property
    def is_stopped(self) -> bool:
        """Whether somebody has had it end."""
        return self._stop is not None

    def hurry(self) -> None:
        """End at once when it ends, whether nodes know or not."""
        self._hurries = True

    @property
    def phase(self) -> str:
        """What is going on: waiting, learning, crawling or ended."""
        if self.crawl.ended is not None:
            return ENDED
        if self._machine.learner is not None:
            return LEARNING
        return CRAWLING if self.members else WAITING

    def doing(self) -> str:
        """What is going on, for people; nothing while it is crawled, which figures tell."""
        if self.phase == LEARNING:
            lasts = self.clock.now() - self._learns_since
            return f"learning dynamic content (node {self._machine.learner}, {lasts:.0f} s)"
        return "waiting for nodes" if self.phase == WAITING else ""

    def learning(self) -> str:
        """A node does that before the others begin: see `doing`."""
        return ""

    def outcome(self) -> Outcome:
        """How it went, or goes."""
        crawl = self.crawl
        return outcome_of(
            self.plan.url,
            crawl,
            WorkCount(
                events=self._machine.fired,
                resets=self._machine.resets,
                learning_events=self._machine.learning_events,
                learning_resets=self._machine.learning_resets,
            ),
            reset_cost=crawl.reset_cost or DEFAULT_RESET_COST,
            seconds=self.clock.now() - self.begun,
            events_before=self._events_before,
            ended_because=crawl.ended or "",
            warnings=self._machine.warnings,
        )

    def node_statuses(self) -> list[NodeStatus]:
        """The same of each node that was heard of lately."""
        now = self.clock.now()
        return [
            NodeStatus(
                name=member.name,
                seconds=now - member.since,
                silent=now - member.seen,
                tasks=member.tasks,
                events=member.events,
                resets=member.resets,
                idle_seconds=self._machine.idle(member.name, now),
                holds=self._machine.holds(member.name),
            )
            for member in self.members
        ]

    def health(self) -> PageHealth | None:
        """The browsers are the nodes'."""
        return None

    def status(self) -> dict[str, Any]:
        """What there is to say to whoever looks, as JSON."""
        return status_of(self.plan, self.outcome(), self.phase, self.doing(), self.repeated, self.node_statuses())

    # -- inside --

    async def _make(self, facts: list[Fact]) -> None:
        """A machine that knows what the journal says, and that this run has begun."""
        # In threads: a long journal takes a while, and whoever waits for a sign of life gets one meanwhile.
        plan, crawl = self.plan, await asyncio.to_thread(fold, facts)
        cost = plan.reset_cost if plan.reset_cost is not None else crawl.reset_cost or DEFAULT_RESET_COST
        self._beginning = [] if len(crawl.graph) else facts
        self._preface = []
        if crawl.started is None or crawl.started.run < self._run:
            application = application_of(plan)
            self._preface.append(
                CrawlStarted(
                    application=application,
                    configuration=configuration_of(plan),
                    reset_cost=cost,
                    run=self._run,
                    at=round(time.time(), 3),
                )
            )

        def strategy(graph: Graph) -> Strategy:
            return make_strategy(
                plan.strategy, graph, StrategySettings(reset_cost=cost, seed=plan.seed, by_url=plan.site is not None)
            )

        learns = plan.reset_cost is None or plan.learn_states > 0
        known = [*facts, *self._preface]
        self._machine = await asyncio.to_thread(
            ClientServerMachine, known, strategy, self._lease, learns=learns, bounds=plan.bounds
        )

    async def _make_again(self) -> None:
        """Another machine, which hears again who waits."""
        before, waiting = self._machine, {member.name for member in self.members}
        await self._make(await self._post.read())
        self._outdated = False
        self._machine.warnings = before.warnings
        warn_of_loss(self._machine.warnings, self._written, self.crawl.graph.explored)
        self._written = self.crawl.graph.explored
        self._machine.learning_events = before.learning_events
        self._machine.learning_resets = before.learning_resets
        now = self.clock.now()
        told = ClientServerOutput()
        for ask in [ask for node, ask in self._open.items() if node in waiting]:
            _add(told, self._machine.asked(ask, now))
        await self._do(told)

    async def _deal_with(self, messages: Sequence[NodeMessage], *, ticks: bool) -> None:
        """Raises Outdated, and nothing was done."""
        now = self.clock.now()
        told = ClientServerOutput()
        self._open.update((message.node, message) for message in messages if isinstance(message, TaskRequest))
        for message in messages:
            _add(told, self._heard(message, now))
            if told.again:
                await self._do(told)
                return  # who waits is heard again by the next machine
        if ticks:
            _add(told, self._machine.passed(now))
        if (reason := self._limit()) is not None:
            _add(told, self._machine.end(reason, now))
        await self._do(told)

    def _heard(self, message: NodeMessage, now: float) -> ClientServerOutput:
        match message:
            case TaskRequest():
                return self._machine.asked(message, now)
            case Heartbeat():
                self._machine.beat(message, now)
                return ClientServerOutput()
            case Leave():
                self._open.pop(message.node, None)
                return self._machine.left(message.node, now)

    async def _do(self, told: ClientServerOutput) -> None:
        """First the facts, then the answers."""
        if told.again and not self._is_sound(told.facts):
            told.facts.clear()  # somebody has learnt nonsense: somebody else learns again
        facts = [*self._preface, *told.facts] if told.facts else []
        answered = await self._post.commit(facts, told.answers)
        if facts:
            self._preface, self._written = [], self.crawl.graph.explored
        for ask in self._open.values():
            self._open[ask.node] = msgspec.structs.replace(ask, facts=(), events=0, resets=0)
        for answer in answered:
            self._open.pop(answer.node, None)
            if isinstance(answer, LearnContent):
                self._learns_since = self.clock.now()
        if told.again:
            await self._make_again()

    def _is_sound(self, facts: Sequence[Fact]) -> bool:
        """Whether these can follow what the journal holds."""
        try:
            fold([*self._beginning, *self._preface, *facts])
        except DamagedJournal:
            return False
        return True

    def _has_said_farewell(self, seconds: float) -> bool:
        """Whether all who should know that it is over do, so many seconds after that."""
        if self._was_complete and seconds < LINGER_SECONDS:
            return False
        return not self.members or seconds >= farewell_seconds(self.crawl)

    def _limit(self) -> str | None:
        """Why the crawl has to end now, if it has to."""
        if self.crawl.ended is not None:
            return None
        if self._was_complete and self.crawl.progress().complete:
            return exhaustion_reason(self.crawl)  # nobody has to come for that
        return self._stop or self.plan.limits.reached(len(self.crawl.graph), self._machine.fired, self.seconds)


def farewell_seconds(crawl: FoldedCrawl) -> float:
    """How long to wait for the nodes of a crawl that is over."""
    return LATE_FAREWELL_SECONDS if crawl.ended == MAX_TIME else FAREWELL_SECONDS


def _add(told: ClientServerOutput, more: ClientServerOutput) -> None:
    told.facts += more.facts
    told.answers += more.answers
    told.again = told.again or more.again
