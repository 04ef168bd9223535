"""What every crawl by nodes that decide for themselves must do, over HTTP and in Redis."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, Protocol

import pytest

from statecrawl.config.fleet import DIST_RIA, PEER_TO_PEER, FleetSettings
from statecrawl.config.plan import CrawlLimits, CrawlPlan
from statecrawl.coordination.peer_to_peer import LogRequest, PassedToken
from statecrawl.coordination.termination import Token
from statecrawl.journal.facts import CrawlEnded, CrawlStarted, StateFound
from statecrawl.model.graph import Graph
from statecrawl.stores.evidence import EvidenceReader
from statecrawl.strategies.registry import STRATEGIES
from tests.cluster.members import MemberSleeper
from tests.cluster.redis_members import in_redis
from tests.cluster.redis_server import redis_server
from tests.cluster.sleepers import in_hex
from tests.fleet import test_mailbox_coordinator as http
from tests.fleet.test_mailbox_coordinator import PEERS, both, found, plan, truth


class Run(Protocol):
    """A crawl under way."""

    coordinator: Any
    done: "asyncio.Task[Any]"

    def line(self) -> Any: ...
    def node(self, name: str, truth: Graph, seconds: float = 0.0, patience: float = 10.0) -> MemberSleeper: ...


@asynccontextmanager
async def over_redis(planned: CrawlPlan) -> AsyncIterator[Run]:
    with redis_server(planned.out.parent / "redis") as server:
        async with in_redis(planned, server.url) as run:
            await run.begins()
            yield run


Running = Callable[[CrawlPlan], AbstractAsyncContextManager[Run]]


@pytest.fixture(params=[http.running, over_redis], ids=["http", "redis"])
def running(request: pytest.FixtureRequest) -> Running:
    chosen: Running = request.param
    return chosen


OVER_HTTP = [pytest.param(http.running, strategy, id=f"http-{strategy}") for strategy in STRATEGIES]
IN_REDIS = [pytest.param(over_redis, strategy, id=f"redis-{strategy}") for strategy in ("greedy", "probability")]


@pytest.mark.parametrize(("running", "strategy"), OVER_HTTP + IN_REDIS)
@both
async def test_several_nodes_find_the_true_model(
    tmp_path: Path, running: Running, fleet: FleetSettings, strategy: str
) -> None:
    model, out = truth(), tmp_path / "crawl"
    async with running(plan(out, fleet, strategy=strategy)) as run:
        nodes = [run.node(f"n{number}", model, EVENT_SECONDS) for number in range(4)]
        assert await asyncio.gather(*(node.run() for node in nodes)) == ["complete"] * 4
        outcome, _ = await run.done
    assert (outcome.complete, outcome.states) == (True, len(model))
    assert outcome.events == sum(node.events for node in nodes)
    crawl = found(out)
    assert crawl.graph.same_as(model)
    assert 0 < crawl.fired <= outcome.events
    assert EvidenceReader(out).html(in_hex(model.ids[-1])) == f"<p>{model.ids[-1]}</p>"
    assert run.coordinator.repeated < outcome.transitions / 2  # whoever comes first is alone for a while


@pytest.mark.parametrize(
    "fleet",
    [
        FleetSettings(architecture=DIST_RIA, partition="range"),
        FleetSettings(architecture=DIST_RIA, partition="hash", partition_by="type"),
        FleetSettings(architecture=DIST_RIA, balance="hybrid"),
        FleetSettings(architecture=DIST_RIA, balance="adaptive"),
        FleetSettings(architecture=DIST_RIA, balance="lazy-adaptive"),
        FleetSettings(architecture=PEER_TO_PEER, partition="stride", share="states"),
        FleetSettings(architecture=PEER_TO_PEER, partition_by="url", share="shorter", share_every=10),
        FleetSettings(architecture=PEER_TO_PEER, share="states", share_seconds=0.2),
    ],
    ids=lambda fleet: f"{fleet.architecture} {fleet.partition} {fleet.share} {fleet.balance}",
)
async def test_whatever_is_dealt_out_and_shared(tmp_path: Path, running: Running, fleet: FleetSettings) -> None:
    model = truth()
    async with running(plan(tmp_path / "crawl", fleet)) as run:
        nodes = [run.node(f"n{number}", model) for number in range(3)]
        assert await asyncio.gather(*(node.run() for node in nodes)) == ["complete"] * 3
        await run.done
    assert found(tmp_path / "crawl").graph.same_as(model)


@both
async def test_a_node_that_falls_silent_is_missed(
    tmp_path: Path, running: Running, fleet: FleetSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("statecrawl.fleet.coordinator.LEASE_SECONDS", 1.0)
    monkeypatch.setattr("statecrawl.fleet.coordinator.TICK_SECONDS", 0.1)
    for module in ("http.members", "redis.log"):
        monkeypatch.setattr(f"statecrawl.cluster.{module}.POLL_SECONDS", 0.5)
    model = truth()
    async with running(plan(tmp_path / "crawl", fleet)) as run:
        dying = asyncio.create_task(run.node("dying", model, 0.01, patience=1.0).run())
        living = asyncio.create_task(run.node("living", model, 0.001, patience=1.0).run())
        await asyncio.sleep(0.3)
        dying.cancel()
        assert await living == "complete"
        assert (await run.done)[0].complete
    crawl = found(tmp_path / "crawl")
    assert crawl.graph.same_as(model)
    assert crawl.members == ("living",)


@pytest.mark.parametrize(
    ("limits", "why"),
    [
        (CrawlLimits(states=7), "max-states"),
        (CrawlLimits(events=30), "max-events"),
        (CrawlLimits(seconds=1), "max-time"),
    ],
)
@both
async def test_limits_end_it_for_all(
    tmp_path: Path, running: Running, fleet: FleetSettings, limits: CrawlLimits, why: str
) -> None:
    async with running(plan(tmp_path / "crawl", fleet, limits=limits)) as run:
        nodes = [run.node(f"n{number}", truth(), 0.01) for number in range(3)]
        assert await asyncio.gather(*(node.run() for node in nodes)) == [why] * 3
        outcome, _ = await run.done
    assert (outcome.ended_because, outcome.complete) == (why, False)


@both
async def test_what_lies_too_deep_is_left_out(tmp_path: Path, running: Running, fleet: FleetSettings) -> None:
    async with running(plan(tmp_path / "crawl", fleet, limits=CrawlLimits(depth=2))) as run:
        nodes = [run.node(f"n{number}", truth("pager:6")) for number in range(2)]
        assert await asyncio.gather(*(node.run() for node in nodes)) == ["max-depth"] * 2
        assert (await run.done)[0].states == 3


# -- the log of peers --

EVENT_SECONDS = 0.003  # long enough for nodes to hear of each other while the first one works
HOME = StateFound(state="aa", events=("go",))


async def test_a_request_that_comes_again_is_answered_again_and_written_once(tmp_path: Path, running: Running) -> None:
    async with running(plan(tmp_path / "crawl", PEERS)) as run:
        line = run.line()
        heard = await line.exchange(LogRequest("me", 1, -1, 0, (HOME,)))  # of another incarnation: not appended
        assert (heard.appended, [type(fact) for fact in heard.facts]) == (False, [CrawlStarted])
        request = LogRequest("me", 2, heard.incarnation, 1, (HOME,), events=3, resets=1, warnings=("mind the gap",))
        first, second = await line.exchange(request), await line.exchange(request)
        assert (first.facts, first.appended) == (second.facts, second.appended) == ((HOME,), True)
        assert (await line.exchange(LogRequest("you", 1, -1, 0))).facts == (*heard.facts, HOME)
        assert set((await line.exchange(LogRequest("me", 3, heard.incarnation, 2))).silence) == {"me", "you"}
        while not run.coordinator.warnings:
            await asyncio.sleep(0.05)
        assert (run.coordinator.outcome().events, run.coordinator.outcome().resets) == (3, 1)
        assert {status["name"] for status in run.coordinator.status()["nodes"]} == {"me", "you"}


async def test_what_stands_alone_is_not_written_behind_what_its_peer_has_not_read(
    tmp_path: Path, running: Running
) -> None:
    async with running(plan(tmp_path / "crawl", PEERS)) as run:
        line = run.line()
        incarnation = (await line.exchange(LogRequest("me", 1, -1, 0))).incarnation
        await line.exchange(LogRequest("you", 1, -1, 0))
        await line.exchange(LogRequest("you", 2, incarnation, 1, (HOME,)))
        ended = CrawlEnded(reason="complete")
        early = await line.exchange(LogRequest("me", 2, incarnation, 1, (ended,), exclusive=True))
        assert (early.appended, early.facts) == (False, (HOME,))
        late = await line.exchange(LogRequest("me", 3, incarnation, 2, (ended,), exclusive=True))
        assert (late.appended, late.facts) == (True, (ended,))
        for name in ("me", "you"):
            await line.leave(name)
        assert (await run.done)[0].ended_because == "complete"


async def test_a_token_is_given_out_once_to_whom_it_was_sent(
    tmp_path: Path, running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("http.members", "redis.log"):
        monkeypatch.setattr(f"statecrawl.cluster.{module}.POLL_SECONDS", 0.5)
    async with running(plan(tmp_path / "crawl", PEERS)) as run:
        line = run.line()
        incarnation = (await line.exchange(LogRequest("me", 1, -1, 0))).incarnation
        waits = asyncio.create_task(line.listen("me", incarnation, 1))
        await asyncio.sleep(0.05)
        await line.pass_on("me", PassedToken(incarnation + 1, Token(1, 9)))  # of another incarnation: thrown away
        await line.pass_on("me", PassedToken(incarnation, Token(1, 2, ("s",), {"you": 1})))
        assert await waits == PassedToken(incarnation, Token(1, 2, ("s",), {"you": 1}))
        await line.pass_on("me", PassedToken(incarnation, Token(1, 4)))
        await line.pass_on("me", PassedToken(incarnation, Token(1, 3)))  # older than what waits
        assert await line.listen("me", incarnation, 1) == PassedToken(incarnation, Token(1, 4))
        assert await line.listen("me", incarnation, 1) is None


async def test_who_listens_is_woken_by_what_is_written(tmp_path: Path, running: Running) -> None:
    async with running(plan(tmp_path / "crawl", PEERS)) as run:
        line = run.line()
        incarnation = (await line.exchange(LogRequest("me", 1, -1, 0))).incarnation
        waits = asyncio.create_task(line.listen("me", incarnation, 1))
        await asyncio.sleep(0.05)
        assert not waits.done()
        await line.exchange(LogRequest("you", 1, incarnation, 1, (HOME,)))
        assert await asyncio.wait_for(waits, 1.0) is None
