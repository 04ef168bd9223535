"""A node that cannot reach the application for some seconds records no facts about that time."""

import asyncio
import stat
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from statecrawl.browser.chromium import find_browser
from statecrawl.cluster.http.server import RunningServer
from statecrawl.config.plan import CrawlPlan
from statecrawl.fleet.assembly import JoinedCrawl, work
from statecrawl.fleet.http_host import CoordinatorAddress, serve_coordinator
from statecrawl.fleet.task_coordinator import TaskCoordinator
from statecrawl.journal.fold import fold
from statecrawl.stores.evidence import JOURNAL_NAME
from statecrawl.stores.sqlite_journal import open_reader
from statecrawl.testbed.catalogue import application
from statecrawl.testbed.model_match import mismatch
from statecrawl.testbed.sites.registry import site_named
from statecrawl.testbed.sites.server import start
from tests.cluster.proxy import Proxy

pytestmark = pytest.mark.browser

TOKEN = "a token of this crawl"  # noqa: S105
LATENCY = 0.03  # seconds: long enough to be cut off in the middle of an answer


def detour(folder: Path, port: int, through: int) -> str:
    """A browser for which the application's port is reached through another."""
    path = folder / "browser"
    rule = f"MAP localhost:{port} 127.0.0.1:{through}"
    path.write_text(f'#!/bin/sh\nexec "{find_browser()}" --host-resolver-rules="{rule}" "$@"\n')
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


@asynccontextmanager
async def proxied(port: int) -> AsyncIterator[Proxy]:
    proxy = Proxy(port)
    await proxy.open()
    try:
        yield proxy
    finally:
        await proxy.close()


async def crawled(
    app: str, out: Path, cuts: list[tuple[float, float]], cut: Callable[[Proxy], None] = Proxy.cut
) -> Proxy:
    """A crawl by two nodes, one of which is cut off for so long, so long after the crawl has begun or it was last."""
    site = await start(site_named(app), latency=LATENCY)
    port = int(site.url.split(":")[2].split("/")[0])
    plan = CrawlPlan(
        url=site.url.replace("127.0.0.1", "localhost"), out=out, screenshots=False, learn_states=0, reset_cost=5.0,
        strategy="greedy",
    )  # fmt: skip
    nodes: list[asyncio.Task[str]] = []
    async with proxied(port) as proxy:

        def on_start(coordinator: TaskCoordinator, serving: RunningServer) -> None:
            url = f"http://{serving.host}:{serving.port}"
            for name, browser in (("fine", None), ("poor", detour(out.parent, port, proxy.port))):
                joining = JoinedCrawl(url=url, token=TOKEN, name=name, browser=browser)
                nodes.append(asyncio.create_task(work(joining, lambda *_: None, lambda _: None)))
            nodes.append(asyncio.create_task(trouble(coordinator)))

        async def trouble(coordinator: TaskCoordinator) -> str:
            while coordinator.crawl.graph.explored < 5:
                await asyncio.sleep(0.05)
            for after, lasts in cuts:
                await asyncio.sleep(after)
                cut(proxy)
                await asyncio.sleep(lasts)
                proxy.mend()
            return ""

        outcome, _ = await serve_coordinator(plan, CoordinatorAddress(token=TOKEN), on_start, lambda _: None)
        await asyncio.gather(*nodes)
    await site.close()
    assert outcome.complete
    return proxy


@pytest.mark.timeout(150)
@pytest.mark.parametrize(
    "cuts",
    [
        pytest.param([(0.5, 4.0)], id="once for seconds"),
        pytest.param([(0.13, 0.05)] * 40, id="flickering", marks=pytest.mark.long),
    ],
)
async def test_a_node_that_loses_the_application_for_seconds_makes_no_facts_of_that(
    tmp_path: Path, cuts: list[tuple[float, float]]
) -> None:
    proxy = await crawled("test-ria", tmp_path / "crawl", cuts)
    assert proxy.cuts > 0
    check("test-ria", tmp_path / "crawl")


@pytest.mark.timeout(150)
@pytest.mark.parametrize(
    "cuts",
    [
        pytest.param([(0.5, 6.0)], id="once"),
        pytest.param([(0.3, 3.5)] * 4, id="again and again", marks=pytest.mark.long),
    ],
)
async def test_a_node_whose_network_swallows_everything_for_seconds_makes_no_facts_of_that(
    tmp_path: Path, cuts: list[tuple[float, float]]
) -> None:
    proxy = await crawled("test-ria", tmp_path / "crawl", cuts, Proxy.stall)
    assert proxy.held > 0
    check("test-ria", tmp_path / "crawl")


def check(app: str, out: Path) -> None:
    """What was found is what there is."""
    found = fold(open_reader(out / JOURNAL_NAME).read())
    assert mismatch(found.graph, application(app).truth) is None
    assert not found.failures
