"""Node of client and server: one page that does what the coordinator says, until the crawl is over.

Theory of operation
    `coordination.client_node` decides what to send; `Walker` carries out tasks. In between, everything that the walker
    reports waits in an `Outbox` until the next request. A node assumes that every state is known. If that is not so,
    the coordinator asks it to describe the state, and the page is still there then. So each state is described by the
    node that finds it, and by no other.

    Evidence is sent before the request that refers to it, so whatever is in the journal has its evidence.

    When the time of the crawl is over (`crawler.deadline`), a node breaks off its task, reports what it has seen, and
    does nothing more.

    While it works, a node sends a heartbeat every few seconds, and learns whether the crawl is over: learning dynamic
    content takes long and ends then. A node that cannot open the application tries again for a while before it gives
    up; the coordinator assigns its task to another node meanwhile.
"""

import asyncio
import contextlib
import time

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
from statecrawl.errors import PageLost, StatecrawlError
from statecrawl.fleet.evidence_batch import EvidenceBatch
from statecrawl.fleet.outbox import Outbox
from statecrawl.fleet.worker import LAST_SECONDS, FleetWorker
from statecrawl.fleet.worker_parts import WorkerParts
from statecrawl.journal.facts import EventCrashed, Fact, StateFound
from statecrawl.ports.coordinator_link import CoordinatorLink
from statecrawl.ports.recorder import WorkCount
from statecrawl.strategies.orders import Order

HEARTBEAT_SECONDS = 2.0
LATE_SECONDS = 0.05  # between two requests after the time limit
UNKNOWN = -1  # no revision of the rules


