"""Dist-RIA and peers in a real Redis: leaders come and go, nodes fall silent, the server loses data."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from statecrawl.cluster.redis.connection import RedisConnection
from statecrawl.cluster.redis.journal import groups
from statecrawl.cluster.redis.mailbox import RedisMailbox
from statecrawl.config.fleet import PEER_TO_PEER, FleetSettings
from statecrawl.fleet.assembly import JoinedCrawl, _joined
from statecrawl.fleet.peer_observer import LOSS
from statecrawl.fleet.warm_up import WarmUp
from statecrawl.journal.facts import CostMeasured, CrawlEnded, CrawlStarted, EquivalenceRevised, StateFound
from statecrawl.journal.fold import FoldedCrawl, fold
from statecrawl.model.graph import Graph
from statecrawl.stores.evidence import JOURNAL_NAME
from statecrawl.stores.sqlite_journal import open_reader
from tests.cluster.redis_members import KEYS, RedisRun, beside_redis, in_redis
from tests.cluster.redis_runs import execute, stored
from tests.cluster.redis_server import RedisServer
from tests.fleet.test_mailbox_coordinator import PEERS, STAR, both, found, plan, truth

pytestmark = pytest.mark.cluster


async def _silence(_: RedisMailbox[Any, Any]) -> None:
    """What somebody says who was killed."""


def all_of(run: RedisRun, model: Graph, count: int, seconds: float = 0.004) -> "asyncio.Future[list[str]]":
    return asyncio.gather(*(run.node(f"n{number}", model, seconds).run() for number in range(count)))


async def kept(server: RedisServer) -> FoldedCrawl:
    """What the journal in the Redis says."""
    store = RedisConnection(server.url, patience=5.0)
    try:
        return fold([fact async for _, group in groups(store, KEYS) for fact in group])
    finally:
        await store.close()


@both
async def test_a_standby_takes_over(
    tmp_path: Path, server: RedisServer, fleet: FleetSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("statecrawl.cluster.redis.mailbox.LEAD_MILLISECONDS", 700)
    monkeypatch.setattr("statecrawl.fleet.standby.RENEW_SECONDS", 0.1)
    model, planned = truth(), plan(tmp_path / "first", fleet)
    async with in_redis(planned, server.url) as first:
        await first.begins()
        async with beside_redis(planned, server.url, tmp_path / "second") as second:
            nodes = all_of(second, model, 3)
            await first.explored(40)
            assert not second.leads.is_set()
            monkeypatch.setattr(RedisMailbox, "resign", _silence)
            await first.kill()
            assert await nodes == ["complete"] * 3
            assert (await second.done)[0].complete
    facts = list(open_reader(tmp_path / "second" / JOURNAL_NAME).read())
    runs = [fact.run for fact in facts if isinstance(fact, CrawlStarted)]
    assert runs == ([1, 2] if fleet is STAR else [1])  # peers go on without anybody in the middle
    assert fold(facts).graph.same_as(model)


@both
async def test_a_server_that_is_killed_and_started_again_loses_nothing(
    tmp_path: Path, server: RedisServer, fleet: FleetSettings
) -> None:
    model = truth()
    async with in_redis(plan(tmp_path / "crawl", fleet), server.url) as run:
        nodes = all_of(run, model, 3)
        await run.explored(40)
        server.kill()
        await asyncio.sleep(0.3)
        server.start()
        assert await nodes == ["complete"] * 3
        outcome, facts = await run.done
    assert outcome.complete
    assert set(outcome.warnings) <= {LOSS}  # a server whose disk is slow answers up to two seconds before it writes
    assert found(tmp_path / "crawl").graph.same_as(model)
    assert fold(facts).epoch == 3  # nobody was taken for lost


@pytest.mark.parametrize(
    "fleet",
    [STAR, PEERS, FleetSettings(architecture=PEER_TO_PEER, share="states")],
    ids=lambda fleet: f"{fleet.architecture} {fleet.share}",
)
async def test_what_a_power_cut_takes_is_found_again(tmp_path: Path, server: RedisServer, fleet: FleetSettings) -> None:
    """Everybody remembers more than the journal then, and must not believe itself."""
    model = truth()
    async with in_redis(plan(tmp_path / "crawl", fleet), server.url) as run:
        nodes = all_of(run, model, 3)
        await run.explored(60)
        server.kill()
        server.forget(0.4)
        server.start()
        assert 0 < (await kept(server)).graph.explored < 60, "nothing was lost, or all"
        assert await nodes == ["complete"] * 3
        outcome, _ = await run.done
    assert outcome.complete
    assert any("store has lost" in warning for warning in outcome.warnings)
    assert found(tmp_path / "crawl").graph.same_as(model)
    assert found_evidence(tmp_path / "crawl") == set(model.ids)


@both
async def test_a_server_that_was_emptied_is_filled_again(
    tmp_path: Path, server: RedisServer, fleet: FleetSettings
) -> None:
    model = truth()
    async with in_redis(plan(tmp_path / "crawl", fleet), server.url) as run:
        nodes = all_of(run, model, 3)
        await run.explored(60)
        store = RedisConnection(server.url, patience=5.0)
        await store.call(lambda client: client.flushall())
        await store.close()
        assert await nodes == ["complete"] * 3
        assert (await run.done)[0].complete
    facts = list(open_reader(tmp_path / "crawl" / JOURNAL_NAME).read())
    assert isinstance(facts[0], CrawlStarted)
    assert fold(facts).graph.same_as(model)


@both
async def test_a_crawl_goes_on_where_it_was(tmp_path: Path, server: RedisServer, fleet: FleetSettings) -> None:
    model, planned = truth(), plan(tmp_path / "crawl", fleet)
    async with in_redis(planned, server.url) as run:
        nodes = all_of(run, model, 2)
        await run.explored(30)
        run.coordinator.stop("interrupted")
        assert (await run.done)[0].ended_because == "interrupted"
        assert await nodes == ["interrupted"] * 2
    async with in_redis(planned, server.url) as again:
        await again.begins()
        others = [again.node(f"m{number}", model) for number in range(2)]
        assert await asyncio.gather(*(node.run() for node in others)) == ["complete"] * 2
        outcome, facts = await again.done
    assert outcome.complete
    assert [fact.run for fact in facts if isinstance(fact, CrawlStarted | CrawlEnded)] == [1, 1, 2, 2]
    assert fold(facts).graph.same_as(model)


async def test_what_is_lost_between_the_end_and_the_last_copy_is_found_again(
    tmp_path: Path, server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Peers have gone by then, and whoever looks after them is about to: it must not say that all was found."""
    model, end, lost = truth(), RedisMailbox.end, asyncio.Event()

    async def loses(post: RedisMailbox[Any, Any], reason: str) -> None:
        monkeypatch.setattr(RedisMailbox, "end", end)
        await end(post, reason)
        run.leads.clear()
        async with stored(server.url) as store:  # what a power cut would leave
            ids = [number async for number, _ in groups(store, KEYS)]
            await store.call(lambda client: client.xdel(KEYS.journal, *ids[len(ids) // 2 :]))
            await execute(store, "HSET", KEYS.log, "over", 0)
            await execute(store, "DEL", KEYS.ended)
        lost.set()

    monkeypatch.setattr(RedisMailbox, "end", loses)
    async with in_redis(plan(tmp_path / "crawl", PEERS), server.url) as run:
        assert await all_of(run, model, 2, 0.001) == ["complete"] * 2
        await lost.wait()
        await run.begins()
        assert await all_of(run, model, 2, 0.001) == ["complete"] * 2
        outcome, facts = await run.done
    assert outcome.complete
    assert fold(facts).graph.same_as(model)
    assert found(tmp_path / "crawl").graph.same_as(model)


@both
async def test_what_never_saw_anything_is_over_all_the_same(
    tmp_path: Path, server: RedisServer, fleet: FleetSettings
) -> None:
    async with in_redis(plan(tmp_path / "crawl", fleet), server.url) as run:
        await run.begins()
        run.coordinator.stop("interrupted")
        assert (await run.done)[0].ended_because == "interrupted"
        assert await run.node("late", truth("tiny")).run() == "interrupted"


HOME = StateFound(state="aa", events=("go",))


@both
async def test_whoever_begins_learns_while_nodes_wait(
    tmp_path: Path, server: RedisServer, fleet: FleetSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end = asyncio.Event()

    async def learn(*_: object) -> WarmUp:
        await may_end.wait()
        return WarmUp((EquivalenceRevised(revision=1, rules=(("text", "p"),)), CostMeasured(reset_cost=7.0), HOME))

    monkeypatch.setattr("statecrawl.fleet.standby.run_warm_up", learn)
    planned = plan(tmp_path / "crawl", fleet, reset_cost=None, learn_states=5)
    async with in_redis(planned, server.url) as run:
        await run.leads.wait()

        async def joins() -> tuple[float | None, Any]:
            async with _joined(JoinedCrawl(url=server.url, token=""), lambda _: None) as (_, told):
                return told.reset_cost, told.fleet

        joining = asyncio.create_task(joins())
        await asyncio.sleep(0.5)
        assert not joining.done()
        may_end.set()
        assert await asyncio.wait_for(joining, 5.0) == (7.0, fleet)
        crawl = await kept(server)
    assert (crawl.rules, crawl.reset_cost, crawl.graph.ids) == ((("text", "p"),), 7.0, ["aa"])


# -- peers alone --


async def test_peers_need_nobody_in_the_middle(
    tmp_path: Path, server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who began is killed, they find the end, and whoever comes then takes the evidence."""
    monkeypatch.setattr("statecrawl.cluster.redis.mailbox.LEAD_MILLISECONDS", 500)
    monkeypatch.setattr("statecrawl.fleet.standby.RENEW_SECONDS", 0.1)
    monkeypatch.setattr(RedisMailbox, "resign", _silence)
    model, planned = truth(), plan(tmp_path / "crawl", PEERS)
    async with in_redis(planned, server.url) as run:
        nodes = all_of(run, model, 3, 0.005)
        await run.explored(20)
        await run.kill()
        assert await nodes == ["complete"] * 3
    assert not found_evidence(tmp_path / "crawl") >= set(model.ids)
    await asyncio.sleep(0.6)
    async with in_redis(planned, server.url) as again:
        outcome, facts = await again.done
    assert (outcome.complete, outcome.events > 0) == (True, True)
    assert fold(facts).graph.same_as(model)
    assert found(tmp_path / "crawl").graph.same_as(model)
    assert found_evidence(tmp_path / "crawl") == set(model.ids)


def found_evidence(out: Path) -> set[str]:
    return {bytes.fromhex(path.name.partition(".")[0]).decode() for path in (out / "states").glob("*.html.gz")}
