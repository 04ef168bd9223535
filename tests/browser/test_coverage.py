"""Which parts of the application's scripts have run, as a real Chromium tells."""

from pathlib import Path

import pytest

from statecrawl.browser.browsers import Browsers
from statecrawl.browser.chromium import find_browser
from statecrawl.browser.coverage import Coverage
from statecrawl.browser.page import BrowserPage
from statecrawl.config.plan import CrawlPlan
from statecrawl.crawler.page_factory import page_settings
from statecrawl.ports.coverage import Script
from tests.browser.stage import ENOUGH, Stage

pytestmark = pytest.mark.product

SCRIPT = """function ran() { return 1; }
function never() { return 2; }
function later() { document.title = 'later'; }
ran();
document.getElementById('b').onclick = () => { if (document.title === 'x') never(); later(); };
"""


def told(coverage: Coverage) -> dict[str, Script]:
    return {script.url.rpartition("/")[2]: script for script in coverage.scripts()}


def ran(script: Script) -> dict[str, bool]:
    return {function.name: function.ran for function in script.functions if function.name}


async def test_what_runs_is_counted_at_resets_and_at_the_end(stage: Stage) -> None:
    stage.stand.routes |= {
        "/": "<!doctype html><title>a</title><link rel=icon href='data:,'><button id=b>go</button>"
        "<script src=app.js></script><script>function inline() {}</script>",
        "/app.js": SCRIPT,
    }
    browsers, coverage = Browsers(find_browser(), ENOUGH), Coverage()
    plan = CrawlPlan(url=stage.stand.url, out=Path("unused"))
    page = BrowserPage(browsers, page_settings(plan, "agent", 0, frozenset()), coverage=coverage)
    try:
        first = await page.reset()
        assert coverage.scripts() == [], "nobody was asked yet"
        await page.reset()
        assert set(told(coverage)) == {"app.js", ""}, "ours are not among them"
        assert ran(told(coverage)["app.js"]) | {"document.getElementById.onclick": False} == {
            "ran": True,
            "never": False,
            "later": False,
            "document.getElementById.onclick": False,
        }
        assert [function.line for function in told(coverage)["app.js"].functions][:3] == [1, 2, 3]
        assert ran(told(coverage)[""]) == {"inline": False}
        event = (await page.describe()).events[0]
        await page.walk(first.state, [(event, None)])
        await page.close()
        script = told(coverage)["app.js"]
        assert ran(script)["later"] is True
        assert ran(script)["never"] is False
        assert script.length == len(SCRIPT)
        unrun = [SCRIPT[end:start] for (_, end), (start, _) in zip(script.covered, script.covered[1:], strict=False)]
        assert "function never() { return 2; }" in unrun
        assert "never();" in unrun, "blocks are counted, too"
    finally:
        await page.close()
        await browsers.close()


async def counted(stage: Stage, *events: str, asks: bool = True) -> dict[str, Script]:
    """Open the page, fire the events, and ask in the end what has run; before each event as well, if `asks`."""
    browsers, coverage = Browsers(find_browser(), ENOUGH), Coverage()
    plan = CrawlPlan(url=stage.stand.url, out=Path("unused"))
    page = BrowserPage(browsers, page_settings(plan, "agent", 0, frozenset()), coverage=coverage)
    try:
        await page.reset()
        for event in events:
            if asks:
                await page._take_coverage()
            assert (await page.walk(None, [(event, None)])).done == 1
        await page.close()
    finally:
        await page.close()
        await browsers.close()
    return told(coverage)


BEGINS = "<!doctype html><title>a</title><link rel=icon href='data:,'>"


async def test_later_answers_list_only_what_ran(stage: Stage) -> None:
    script = "function one() {}\nfunction two() {}\nfunction three() {}\nbyId = (id) => document.getElementById(id);"
    buttons = "".join(f"<button id={name} onclick='{name}()'>{name}</button>" for name in ("one", "two"))
    stage.stand.routes |= {"/": f"{BEGINS}{buttons}<script src=app.js></script>", "/app.js": script}
    scripts = await counted(stage, "click button#one", "click button#two")
    assert ran(scripts["app.js"]) | {"byId": False} == {"one": True, "two": True, "three": False, "byId": False}


async def test_scripts_of_a_document_that_is_gone_do_not_lose_the_others(stage: Stage) -> None:
    stage.stand.routes |= {
        "/": f"{BEGINS}<a id=a href=/next>a</a><script src=app.js></script>",
        "/app.js": "function app() {} app()",
        "/next": f"{BEGINS}<script src=next.js></script>",
        "/next.js": "function next() {} next()",
    }
    scripts = await counted(stage, "click a#a", asks=False)
    assert ran(scripts["next.js"]) == {"next": True}
