"""Modules that a page imports while it runs are waited for."""

import asyncio
import contextlib

import pytest

from statecrawl.browser.dynamic_imports import AHEAD, IMPORTS, mentioned
from statecrawl.errors import SiteUnreachable
from tests.browser.slow_server import LATE
from tests.browser.stage import Stage


async def test_modules_that_are_imported_while_the_page_runs(stage: Stage) -> None:
    stage.serve_late("/a.js", "import { b } from '/b.js'; export const a = b;", LATE, "text/javascript")
    stage.serve_late("/b.js", "export const b = 'done';", LATE, "text/javascript")
    html = (
        "<button id=b>b</button><script type=module>const show = async () => log((await import('/a.js')).a);"
        "START byId('b').onclick = show;</script>"
    )
    view = await stage.show_alone(html.replace("START", "show();"))
    assert await view.text() == "done"
    assert (await view.look()).state == view.landing.state
    view = await stage.show_alone(html.replace("START", ""))
    walked = await view.fire("click button#b")
    assert await view.text() == "done"
    assert walked.landed == (await view.look()).state


IMPORTERS = {
    "a script": "<button id=b>b</button><script>byId('b').onclick = () => { import('/m.js') }</script>",
    "an attribute": "<button id=b onclick=\"import('/m.js')\">b</button>",
}


@pytest.mark.parametrize("who", IMPORTERS)
async def test_imports_are_waited_for_in_every_page_that_is_opened(stage: Stage, who: str) -> None:
    stage.serve_late("/m.js", "document.getElementById('log').textContent += 'module ';", LATE, "text/javascript")
    view = await stage.show_alone(IMPORTERS[who])
    assert await view.log("click button#b") == ["module"]
    await view.page.close()
    await view.reset()
    assert await view.log("click button#b") == ["module"]


@pytest.mark.parametrize(
    ("html", "imports", "ahead"),
    [
        ("<button>Import (CSV)</button><script>var label = 'Import (CSV)'</script>", False, False),
        ("<script>var go = () => import('/m.js')</script>", True, False),
        ("<p onclick=\"import('/m.js')\">p</p><script>var rel = 'Prefetch'</script>", True, True),
        ("<p onclick='rel = \"prefetch\"'>p</p>", False, True),
        ('<script>var html = "<link rel=\\"prefetch\\">"</script>', False, True),
        ("<iframe srcdoc=\"<p title='prefetch'>\"></iframe>", False, True),
        ("<iframe src=/inside></iframe>", False, True),
        ("<script>var prefetched = prefetchAll</script>", False, False),
    ],
)
async def test_one_search_finds_what_imports_and_what_fetches_ahead(
    stage: Stage, html: str, imports: bool, ahead: bool
) -> None:
    stage.serve("/inside", "<p title=prefetch>")
    view = await stage.show_alone(html)
    found = await mentioned(view.page._live, [IMPORTS, AHEAD])
    assert (IMPORTS in found, AHEAD in found) == (imports, ahead)
    assert await mentioned(view.page._live, [AHEAD]) == found - {IMPORTS}


async def test_a_page_that_hangs_while_its_scripts_are_searched(stage: Stage) -> None:
    stage.serve("/w.js", "setTimeout(() => postMessage(1), 700)")
    many = "".join(f"<script>var v{number} = {number}</script>" for number in range(1900))
    stage.serve("/", f"{many}<script>new Worker('/w.js').onmessage = () => {{ for (;;); }}</script>")
    page = stage.page(event_seconds=0.5, load_seconds=2)
    with contextlib.suppress(SiteUnreachable):  # or it was quick enough
        await asyncio.wait_for(page.reset(), 20)
    await page.close()
