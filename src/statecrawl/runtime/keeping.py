"""Keeping: the journal of a crawl whose nodes decide for themselves, and what they hear of it.

Theory of operation
    One process keeps the journal and the evidence: the coordinator of Dist-RIA, or where the log of peers is. Messages
    of nodes are put into a queue, and all that wait there are dealt with at once: what they tell becomes one group of
    the journal, and only when that is durable are the answers given. A node that says the same again, because the
    connection was lost, takes the place of what it said before.

    Before nodes are let in, this process finds out what is volatile and what a reset costs, with a browser of its own,
    unless the journal says so. That is where the strategies of all nodes get the cost from.

    Each process that keeps a journal is another incarnation of it. It begins with nobody as a member; nodes that were
    there before tell it again what it may have missed. So it does not matter whether anything was lost, and as long as
    no state is known nothing has to be written: an application that was never seen leaves nothing behind.
"""

import asyncio
import contextlib
import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Generic

from statecrawl.errors import BadInput
from statecrawl.journal.facts import CrawlStarted, EquivalenceRevised, Fact, MemberLeft, TransitionExplored
from statecrawl.journal.fold import Crawl, fold
from statecrawl.ports.line import Kept, Noted
from statecrawl.ports.record import Keeper, Tally
from statecrawl.ports.store import Journal
from statecrawl.runtime.coordinating import CRAWLING, ENDED, LEARNING, WAITING
from statecrawl.runtime.crawling import DEFAULT_RESET_COST, Crawling
from statecrawl.runtime.filing import Filing
from statecrawl.runtime.kept import Answer, Brain, Known, Said, Told
from statecrawl.runtime.outcome import Outcome, outcome_of
from statecrawl.runtime.plan import CrawlPlan
from statecrawl.runtime.prelude import Learnt
from statecrawl.runtime.resuming import check_same
from statecrawl.runtime.status import Health, NodeStatus, status_of

PATIENCE = 10.0  # seconds of silence after which a node has left
TICK_SECONDS = 1.0  # between two looks at who is silent
FAREWELL_SECONDS = 10.0  # for nodes to hear that it is over

Learn = Callable[[Callable[[Crawling], None]], Awaitable[Learnt]]


