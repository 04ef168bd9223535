"""`make demo`: serve a bundled application, crawl it in Chromium, and hold the model against the truth."""

import asyncio
import sys
from pathlib import Path

from statecrawl.cli.crawl import summary
from statecrawl.runtime.assemble import crawl
from statecrawl.runtime.crawling import Crawling
from statecrawl.runtime.plan import CrawlPlan
from statecrawl.testbed.catalogue import application
from statecrawl.testbed.matching import mismatch
from statecrawl.testbed.sites.registry import site_named
from statecrawl.testbed.sites.server import start

APP = "test-ria"


async def main(folder: Path) -> str | None:
    """Crawl into a folder; returns what is wrong with the model that was found."""
    print(f"crawling {APP} in Chromium")
    serving = await start(site_named(APP))
    begun: list[Crawling] = []
    try:
        plan = CrawlPlan(url=serving.url, out=folder)
        outcome = await crawl(plan, begun.append, lambda _: None)
    finally:
        await serving.close()
    for line in summary(outcome, plan):
        print(line)
    return mismatch(begun[0].crawl.graph, application(APP).truth)


if __name__ == "__main__":
    wrong = asyncio.run(main(Path(sys.argv[1])))
    print(f"The model is not the true one: {wrong}." if wrong else "The model found is exactly the true one.")
    sys.exit(1 if wrong else 0)