class TaskNode(FleetWorker):
    """One page that crawls for a coordinator."""

    def __init__(self, name: str, plan: CrawlPlan, link: CoordinatorLink, parts: WorkerParts) -> None:
        super().__init__(plan, parts, EvidenceBatch(keyed_redactor(plan)), Outbox())
        self._link = link
        self._machine = ClientNode(name)
        self._order: Order | None = None  # the last one
        self._learning: asyncio.Future[list[Fact]] | None = None
        self._draining = asyncio.Event()

    @property
    def name(self) -> str:
        return self._machine.name

    def drain(self) -> None:
        self._draining.set()
        self._parts.politeness.hurry()
        self._end_learning()

    def _is_leaving(self) -> bool:
        return self._draining.is_set()

    async def run(self) -> str:
        heartbeats = asyncio.create_task(self._send_heartbeats())
        try:
            request = self._machine.next_request(None)
            while self._machine.over is None and not self._draining.is_set():
                request = await self._exchange(request)
                self._parts.on_task(self)
            if self._machine.over is None:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LAST_SECONDS):
                        await self._report_last(request)
            return self._machine.over or ""
        finally:
            heartbeats.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await heartbeats
            await self._close_walker()
            with contextlib.suppress(TimeoutError, StatecrawlError):
                async with asyncio.timeout(LAST_SECONDS):  # the page's last traffic
                    await self._send_evidence()
            await self._link.leave(self.name)

    # -- messages --

    async def _exchange(self, request: TaskRequest) -> TaskRequest:
        """Send a request and do what the reply says; return the next request."""
        self._waiting_since = time.monotonic()
        await self._send_evidence()
        asking = asyncio.ensure_future(self._link.ask(request))
        draining = asyncio.ensure_future(self._draining.wait())
        try:
            await asyncio.wait({asking, draining}, return_when=asyncio.FIRST_COMPLETED)
            if not asking.done():
                return request
            reply = asking.result()
        finally:
            for waiting in (asking, draining):
                waiting.cancel()
            self._stop_waiting()
        command = self._machine.handle_reply(reply)
        if self._parts.deadline.is_over and command is not None:
            return await self._ask_late(command, request)
        if isinstance(command, LearnContent):
            return await self._learn()  # it observes the time limit by itself, and loses nothing
        following = await self._parts.deadline.within(self._obey(command, request))
        return await self._ask_late(command, request) if following is None else following

    async def _obey(self, command: RunTask | DescribeState | ReviseRules | None, request: TaskRequest) -> TaskRequest:
        """Do what the coordinator says; return the next request."""
        match command:
            case RunTask():
                return await self._run_task(command.order)
            case DescribeState():
                return await self._describe(request)
            case ReviseRules():
                await self._close_walker()
                self._rules = frozenset(command.rules)
                return self._machine.next_request(None)
            case None:
                return request

    async def _ask_late(
        self, command: RunTask | DescribeState | LearnContent | ReviseRules | None, request: TaskRequest
    ) -> TaskRequest:
        """After the time limit: do nothing, report what was seen until then, and ask whether the crawl is over."""
        walker, deadline = self._walker, self._parts.deadline
        if walker is not None:
            walker.position = None
        if deadline.is_long_over:
            self._draining.set()
        await asyncio.sleep(LATE_SECONDS)
        unread = request if isinstance(command, DescribeState) else None  # the coordinator has not used its facts yet
        facts, tally = self._take_report()
        if unread is not None:
            facts, tally.events, tally.resets = (*unread.facts, *facts), unread.events, unread.resets
        return self._machine.next_request(None, facts, tally.events, tally.resets)

    async def _report_last(self, request: TaskRequest) -> None:
        """Report what was seen last, before leaving."""
        while request.facts:
            await self._send_evidence()
            command = self._machine.handle_reply(await self._link.ask(request))
            if not isinstance(command, DescribeState):
                return
            request = await self._describe(request)

    async def _send_evidence(self) -> None:
        await self._link.send(*self._evidence.take())

    async def _send_heartbeats(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            if await self._link.beat(self._machine.heartbeat()):
                self._end_learning()
                self._parts.politeness.hurry()

    def _end_learning(self) -> None:
        """Break off learning, unless the time is over: then it ends by itself and reports what it found."""
        if self._learning is not None and not self._parts.deadline.is_over:
            self._learning.cancel()

    # -- commands --

    async def _run_task(self, order: Order) -> TaskRequest:
        walker = await self._open_walker()
        self._order = order
        known = (order.start, *(state for _, state in order.steps[: order.sure]))
        self._outbox.known.update(state for state in known if state)
        await self._perform(walker, order)
        return self._next_request()

    def _next_request(self) -> TaskRequest:
        position = self._position()
        facts, tally = self._take_report()
        return self._machine.next_request(position, facts, tally.events, tally.resets)

    def _take_report(self) -> tuple[tuple[Fact, ...], WorkCount]:
        """Return what was seen and done since the last request."""
        tally = self._outbox.take_tally()
        self.events += tally.events
        self._resets += tally.resets
        self._machine.warnings = self._outbox.take_warnings()
        return self._outbox.take(), tally

    async def _describe(self, request: TaskRequest) -> TaskRequest:
        """Describe the state that the page is in, which no node has described."""
        walker = await self._open_walker()
        if request.position is None or walker.position != request.position or self._context is None:
            return self._machine.next_request(None)
        self._outbox.describes = True
        states, order = self._context.new_states, self._order
        by = None if order is None or not order.steps or walker.position == states.first_state else order.goal
        try:
            walker.position = await states.record(walker.page, by, trail=walker.trail)
        except PageLost as lost:
            walker.position = None
            self._report_lost_page(str(lost))
            return self._next_request()
        finally:
            self._outbox.describes = False
        changed = None if walker.position == request.position else walker.position
        return self._machine.describe(*self._outbox.take(), at=changed)

    def _report_lost_page(self, reason: str) -> None:
        """Blame the last event if the page was lost behind it for the second time, while its state was described."""
        order, context = self._order, self._context
        self._outbox.take()
        if context is None or order is None or not order.steps:
            return
        if order.goal in context.retries.suspects:
            state, event = order.goal
            self._outbox.report(EventCrashed(state=state, event=event, reason=reason))
        context.retries.suspects.add(order.goal)

    async def _learn(self) -> TaskRequest:
        """Learn dynamic content and the cost of a reset."""
        self._parts.on_message(f"{self.name}: learning dynamic content")
        await self._close_walker()
        learner = self._parts.learning_loop(self.plan, self._evidence)
        learning = self._learning = asyncio.ensure_future(learner.learn())
        try:
            await asyncio.wait({learning})
        finally:
            self._learning = None
            if not learning.done():
                learning.cancel()
                await asyncio.wait({learning})
        if learning.cancelled():
            self._evidence.keep_only(())
            return self._machine.next_request(None)
        facts = learning.result()
        self._evidence.keep_only({fact.state for fact in facts if isinstance(fact, StateFound)})
        self._machine.revision = UNKNOWN  # another node may have been faster, with another result
        tally = learner.recorder.tally
        self._machine.warnings = learner.recorder.warnings
        spent = tally.learning_events, tally.learning_resets
        return self._machine.next_request(None, facts, tally.events, tally.resets, spent)
