"""Base of the nodes: one page that crawls with others, whatever the architecture."""

import asyncio
import time
from abc import ABC, abstractmethod

from statecrawl.browser.dynamic_content import Rule
from statecrawl.config.plan import CrawlPlan
from statecrawl.crawler.durations import EventTimes
from statecrawl.crawler.new_states import NewStates
from statecrawl.crawler.walker import Walker
from statecrawl.crawler.walker_context import WalkerContext
from statecrawl.errors import SiteUnreachable
from statecrawl.fleet.evidence_batch import EvidenceBatch
from statecrawl.fleet.node_statistics import NodeStatistics
from statecrawl.fleet.outbox import Outbox
from statecrawl.fleet.worker_parts import WorkerParts
from statecrawl.privacy.redaction import BLANK
from statecrawl.strategies.orders import Order

LAST_SECONDS = 5.0  # for a node that leaves to report what it saw last
TRIES = 5  # to open an application that does not answer
RETRY_SECONDS = 3.0  # after the first try, twice that after the second, …


class FleetWorker(ABC):
    """One page that crawls with others."""

    def __init__(self, plan: CrawlPlan, parts: WorkerParts, evidence: EvidenceBatch, outbox: Outbox) -> None:
        self.plan = plan
        self.tasks = 0
        self.events = 0
        self._resets = 0
        self._waited = 0.0
        self._waiting_since: float | None = None
        self._parts = parts
        self._evidence = evidence
        self._outbox = outbox
        self._rules: frozenset[Rule] = frozenset()
        self._walker: Walker | None = None
        self._context: WalkerContext | None = None

    @property
    @abstractmethod
    def name(self) -> str: ...

    @abstractmethod
    async def run(self) -> str:
        """Work until the crawl is over; return why it ended, or nothing when this node was told to leave.

        Raises CoordinatorLost, NodeRefused, SiteUnreachable and BrowserError.
        """

    @abstractmethod
    def drain(self) -> None:
        """Leave after the current task."""

    @abstractmethod
    def _is_leaving(self) -> bool: ...

    def statistics(self) -> NodeStatistics:
        """Return the figures of this node and of its process."""
        waiting = 0.0 if self._waiting_since is None else time.monotonic() - self._waiting_since
        return NodeStatistics(
            name=self.name,
            tasks=self.tasks,
            events=self.events,
            resets=self._resets,
            waited=self._waited + waiting,
            works=self._waiting_since is None,
            coordinator_seen=self._parts.coordinator_seen(),
            browsers=self._parts.pages.browsers_started(),
            browser_bytes=self._parts.pages.browsers.resident_bytes(),
        )

    def _stop_waiting(self) -> None:
        if self._waiting_since is not None:
            self._waited += time.monotonic() - self._waiting_since
            self._waiting_since = None

    # -- tasks --

    async def _perform(self, walker: Walker, order: Order) -> None:
        """Carry out a task; try again for a while if the application does not answer. Raises SiteUnreachable."""
        for attempt in range(1, TRIES + 1):
            try:
                await walker.perform(order)
                break
            except SiteUnreachable as problem:
                if attempt == TRIES or not self.tasks or self._is_leaving():
                    raise  # an application that has never answered will not
                walker.position = None
                seconds = RETRY_SECONDS * attempt
                self._parts.on_message(f"{self.name}: {BLANK.text(str(problem))} Trying again in {seconds:g} s")
                await asyncio.sleep(seconds)
        self.tasks += 1

    # -- page --

    def _position(self) -> str | None:
        """Return the state that the page is in; None when it has to be reset."""
        walker = self._walker
        if walker is not None and self._parts.pages.is_worn(walker.page):
            walker.position = None
        return None if walker is None else walker.position

    async def _open_walker(self) -> Walker:
        if self._walker is None:
            parts = self._parts
            states = NewStates(self.plan, self._outbox, self._evidence, None, self._rules, parts.politeness)
            self._context = WalkerContext(states, EventTimes(), parts.pages.reset_server)
            self._walker = Walker(0, await parts.pages.make(0, self._rules), self._context)
        return self._walker

    async def _close_walker(self) -> None:
        if self._walker is not None:
            walker, self._walker = self._walker, None
            await self._parts.deadline.closed(walker.close())
