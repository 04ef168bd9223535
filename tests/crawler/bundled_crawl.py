"""Crawls of the bundled applications in Chromium."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from statecrawl.config.plan import CrawlPlan, Scope
from statecrawl.crawler.assembly import crawl
from statecrawl.crawler.loop import CrawlLoop
from statecrawl.crawler.outcome import Outcome
from statecrawl.testbed.sites.registry import site_named
from statecrawl.testbed.sites.server import start

EVERYTHING = Scope(allow_dangerous=True)


def crawled(
    app: str,
    out: Path,
    change: Callable[[CrawlPlan], CrawlPlan] = lambda plan: plan,
    told: Callable[[CrawlLoop], None] = lambda _: None,
    prepare: Callable[[CrawlLoop], None] = lambda _: None,
) -> tuple[Outcome, CrawlLoop]:
    """Serve and crawl an application."""
    begun: list[CrawlLoop] = []

    def begin(crawling: CrawlLoop) -> None:
        begun.append(crawling)
        prepare(crawling)

    async def run() -> Outcome:
        serving = await start(site_named(app))
        plan = CrawlPlan(url=serving.url, out=out, scope=EVERYTHING, screenshots=False, learn_states=0)
        try:
            return await crawl(change(plan), begin, told)
        finally:
            await serving.close()

    return asyncio.run(run()), begun[0]
