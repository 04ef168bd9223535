"""The coordinator of one run of a fleet, whatever its architecture.

Theory of operation
    A coordinator reads the journal (`load`) and then repeats one step (`run`): it receives what nodes have reported,
    writes the new facts, and replies. A step writes and replies, or it does nothing: when the journal turns out to
    differ from what was read (`JournalOutdated`), the coordinator rebuilds everything from the journal and continues.

    The run ends when the journal holds the end of the crawl and all nodes have left, or after a grace period. If the
    crawl was complete before this run, the coordinator stays for a moment, so that nodes of the earlier run learn
    that it is over.

    `fleet.task_coordinator` assigns tasks to nodes. `fleet.member_coordinator` is the base of those whose nodes decide
    for themselves.
"""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from statecrawl.browser.awake_clock import AwakeClock
from statecrawl.config.plan import CrawlPlan
from statecrawl.config.recorded_settings import configuration_of
from statecrawl.config.secrets import application_of
from statecrawl.crawler.outcome import Outcome, outcome_of
from statecrawl.crawler.reset_cost import DEFAULT_RESET_COST
from statecrawl.crawler.resume import changed_model, check_same, warn_of_loss
from statecrawl.crawler.status import NodeStatus, PageHealth, status_of
from statecrawl.journal.crawl_bounds import exhaustion_reason
from statecrawl.journal.end_reasons import MAX_TIME
from statecrawl.journal.facts import CrawlStarted, Fact
from statecrawl.journal.fold import FoldedCrawl, fold
from statecrawl.ports.mailbox import JournalOutdated
from statecrawl.ports.recorder import WorkCount
from statecrawl.strategies.component_summary import NO_COMPONENTS, ComponentSummary
from statecrawl.strategies.orders import StateEvent

LEASE_SECONDS = 10.0  # of silence, after which a node counts as gone and its tasks are free
TICK_SECONDS = 1.0  # between two checks for silent nodes
FAREWELL_SECONDS = 10.0  # for nodes to learn that the crawl is over and to report what they saw last
LATE_FAREWELL_SECONDS = 1.0  # the same after the time limit, which nodes observe by themselves
LINGER_SECONDS = 3.0  # for nodes of an earlier run to return when nothing was left to do
WAITING, LEARNING, CRAWLING, ENDED = "waiting", "learning", "crawling", "ended"  # phases


class JournalSource(Protocol):
    """Where a coordinator reads the journal."""

    async def read(self) -> list[Fact]:
        """Return all facts. Raises StoreError, and Deposed when another process leads."""


class CrawlMachine(Protocol):
    """State machine that follows the journal of a crawl."""

    crawl: FoldedCrawl
    fired: int
    resets: int
    repeated: int  # events that a node fired although another one had


class KnownNode(Protocol):
    """What a coordinator knows of a node."""

    name: str
    since: float  # when it joined
    seen: float  # when it last sent something
    tasks: int
    events: int
    resets: int
    gone: bool  # it has announced that it leaves


