"""Keeping: the journal of a crawl whose nodes decide for themselves, and what they hear of it.

Theory of operation
    One process keeps the journal: the coordinator of Dist-RIA, or where the log of peers is, both of which answer nodes
    (`fleet.mailbox_coordinator`). Or it looks after a journal that peers keep themselves (`fleet.peer_observer`).

    Before nodes are let in, this process finds out what is volatile and what a reset costs, with a browser of its own,
    unless the journal says so. That is where the strategies of all nodes get the cost from.

    Each process that keeps a journal is another incarnation of it. It begins with nobody as a member; nodes that were
    there before tell it again what it may have missed. So it does not matter whether anything was lost, and as long as
    no state is known nothing has to be written: an application that was never seen leaves nothing behind. When the
    journal turns out to be another than was thought, everything is made anew from it, as another incarnation.
"""

import asyncio
import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Protocol

from statecrawl.browser.awake_clock import AwakeClock
from statecrawl.config.plan import CrawlPlan
from statecrawl.config.recorded_settings import configuration_of
from statecrawl.config.secrets import application_of
from statecrawl.crawler.loop import DEFAULT_RESET_COST, CrawlLoop
from statecrawl.crawler.outcome import Outcome, outcome_of
from statecrawl.crawler.resume import check_same, warn_of_loss
from statecrawl.crawler.status import NodeStatus, PageHealth, status_of
from statecrawl.fleet.member_records import MemberMachine, MemberRecord
from statecrawl.fleet.task_coordinator import CRAWLING, ENDED, LEARNING, LINGER_SECONDS, WAITING, farewell_seconds
from statecrawl.fleet.warm_up import WarmUp
from statecrawl.journal.crawl_bounds import exhaustion_reason
from statecrawl.journal.facts import CrawlStarted, EquivalenceRevised, Fact, MemberLeft
from statecrawl.journal.fold import FoldedCrawl, fold
from statecrawl.ports.coordinator_link import NoteEvidence, StateEvidence
from statecrawl.ports.mailbox import JournalOutdated
from statecrawl.ports.recorder import WorkCount

PATIENCE = 10.0  # seconds of silence after which a node has left
TICK_SECONDS = 1.0  # between two looks at who is silent

RunWarmUp = Callable[[Callable[[CrawlLoop], None]], Awaitable[WarmUp]]
KeepEvidence = Callable[[Iterable[StateEvidence], Iterable[NoteEvidence]], None]  # evidence; raises StoreError


class JournalSource(Protocol):
    """Where a journal is."""

    async def read(self) -> list[Fact]:
        """All of it. Raises StoreError, and Deposed when another process keeps it."""


