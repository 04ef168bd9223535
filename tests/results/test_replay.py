"""Replays of crawls in a real Chromium."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest
from aiohttp import web

from statecrawl.config.plan import CrawlPlan, Scope
from statecrawl.crawler.assembly import crawl as run_crawl
from statecrawl.journal.facts import StateFound, TransitionDiverged
from statecrawl.model.shortest_paths import shortest_paths_of
from statecrawl.results.replay import Replayer, Verification, read_model, replayer
from statecrawl.stores.evidence import JOURNAL_NAME
from statecrawl.stores.sqlite_journal import open_journal
from statecrawl.testbed.sites.registry import site_named
from statecrawl.testbed.sites.server import start
from tests.cli.serving import serving

pytestmark = pytest.mark.product
Found = TypeVar("Found")


def replayed(out: Path, app: str, use: Callable[[Replayer], Awaitable[Found]], then: str = "") -> Found:
    """Crawl an application, then replay it, or another one."""

    async def run() -> Found:
        serving = await start(site_named(app))
        plan = CrawlPlan(
            url=serving.url, out=out, scope=Scope(allow_dangerous=True), screenshots=False, learn_states=0, reset_cost=3
        )
        try:
            if not (out / JOURNAL_NAME).exists():
                await run_crawl(plan, lambda _: None, lambda _: None)
            async with replayer(plan, read_model(out)) as walking:
                return await use(walking)
        finally:
            await serving.close()

    return asyncio.run(run())


def test_every_state_is_walked_to_again(tmp_path: Path) -> None:
    heard: list[str] = []
    walks: list[tuple[int, int]] = []

    async def use(walking: Replayer) -> Verification:
        last = await walking.go(5, on_event=lambda _, event: heard.append(event))
        assert last.arrived
        assert list(last.path) == heard
        return await walking.verify(None, 0, lambda done, of, _: walks.append((done, of)))

    verdict = replayed(tmp_path / "crawl", "pager:6", use)
    assert len(walks) < 6, "a walk counts for all states whose paths are its beginning"
    assert walks[-1] == (6, 6)
    assert verdict.arrived == verdict.states == 6
    assert verdict.agreed == verdict.transitions
    assert verdict.agreement == 1.0
    assert verdict.failed == ()


FORGETFUL = """<!doctype html><title>Shy</title><link rel=icon href="data:,"><button id=a>a</button>
<button id=b>b</button>
<p id=said>start</p><script>let n = 0;
a.onclick = () => { n += 1; };
b.onclick = () => { said.textContent = n < 2 ? 'shallow' : 'deep'; };
</script>"""


def test_a_state_is_reached_on_the_path_on_which_it_was_found(tmp_path: Path) -> None:
    """The page does not show how often one button was pressed, but the other button depends on it."""

    async def page(_: web.Request) -> web.StreamResponse:
        return web.Response(text=FORGETFUL, content_type="text/html")

    async def run(url: str) -> Verification:
        plan = CrawlPlan(
            url=url, out=tmp_path, strategy="greedy", screenshots=False, learn_states=0, reset_cost=3, traffic=False
        )
        await run_crawl(plan, lambda _: None, lambda _: None)
        crawl = read_model(tmp_path)
        assert len(crawl.graph) == 3
        assert shortest_paths_of(crawl.graph).depths[2] == 2, "the shortest path does not lead there"
        async with replayer(plan, crawl) as walking:
            return await walking.verify(None, 0, lambda *_: None)

    application = web.Application()
    application.add_routes([web.get("/", page)])
    with serving(application) as port:
        verdict = asyncio.run(run(f"http://127.0.0.1:{port}/"))
    assert (verdict.arrived, verdict.failed) == (3, ())


def test_changes_since_the_crawl_are_reported(tmp_path: Path) -> None:
    """The application has fewer pages than during the crawl."""
    replayed(tmp_path / "crawl", "pager:6", lambda walking: walking.go(1))
    verdict = replayed(tmp_path / "crawl", "pager:4", lambda walking: walking.verify(None, 0, lambda *_: None))
    assert 0 < len(verdict.failed) == verdict.states - verdict.arrived
    assert all(failed.problem for failed in verdict.failed)


def test_a_state_without_a_known_path_is_not_reached(tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    replayed(out, "pager:3", lambda walking: walking.go(0))
    journal = open_journal(out / JOURNAL_NAME)
    journal.append([StateFound(state="a" * 24, events=())])
    journal.close()

    async def use(walking: Replayer) -> Verification:
        lost = await walking.go(3)
        assert not lost.arrived
        assert "no known path" in lost.problem
        return await walking.verify(2, 0, lambda *_: None)

    verdict = replayed(out, "pager:3", use)
    assert (verdict.states, verdict.unreachable) == (2, 1)


def test_an_event_that_led_to_different_states_is_fired_for_each_of_them(tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    replayed(out, "pager:3", lambda walking: walking.go(0))
    graph, elsewhere = read_model(out).graph, "a" * 24
    event, target = graph.event(0, 0).local, graph.ids[graph.targets[0][0]]
    journal = open_journal(out / JOURNAL_NAME)
    journal.append(
        [
            StateFound(state=elsewhere, events=(), walk="once", steps=(event,)),
            TransitionDiverged(state=graph.ids[0], event=event, expected=target, landed=elsewhere, incident=1),
        ]
    )
    journal.close()
    verdict = replayed(out, "pager:3", lambda walking: walking.verify(None, 0, lambda *_: None))
    assert (verdict.states, [failed.state for failed in verdict.failed]) == (4, [elsewhere])
