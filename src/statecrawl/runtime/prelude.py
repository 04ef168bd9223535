"""The prelude of a crawl whose nodes decide for themselves: one process finds out what all of them have to know.

What is volatile and what a reset costs is learnt as a single crawl learns it (`runtime.crawling`), with a browser that
is closed again before nodes are let in. What was found on the way is not lost: it begins the journal.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from statecrawl.browser.browsers import Browsers
from statecrawl.browser.chromium import find_browser
from statecrawl.browser.page import BrowserPage
from statecrawl.browser.traffic import Ledger
from statecrawl.journal.facts import Fact, StateFound
from statecrawl.journal.memory import MemoryJournal
from statecrawl.ports.line import Kept, Noted
from statecrawl.ports.record import Tally
from statecrawl.runtime.assemble import manners_in_time, page_maker
from statecrawl.runtime.client import Client
from statecrawl.runtime.crawling import Crawling, Parts
from statecrawl.runtime.deadline import Deadline
from statecrawl.runtime.noding import Parcel
from statecrawl.runtime.plan import CrawlPlan
from statecrawl.runtime.secrecy import keyed_redactor
from statecrawl.runtime.server_reset import reset_server


@dataclass(frozen=True, slots=True)
class Learnt:
    """What came of it, with the evidence."""

    facts: Sequence[Fact] = ()
    kept: Sequence[Kept] = ()
    notes: Sequence[Noted] = ()
    tally: Tally = field(default_factory=Tally)
    warnings: Sequence[str] = ()


async def learnt(plan: CrawlPlan, begun: Callable[[Crawling], None]) -> Learnt:
    """Learn; `begun` is given what can be told to stop. Raises SiteUnreachable and BrowserError."""
    begun_at, deadline = time.perf_counter(), Deadline(plan.limits.seconds)
    manners = await manners_in_time(plan)
    browsers = Browsers(find_browser(plan.browser), plan.recycle_bytes, pace=manners.pace)
    parcel = Parcel(keyed_redactor(plan))
    make_page = page_maker(plan, browsers, Ledger(), deadline.at)

    async def before_reset() -> None:
        await reset_server(plan.resetting, Client.of(plan))

    crawling = Crawling(
        plan,
        Parts(
            journal=MemoryJournal(),
            keeper=parcel,
            make_page=make_page,
            before_reset=before_reset,
            browser_bytes=browsers.resident_bytes,
            manners=manners,
            resets_server=plan.resetting.of_server,
            browsers=lambda: browsers.started,
            is_worn=lambda page: isinstance(page, BrowserPage) and page.is_worn(),
        ),
        begun_at,
    )
    begun(crawling)
    try:
        facts = await crawling.learn()
    finally:
        await asyncio.shield(browsers.close(at_once=deadline.is_over))
    parcel.keep_only({fact.state for fact in facts if isinstance(fact, StateFound)})
    return Learnt(
        facts,
        *parcel.take(),
        crawling.observer.tally,
        tuple(crawling.observer.warnings),
    )
