"""The live page in a real Chromium: it grows with the crawl, stays smooth, and nothing of a page runs in it."""

import asyncio
import re
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import CDPSession, Page, async_playwright

from statecrawl.browser.chromium import find_browser
from statecrawl.cluster.http.live_page import serve_live
from statecrawl.config.plan import CrawlPlan
from statecrawl.crawler.live_page import LivePage
from statecrawl.crawler.live_view import ProgressMeter
from statecrawl.crawler.outcome import Outcome, outcome_of
from statecrawl.crawler.status import NodeStatus, PageHealth
from statecrawl.journal.facts import CrawlEnded, CrawlStarted, Fact, StateFound, TransitionExplored
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.ports.recorder import WorkCount
from statecrawl.report.live.files import assets
from tests.cli.command import ENVIRONMENT, arguments

pytestmark = pytest.mark.product

STATES, EVENTS = 2_000, 25  # fifty thousand transitions
STREAM_SECONDS = 6.0
BUSY_SHARE = 0.5  # of the time in which the crawl grows; a page that works more than that stumbles
HOSTILE = (
    '\'"`--></script><script>window.ran=1</script><img src=x onerror="window.ran=1"><svg onload=window.ran=1>'
    "javascript:window.ran=1\u2028\x00\ud800 __proto__ “constructor”"
)


class Fed:
    """A crawl whose facts this test tells."""

    def __init__(self, out: Path, name: str = "") -> None:
        self.plan = CrawlPlan(url="http://app.test/", out=out, name=name)
        self.crawl = FoldedCrawl()
        self.nodes: list[NodeStatus] = []
        self._begun = time.monotonic()

    def outcome(self) -> Outcome:
        seconds = time.monotonic() - self._begun
        tally = WorkCount(events=self.crawl.fired, resets=self.crawl.resets)
        told = {"reset_cost": 2.0, "events_before": 0, "ended_because": self.crawl.ended or ""}
        return outcome_of("", self.crawl, tally, seconds=seconds, **told)  # type: ignore[arg-type]

    def doing(self) -> str:
        return ""

    def learning(self) -> str:
        return ""

    def health(self) -> PageHealth | None:
        return None

    def node_statuses(self) -> list[NodeStatus]:
        return self.nodes


def large_crawl() -> list[Fact]:
    """A tree of states, with links to everywhere."""
    names = tuple(f'click a "Item {number}"' for number in range(EVENTS))
    ids = [f"{state:08x}" for state in range(STATES)]
    facts: list[Fact] = [CrawlStarted(application="large", configuration={}, reset_cost=2.0)]
    facts.append(StateFound(state=ids[0], events=names, url="http://app.test/"))
    found = 1
    for number in range(STATES * EVENTS):
        state, position = divmod(number, EVENTS)
        target = (state * 31 + position * 17) % found
        if position % 3 == 0 and found < STATES:
            target = found
            facts.append(StateFound(state=ids[target], events=names, url=f"http://app.test/{target % 7}"))
            found += 1
        facts.append(
            TransitionExplored(state=ids[state], event=names[position], target=ids[target], fired=number + 1, resets=0)
        )
    return [*facts, CrawlEnded(reason="complete")]


@asynccontextmanager
async def browsed(width: int = 1200) -> AsyncIterator[tuple[Page, list[str]]]:
    """A page in a browser that draws by itself, and what went wrong in it."""
    wrong: list[str] = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=str(find_browser()), args=["--no-sandbox"])
        page = await browser.new_page(viewport={"width": width, "height": 800})
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: wrong.append(dialog.message))
        try:
            yield page, wrong
        finally:
            await browser.close()


async def until(page: Page, expression: str) -> Any:
    """Wait until something is so, whatever it is then: by asking, since the page lets nobody evaluate in it."""
    async with asyncio.timeout(60):
        while not (told := await page.evaluate(expression)):
            await asyncio.sleep(0.05)
        return told


async def feed(fed: Fed, page: LivePage, facts: Sequence[Fact], seconds: float) -> list[float]:
    """Tell facts as time passes; how long each look took."""
    meter, begun, at, looks = ProgressMeter(), time.monotonic(), 0, []
    while at < len(facts):
        upto = int(len(facts) * min((time.monotonic() - begun) / seconds, 1)) if seconds else len(facts)
        fed.crawl.extend(facts[at:upto])
        at = upto
        looked = time.perf_counter()
        page.update(fed, meter.measure(fed))
        looks.append(time.perf_counter() - looked)
        await asyncio.sleep(0.25 if seconds else 0)
    while not page.is_complete:
        page.update(fed, meter.measure(fed))
        await asyncio.sleep(0.05)
    return looks


