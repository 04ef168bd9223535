"""The prelude of a crawl whose nodes decide for themselves: one process finds out what all of them have to know.

What is volatile and what a reset costs is learnt as a single crawl learns it (`crawler.loop`), with a browser that
is closed again before nodes are let in. What was found on the way is not lost: it begins the journal.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from statecrawl.browser.browsers import Browsers
from statecrawl.browser.chromium import find_browser
from statecrawl.browser.traffic import KeptTraffic
from statecrawl.config.plan import CrawlPlan
from statecrawl.config.secrets import keyed_redactor
from statecrawl.crawler.assembly import manners_in_time
from statecrawl.crawler.deadline import Deadline
from statecrawl.crawler.loop import CrawlLoop, CrawlParts
from statecrawl.crawler.page_factory import PageFactory
from statecrawl.fleet.task_node import EvidenceParcel
from statecrawl.journal.facts import Fact, StateFound
from statecrawl.journal.memory_journal import MemoryJournal
from statecrawl.ports.coordinator_link import NoteEvidence, StateEvidence
from statecrawl.ports.recorder import WorkCount


@dataclass(frozen=True, slots=True)
class WarmUp:
    """What came of it, with the evidence."""

    facts: Sequence[Fact] = ()
    kept: Sequence[StateEvidence] = ()
    notes: Sequence[NoteEvidence] = ()
    tally: WorkCount = field(default_factory=WorkCount)
    warnings: Sequence[str] = ()


async def learnt(plan: CrawlPlan, begun: Callable[[CrawlLoop], None]) -> WarmUp:
    """Learn; `begun` is given what can be told to stop. Raises SiteUnreachable and BrowserError."""
    begun_at, deadline = time.perf_counter(), Deadline(plan.limits.seconds)
    manners = await manners_in_time(plan)
    browsers = Browsers(find_browser(plan.browser), plan.recycle_bytes, pace=manners.pace)
    parcel = EvidenceParcel(keyed_redactor(plan))
    pages = PageFactory(plan, browsers, traffic=KeptTraffic(), until=deadline.at)

    crawling = CrawlLoop(
        plan,
        CrawlParts(
            journal=MemoryJournal(),
            keeper=parcel,
            make_page=pages.make,
            before_reset=pages.reset_server,
            browser_bytes=browsers.resident_bytes,
            manners=manners,
            resets_server=plan.resetting.of_server,
            browsers=pages.browsers_started,
            is_worn=pages.is_worn,
        ),
        begun_at,
    )
    begun(crawling)
    try:
        facts = await crawling.learn()
    finally:
        await asyncio.shield(browsers.close(at_once=deadline.is_over))
    parcel.keep_only({fact.state for fact in facts if isinstance(fact, StateFound)})
    return WarmUp(
        facts,
        *parcel.take(),
        crawling.observer.tally,
        tuple(crawling.observer.warnings),
    )
