"""What is crawled: an application at an address, or a bundled one; and what its folder remembers of that."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from statecrawl.config.plan import CrawlPlan
from statecrawl.config.saved_settings import drop, keep
from statecrawl.errors import BadInput, StatecrawlError, UnknownName
from statecrawl.stores.evidence import JOURNAL_NAME
from statecrawl.testbed.catalogue import ENTRIES
from statecrawl.testbed.sites.registry import SITES, site_named
from statecrawl.testbed.sites.server import start

LOCAL = "localhost"
Done = TypeVar("Done")


@asynccontextmanager
async def at_address(url: str) -> AsyncIterator[tuple[str, str]]:
    """An address, and no name; or the name of a bundled application, and the address at which it is served meanwhile.

    Raises BadInput when it is neither.
    """
    name = url.partition(":")[0]
    if "/" in url or (name not in SITES and name not in ENTRIES):
        if url != LOCAL and not set(url) & set("./:"):
            raise BadInput(f"{UnknownName('application', url, SITES)} For an address, write http://{url}/.")
        yield url, ""
        return
    serving = await start(site_named(url))
    try:
        yield serving.url, url
    finally:
        await serving.close()


async def kept(
    url: str, plan: CrawlPlan, settings: dict[str, Any], run: Callable[[CrawlPlan], Awaitable[Done]]
) -> Done:
    """Crawl, and keep what was asked for: at first, and in the end, when it is known to fit what was there."""
    if not (plan.out / JOURNAL_NAME).exists():
        keep(plan.out, url, settings)
    try:
        done = await run(plan)
    except StatecrawlError:
        if not (plan.out / JOURNAL_NAME).exists():
            drop(plan.out)  # what never began leaves nothing behind
        raise
    keep(plan.out, url, settings)
    return done
