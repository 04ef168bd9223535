"""At the time limit of a crawl, each node breaks off its task and reports what it has seen.

Some events of the page take an hour. A crawl that never comes to one, on a busy machine, is given more time.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from statecrawl.config.fleet import ARCHITECTURES, CLIENT_SERVER, PEER_TO_PEER, FleetSettings
from statecrawl.config.plan import CrawlLimits, CrawlPlan
from statecrawl.crawler.outcome import Outcome
from statecrawl.fleet.standby import CoordinatorWatcher, RedisEngine
from statecrawl.fleet.supervisor import crawl_in_engine, crawl_with_nodes
from tests.browser.slow_server import never
from tests.browser.stage import Stand, document
from tests.cluster.redis_server import RedisServer

pytestmark = pytest.mark.browser

HOUR = 3600.0  # seconds
TRIES = (4.0, 12.0, 36.0)  # seconds
# Both buttons lead to a state each; from there on, nothing ends.
PAGE = document(
    "<h1>one</h1><button id=a>a</button><button id=b>b</button><script>const title = document.querySelector('h1');"
    "for (const id of ['a', 'b']) document.getElementById(id).onclick = () => {"
    " if (title.textContent === 'one') title.textContent = id; else fetch('/never'); };</script>"
)


Run = Callable[[CrawlPlan], Awaitable[Outcome]]


def planned(stand: Stand, out: Path, architecture: str, seconds: float) -> CrawlPlan:
    return CrawlPlan(
        url=stand.url, out=out, screenshots=False, learn_states=0, reset_cost=3.0, event_seconds=HOUR,
        load_seconds=HOUR, horizon_seconds=HOUR, limits=CrawlLimits(seconds=seconds),
        fleet=FleetSettings(architecture=architecture),
    )  # fmt: skip


async def check(out: Path, architecture: str, run: Run) -> None:
    for seconds in TRIES:
        stand = Stand()
        stand.routes.update({"/": PAGE, "/never": never})
        await stand.open()
        plan = planned(stand, out / f"{seconds:g}", architecture, seconds)
        outcome = await run(plan)
        await stand.close()
        assert (outcome.ended_because, outcome.complete, outcome.hung) == ("max-time", False, 0)
        if "/never" in stand.paths:
            break
    assert "/never" in stand.paths
    assert outcome.transitions >= 1, "what was seen before is told"
    for log in (plan.out / "nodes").glob("*.log"):
        assert "the crawl has ended: max-time" in log.read_text()


@pytest.mark.parametrize("architecture", ARCHITECTURES)
async def test_nodes_break_off_what_they_do(tmp_path: Path, architecture: str) -> None:
    async def run(plan: CrawlPlan) -> Outcome:
        return (await crawl_with_nodes(plan, 1, lambda _: None, lambda _: None))[0]

    await check(tmp_path, architecture, run)


async def test_peers_in_a_redis_break_off_what_they_do(tmp_path: Path, server: RedisServer) -> None:
    watcher = CoordinatorWatcher(on_lead=lambda _: None, on_progress=lambda _: None, on_standby=lambda _: None)

    async def run(plan: CrawlPlan) -> Outcome:
        name = f"limited-{plan.limits.seconds:g}"
        return (await crawl_in_engine(plan, RedisEngine(url=server.url), name, 1, watcher))[0]

    await check(tmp_path, PEER_TO_PEER, run)


async def test_a_node_that_learns_when_the_time_is_over_tells_what_it_found(tmp_path: Path) -> None:
    phases = set[str]()

    async def run(plan: CrawlPlan) -> Outcome:
        plan = replace(plan, learn_states=20, reset_cost=None)
        return (await crawl_with_nodes(plan, 1, lambda _: None, lambda coordinator: phases.add(coordinator.phase)))[0]

    await check(tmp_path, CLIENT_SERVER, run)
    assert "learning" in phases