class Keeping(ABC, Generic[Said, Answer]):
    """One run of a crawl whose nodes decide for themselves."""

    def __init__(
        self,
        plan: CrawlPlan,
        journal: Journal,
        keeper: Keeper,
        learn: Learn,
        told: Callable[["Keeping[Any, Any]"], None] = lambda _: None,
    ) -> None:
        """Raises BadInput when the journal holds another crawl."""
        self.plan = plan
        self.begun = time.monotonic()
        self.nodes: dict[str, Known] = {}
        self.warnings: dict[str, None] = {}
        self._journal = journal
        self._filing = Filing(keeper)
        self._learn = learn
        self._told = told
        self._queue: asyncio.Queue[tuple[str, Said]] = asyncio.Queue()
        self._waiting: dict[str, tuple[Said, asyncio.Future[Answer]]] = {}
        self._stop: str | None = None
        self._hurries = False
        self._learning: Crawling | None = None
        self._ready = asyncio.Event()  # nodes may come
        self._pending: list[Fact] = []  # what is to be written
        self._learnt = Tally()
        self._facts = list(journal.read())
        self._before = fold(self._facts)
        check_same(plan, self._before)
        self.incarnation = secrets.randbits(48)
        self._brain: Brain = self._made(self._facts)

    @abstractmethod
    def _made(self, facts: Sequence[Fact]) -> Brain:
        """A brain that knows what the journal says, and is kept for `_hear`, `_look_around` and `_end`."""

    @abstractmethod
    def _hear(self, said: Said, now: float) -> Told[Answer]: ...

    @abstractmethod
    def _look_around(self, now: float) -> Told[Answer]:
        """Time has passed; the nodes in `_waiting` are there."""

    @abstractmethod
    def _end(self, reason: str) -> Told[Answer]: ...

    @abstractmethod
    def _give(self, answer: Answer) -> None:
        """What was told before is durable: an answer may go, if anybody waits for it (see `_resolve`)."""

    def _has_changed(self) -> None:
        """All that was heard is dealt with."""

    @property
    def crawl(self) -> Crawl:
        return self._brain.crawl

    @property
    def members(self) -> Sequence[Known]:
        """The nodes that were heard of lately."""
        now = time.monotonic()
        return [node for node in self.nodes.values() if now - node.seen < PATIENCE and not node.gone]

    @property
    def repeated(self) -> int:
        """Events that were explored though somebody else had."""
        return self._brain.repeated

    @property
    def reset_cost(self) -> float:
        known = self.crawl.reset_cost if self.plan.reset_cost is None else self.plan.reset_cost
        return DEFAULT_RESET_COST if known is None else known

    # -- what nodes say --

    async def wait_until_ready(self) -> None:
        """Nodes may come."""
        await self._ready.wait()

    async def hear(self, name: str, said: Said) -> Answer:
        """The answer to what a node says, however long that takes. Raises BadInput when it says what can not be."""
        await self._ready.wait()
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        earlier = self._waiting.pop(name, None)
        if earlier is not None:
            earlier[1].cancel()
        self._waiting[name] = said, future
        self._queue.put_nowait((name, said))
        try:
            return await future
        finally:
            if self._waiting.get(name, (None, None))[1] is future:
                del self._waiting[name]

    def leave(self, node: str) -> None:
        """A node has gone; what it had to say, it has said."""
        if node in self.nodes:
            self.nodes[node].gone = True

    def keep(self, kept: Iterable[Kept], notes: Iterable[Noted]) -> None:
        """Evidence of a node, which is kept when this returns. Raises StoreError, and BadInput when it cannot be."""
        known = self.crawl.graph.numbers  # of these, another node was faster
        self._filing.keep([each for each in kept if each[0].state not in known], notes)

    # -- the crawl --

    async def run(self) -> Outcome:
        """Keep the journal until the crawl is over and its nodes know.

        Raises StoreError after keeping what is known, and what learning raises: SiteUnreachable, BrowserError.
        """
        await self._begin()
        self._ready.set()
        over: float | None = None
        ticked = time.monotonic()
        while over is None or (bool(self.members) and not self._hurries and time.monotonic() - over < FAREWELL_SECONDS):
            told = [self._heard(name, said) for name, said in await self._next_messages()]
            if time.monotonic() - ticked >= TICK_SECONDS:
                ticked = time.monotonic()
                told.append(self._look_around(ticked))
            if (reason := self._limit()) is not None:
                told.append(self._end(reason))
            self._write([fact for each in told for fact in each.facts])
            for answer in (answer for each in told for answer in each.answers):
                self._give(answer)
            self._has_changed()
            if over is None and self.crawl.ended is not None:
                over = time.monotonic()
            self._told(self)
        self._filing.flush()
        return self.outcome()

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
            return f"learning what is volatile ({time.monotonic() - self.begun:.0f} s)"
        return "waiting for nodes" if self.phase == WAITING else ""

    def outcome(self) -> Outcome:
        """How it went, or goes."""
        if self._learning is not None:
            return self._learning.outcome()
        tally = Tally(
            events=self._brain.fired,
            resets=self._brain.resets,
            learning_events=self._learnt.learning_events,
            learning_resets=self._learnt.learning_resets,
        )
        return outcome_of(
            self.plan.url,
            self.crawl,
            tally,
            reset_cost=self.reset_cost,
            seconds=time.monotonic() - self.begun,
            events_before=self._before.fired,
            ended_because=self.crawl.ended or "",
            warnings=self.warnings,
        )

    def node_statuses(self) -> list[NodeStatus]:
        """The same of each node that was heard of lately."""
        now = time.monotonic()
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

    def health(self) -> Health | None:
        """Of the browser that learns; the others are the nodes'."""
        return None if self._learning is None else self._learning.health()

    def status(self) -> dict[str, Any]:
        """What there is to say to whoever looks, as JSON."""
        return status_of(self.plan, self.outcome(), self.phase, self.doing(), self.repeated, self.node_statuses())

    # -- inside --

    async def _begin(self) -> None:
        """Learn, if nobody has, and begin a run in which nobody takes part yet."""
        plan, before = self.plan, self._before
        learnt = Learnt()
        if len(before.graph) == 0 and not before.is_cost_measured and (plan.reset_cost is None or plan.learn_states):
            shows = asyncio.create_task(self._show())
            try:
                learnt = await self._learn(self._begins_to_learn)
            finally:
                self._learning = None
                shows.cancel()
        if self._stop is not None:
            learnt = Learnt()  # it was ended too early
        self.keep(learnt.kept, learnt.notes)
        self.warnings.update(dict.fromkeys(learnt.warnings))
        self._learnt = learnt.tally
        cost = plan.reset_cost if plan.reset_cost is not None else before.reset_cost or DEFAULT_RESET_COST
        started = CrawlStarted(
            application=plan.name or plan.url,
            configuration={"strategy": plan.strategy, "pages": plan.pages, **plan.told()},
            reset_cost=cost,
            run=1 if before.started is None else before.started.run + 1,
            at=round(time.time(), 3),
        )
        gone = [MemberLeft(member=name, epoch=epoch) for epoch, name in enumerate(before.members, before.epoch + 1)]
        found = [
            EquivalenceRevised(revision=before.revision + 1, rules=fact.rules)
            if isinstance(fact, EquivalenceRevised)
            else fact
            for fact in learnt.facts
        ]
        self._pending = [started, *gone, *found]
        self._brain = self._made([*self._facts, *self._pending])
        self._facts = []
        self._write(())

    async def _show(self) -> None:
        """Have it shown how far it is, while there is nothing else to do."""
        while True:
            self._told(self)
            await asyncio.sleep(TICK_SECONDS / 4)

    def _begins_to_learn(self, crawling: Crawling) -> None:
        self._learning = crawling
        if self._stop is not None:
            crawling.stop(self._stop)

    async def _next_messages(self) -> list[tuple[str, Said]]:
        """All that wait; at least one, unless it is time to look around."""
        messages: list[tuple[str, Said]] = []
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(TICK_SECONDS / 4):
                messages.append(await self._queue.get())
        while not self._queue.empty():
            messages.append(self._queue.get_nowait())
        return messages

    def _heard(self, name: str, said: Said) -> Told[Answer]:
        node = self._node(name)
        self.warnings.update(dict.fromkeys(said.warnings))
        if said.number > node.number:
            node.number = said.number
            node.events += said.events
            node.resets += said.resets
            node.transitions += sum(isinstance(fact, TransitionExplored) for fact in said.facts)
        return self._hear(said, node.seen)

    def _write(self, facts: Iterable[Fact]) -> None:
        """As soon as anything was seen, what is to be written is durable when this returns."""
        self._pending += facts
        if self._pending and len(self.crawl.graph):
            self._filing.flush()
            self._journal.append(self._pending)
            self._pending = []

    def _resolve(self, name: str, number: int, answer: Answer | BadInput) -> None:
        """Have a node hear this, if it still waits for the answer to that."""
        said, future = self._waiting.get(name, (None, None))
        if said is None or future is None or said.number != number or future.done():
            return
        if isinstance(answer, BadInput):
            future.set_exception(answer)
        else:
            future.set_result(answer)

    def _node(self, name: str) -> Known:
        """A node that was just heard of."""
        now = time.monotonic()
        node = self.nodes.get(name)
        if node is None:
            node = self.nodes[name] = Known(name, since=now, seen=now)
        node.seen, node.gone = now, False
        return node

    def _limit(self) -> str | None:
        """Why the crawl has to end now, if it has to."""
        if self.crawl.ended is not None:
            return None
        seconds = time.monotonic() - self.begun
        return self._stop or self.plan.limits.reached(len(self.crawl.graph), self._brain.fired, seconds)
