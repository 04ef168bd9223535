"""A crawl that runs out of time cancels whatever it does; each of these would otherwise run for an hour."""

import asyncio
from pathlib import Path

import pytest
from aiohttp import web

from statecrawl.config.plan import CrawlLimits, CrawlPlan
from statecrawl.crawler.assembly import crawl
from statecrawl.crawler.outcome import Outcome
from tests.browser.slow_server import never
from tests.browser.stage import Handler, Stand, document

pytestmark = pytest.mark.browser

HOUR = 3600.0  # seconds
BUTTON = document("<button id=go>go</button><script>byId('go').onclick = () => { ACT };</script>")


async def late_asset(request: web.Request) -> web.StreamResponse:
    """A document whose script never comes."""
    return web.Response(text="<script src=/never.js></script>x", content_type="text/html")


@pytest.mark.parametrize(
    "first",
    [
        never,
        late_asset,
        BUTTON.replace("ACT", "for (;;);"),
        BUTTON.replace(
            "ACT",
            "document.body.append(document.createElement('hr')); setInterval(() => { byId('go').title += 'x'; }, 1)",
        ),
        BUTTON.replace("ACT", "location.href = '/never.js'"),
    ],
    ids=["load", "asset", "loop", "restless", "navigation"],
)
@pytest.mark.parametrize("learn", [0, 20])
def test_a_crawl_ends_when_its_time_is_over(first: str | Handler, learn: int, tmp_path: Path) -> None:
    async def run() -> Outcome:
        stand = Stand()
        stand.routes.update({"/": first, "/never.js": never})
        await stand.open()
        plan = CrawlPlan(
            url=stand.url, out=tmp_path / "crawl", learn_states=learn, event_seconds=HOUR, load_seconds=HOUR,
            horizon_seconds=HOUR, limits=CrawlLimits(seconds=3.0),
        )  # fmt: skip
        try:
            return await crawl(plan, lambda _: None, lambda _: None)
        finally:
            await stand.close()

    outcome = asyncio.run(run())
    assert (outcome.ended_because, outcome.complete) == ("max-time", False)
