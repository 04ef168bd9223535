"""A node that decides for itself: one page that does its share, and somebody who talks to the others meanwhile.

Theory of operation
    Two things go on side by side. One *walks*: it asks the machine where to go, goes there, and tells the machine what
    was seen. The other *talks* (see `fleet.member_sync`): it sends what the machine wants to say and tells it what was
    answered. Neither waits for the other, save that a walker without anything to do waits for news, and a talker
    without anything to say waits for the end of a walk, or for others.

    What the walker reports waits in a `MemberOutbox` until the walk is over. Whether a state has to be described, the
    machine's own crawl says; so a state that two nodes find at the same time is described twice, and kept once.
    Evidence is sent before what tells of it.

    When the time of the crawl is over (`crawler.deadline`), a walk is broken off, and only the talker goes on, until it
    hears of the end.

    The page tells states apart by the rules of the crawl that was heard. Should these change, because the crawl was
    begun anew while the node was waiting, the page is closed, and what it showed last is forgotten.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

from statecrawl.browser.dynamic_content import Rule
from statecrawl.config.plan import CrawlPlan
from statecrawl.coordination.partitioned_member import PartitionedMember
from statecrawl.crawler.deadline import Deadline
from statecrawl.crawler.durations import EventTimes
from statecrawl.crawler.new_states import NewStates
from statecrawl.crawler.politeness import Politeness
from statecrawl.crawler.walker import Walker, WalkerContext
from statecrawl.errors import DamagedJournal, SiteUnreachable, StatecrawlError
from statecrawl.fleet.node_statistics import NodeStatistics
from statecrawl.fleet.task_node import LAST_SECONDS, PATIENCE, TRIES, EvidenceParcel
from statecrawl.journal.facts import Fact, StateFound
from statecrawl.model.graph import UNEXPLORED
from statecrawl.ports.page import Page
from statecrawl.ports.recorder import WorkCount
from statecrawl.privacy.redaction import BLANK
from statecrawl.strategies.orders import Order, StateEvent

LEFT = "told to go"
LATE_SECONDS = 0.25  # between two looks at whether the crawl is over, when its time is


class MemberOutbox:
    """What a walker has seen since its walk began, and what its member knows."""

    def __init__(self, member: PartitionedMember) -> None:
        self.tally = WorkCount()
        self.warnings: dict[str, None] = {}
        self._member = member
        self._facts: list[Fact] = []

    def knows(self, state: str) -> bool:
        seen = any(isinstance(fact, StateFound) and fact.state == state for fact in self._facts)
        return seen or state in self._member.crawl.graph.numbers

    def wants(self, state: str) -> bool:
        return not self.knows(state)

    def is_open(self, pair: StateEvent) -> bool:
        try:
            state, position = self._member.crawl.pair(*pair)
        except DamagedJournal:
            return True  # the crawl was begun anew meanwhile
        return self._member.crawl.graph.targets[state][position] == UNEXPLORED

    def report(self, *facts: Fact) -> None:
        self._facts += facts

    def take(self) -> tuple[list[Fact], WorkCount]:
        """All of it, once."""
        taken, self._facts, self.tally = (self._facts, self.tally), [], WorkCount()
        return taken


class MemberSync(Protocol):
    """A machine and its line; see `fleet.member_sync`."""

    name: str

    @property
    def member(self) -> PartitionedMember: ...
    @property
    def over(self) -> str | None: ...

    def next_order(self, position: str | None) -> Order | None: ...
    def rest(self) -> None:
        """Nothing more is done: listen to the others."""

    def seen(self, facts: list[Fact], tally: WorkCount, warnings: dict[str, None]) -> None: ...
    async def talk(self, changed: asyncio.Event) -> None:
        """Until it is over; sets `changed` when the walker may have something to do. Raises what lines raise."""

    async def leave(self, reason: str) -> None:
        """Say what was seen last, and go."""

    def send(self) -> Awaitable[None]:
        """Have the evidence kept of all that was seen so far."""


@dataclass(slots=True)
class MemberParts:
    """The real parts, handed in by `fleet.assembly`."""

    make_page: Callable[[int, frozenset[Rule]], Awaitable[Page]]  # in the n-th world, under these rules
    before_reset: Callable[[], Awaitable[None]]  # of the server
    is_worn: Callable[[Page], bool]
    leave: Callable[[str], Awaitable[None]]  # say that a node of this name has gone, and said all it has to say
    told: Callable[["MemberNode"], None] = field(default=lambda _: None)  # after every task
    said: Callable[[str], None] = field(default=lambda _: None)  # what people should know
    heard: Callable[[], float] = field(default=time.monotonic)  # when there was somebody to talk to last
    browsers: Callable[[], int] = field(default=lambda: 0)  # started so far
    manners: Politeness = field(default_factory=Politeness)
    browser_bytes: Callable[[], int] = field(default=lambda: 0)
    deadline: Deadline = field(default_factory=Deadline)


class MemberNode:
    """One page that does its share of a crawl."""

    def __init__(self, plan: CrawlPlan, parts: MemberParts, parcel: EvidenceParcel, talker: MemberSync) -> None:
        self.plan = plan
        self.tasks = 0
        self.events = 0
        self._parts = parts
        self._parcel = parcel
        self._talker = talker
        self._satchel = MemberOutbox(talker.member)
        self._rules: frozenset[Rule] = frozenset()
        self._walker: Walker | None = None
        self._changed = asyncio.Event()  # there may be something to do
        self._drains = False
        self._resets = 0
        self._waited = 0.0
        self._waits: float | None = None  # since when

    @property
    def name(self) -> str:
        return self._talker.name

    def statistics(self) -> NodeStatistics:
        waits = 0.0 if self._waits is None else time.monotonic() - self._waits
        return NodeStatistics(
            name=self.name,
            tasks=self.tasks,
            events=self.events,
            resets=self._resets,
            waited=self._waited + waits,
            works=self._waits is None,
            heard=self._parts.heard(),
            browsers=self._parts.browsers(),
            browser_bytes=self._parts.browser_bytes(),
        )

    def drain(self) -> None:
        """Go, after what is being done now."""
        self._drains = True
        self._parts.manners.hurry()
        self._changed.set()

    async def run(self) -> str:
        """Work until the crawl is over; why it ended, or nothing when this node was told to go.

        Raises LineLost, NodeRefused, SiteUnreachable and BrowserError.
        """
        talking = asyncio.create_task(self._talker.talk(self._changed))
        talking.add_done_callback(lambda _: self._changed.set())
        try:
            while self._talker.over is None and not self._drains and not talking.done():
                await self._work()
            if talking.done():
                talking.result()
            return self._talker.over or ""
        finally:
            over = self._talker.over
            talking.cancel()
            with contextlib.suppress(asyncio.CancelledError, StatecrawlError):
                await talking
            await self._close()
            with contextlib.suppress(TimeoutError, StatecrawlError):
                async with asyncio.timeout(LAST_SECONDS):
                    await self._go(over)

    async def _go(self, over: str | None) -> None:
        if over is None or self._talker.member.untold:
            await self._talker.leave(over or LEFT)
        await self._talker.send()  # what the page asked for last
        await self._parts.leave(self.name)

    async def _work(self) -> None:
        """One walk, or waiting for news."""
        if self._parts.deadline.is_over:
            await self._wait_for_end()
            return
        walker = self._walker
        if walker is not None and self._parts.is_worn(walker.page):
            walker.position = None
        self._changed.clear()
        order = self._talker.next_order(None if walker is None else walker.position)
        if order is None:
            self._waits = time.monotonic()
            await self._parts.deadline.within(self._changed.wait())
            self._waited += time.monotonic() - self._waits
            self._waits = None
            return
        await self._parts.deadline.within(self._perform(order))
        self._tell()

    async def _wait_for_end(self) -> None:
        """The time is over, so nothing is done any more."""
        self._changed.clear()
        self._talker.rest()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LATE_SECONDS):
                await self._changed.wait()
        self._drains = self._drains or self._parts.deadline.is_long_over

    def _tell(self) -> None:
        """Have the others hear what a walk has shown, also one that was broken off."""
        facts, tally = self._satchel.take()
        self.events += tally.events
        self._resets += tally.resets
        warnings, self._satchel.warnings = self._satchel.warnings, {}
        if self._rules != frozenset(self._talker.member.crawl.rules) and len(self._talker.member.crawl.graph):
            self._parcel.keep_only(())
            facts = []
        self._talker.seen(facts, tally, warnings)
        self._parts.told(self)

    async def _perform(self, order: Order) -> None:
        walker = await self._ready()
        for attempt in range(1, TRIES + 1):
            try:
                await walker.perform(order)
                self.tasks += 1
                break
            except SiteUnreachable as trouble:
                if attempt == TRIES or self._drains or not self.tasks or self._talker.over is not None:
                    raise  # what has never been there will not come
                walker.position = None
                self._parts.said(f"{self.name}: {BLANK.text(str(trouble))} Trying again in {PATIENCE * attempt:g} s")
                await asyncio.sleep(PATIENCE * attempt)

    # -- its page --

    async def _ready(self) -> Walker:
        rules = frozenset(self._talker.member.crawl.rules)
        if self._walker is not None and rules != self._rules:
            await self._close()
        if self._walker is None:
            self._rules = rules
            meeting = NewStates(self.plan, self._satchel, self._parcel, None, rules, self._parts.manners)
            ground = WalkerContext(meeting, EventTimes(), self._parts.before_reset)
            self._walker = Walker(0, await self._parts.make_page(0, rules), ground)
        return self._walker

    async def _close(self) -> None:
        if self._walker is not None:
            walker, self._walker = self._walker, None
            await self._parts.deadline.closed(walker.close())
