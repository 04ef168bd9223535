"""Assembly of a crawl on one machine: browser, journal and evidence are wired together here."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import closing

from statecrawl.browser.browsers import Browsers
from statecrawl.browser.chromium import find_browser
from statecrawl.browser.coverage import Coverage
from statecrawl.browser.traffic import TrafficIndex
from statecrawl.config.plan import CrawlPlan
from statecrawl.config.secrets import keyed_redactor, with_key
from statecrawl.crawler.crawl_parts import CrawlParts
from statecrawl.crawler.hooks import HookedEvidence, HookedJournal, Hooks
from statecrawl.crawler.loop import CrawlLoop
from statecrawl.crawler.outcome import Outcome, qualified
from statecrawl.crawler.page_factory import PageFactory
from statecrawl.crawler.politeness import Politeness, politeness_of
from statecrawl.crawler.url_discovery import site_urls_of
from statecrawl.errors import SiteUnreachable
from statecrawl.privacy.redaction import MARKER
from statecrawl.stores.evidence import JOURNAL_NAME, EvidenceWriter
from statecrawl.stores.sqlite_journal import open_journal
from statecrawl.stores.traffic import TrafficReader


async def crawl(
    plan: CrawlPlan,
    on_start: Callable[[CrawlLoop], None],
    on_progress: Callable[[CrawlLoop], None],
    hooks: Hooks | None = None,
) -> Outcome:
    """Crawl as planned. Call `on_start` before the crawl runs, and `on_progress` after every task.

    Raises BadInput, StoreError, BrowserError and SiteUnreachable.
    """
    program, started = find_browser(plan.browser), time.perf_counter()
    until = None if plan.limits.seconds is None else time.monotonic() + plan.limits.seconds
    politeness = await politeness_in_time(plan)
    with (
        closing(EvidenceWriter(plan.out, keyed_redactor(plan))) as evidence,
        closing(open_journal(plan.out / JOURNAL_NAME)) as journal,
    ):
        plan = with_key(plan)
        politeness.offers.update(offers_of_earlier_runs(plan))
        browsers = Browsers(program, plan.recycle_bytes * plan.pages, pace=politeness.pace)
        coverage = Coverage() if plan.coverage else None
        pages = PageFactory(plan, browsers, traffic=TrafficIndex(evidence.exchanges), until=until, coverage=coverage)

        async def before_reset() -> None:
            await pages.reset_server()
            if hooks is not None:
                await hooks.reset()

        loop = CrawlLoop(
            plan,
            CrawlParts(
                journal=journal if hooks is None else HookedJournal(journal, hooks),
                evidence=evidence if hooks is None else HookedEvidence(evidence, hooks),
                make_page=pages.make,
                before_reset=before_reset,
                browser_bytes=browsers.resident_bytes,
                politeness=politeness,
                browsers=pages.browsers_started,
                on_progress=lambda: on_progress(loop),
                resets_server=plan.resetting.of_server or (hooks is not None and hooks.before_reset is not None),
                make_strategy=None if hooks is None else hooks.strategy,
                is_worn=pages.is_worn,
            ),
            started,
        )
        on_start(loop)
        try:
            outcome = await loop.run()
            return qualified(outcome, loop.crawl, evidence)
        finally:
            await asyncio.shield(browsers.close(at_once=loop.is_out_of_time))
            if coverage is not None:
                evidence.add_coverage(coverage.scripts())


async def politeness_in_time(plan: CrawlPlan) -> Politeness:
    """The politeness that plan and server ask for. Raises BadInput, and SiteUnreachable when time runs out."""
    try:
        async with asyncio.timeout(plan.limits.seconds):
            return await politeness_of(plan)
    except TimeoutError as late:
        raise SiteUnreachable(f"{plan.url} did not answer within --max-time {plan.limits.seconds:g}s.") from late


def offers_of_earlier_runs(plan: CrawlPlan) -> Iterator[tuple[str, bool]]:
    """URLs to open that the traffic of earlier runs names: a run may have ended before it could report them."""
    urls = site_urls_of(plan)
    if urls is not None and urls.reads_exchanges:
        for recorded in TrafficReader(plan.out).read():
            yield from (each for each in urls.from_exchange(recorded.exchange).items() if MARKER not in each[0])