def test_the_page_grows_with_a_crawl(tmp_path: Path) -> None:
    async def run() -> None:
        command = arguments(
            "crawl", "test-ria", "--out", tmp_path / "crawl", "--live-at", "0", "--no-report", "--learn-states", "0"
        )
        crawl = await asyncio.create_subprocess_exec(
            *command, stderr=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, env=ENVIRONMENT
        )
        try:
            assert crawl.stderr is not None
            said = (await crawl.stderr.readline()).decode()
            found = re.fullmatch(r"live: (http://127\.0\.0\.1:\d+/)\n", said)
            assert found is not None, said
            async with browsed() as (page, wrong):
                await page.goto(found[1])
                states = "statecrawl.totals().states"
                seen = [await until(page, f"{states} >= {least} && {states}") for least in (1, 10)]
                await crawl.communicate()
                state = await until(page, "/^ended: complete/.test(document.getElementById('state').textContent)")
                assert state is True
                end = await page.inner_text("#end")
                totals = await page.evaluate("statecrawl.totals()")
                tiles = await page.evaluate(
                    "[...document.querySelectorAll('.tiles dd:not(.note)')].map((d) => d.textContent)"
                )
                await until(page, "document.querySelectorAll('#pictures img').length === 6")
                widths = await page.evaluate(
                    "[...document.querySelectorAll('#pictures img')].map((i) => i.naturalWidth)"
                )
                larger = "image.offsetHeight > image.parentNode.offsetHeight"
                parts = await page.evaluate(f"[...document.querySelectorAll('#pictures img')].map((image) => {larger})")
            assert seen == sorted(seen)
            assert end.startswith("The crawl has ended: complete\n\nNo report was requested")
            assert (totals["states"], tiles[0]) == (39, "39")
            assert totals["between"] == totals["explored"] == int(tiles[1].replace(",", ""))
            assert all(widths)
            assert all(parts), "a screenshot is larger than its frame, which shows its content"
            assert wrong == []
        finally:
            if crawl.returncode is None:
                crawl.kill()
                await crawl.wait()

    asyncio.run(run())


async def busy_seconds(session: CDPSession) -> float:
    """How long the page has had a processor: whatever else the machine does, that says how much it works."""
    told = await session.send("Performance.getMetrics")
    return float(next(metric["value"] for metric in told["metrics"] if metric["name"] == "TaskDuration"))


def test_it_stays_smooth_at_two_thousand_states_and_fifty_thousand_transitions(tmp_path: Path) -> None:
    async def run() -> None:
        fed, live = Fed(tmp_path), LivePage()
        facts = large_crawl()
        serving = await serve_live(live, assets(), "127.0.0.1", 0, "")
        async with browsed() as (page, wrong):
            await page.goto(f"http://127.0.0.1:{serving.port}/")
            metrics = await page.context.new_cdp_session(page)
            await metrics.send("Performance.enable", {"timeDomain": "threadTicks"})
            before = await busy_seconds(metrics)
            looks = await feed(fed, live, facts, STREAM_SECONDS)
            await until(page, f"statecrawl.totals().between === {STATES * EVENTS}")
            totals = await page.evaluate("statecrawl.totals()")
            busy = await busy_seconds(metrics) - before
            assert wrong == []
        await serving.close()
        assert (totals["states"], totals["explored"]) == (STATES, STATES * EVENTS)
        assert totals["vertices"] <= 120
        told = f"the page was busy for {busy:.2f} s of {STREAM_SECONDS:g} s"
        told += f"; a look takes {sorted(looks)[len(looks) // 2] * 1000:.1f} ms"
        sys.stderr.write(f"{told}\n")
        assert busy < BUSY_SHARE * STREAM_SECONDS, told

    asyncio.run(run())