class MemberCoordinator(ABC):
    """One run of a crawl whose nodes decide for themselves."""

    def __init__(
        self,
        plan: CrawlPlan,
        source: JournalSource,
        learn: RunWarmUp,
        keep: KeepEvidence,
        told: Callable[["MemberCoordinator"], None] = lambda _: None,
    ) -> None:
        """Call `begin` before anything else."""
        self.plan = plan
        self.clock = AwakeClock()  # a pause of the machine is no silence of its nodes
        self.begun = self.clock.now()
        self.spent = 0.0  # seconds for which others have kept this run
        self.nodes: dict[str, MemberRecord] = {}
        self.warnings: dict[str, None] = {}
        self.incarnation = secrets.randbits(48)
        self._source = source
        self._learn = learn
        self._keep = keep
        self._told = told
        self._stop: str | None = None
        self._was_complete = False  # the journal, when we began
        self._hurries = False
        self._outdated = False  # the journal is not what we know
        self._learning: CrawlLoop | None = None
        self._learnt = WarmUp()
        self._ready = asyncio.Event()  # nodes may come
        self._written = 0  # transitions that the journal had, as far as we know
        self._facts: list[Fact]
        self._before: FoldedCrawl  # as the journal was when it was read
        self._brain: MemberMachine

    async def begin(self, place: str = "") -> None:
        """Read the journal, at this place. Raises BadInput when it is of another crawl; StoreError; Deposed."""
        await self._read()
        check_same(self.plan, self._before, place)
        self._events_before = self._before.fired
        self._run = self._next_run(self._before)
        self._was_complete = self._before.progress().complete
        self._brain = await asyncio.to_thread(self._made, self._facts)

    @abstractmethod
    def _made(self, facts: Sequence[Fact]) -> MemberMachine:
        """A brain that knows what the journal says."""

    def _next_run(self, before: FoldedCrawl) -> int:
        """The number of the run that is about to begin, or goes on."""
        return 1 if before.started is None else before.started.run + 1

    @property
    def crawl(self) -> FoldedCrawl:
        return self._brain.crawl

    @property
    def members(self) -> Sequence[MemberRecord]:
        """The nodes that were heard of lately."""
        now = self.clock.now()
        return [node for node in self.nodes.values() if now - node.seen < PATIENCE and not node.gone]

    @property
    def seconds(self) -> float:
        """For which this run has gone on, whoever kept it."""
        return self.spent + self.clock.now() - self.begun

    @property
    def repeated(self) -> int:
        """Events that were explored though somebody else had."""
        return self._brain.repeated

    @property
    def reset_cost(self) -> float:
        known = self.crawl.reset_cost if self.plan.reset_cost is None else self.plan.reset_cost
        return DEFAULT_RESET_COST if known is None else known

    # -- what nodes say --

    def keep(self, kept: Iterable[StateEvidence], notes: Iterable[NoteEvidence]) -> None:
        """Evidence of a node, which is kept when this returns. Raises StoreError, and BadInput when it cannot be."""
        known = self.crawl.graph.numbers  # of these, another node was faster
        self._keep([each for each in kept if each[0].state not in known], notes)

    async def wait_until_ready(self) -> None:
        """Nodes may come."""
        await self._ready.wait()

    # -- the crawl --

    async def run(self) -> Outcome:
        """Keep the journal until the crawl is over and its nodes know.

        Raises StoreError after keeping what is known, and what learning raises: SiteUnreachable, BrowserError.
        """
        self.clock.start()
        try:
            await self._find_out()
            await self._follow()
        finally:
            self.clock.stop()
        return self.outcome()

    async def _follow(self) -> None:
        over: float | None = None
        ticked = self.clock.now()
        while over is None or not (self._hurries or self._has_said_farewell(self.clock.now() - over)):
            try:
                if not self._ready.is_set() or self._outdated:
                    await self._make()
                    self._ready.set()
                ticks = self.clock.now() - ticked >= TICK_SECONDS
                ticked = self.clock.now() if ticks else ticked
                await self._turn(ticks=ticks)
            except JournalOutdated:
                self._outdated = True
            if self._outdated or self.crawl.ended is None:
                over = None  # the journal does not say so, or not any more
            elif over is None:
                over = self.clock.now()
            self._told(self)

    def _has_said_farewell(self, seconds: float) -> bool:
        """Whether all who should know that it is over do, so many seconds after that."""
        if self._was_complete and seconds < LINGER_SECONDS:
            return False
        return not self.members or seconds >= farewell_seconds(self.crawl)

    def stop(self, reason: str) -> None:
        """Have the crawl end, for this reason."""
        self._stop = self._stop or reason
        if self._learning is not None:
            self._learning.stop(reason)

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
        if self._learning is not None:
            return LEARNING
        return CRAWLING if self.members else WAITING

    def doing(self) -> str:
        """What is going on, for people; nothing while it is crawled, which figures tell."""
        if self.phase == LEARNING:
            return f"learning dynamic content ({self.clock.now() - self.begun:.0f} s)"
        return "waiting for nodes" if self.phase == WAITING else ""

    def learning(self) -> str:
        """A node does that before the others begin: see `doing`."""
        return ""

    def outcome(self) -> Outcome:
        """How it went, or goes."""
        if self._learning is not None:
            return self._learning.outcome()
        tally = WorkCount(
            events=self._brain.fired,
            resets=self._brain.resets,
            learning_events=self._learnt.tally.learning_events,
            learning_resets=self._learnt.tally.learning_resets,
        )
        return outcome_of(
            self.plan.url,
            self.crawl,
            tally,
            reset_cost=self.reset_cost,
            seconds=self.clock.now() - self.begun,
            events_before=self._events_before,
            ended_because=self.crawl.ended or "",
            warnings=self.warnings,
        )

    def node_statuses(self) -> list[NodeStatus]:
        """The same of each node that was heard of lately."""
        now = self.clock.now()
        return [
            NodeStatus(
                name=node.name,
                seconds=now - node.since,
                silent=now - node.seen,
                tasks=node.transitions,
                events=node.events,
                resets=node.resets,
                idle_seconds=node.idle,
            )
            for node in self.members
        ]

    def health(self) -> PageHealth | None:
        """Of the browser that learns; the others are the nodes'."""
        return None if self._learning is None else self._learning.health()

    def status(self) -> dict[str, Any]:
        """What there is to say to whoever looks, as JSON."""
        return status_of(self.plan, self.outcome(), self.phase, self.doing(), self.repeated, self.node_statuses())

    # -- inside --

    async def _read(self) -> None:
        self._facts = await self._source.read()
        self._before = await asyncio.to_thread(fold, self._facts)  # others get a sign of life meanwhile

    async def _find_out(self) -> None:
        """Learn what is volatile and what a reset costs, if nobody has."""
        plan, before = self.plan, self._before
        if len(before.graph) or before.is_cost_measured or not (plan.reset_cost is None or plan.learn_states):
            return
        shows = asyncio.create_task(self._show())
        try:
            learnt = await self._learn(self._begins_to_learn)
        finally:
            self._learning = None
            shows.cancel()
        if self._stop is None:  # else it was ended too early
            self._keep(learnt.kept, learnt.notes)
            self._learnt = learnt
            self.warnings.update(dict.fromkeys(learnt.warnings))

    async def _make(self) -> None:
        """Everything from the journal, and what says that this run has begun."""
        if self._outdated:
            self.incarnation = secrets.randbits(48)
            await self._read()
            warn_of_loss(self.warnings, self._written, self._before.graph.explored)
            self._written = self._before.graph.explored
        preface = self._preface(self._before)
        self._brain = await asyncio.to_thread(self._made, [*self._facts, *preface])
        self._facts, self._outdated = [], False
        await self._write(preface)

    def _preface(self, before: FoldedCrawl) -> list[Fact]:
        """A run begins in which nobody takes part yet, and that is what was learnt for it; once."""
        plan = self.plan
        if before.started is not None and before.started.run >= self._run:
            return []
        cost = plan.reset_cost if plan.reset_cost is not None else before.reset_cost or DEFAULT_RESET_COST
        started = CrawlStarted(
            application=application_of(plan),
            configuration=configuration_of(plan),
            reset_cost=cost,
            run=self._run,
            at=round(time.time(), 3),
        )
        gone = [MemberLeft(member=name, epoch=epoch) for epoch, name in enumerate(before.members, before.epoch + 1)]
        found = [
            EquivalenceRevised(revision=before.revision + 1, rules=fact.rules)
            if isinstance(fact, EquivalenceRevised)
            else fact
            for fact in self._learnt.facts
        ]
        return [started, *gone, *found]

    async def _show(self) -> None:
        """Have it shown how far it is, while there is nothing else to do."""
        while True:
            self._told(self)
            await asyncio.sleep(TICK_SECONDS / 4)

    def _begins_to_learn(self, crawling: CrawlLoop) -> None:
        self._learning = crawling
        if self._stop is not None:
            crawling.stop(self._stop)

    @abstractmethod
    async def _turn(self, *, ticks: bool) -> None:
        """Deal with all that has come; with `ticks`, also with time. Raises Outdated, and nothing was done."""

    @abstractmethod
    async def _write(self, facts: Sequence[Fact]) -> None:
        """Facts of a run that begins. Raises Outdated, and nothing was done."""

    def _node(self, name: str) -> MemberRecord:
        """A node that was just heard of."""
        now = self.clock.now()
        node = self.nodes.get(name)
        if node is None:
            node = self.nodes[name] = MemberRecord(name, since=now, seen=now)
        node.seen, node.gone = now, False
        return node

    def _pause(self) -> float:
        """How long to wait for something to hear."""
        return self.plan.limits.pause(self.seconds, TICK_SECONDS / 4)

    def _limit(self) -> str | None:
        """Why the crawl has to end now, if it has to."""
        if self.crawl.ended is not None:
            return None
        if self._was_complete and self.crawl.progress().complete:
            return exhaustion_reason(self.crawl)  # nobody has to come for that
        return self._stop or self.plan.limits.reached(len(self.crawl.graph), self._brain.fired, self.seconds)
