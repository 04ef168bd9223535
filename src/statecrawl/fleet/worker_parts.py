"""Browser, politeness and deadline of a process, shared by the nodes that it runs."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

from statecrawl.browser.browsers import Browsers
from statecrawl.browser.chromium import find_browser
from statecrawl.browser.traffic import TrafficIndex
from statecrawl.config.plan import CrawlPlan
from statecrawl.crawler.assembly import politeness_in_time
from statecrawl.crawler.crawl_parts import CrawlParts
from statecrawl.crawler.deadline import Deadline
from statecrawl.crawler.loop import CrawlLoop
from statecrawl.crawler.page_factory import PageFactory
from statecrawl.crawler.politeness import Politeness
from statecrawl.journal.memory_journal import MemoryJournal
from statecrawl.ports.recorder import EvidenceSink


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerParts:
    """What the nodes of one process share."""

    pages: PageFactory
    politeness: Politeness
    deadline: Deadline
    on_task: Callable[[Any], None] = field(default=lambda _: None)  # called with the node after every task
    on_message: Callable[[str], None] = field(default=lambda _: None)  # called with messages for people
    coordinator_seen: Callable[[], float] = field(default=time.monotonic)  # when a coordinator last answered

    def learning_loop(self, plan: CrawlPlan, evidence: EvidenceSink) -> CrawlLoop:
        """Return a crawl on its own, with which a process learns dynamic content and the cost of a reset."""
        parts = CrawlParts(
            journal=MemoryJournal(),
            evidence=evidence,
            make_page=self.pages.make,
            before_reset=self.pages.reset_server,
            browser_bytes=self.pages.browsers.resident_bytes,
            politeness=self.politeness,
            browsers=self.pages.browsers_started,
            resets_server=plan.resetting.of_server,
            is_worn=self.pages.is_worn,
        )
        return CrawlLoop(plan, parts, self.deadline.started)


@contextlib.asynccontextmanager
async def worker_parts(plan: CrawlPlan, browser: str | None, pages: int = 1) -> AsyncIterator[WorkerParts]:
    """Open a browser for this many pages. The time limit of the plan counts from now.

    Raises SiteUnreachable and BrowserError.
    """
    deadline = Deadline(plan.limits.seconds)
    politeness = await politeness_in_time(plan)
    browsers = Browsers(find_browser(browser), plan.recycle_bytes * pages, pace=politeness.pace)
    factory = PageFactory(plan, browsers, traffic=TrafficIndex(), until=deadline.at)
    try:
        yield WorkerParts(pages=factory, politeness=politeness, deadline=deadline)
    finally:
        await asyncio.shield(browsers.close(at_once=deadline.is_over))
