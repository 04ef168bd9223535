"""The application to crawl, at a URL or bundled and served meanwhile, and the settings saved with its crawl."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from statecrawl.config.plan import CrawlPlan
from statecrawl.config.saved_settings import delete_settings, save_settings
from statecrawl.errors import BadInput, StatecrawlError, UnknownName
from statecrawl.stores.empty_crawl import delete_empty_crawl
from statecrawl.stores.evidence import JOURNAL_NAME
from statecrawl.testbed.catalogue import ENTRIES
from statecrawl.testbed.sites.registry import SITES, site_named
from statecrawl.testbed.sites.server import start

LOCAL = "localhost"
Done = TypeVar("Done")


@asynccontextmanager
async def application_at(url: str) -> AsyncIterator[tuple[str, str]]:
    """Yield a URL and no name, or the URL and the name of a bundled application, which is served meanwhile.

    Raises BadInput if `url` is neither.
    """
    name = url.partition(":")[0]
    if "/" in url or (name not in SITES and name not in ENTRIES):
        if url != LOCAL and not set(url) & set("./:"):
            raise BadInput(f"{UnknownName('application', url, SITES)} For a URL, write http://{url}/.")
        yield url, ""
        return
    serving = await start(site_named(url))
    try:
        yield serving.url, url
    finally:
        await serving.close()


async def run_and_save(
    url: str, plan: CrawlPlan, settings: Mapping[str, Any], run: Callable[[CrawlPlan], Awaitable[Done]]
) -> Done:
    """Crawl, and save the settings with the crawl.

    A new crawl saves them before it starts. A resumed one saves them at the end, when it is known that they fit.
    A crawl that fails before it has found anything leaves no directory behind.
    """
    if not (plan.out / JOURNAL_NAME).exists():
        save_settings(plan.out, url, settings)
    try:
        done = await run(plan)
    except StatecrawlError:
        if delete_empty_crawl(plan.out) or not (plan.out / JOURNAL_NAME).exists():
            delete_settings(plan.out)
        raise
    save_settings(plan.out, url, settings)
    return done