def test_what_pages_and_nodes_say_is_shown_and_does_not_run(tmp_path: Path) -> None:
    async def run() -> None:
        fed, live = Fed(tmp_path, name=HOSTILE), LivePage()
        fed.nodes = [
            NodeStatus(
                name=HOSTILE, seconds=1, silent=0, tasks=1, events=1, resets=1, idle_seconds=0, holds=("aa", HOSTILE)
            )
        ]
        facts: list[Fact] = [
            CrawlStarted(application=HOSTILE, configuration={}, reset_cost=2.0),
            StateFound(state="aa", events=(f'click a "{HOSTILE}"', HOSTILE), url=f"http://app.test/{HOSTILE}"),
            StateFound(state="bb", events=(), url=f"javascript:{HOSTILE}"),
            StateFound(state="__proto__", events=(), url=HOSTILE),
            TransitionExplored(state="aa", event=f'click a "{HOSTILE}"', target="bb"),
            TransitionExplored(state="aa", event=HOSTILE, target="__proto__"),
            CrawlEnded(reason=HOSTILE),
        ]
        (tmp_path / "states").mkdir()
        (tmp_path / "states" / "bb.jpg").write_bytes(b"<script>window.ran=1</script>")
        serving = await serve_live(live, assets(), "127.0.0.1", 0, "")
        asked: list[str] = []
        async with browsed() as (page, wrong):
            page.on("request", lambda request: asked.append(request.url))
            await page.goto(f"http://127.0.0.1:{serving.port}/")
            await feed(fed, live, facts, 0)
            await until(page, "statecrawl.totals().states === 3")
            for x in range(100, 800, 20):
                await page.mouse.move(x, 520)
            text = await page.inner_text("body")
            assert text.count("<script>window.ran=1</script>") >= 4, "name, end, node and what it holds"
            assert await page.evaluate("window.ran") is None
            assert await page.evaluate("document.querySelectorAll('script').length") == 8
            assert wrong == []
        await serving.close()
        assert all(url.startswith(f"http://127.0.0.1:{serving.port}/") for url in asked)

    asyncio.run(run())


def test_a_tab_finds_the_next_crawl_at_the_same_place(tmp_path: Path) -> None:
    async def run() -> None:
        fed, live = Fed(tmp_path), LivePage()
        facts: list[Fact] = [StateFound(state="aa", events=("click b",)), StateFound(state="bb", events=())]
        serving = await serve_live(live, assets(), "127.0.0.1", 0, "")
        async with browsed(420) as (page, wrong):
            await page.goto(f"http://127.0.0.1:{serving.port}/")
            await feed(fed, live, facts[:1], 0)
            await until(page, "statecrawl.totals().states === 1")
            await serving.close()
            await until(page, "/disconnected/.test(document.getElementById('state').textContent)")
            assert (await page.inner_text("#end")).startswith("No connection to the crawl")
            assert await page.evaluate("statecrawl.totals().states") == 1, "what it showed last stays"
            again, live = Fed(tmp_path), LivePage()
            serving = await serve_live(live, assets(), "127.0.0.1", serving.port, "")
            await feed(again, live, [*facts, TransitionExplored(state="aa", event="click b", target="bb")], 0)
            await until(page, "statecrawl.totals().states === 2 && statecrawl.totals().between === 1")
            assert await page.is_hidden("#end")
            assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it fits a telephone"
            assert wrong == []
        await serving.close()

    asyncio.run(run())


def test_a_crawl_that_has_ended_stays_in_the_tab_until_the_next_one_begins(tmp_path: Path) -> None:
    async def run() -> None:
        ended, live = Fed(tmp_path), LivePage()
        facts: list[Fact] = [StateFound(state="aa", events=("click b",)), StateFound(state="bb", events=())]
        found = TransitionExplored(state="aa", event="click b", target="bb")
        serving = await serve_live(live, assets(), "127.0.0.1", 0, "")
        async with browsed() as (page, wrong):
            await page.goto(f"http://127.0.0.1:{serving.port}/")
            await feed(ended, live, facts[:1], 0)
            await until(page, "statecrawl.totals().states === 1")
            await feed(ended, live, [CrawlEnded(reason="max-time")], 0)
            await serving.close()
            await until(page, "/^ended: max-time/.test(document.getElementById('state').textContent)")
            await asyncio.sleep(1.0)  # the browser has noticed that nobody is there
            assert (await page.inner_text("#state")).startswith("ended: max-time")
            assert f"Report: {tmp_path / 'report' / 'index.html'}" in await page.inner_text("#end")
            again, live = Fed(tmp_path), LivePage()
            serving = await serve_live(live, assets(), "127.0.0.1", serving.port, "")
            await feed(again, live, [*facts, found], 0)
            await until(page, "statecrawl.totals().states === 2")
            assert await page.is_hidden("#end")
            assert wrong == []
        await serving.close()

    asyncio.run(run())
