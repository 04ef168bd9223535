"""Check of the browser: every step that a crawl takes, once, on a page of our own."""

import time
from dataclasses import dataclass

from aiohttp import web

from statecrawl.browser.agent import AgentSettings
from statecrawl.browser.browsers import Browsers
from statecrawl.browser.chromium import find_browser
from statecrawl.browser.page import BrowserPage
from statecrawl.browser.page_settings import PageSettings
from statecrawl.errors import BrowserError, SiteUnreachable

PAGE = "<!doctype html><title>examination</title><button onclick=\"this.textContent = 'pressed'\">press</button>"
ENOUGH = 1 << 40  # bytes: the browser is never recycled


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """Result of one check."""

    name: str
    good: bool
    detail: str


async def examine(program: str | None) -> list[CheckResult]:
    """Return the results of all checks, up to the first failure."""
    results: list[CheckResult] = []
    try:
        path = find_browser(program)
    except BrowserError as error:
        return [CheckResult(name="browser", good=False, detail=str(error))]
    results.append(CheckResult(name="browser", good=True, detail=str(path)))
    browsers = Browsers(path, ENOUGH)
    try:
        started = time.perf_counter()
        browser = await browsers.borrow()
        took = time.perf_counter() - started
        results.append(CheckResult(name="starts", good=True, detail=f"{await browser.version()} in {took:.1f} s"))
        sandbox = "on" if browser.sandboxed else "off, because this is the root user: crawl as another user to have it"
        results.append(CheckResult(name="sandbox", good=True, detail=sandbox))
        results.append(await _fire(browsers))
    except (BrowserError, SiteUnreachable) as error:
        results.append(CheckResult(name="works", good=False, detail=str(error)))
    finally:
        await browsers.close()
    return results


async def _fire(browsers: Browsers) -> CheckResult:
    async def answer(_: web.Request) -> web.Response:
        return web.Response(text=PAGE, content_type="text/html")

    application = web.Application()
    application.router.add_get("/", answer)
    runner = web.AppRunner(application)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = runner.addresses[0][1]
        agent = AgentSettings(name="examination")
        page = BrowserPage(browsers, PageSettings(url=f"http://127.0.0.1:{port}/", agent=agent))
        before = await page.reset()
        event = (await page.describe()).events[0]
        walked = await page.walk(before.state, [(event, None)])
        await page.close()
    finally:
        await runner.cleanup()
    good = walked.landed not in (None, before.state)
    return CheckResult(
        name="works", good=good, detail="a page was opened and an event fired" if good else walked.reason
    )
