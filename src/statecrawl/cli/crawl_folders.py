"""Commands that open an application again, of which a folder holds a crawl."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from statecrawl.config.plan import CrawlPlan
from statecrawl.config.saved_settings import SETTINGS_NAME
from statecrawl.config.settings import crawl_plan, read_config
from statecrawl.errors import BadInput
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.stores.crawl_key import read_key
from statecrawl.testbed.sites.registry import SITES, site_named
from statecrawl.testbed.sites.server import start


@asynccontextmanager
async def reopened(folder: Path, crawl: FoldedCrawl, given: dict[str, Any]) -> AsyncIterator[CrawlPlan]:
    """The plan by which the crawl in a folder was made, its application served if it is a bundled one.

    What is given wins over what was asked for then. Raises BadInput when nobody knows what that was.
    """
    config = folder / SETTINGS_NAME
    if not config.exists():
        raise BadInput(
            f"{folder} does not say how it was crawled ({SETTINGS_NAME} is missing): run the same statecrawl crawl"
            " command again, which writes it."
        )
    url = str(read_config(config).get("url", crawl.started.application if crawl.started else ""))
    if "/" in url or url.partition(":")[0] not in SITES:
        yield _of_folder(crawl_plan(url, given, config), folder)
        return
    serving = await start(site_named(url))
    try:
        yield _of_folder(crawl_plan(serving.url, given, config, url), folder)
    finally:
        await serving.close()


def _of_folder(plan: CrawlPlan, folder: Path) -> CrawlPlan:
    return replace(plan, out=folder, key="" if plan.keep_secrets else read_key(folder))