class Coordinator(ABC):
    """Coordinator of one run of a crawl by several nodes."""

    _machine: CrawlMachine

    def __init__(
        self, plan: CrawlPlan, source: JournalSource, on_progress: Callable[[Any], None], lease: float
    ) -> None:
        """Call `load` before anything else. `on_progress` is called with the coordinator after every step."""
        self.plan = plan
        self.clock = AwakeClock()  # while the machine sleeps, silent nodes do not count as gone
        self.started_at = self.clock.now()
        self.earlier_seconds = 0.0  # for which other processes have led this run
        self._source = source
        self._on_progress = on_progress
        self._lease = lease
        self._stop: str | None = None
        self._was_complete = False  # before this run
        self._hurries = False
        self._outdated = False  # the journal differs from what the machine was built from
        self._changed_model = ""  # a warning
        self._written = 0  # transitions in the journal after the last write
        self._ticked = self.started_at

    async def load(self, place: str = "") -> None:
        """Read the journal at this place. Raises StoreError, Deposed, and BadInput when it is of another crawl."""
        facts, before = await self._read()
        check_same(self.plan, before, place)
        self._changed_model = changed_model(self.plan, before)
        self._events_before = before.fired
        self._run = self._next_run(before)
        self._was_complete = before.progress().complete
        await self._restore(facts, before)

    # -- state --

    @property
    def crawl(self) -> FoldedCrawl:
        return self._machine.crawl

    @property
    def members(self) -> Sequence[KnownNode]:
        """The nodes that have not left and have sent something during the last lease."""
        now = self.clock.now()
        return [node for node in self._known_nodes().values() if now - node.seen < self._lease and not node.gone]

    @property
    def seconds(self) -> float:
        """Duration of this run, whichever process led it."""
        return self.earlier_seconds + self.clock.now() - self.started_at

    @property
    def repeated(self) -> int:
        """Events that a node fired although another one had."""
        return self._machine.repeated

    @property
    def reset_cost(self) -> float:
        known = self.crawl.reset_cost if self.plan.reset_cost is None else self.plan.reset_cost
        return DEFAULT_RESET_COST if known is None else known

    @property
    def is_stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._stop is not None

    @property
    def phase(self) -> str:
        """One of waiting, learning, crawling and ended."""
        if self.crawl.ended is not None:
            return ENDED
        if self._is_learning():
            return LEARNING
        return CRAWLING if self.members else WAITING

    def doing(self) -> str:
        """Describe the phase to people; empty while nodes crawl, which the figures show."""
        if self.phase == LEARNING:
            return f"learning dynamic content ({self._learning_progress()})"
        return "waiting for nodes" if self.phase == WAITING else ""

    def learning(self) -> str:
        """Always empty: learning takes place before nodes crawl, see `doing`."""
        return ""

    def outcome(self) -> Outcome:
        """Return the result so far."""
        crawl = self.crawl
        return outcome_of(
            self.plan.url,
            crawl,
            self._work_count(),
            reset_cost=self.reset_cost,
            seconds=self.clock.now() - self.started_at,
            events_before=self._events_before,
            ended_because=crawl.ended or "",
            warnings=(*filter(None, [self._changed_model]), *self._warnings()),
            components=self._components(),
        )

    def _components(self) -> ComponentSummary:
        """Return what is known about components."""
        return NO_COMPONENTS

    def node_statuses(self) -> list[NodeStatus]:
        """Return the status of each present node."""
        now = self.clock.now()
        return [
            NodeStatus(
                name=node.name,
                seconds=now - node.since,
                silent=now - node.seen,
                tasks=node.tasks,
                events=node.events,
                resets=node.resets,
                idle_seconds=self._idle_seconds(node.name, now),
                holds=self._current_task(node.name),
            )
            for node in self.members
        ]

    def health(self) -> PageHealth | None:
        """Return the health of this process's browser, if it has one; most browsers run at the nodes."""
        return None

    def status(self) -> dict[str, Any]:
        """Return the status of the crawl as JSON values."""
        return status_of(self.plan, self.outcome(), self.phase, self.doing(), self.repeated, self.node_statuses())

    # -- control --

    async def run(self) -> Outcome:
        """Coordinate until the crawl is over and its nodes know.

        Raises StoreError, Deposed, and what a warm-up raises: SiteUnreachable, BrowserError.
        """
        self.clock.start()
        try:
            await self._prepare()
            await self._coordinate()
        finally:
            self.clock.stop()
        return self.outcome()

    def stop(self, reason: str) -> None:
        """End the crawl for this reason."""
        self._stop = self._stop or reason

    def hurry(self) -> None:
        """Once the crawl has ended, return at once, whether nodes know or not."""
        self._hurries = True

    # -- what an architecture defines --

    @abstractmethod
    async def _restore(self, facts: list[Fact], before: FoldedCrawl) -> None:
        """Build the machine from the journal, whose fold is `before`."""

    @abstractmethod
    async def _step(self) -> None:
        """Handle the reports that have arrived. Raises JournalOutdated, after which nothing was done."""

    @abstractmethod
    def _known_nodes(self) -> Mapping[str, KnownNode]: ...

    @abstractmethod
    def _idle_seconds(self, node: str, now: float) -> float: ...

    @abstractmethod
    def _work_count(self) -> WorkCount: ...

    @abstractmethod
    def _warnings(self) -> Iterable[str]: ...

    @abstractmethod
    def _is_learning(self) -> bool: ...

    @abstractmethod
    def _learning_progress(self) -> str: ...

    def _current_task(self, node: str) -> StateEvent | None:
        """Return what a node is doing, where the coordinator knows."""
        return None

    def _next_run(self, before: FoldedCrawl) -> int:
        """Return the number of the run that starts, or continues, now."""
        return 1 if before.started is None else before.started.run + 1

    async def _prepare(self) -> None:
        """Do what has to be done before the first step."""

    # -- steps --

    async def _coordinate(self) -> None:
        over: float | None = None  # since when
        self._ticked = self.clock.now()
        while over is None or not (self._hurries or self._is_farewell_over(self.clock.now() - over)):
            try:
                await self._step()
            except JournalOutdated:
                self._outdated = True
            if self._outdated or self.crawl.ended is None:
                over = None  # the journal does not hold the end of the crawl, or not any more
            elif over is None:
                over = self.clock.now()
            self._on_progress(self)

    def _is_farewell_over(self, seconds: float) -> bool:
        """Return whether all nodes know that the crawl is over, this many seconds after its end."""
        if self._was_complete and seconds < LINGER_SECONDS:
            return False
        farewell = LATE_FAREWELL_SECONDS if self.crawl.ended == MAX_TIME else FAREWELL_SECONDS
        return not self.members or seconds >= farewell

    def _take_tick(self) -> bool:
        """Return whether it is time to check for silent nodes, once per tick."""
        is_due = self.clock.now() - self._ticked >= TICK_SECONDS
        if is_due:
            self._ticked = self.clock.now()
        return is_due

    def _pause(self) -> float:
        """Return how many seconds to wait for messages."""
        return self.plan.limits.pause(self.seconds, TICK_SECONDS / 4)

    def _end_reason(self) -> str | None:
        """Return why the crawl has to end now, if it has to."""
        if self.crawl.ended is not None:
            return None
        if self._was_complete and self.crawl.progress().complete:
            return exhaustion_reason(self.crawl)  # no node has to come for that
        return self._stop or self.plan.limits.reached(len(self.crawl.graph), self._machine.fired, self.seconds)

    async def _read(self) -> tuple[list[Fact], FoldedCrawl]:
        """Read and fold the journal. In a thread: folding a long journal must not delay heartbeats."""
        facts = await self._source.read()
        return facts, await asyncio.to_thread(fold, facts)

    def _run_start(self, before: FoldedCrawl) -> CrawlStarted | None:
        """Return the first fact of this run, unless the journal holds it."""
        plan = self.plan
        if before.started is not None and before.started.run >= self._run:
            return None
        return CrawlStarted(
            application=application_of(plan),
            configuration=configuration_of(plan),
            reset_cost=self._planned_reset_cost(before),
            run=self._run,
            at=round(time.time(), 3),
        )

    def _planned_reset_cost(self, before: FoldedCrawl) -> float:
        return self.plan.reset_cost if self.plan.reset_cost is not None else before.reset_cost or DEFAULT_RESET_COST

    def _check_loss(self, warnings: dict[str, None], explored: int) -> None:
        """Warn if the journal has lost transitions; it holds `explored` now."""
        warn_of_loss(warnings, self._written, explored)
        self._written = explored
