"""A hostile page costs one event, never the crawl."""

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from statecrawl.browser import chromium
from statecrawl.browser.browsers import Browsers
from statecrawl.browser.chromium import find_browser
from statecrawl.browser.page import BrowserPage
from statecrawl.config.plan import CrawlPlan, Scope
from statecrawl.crawler.loop import CrawlLoop
from statecrawl.crawler.page_factory import page_settings
from statecrawl.ports.page import Ending
from statecrawl.testbed.catalogue import application
from statecrawl.testbed.model_match import mismatch
from statecrawl.testbed.sites.registry import site_named
from statecrawl.testbed.sites.server import start as start_site
from tests.browser.adversary import (
    ATTACK,
    ATTACKS,
    SAFE,
    STILL_HERE,
    Crawled,
    Den,
    attacked,
    crawled,
    evidence_of,
    troubles,
)
from tests.browser.pages import server
from tests.browser.pages.server import PAGES, TAMPERINGS, start
from tests.browser.stage import Stage

pytestmark = pytest.mark.browser

EVERYTHING = Scope(allow_dangerous=True)
ENOUGH = 1 << 40  # bytes
HEAP_MEGABYTES = 200  # of a page: enough to begin, and full within a second
ANSWER_BYTES = (
    50_000_000  # more than anybody sends, and here within the patience for one request also on a busy machine
)
CROWD = 200_000  # elements: more than are looked at; the benchmark has a million
NEVER_SECONDS = 20.0  # a few times what the test takes
PAGES_AND_SPARE = 3  # processes of a crawl with two pages that are not replaced

GOING = """<button id=safe onclick="log('still-here')">safe</button>
<button id=attack onclick="location.assign('WAY')">attack</button>
<script>if (location.search) location.assign('/never')</script>"""


def test_every_hostile_page_is_crawled() -> None:
    assert sorted(ATTACKS) == sorted(PAGES)


@pytest.mark.parametrize("page", [page for page, attack in ATTACKS.items() if not attack.slow])
async def test_an_attack_costs_one_event(page: str, tmp_path: Path) -> None:
    assert troubles(page, await attacked(page, tmp_path / "crawl")) == []


async def test_no_group_of_built_ins_is_relied_on(tmp_path: Path) -> None:
    """Each alone, because one that lies may keep another from being asked."""
    serving = await start()
    pool = Browsers(find_browser(), ENOUGH)
    wrong = []
    try:
        for group in TAMPERINGS:
            plan = CrawlPlan(url=f"{serving.url}tampered.html?only={group}", out=tmp_path)
            page = BrowserPage(pool, page_settings(plan, "agent", 0, frozenset()))
            await page.reset()
            for event, words in ((SAFE, STILL_HERE), (ATTACK, "attacked</p>"), (SAFE, STILL_HERE)):
                walked = await page.walk(None, [(event, None)])
                if walked.why is not Ending.END or words not in (await page.describe()).html:
                    wrong.append((group, event, walked.why))
            await page.close()
    finally:
        await pool.close()
        await serving.close()
    assert wrong == []


# -- hazards that need another browser, server or page than the others --


async def test_a_page_that_uses_up_all_memory_has_crashed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chromium, "FLAGS", (*chromium.FLAGS, f"--js-flags=--max-old-space-size={HEAP_MEGABYTES}"))
    assert troubles("memory.html", await attacked("memory.html", tmp_path / "crawl")) == []


async def test_a_crowd_of_elements_is_cut_off(tmp_path: Path, stage: Stage) -> None:
    html = (server.FOLDER / "million-nodes.html").read_text()
    assert "1_000_000" in html
    stage.serve("/", html.replace("1_000_000", str(CROWD)))
    stage.serve("/safe.js", (server.FOLDER / "safe.js").read_text())
    assert (
        troubles("million-nodes.html", await attacked("million-nodes.html", tmp_path / "crawl", stage.stand.url)) == []
    )


