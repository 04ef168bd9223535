"""What a reset costs: clearing a session and loading again, against a new context with a new page each time."""

import asyncio
import time

from bench.recorded import served
from bench.table import print_table
from statecrawl.browser.agent import AgentSettings
from statecrawl.browser.browsers import Browsers
from statecrawl.browser.chromium import find_browser
from statecrawl.browser.page import BrowserPage
from statecrawl.browser.page_settings import PageSettings

APPS = (
    "test-ria",
    "altoro",
    "periodic-table",
    "dyna-table",
    "hypercube:10",
    "clip-marks",
    "file-tree",
    "elfinder",
    "bebop",
)
RESETS = 20
ENOUGH = 1 << 40


def main() -> bool:
    """True when clearing is the cheaper way everywhere."""
    rows = []
    cheaper = True
    for app in APPS:
        with served(app) as (url, _):
            clearing, fresh, event = asyncio.run(_measure(url))
        cheaper = cheaper and clearing < fresh
        rows.append((app, f"{clearing:.1f}", f"{fresh:.1f}", f"{event:.2f}", f"{clearing / event:.1f}"))
    print_table(
        "Resets, in milliseconds (medians)",
        ("application", "cleared and loaded again", "new context and page", "one event", "a reset costs, in events"),
        rows,
    )
    return cheaper


async def _measure(url: str) -> tuple[float, float, float]:
    browsers = Browsers(find_browser(), ENOUGH)
    page = BrowserPage(browsers, PageSettings(url=url, agent=AgentSettings(name="bench")))
    try:
        await page.reset()
        clearing = [await _timed(page) for _ in range(RESETS)]
        events = (await page.describe()).events
        fired = []
        for event in events[:RESETS]:
            await page.reset()
            fired.append((await page.walk(None, [(event, None)])).seconds * 1000)
        fresh = []
        for _ in range(RESETS):
            await page.close()
            fresh.append(await _timed(page))
    finally:
        await page.close()
        await browsers.close()
    return _median(clearing), _median(fresh), _median(fired)


async def _timed(page: BrowserPage) -> float:
    begun = time.perf_counter()
    await page.reset()
    return (time.perf_counter() - begun) * 1000


def _median(times: list[float]) -> float:
    return sorted(times)[len(times) // 2]
