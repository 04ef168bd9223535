"""A node: one page that does what a coordinator says, until the crawl is over.

Theory of operation
    `coordination.client_server.Node` decides what is said; `Walker` does what is ordered. In between, what the walker
    reports is put into an `Outbox` until the next question. A node takes it that every state is known: the coordinator
    tells it to look when that is not so, and the page is still there then. So a state is described by whoever finds it,
    and by nobody else.

    Evidence is sent before the question that tells of it, so that what is in the journal has its evidence.

    When the time of the crawl is over (`crawler.deadline`), a node breaks off what it does, tells what it has seen, and
    does nothing more.

    While it works, a node says every few seconds that it does, and hears whether the crawl is over: learning takes
    long, and ends then. A node that cannot open the application tries again for a while before it gives up: the
    coordinator gives its task to somebody else meanwhile.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from statecrawl.browser.dynamic_content import Rule
from statecrawl.config.plan import CrawlPlan
from statecrawl.config.secrets import keyed_redactor
from statecrawl.coordination.client_node import ClientNode
from statecrawl.coordination.client_server_messages import (
    DescribeState,
    LearnContent,
    ReviseRules,
    RunTask,
    TaskRequest,
)
from statecrawl.crawler.deadline import Deadline
from statecrawl.crawler.durations import EventTimes
from statecrawl.crawler.loop import CrawlLoop, CrawlParts
from statecrawl.crawler.new_states import NewStates
from statecrawl.crawler.politeness import Politeness
from statecrawl.crawler.walker import Walker, WalkerContext
from statecrawl.errors import PageLost, SiteUnreachable, StatecrawlError
from statecrawl.fleet.node_statistics import NodeStatistics
from statecrawl.journal.facts import EventCrashed, Fact, StateFound
from statecrawl.journal.memory_journal import MemoryJournal
from statecrawl.ports.coordinator_link import CoordinatorLink, NoteEvidence, StateEvidence
from statecrawl.ports.page import Note, Page, Snapshot
from statecrawl.ports.recorder import WorkCount
from statecrawl.ports.redaction import redacted_note, redacted_snapshot
from statecrawl.ports.traffic import Exchange, redacted
from statecrawl.privacy.redaction import BLANK, Redactor
from statecrawl.strategies.orders import Order, StateEvent

BEAT_SECONDS = 2.0
LATE_SECONDS = 0.05  # between two questions when the time is over
LAST_SECONDS = 5.0  # to say what was seen last, when it has to go
UNKNOWN = -1  # no revision of the rules
TRIES = 5  # to open an application that does not answer
PATIENCE = 3.0  # seconds after the first try, twice that after the second, …


class Outbox:
    """What a walker has seen since somebody was told."""

    def __init__(self) -> None:
        self.tally = WorkCount()
        self.warnings: dict[str, None] = {}
        self.looks = False  # the coordinator wants to know where the page is
        self.known: set[str] = set()  # states that the coordinator has spoken of
        self._facts: list[Fact] = []

    def knows(self, state: str) -> bool:
        return state in self.known

    def wants(self, state: str) -> bool:
        return self.looks

    def is_open(self, pair: StateEvent) -> bool:
        return True

    def report(self, *facts: Fact) -> None:
        self._facts += facts

    def take(self) -> tuple[Fact, ...]:
        """All of it, once."""
        taken, self._facts = tuple(self._facts), []
        return taken


class EvidenceParcel:
    """Evidence on its way to whoever keeps it."""

    def __init__(self, redactor: Redactor | None) -> None:
        """Without a redactor, secrets are kept."""
        self.kept: list[StateEvidence] = []
        self.notes: list[NoteEvidence] = []
        self._redactor = redactor

    def keep(self, snapshot: Snapshot, picture: bytes | None) -> None:
        told = snapshot if self._redactor is None else redacted_snapshot(snapshot, self._redactor)
        self.kept.append((told, picture))

    def note(self, notes: Iterable[Note | Exchange], state: str, event: str | None) -> None:
        self.notes += [(self._redacted(note), state, event) for note in notes]

    def _redacted(self, note: Note | Exchange) -> Note | Exchange:
        if self._redactor is None:
            return note
        return redacted(note, self._redactor) if isinstance(note, Exchange) else redacted_note(note, self._redactor)

    def revise(self, names: Mapping[str, str], change: Callable[[str], str]) -> None:
        """States are called otherwise; what is kept of those that became one is that of the first."""
        kept: dict[str, StateEvidence] = {}
        for snapshot, picture in self.kept:
            if (name := names.get(snapshot.state)) is not None and name not in kept:
                kept[name] = replace(snapshot, state=name, normal=change(snapshot.normal)), picture
        self.kept = list(kept.values())
        self.notes = [(note, names.get(state, state), event) for note, state, event in self.notes]

    def drop(self, states: Iterable[str]) -> None:
        pass

    def form(self, state: str) -> tuple[str, str] | None:
        return None  # whoever sends parcels has met all of its states in the same run

    def is_busy(self) -> bool:
        return False

    def flush(self) -> None:
        pass

    def take(self) -> tuple[list[StateEvidence], list[NoteEvidence]]:
        """All of it, once."""
        kept, notes, self.kept, self.notes = self.kept, self.notes, [], []
        return kept, notes

    def keep_only(self, states: Collection[str]) -> None:
        """What was found by rules that were given up is no evidence. Traffic is, whatever a state is."""
        self.kept = [kept for kept in self.kept if kept[0].state in states]
        self.notes = [noted for noted in self.notes if noted[1] in states or isinstance(noted[0], Exchange)]


@dataclass(slots=True)
class NodeParts:
    """The real parts, handed in by `fleet.assembly`."""

    line: CoordinatorLink
    make_page: Callable[[int, frozenset[Rule]], Awaitable[Page]]  # in the n-th world, under these rules
    before_reset: Callable[[], Awaitable[None]]  # of the server
    browser_bytes: Callable[[], int]
    is_worn: Callable[[Page], bool]
    told: Callable[["TaskNode"], None] = field(default=lambda _: None)  # after every task
    said: Callable[[str], None] = field(default=lambda _: None)  # what people should know
    browsers: Callable[[], int] = field(default=lambda: 0)  # started so far
    manners: Politeness = field(default_factory=Politeness)
    deadline: Deadline = field(default_factory=Deadline)


class TaskNode:
    """One page that crawls for a coordinator."""

    def __init__(self, name: str, plan: CrawlPlan, parts: NodeParts) -> None:
        self.plan = plan
        self.tasks = 0
        self.events = 0
        self._resets = 0
        self._waited = 0.0
        self._asked: float | None = None  # when, as long as there is no answer
        self._parts = parts
        self._machine = ClientNode(name)
        self._outbox = Outbox()
        self._parcel = EvidenceParcel(keyed_redactor(plan))
        self._rules: frozenset[Rule] = frozenset()
        self._walker: Walker | None = None
        self._ground: WalkerContext | None = None
        self._order: Order | None = None  # the last one
        self._learning: asyncio.Future[list[Fact]] | None = None
        self._drains = asyncio.Event()

    @property
    def name(self) -> str:
        return self._machine.name

    def statistics(self) -> NodeStatistics:
        waits = 0.0 if self._asked is None else time.monotonic() - self._asked
        return NodeStatistics(
            name=self.name,
            tasks=self.tasks,
            events=self.events,
            resets=self._resets,
            waited=self._waited + waits,
            works=self._asked is None,
            heard=self._parts.line.last_contact,
            browsers=self._parts.browsers(),
            browser_bytes=self._parts.browser_bytes(),
        )

    def drain(self) -> None:
        """Go, after what is being done now."""
        self._drains.set()
        self._parts.manners.hurry()
        self._end_learning()

    async def run(self) -> str:
        """Work until the crawl is over; why it ended, or nothing when this node was told to go.

        Raises LineLost, NodeRefused, SiteUnreachable and BrowserError.
        """
        beating = asyncio.create_task(self._beat())
        try:
            question = self._machine.ask(None)
            while self._machine.over is None and not self._drains.is_set():
                question = await self._exchange(question)
                self._parts.told(self)
            if self._machine.over is None:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LAST_SECONDS):
                        await self._tell_last(question)
            return self._machine.over or ""
        finally:
            beating.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await beating
            await self._close()
            with contextlib.suppress(TimeoutError, StatecrawlError):
                async with asyncio.timeout(LAST_SECONDS):  # what the page asked for last
                    await self._parts.line.send(*self._parcel.take())
            await self._parts.line.leave(self.name)

    async def _exchange(self, question: TaskRequest) -> TaskRequest:
        """Ask, do as told, and make the next question of that."""
        self._asked = time.monotonic()
        await self._parts.line.send(*self._parcel.take())
        asking = asyncio.ensure_future(self._parts.line.ask(question))
        draining = asyncio.ensure_future(self._drains.wait())
        try:
            await asyncio.wait({asking, draining}, return_when=asyncio.FIRST_COMPLETED)
            if not asking.done():
                return question
            reply = asking.result()
        finally:
            for waiting in (asking, draining):
                waiting.cancel()
            self._waited += time.monotonic() - self._asked
            self._asked = None
        told = self._machine.heard(reply)
        if self._parts.deadline.is_over and told is not None:
            return await self._late(told, question)
        if isinstance(told, LearnContent):
            return await self._learn()  # which keeps to the time by itself, and loses nothing
        done = await self._parts.deadline.within(self._done(told, question))
        return await self._late(told, question) if done is None else done

    async def _done(self, told: RunTask | DescribeState | ReviseRules | None, question: TaskRequest) -> TaskRequest:
        """Do as told; the next question."""
        match told:
            case RunTask():
                return await self._do(told.order)
            case DescribeState():
                return await self._look(question)
            case ReviseRules():
                await self._close()
                self._rules = frozenset(told.rules)
                return self._machine.ask(None)
            case None:
                return question

    async def _late(
        self, told: RunTask | DescribeState | LearnContent | ReviseRules | None, question: TaskRequest
    ) -> TaskRequest:
        """The time is over, so nothing is done any more: tell what was seen until then, and ask whether it is over."""
        walker, deadline = self._walker, self._parts.deadline
        if walker is not None:
            walker.position = None
        if deadline.is_long_over:
            self._drains.set()
        await asyncio.sleep(LATE_SECONDS)
        before = question if isinstance(told, DescribeState) else None  # of which nobody has heard yet
        facts, tally = self._taken()
        if before is not None:
            facts, tally.events, tally.resets = (*before.facts, *facts), before.events, before.resets
        return self._machine.ask(None, facts, tally.events, tally.resets)

    async def _tell_last(self, question: TaskRequest) -> None:
        """What was seen last, before going."""
        while question.facts:
            await self._parts.line.send(*self._parcel.take())
            told = self._machine.heard(await self._parts.line.ask(question))
            if not isinstance(told, DescribeState):
                return
            question = await self._look(question)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            if await self._parts.line.beat(self._machine.beat()):
                self._end_learning()
                self._parts.manners.hurry()

    def _end_learning(self) -> None:
        """Nobody waits for it any more; unless the time is over, when it ends by itself and tells what it found."""
        if self._learning is not None and not self._parts.deadline.is_over:
            self._learning.cancel()

    # -- what it is told to do --

    async def _do(self, order: Order) -> TaskRequest:
        walker = await self._ready()
        self._order = order
        known = (order.start, *(state for _, state in order.steps[: order.sure]))
        self._outbox.known.update(state for state in known if state)
        for attempt in range(1, TRIES + 1):
            try:
                await walker.perform(order)
                break
            except SiteUnreachable as trouble:
                if attempt == TRIES or self._drains.is_set() or not self.tasks:
                    raise  # what has never been there will not come
                walker.position = None
                self._parts.said(f"{self.name}: {BLANK.text(str(trouble))} Trying again in {PATIENCE * attempt:g} s")
                await asyncio.sleep(PATIENCE * attempt)
        self.tasks += 1
        return self._question(walker)

    def _question(self, walker: Walker) -> TaskRequest:
        if self._parts.is_worn(walker.page):
            walker.position = None
        facts, tally = self._taken()
        return self._machine.ask(walker.position, facts, tally.events, tally.resets)

    def _taken(self) -> tuple[tuple[Fact, ...], WorkCount]:
        """What was seen since the last question."""
        tally, self._outbox.tally = self._outbox.tally, WorkCount()
        self.events += tally.events
        self._resets += tally.resets
        self._machine.warnings, self._outbox.warnings = self._outbox.warnings, {}
        return self._outbox.take(), tally

    async def _look(self, question: TaskRequest) -> TaskRequest:
        """Describe the state that the page is in; nobody knows it."""
        walker = await self._ready()
        if question.position is None or walker.position != question.position or self._ground is None:
            return self._machine.ask(None)
        self._outbox.looks = True
        meeting, order = self._ground.meeting, self._order
        by = None if order is None or not order.steps or walker.position == meeting.first else order.goal
        try:
            walker.position = await meeting.meet(walker.page, by, trail=walker.path)
        except PageLost as lost:
            self._lost(walker, str(lost))
            return self._question(walker)
        finally:
            self._outbox.looks = False
        changed = None if walker.position == question.position else walker.position
        return self._machine.looked(*self._outbox.take(), at=changed)

    def _lost(self, walker: Walker, reason: str) -> None:
        """The page was lost while it was looked at: the second time it is known what did that."""
        walker.position = None
        order, ground = self._order, self._ground
        self._outbox.take()
        if ground is None or order is None or not order.steps:
            return
        if order.goal in ground.suspects:
            state, event = order.goal
            self._outbox.report(EventCrashed(state=state, event=event, reason=reason))
        ground.suspects.add(order.goal)

    async def _learn(self) -> TaskRequest:
        """Find out what is volatile and what a reset costs."""
        self._parts.said(f"{self.name}: learning dynamic content")
        await self._close()
        crawling = CrawlLoop(
            self.plan,
            CrawlParts(
                journal=MemoryJournal(),
                keeper=self._parcel,
                make_page=self._parts.make_page,
                before_reset=self._parts.before_reset,
                browser_bytes=self._parts.browser_bytes,
                manners=self._parts.manners,
                resets_server=self.plan.resetting.of_server,
                is_worn=self._parts.is_worn,
            ),
            self._parts.deadline.begun,
        )
        self._learning = asyncio.ensure_future(crawling.learn())
        learning = self._learning
        try:
            await asyncio.wait({learning})
        finally:
            self._learning = None
            if not learning.done():
                learning.cancel()
                await asyncio.wait({learning})
        if learning.cancelled():
            self._parcel.keep_only(())
            return self._machine.ask(None)
        facts = learning.result()
        self._parcel.keep_only({fact.state for fact in facts if isinstance(fact, StateFound)})
        self._machine.revision = UNKNOWN  # somebody else may have been faster, and have learnt something else
        tally = crawling.observer.tally
        self._machine.warnings = crawling.observer.warnings
        spent = tally.learning_events, tally.learning_resets
        return self._machine.ask(None, facts, tally.events, tally.resets, spent)

    # -- its page --

    async def _ready(self) -> Walker:
        if self._walker is None:
            meeting = NewStates(self.plan, self._outbox, self._parcel, None, self._rules, self._parts.manners)
            self._ground = WalkerContext(meeting, EventTimes(), self._parts.before_reset)
            self._walker = Walker(0, await self._parts.make_page(0, self._rules), self._ground)
        return self._walker

    async def _close(self) -> None:
        if self._walker is not None:
            walker, self._walker = self._walker, None
            await self._parts.deadline.closed(walker.close())
