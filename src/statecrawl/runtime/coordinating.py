"""Coordinating: a real journal, a real clock, and the machine that says which node does what.

Theory of operation
    Messages of nodes are put into a queue, and all that wait there are dealt with at once: what they tell becomes one
    group of the journal, and only when that is durable are the answers given. So the more nodes ask, the more facts go
    into one synchronous write.

    Whoever serves nodes (`cluster.http_server`) calls `ask` and waits; a node that asks again while it waits, because
    the connection was lost, takes the place of its earlier question.

    When the machine wants another one to be made, because it has just been learnt what states are told apart by, that
    is done from the journal, and who waits is heard again.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from statecrawl.coordination.client_server import Coordinator, Member, Told
from statecrawl.coordination.questions import Ask, Beat, End, Reply
from statecrawl.errors import BadInput, DamagedJournal
from statecrawl.journal.facts import CrawlStarted, Fact
from statecrawl.journal.fold import Crawl, fold
from statecrawl.model.graph import Graph
from statecrawl.ports.line import Kept, Noted
from statecrawl.ports.record import Keeper, Tally
from statecrawl.ports.store import Journal
from statecrawl.runtime.crawling import DEFAULT_RESET_COST
from statecrawl.runtime.outcome import Outcome, outcome_of
from statecrawl.runtime.plan import CrawlPlan
from statecrawl.runtime.resuming import check_same
from statecrawl.stores.evidence import STATE_ID
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.rules import Rules
from statecrawl.strategies.strategy import Strategy

LEASE_SECONDS = 10.0  # of silence, after which a node's task is given to somebody else
TICK_SECONDS = 1.0  # between two looks at the leases
FAREWELL_SECONDS = 10.0  # for nodes to hear that it is over


@dataclass(frozen=True, slots=True)
class Gone:
    """A node has left."""

    node: str


class Coordinating:
    """The coordinator of one crawl, or of one more run of it."""

    def __init__(
        self,
        plan: CrawlPlan,
        journal: Journal,
        keeper: Keeper,
        told: Callable[["Coordinating"], None] = lambda _: None,
        lease: float = LEASE_SECONDS,
    ) -> None:
        """Raises BadInput when the journal holds another crawl."""
        self.plan = plan
        self.begun = time.monotonic()
        self._journal = journal
        self._keeper = keeper
        self._told = told
        self._lease = lease
        self._queue: asyncio.Queue[Ask | Beat | Gone] = asyncio.Queue()
        self._waiting: dict[str, tuple[Ask, asyncio.Future[Reply]]] = {}
        self._stop: str | None = None
        self._ended: set[str] = set()  # nodes that were told that it is over
        self._unflushed: set[str] = set()  # states whose evidence is on its way to the disk
        before = fold(journal.read())
        check_same(plan, before)
        self._events_before = before.fired
        cost = plan.reset_cost if plan.reset_cost is not None else before.reset_cost or DEFAULT_RESET_COST
        run = 1 if before.started is None else before.started.run + 1
        configuration = {"strategy": plan.strategy, "pages": plan.pages, **plan.told()}
        application = plan.name or plan.url
        started = CrawlStarted(application=application, configuration=configuration, reset_cost=cost, run=run)
        self._preface: list[Fact] = [started]  # written with the first facts: what was never seen leaves nothing behind
        self._machine = self._made()

    @property
    def crawl(self) -> Crawl:
        return self._machine.crawl

    @property
    def members(self) -> Sequence[Member]:
        """The nodes that were heard of lately."""
        now = time.monotonic()
        return [
            member for member in self._machine.members.values() if now - member.seen < self._lease and not member.gone
        ]

    @property
    def repeated(self) -> int:
        """Events that were fired though somebody else had."""
        return self._machine.repeated

    # -- what nodes say --

    async def ask(self, ask: Ask) -> Reply:
        """The answer to a question, however long that takes."""
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        earlier = self._waiting.pop(ask.node, None)
        if earlier is not None:
            earlier[1].cancel()
        self._waiting[ask.node] = ask, future
        self._queue.put_nowait(ask)
        try:
            return await future
        finally:
            if self._waiting.get(ask.node, (None, None))[1] is future:
                del self._waiting[ask.node]

    def beat(self, beat: Beat) -> None:
        self._queue.put_nowait(beat)

    def leave(self, node: str) -> None:
        self._queue.put_nowait(Gone(node))

    def keep(self, kept: Iterable[Kept], notes: Iterable[Noted]) -> None:
        """Evidence of a node, which is kept when this returns. Raises StoreError, and BadInput when it cannot be."""
        for snapshot, picture in kept:
            if not STATE_ID.fullmatch(snapshot.state):
                raise BadInput(f"a page calls its state '{snapshot.state[:80]}', which is no id: it meddles.")
            if snapshot.state not in self._unflushed:  # else it is sent again, because the disk was full
                self._unflushed.add(snapshot.state)
                self._keeper.keep(snapshot, picture)
        for note, state, event in notes:
            self._keeper.note([note], state, event)
        self._flush()

    # -- the crawl --

    async def run(self) -> Outcome:
        """Coordinate until the crawl is over and its nodes know. Raises StoreError after keeping what is known."""
        over: float | None = None
        ticked = time.monotonic()
        while over is None or (self._has_to_tell() and time.monotonic() - over < FAREWELL_SECONDS):
            messages = await self._next_messages()
            now = time.monotonic()
            told = Told()
            for message in messages:
                _add(told, self._heard(message, now))
                if told.again:
                    break  # who waits is heard again by the next machine
            if now - ticked >= TICK_SECONDS and not told.again:
                ticked = now
                for node in self._waiting:
                    self._machine.heard_of(node, now)
                _add(told, self._machine.passed(now))
            if (reason := self._limit()) is not None and not told.again:
                _add(told, self._machine.end(reason, now))
            self._do(told)
            if over is None and self.crawl.ended is not None:
                over = time.monotonic()
            self._told(self)
        self._flush()
        return self.outcome()

    def stop(self, reason: str) -> None:
        """Have the crawl end, for this reason."""
        self._stop = self._stop or reason

    def outcome(self) -> Outcome:
        """How it went, or goes."""
        crawl = self.crawl
        return outcome_of(
            self.plan.url,
            crawl,
            Tally(events=self._machine.fired, resets=self._machine.resets),
            reset_cost=crawl.reset_cost or DEFAULT_RESET_COST,
            seconds=time.monotonic() - self.begun,
            events_before=self._events_before,
            ended_because=crawl.ended or "",
            warnings=self._machine.warnings,
        )

    def status(self) -> dict[str, Any]:
        """What there is to say to whoever looks, as JSON."""
        at, now = self.outcome(), time.monotonic()
        return {
            "application": self.plan.name or self.plan.url,
            "strategy": self.plan.strategy,
            "states": at.states,
            "transitions": at.transitions,
            "unexplored": at.unexplored,
            "events": at.events,
            "resets": at.resets,
            "repeated": self.repeated,
            "seconds": round(at.seconds, 1),
            "events_per_second": round(at.events_per_second, 1),
            "ended_because": at.ended_because,
            "nodes": [
                {
                    "name": member.name,
                    "seconds": round(now - member.since, 1),
                    "silent": round(now - member.seen, 1),
                    "tasks": member.tasks,
                    "events": member.events,
                    "resets": member.resets,
                    "idle_seconds": round(member.waited, 1),
                    "holds": self._machine.holds(member.name),
                }
                for member in self.members
            ],
        }

    # -- inside --

    def _made(self) -> Coordinator:
        """A machine that knows what the journal says."""
        facts = [*self._journal.read(), *self._preface]
        plan = self.plan
        cost = fold(facts).reset_cost if plan.reset_cost is None else plan.reset_cost

        def strategy(graph: Graph) -> Strategy:
            return make_strategy(plan.strategy, graph, Rules(reset_cost=cost or DEFAULT_RESET_COST, seed=plan.seed))

        learns = plan.reset_cost is None or plan.learn_states > 0
        return Coordinator(facts, strategy, self._lease, learns=learns, most_depth=plan.limits.depth)

    async def _next_messages(self) -> list[Ask | Beat | Gone]:
        """All that wait; at least one, unless it is time to look around."""
        messages: list[Ask | Beat | Gone] = []
        with contextlib.suppress(TimeoutError):
            messages.append(await asyncio.wait_for(self._queue.get(), TICK_SECONDS / 4))
        while not self._queue.empty():
            messages.append(self._queue.get_nowait())
        return messages

    def _heard(self, message: Ask | Beat | Gone, now: float) -> Told:
        match message:
            case Ask():
                return self._machine.asked(message, now)
            case Beat():
                self._machine.beat(message, now)
                return Told()
            case Gone():
                return self._machine.left(message.node, now)

    def _do(self, told: Told) -> None:
        """First the facts, then the answers."""
        if told.again and not self._is_sound(told.facts):
            told.facts.clear()  # somebody has learnt nonsense: somebody else learns again
        if told.facts:
            self._flush()
            self._journal.append([*self._preface, *told.facts])
            self._preface.clear()
        for answer in told.answers:
            waiting = self._waiting.get(answer.node)
            if waiting is not None and waiting[0].number == answer.number and not waiting[1].done():
                waiting[1].set_result(answer)
                if isinstance(answer, End):
                    self._ended.add(answer.node)
        if told.again:
            warnings = self._machine.warnings
            self._machine = self._made()
            self._machine.warnings = warnings
            for ask, future in self._waiting.values():
                if not future.done():
                    self._queue.put_nowait(msgspec.structs.replace(ask, facts=(), events=0, resets=0))

    def _is_sound(self, facts: Sequence[Fact]) -> bool:
        """Whether these can follow what the journal holds."""
        try:
            fold([*self._journal.read(), *self._preface, *facts])
        except DamagedJournal:
            return False
        return True

    def _flush(self) -> None:
        self._keeper.flush()
        self._unflushed.clear()

    def _has_to_tell(self) -> bool:
        """Whether some node may not know yet that it is over."""
        return bool(self._waiting) or any(member.name not in self._ended for member in self.members)

    def _limit(self) -> str | None:
        """Why the crawl has to end now, if it has to."""
        limits, crawl = self.plan.limits, self.crawl
        if self._stop is not None or crawl.ended is not None:
            return self._stop if crawl.ended is None else None
        if limits.states is not None and len(crawl.graph) >= limits.states:
            return "max-states"
        if limits.events is not None and self._machine.fired >= limits.events:
            return "max-events"
        if limits.seconds is not None and time.monotonic() - self.begun >= limits.seconds:
            return "max-time"
        return None


def _add(told: Told, more: Told) -> None:
    told.facts += more.facts
    told.answers += more.answers
    told.again = told.again or more.again