async def test_a_huge_answer_is_swallowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "HUGE_BYTES", ANSWER_BYTES)
    found = await attacked("huge-fetch.html", tmp_path / "crawl")
    assert troubles("huge-fetch.html", found) == []
    assert (found.outcome.ended_because, found.outcome.hung, found.outcome.crashed) == ("complete", 0, 0)
    pages = [evidence_of(found.crawling).html(state) for state in found.crawling.crawl.graph.ids]
    assert any(f"swallowed {ANSWER_BYTES} bytes" in html for html in pages)


@pytest.mark.parametrize(
    "way",
    [
        "/never",
        "/?between",
    ],
)
async def test_a_page_that_never_comes_is_hung(way: str, stage: Stage) -> None:
    """Also when there is another one on the way, which is left again at once: see location-flood.html."""
    stage.serve_late("/never", "at last", NEVER_SECONDS)
    view = await stage.show_alone(GOING.replace("WAY", way), event_seconds=0.5, load_seconds=0.5)
    walked = await view.walk("click button#attack")
    assert (walked.why, walked.landed) == (Ending.HUNG, None)
    await view.reset()
    assert await view.log("click button#safe") == ["still-here"]


# -- what else may happen to a browser --


async def crawled_app(app: str, out: Path, told: Callable[[CrawlLoop, Den], None], **changes: Any) -> Crawled:
    """Crawl a site whose model is known; it has to be found, whatever happens meanwhile."""
    serving = await start_site(site_named(app))
    try:
        plan = CrawlPlan(url=serving.url, out=out, scope=EVERYTHING, screenshots=False, learn_states=0, pages=2)
        found = await crawled(replace(plan, **changes), told)
    finally:
        await serving.close()
    assert mismatch(found.crawling.crawl.graph, application(app).truth) is None
    assert found.outcome.ended_because == "complete"
    assert found.outcome.hung == found.outcome.crashed == found.outcome.refused == 0
    assert found.left == []
    explored = [fact for fact in found.facts if type(fact).__name__ == "TransitionExplored"]
    assert len(explored) == found.outcome.transitions == found.crawling.crawl.graph.explored
    return found


@pytest.mark.parametrize("kind", ["browser", "renderer"])
async def test_a_killed_process_costs_a_few_events(kind: str, tmp_path: Path) -> None:
    left = [3, 16, 29]  # transitions, of 32

    def kill(crawling: CrawlLoop, home: Den) -> None:
        if left and crawling.crawl.graph.explored >= left[0]:
            left.pop(0)
            victims = [pid for pid, what in home.processes().items() if what == kind]
            assert victims
            for pid in victims:
                with suppress(ProcessLookupError):  # the first may take others with it
                    os.kill(pid, signal.SIGKILL)

    await crawled_app("hypercube:4", tmp_path / "crawl", kill)
    assert left == []


async def test_a_browser_that_grew_too_large_is_replaced(tmp_path: Path) -> None:
    seen: set[int] = set()
    await crawled_app("hypercube:4", tmp_path / "crawl", lambda _, home: seen.update(home.groups), recycle_bytes=1)
    assert len(seen) > 1


async def test_pages_are_replaced_after_a_few_events(tmp_path: Path) -> None:
    seen: set[int] = set()

    def look(_: CrawlLoop, home: Den) -> None:
        seen.update(pid for pid, kind in home.processes().items() if kind == "renderer")

    await crawled_app("widgets:3,3", tmp_path / "crawl", look, recycle_events=40)
    assert len(seen) > PAGES_AND_SPARE


async def test_a_first_page_that_is_shown_only_once(tmp_path: Path) -> None:
    """No reset leads to the other event of the first page any more: the crawl says so, and ends."""
    serving = await start()
    try:
        plan = CrawlPlan(url=f"{serving.url}once", out=tmp_path / "crawl", screenshots=False, learn_states=0)
        found = await crawled(plan)
    finally:
        await serving.close()
    assert found.outcome.ended_because == "complete"
    assert (found.outcome.states, found.outcome.hung) == (3, 1)
