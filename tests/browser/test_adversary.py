"""A hostile page costs one event, never the crawl."""

import os
import signal
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from statecrawl.browser import browsers
from statecrawl.browser.browsers import Browsers
from statecrawl.browser.chromium import Chromium, find_browser
from statecrawl.browser.page import BrowserPage
from statecrawl.ports.page import Ending
from statecrawl.runtime.assemble import page_settings
from statecrawl.runtime.crawling import Crawling
from statecrawl.runtime.plan import CrawlPlan, Scope
from statecrawl.testbed.catalogue import application
from statecrawl.testbed.matching import mismatch
from statecrawl.testbed.sites.registry import site_named
from statecrawl.testbed.sites.server import start as start_site
from tests.browser.adversary import ATTACK, ATTACKS, SAFE, STILL_HERE, Crawled, Den, attacked, crawled, troubles
from tests.browser.pages.server import PAGES, TAMPERINGS, start

pytestmark = pytest.mark.browser

APP = "test-ria"
EVERYTHING = Scope(allow_dangerous=True)
ENOUGH = 1 << 40  # bytes


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


# -- what else may happen to a browser --


async def crawled_app(
    out: Path, told: Callable[[Crawling, Den], None], change: Callable[[CrawlPlan], CrawlPlan] = lambda plan: plan
) -> Crawled:
    serving = await start_site(site_named(APP))
    try:
        plan = CrawlPlan(url=serving.url, out=out, scope=EVERYTHING, screenshots=False, learn_states=0, pages=2)
        return await crawled(change(plan), told)
    finally:
        await serving.close()


def assert_true_model(found: Crawled) -> None:
    """The whole truth, nothing left over, and a journal that tells the same."""
    assert mismatch(found.crawling.crawl.graph, application(APP).truth) is None
    assert found.outcome.ended_because == "complete"
    assert found.outcome.hung == found.outcome.crashed == found.outcome.refused == 0
    assert found.left == []
    explored = [fact for fact in found.facts if type(fact).__name__ == "TransitionExplored"]
    assert len(explored) == found.outcome.transitions == 305


def killing(kind: str, after: Sequence[int]) -> Callable[[Crawling, Den], None]:
    """Kill all processes of a kind whenever so many transitions were explored."""
    left = list(after)

    def told(crawling: Crawling, home: Den) -> None:
        if left and crawling.crawl.graph.explored >= left[0]:
            left.pop(0)
            victims = [pid for pid, what in home.processes().items() if what == kind]
            assert victims
            for pid in victims:
                os.kill(pid, signal.SIGKILL)

    return told


@pytest.mark.parametrize("kind", ["browser", "renderer"])
async def test_a_killed_process_costs_a_few_events(kind: str, tmp_path: Path) -> None:
    assert_true_model(await crawled_app(tmp_path / "crawl", killing(kind, [20, 150, 290])))


async def test_a_browser_that_grew_too_large_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browsers, "GLANCE_SECONDS", 0.5)
    started = []
    start_one = Chromium.start

    async def counted(program: Path) -> Chromium:
        started.append(program)
        return await start_one(program)

    monkeypatch.setattr(Chromium, "start", counted)
    found = await crawled_app(tmp_path / "crawl", lambda _, __: None, lambda plan: replace(plan, recycle_bytes=1))
    assert_true_model(found)
    assert len(started) > 1


async def test_pages_are_replaced_after_a_few_events(tmp_path: Path) -> None:
    found = await crawled_app(tmp_path / "crawl", lambda _, __: None, lambda plan: replace(plan, recycle_events=150))
    assert_true_model(found)


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
