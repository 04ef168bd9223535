"""Where the real parts meet: the only module that names the browser, the journal and the evidence together."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import closing

from statecrawl.browser.browsers import Browsers
from statecrawl.browser.chromium import find_browser
from statecrawl.browser.coverage import Coverage
from statecrawl.browser.traffic import KeptTraffic
from statecrawl.config.plan import CrawlPlan
from statecrawl.config.secrets import keyed_redactor, with_key
from statecrawl.crawler.hooks import HookedEvidence, HookedJournal, Hooks
from statecrawl.crawler.loop import CrawlLoop, CrawlParts
from statecrawl.crawler.new_states import addresses_of
from statecrawl.crawler.outcome import Outcome, qualified
from statecrawl.crawler.page_factory import PageFactory
from statecrawl.crawler.politeness import Politeness, manners_of
from statecrawl.errors import SiteUnreachable
from statecrawl.privacy.redaction import MARKER
from statecrawl.stores.evidence import JOURNAL_NAME, EvidenceWriter
from statecrawl.stores.sqlite_journal import open_journal
from statecrawl.stores.traffic import TrafficReader


async def crawl(
    plan: CrawlPlan,
    begun: Callable[[CrawlLoop], None],
    told: Callable[[CrawlLoop], None],
    hooks: Hooks | None = None,
) -> Outcome:
    """Crawl as planned. `begun` is given the crawl before it runs, `told` after every task.

    Raises what the parts raise: BadInput, StoreError, BrowserError, SiteUnreachable.
    """
    program, begun_at = find_browser(plan.browser), time.perf_counter()
    until = None if plan.limits.seconds is None else time.monotonic() + plan.limits.seconds
    manners = await manners_in_time(plan)
    with (
        closing(EvidenceWriter(plan.out, keyed_redactor(plan))) as evidence,
        closing(open_journal(plan.out / JOURNAL_NAME)) as journal,
    ):
        plan = with_key(plan)
        manners.heard.update(heard_before(plan))
        browsers = Browsers(program, plan.recycle_bytes * plan.pages, pace=manners.pace)
        coverage = Coverage() if plan.coverage else None
        pages = PageFactory(plan, browsers, traffic=KeptTraffic(evidence.exchanges), until=until, coverage=coverage)

        async def before_reset() -> None:
            await pages.reset_server()
            if hooks is not None:
                await hooks.reset()

        crawling = CrawlLoop(
            plan,
            CrawlParts(
                journal=journal if hooks is None else HookedJournal(journal, hooks),
                keeper=evidence if hooks is None else HookedEvidence(evidence, hooks),
                make_page=pages.make,
                before_reset=before_reset,
                browser_bytes=browsers.resident_bytes,
                manners=manners,
                browsers=pages.browsers_started,
                told=told,
                resets_server=plan.resetting.of_server or (hooks is not None and hooks.before_reset is not None),
                make_strategy=None if hooks is None else hooks.strategy,
                is_worn=pages.is_worn,
            ),
            begun_at,
        )
        begun(crawling)
        try:
            outcome = await crawling.run()
            return qualified(outcome, crawling.crawl, evidence)
        finally:
            await asyncio.shield(browsers.close(at_once=crawling.is_out_of_time))
            if coverage is not None:
                evidence.cover(coverage.scripts())


async def manners_in_time(plan: CrawlPlan) -> Politeness:
    """What a plan asks for, and the server, if it answers before the time is over. Raises BadInput, SiteUnreachable."""
    try:
        async with asyncio.timeout(plan.limits.seconds):
            return await manners_of(plan)
    except TimeoutError as late:
        raise SiteUnreachable(f"{plan.url} did not answer within --max-time {plan.limits.seconds:g}s.") from late


def heard_before(plan: CrawlPlan) -> Iterator[tuple[str, bool]]:
    """Addresses to open that the traffic of earlier runs names: some may have ended before they could say so."""
    addresses = addresses_of(plan)
    if addresses is not None and addresses.reads_exchanges:
        for recorded in TrafficReader(plan.out).read():
            yield from (each for each in addresses.from_exchange(recorded.exchange).items() if MARKER not in each[0])
