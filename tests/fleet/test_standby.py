"""A crawl in a real Redis: coordinators come and go, the server is killed, and the model is true."""

import asyncio
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from statecrawl.cluster.redis.connection import RedisConnection
from statecrawl.cluster.redis.journal import groups
from statecrawl.cluster.redis.mailbox import RedisMailbox
from statecrawl.coordination.client_node import ClientNode
from statecrawl.errors import BadInput, CoordinatorLost, NodeRefused, StoreError
from statecrawl.fleet.assembly import JoinedCrawl, work
from statecrawl.fleet.standby import RedisEngine, start_crawl
from statecrawl.journal.facts import CrawlStarted, Fact
from statecrawl.journal.fold import fold
from statecrawl.stores.evidence import JOURNAL_NAME
from statecrawl.stores.sqlite_journal import open_journal, open_reader
from tests.cluster.redis_runs import (
    KEYS,
    Run,
    a_mailbox,
    all_of,
    beginning,
    execute,
    found,
    line,
    plan,
    standing_by,
    stored,
    truth,
)
from tests.cluster.redis_server import RedisServer
from tests.cluster.sleepers import Sleeper


async def test_a_standby_takes_over(tmp_path: Path, server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("statecrawl.cluster.redis.mailbox.LEAD_MILLISECONDS", 700)
    model = truth("test-ria")
    planned = plan(tmp_path / "first")
    async with beginning(planned, server.url) as first, line(server.url) as joined:
        await first.coordinates.wait()
        async with standing_by(tmp_path / "second", server.url) as second:
            nodes = asyncio.create_task(all_of(model, joined, 3, seconds=0.01))
            await first.explored(40)
            assert not second.coordinates.is_set()
            monkeypatch.setattr(RedisMailbox, "resign", _silence)
            await first.kill()
            assert await nodes == ["complete"] * 3
            assert (await second.done)[0].complete
    facts = list(open_reader(tmp_path / "second" / JOURNAL_NAME).read())
    assert [fact.run for fact in facts if isinstance(fact, CrawlStarted)] == [1, 2]
    assert fold(facts).graph.same_as(model)


async def _silence(_: RedisMailbox[Any, Any]) -> None:
    """What somebody says who was killed."""


async def test_whoever_makes_way_is_followed_at_once(tmp_path: Path, server: RedisServer) -> None:
    model = truth("test-ria")
    async with beginning(plan(tmp_path / "first"), server.url) as first, line(server.url) as joined:
        await first.coordinates.wait()
        async with standing_by(tmp_path / "second", server.url) as second:
            nodes = asyncio.create_task(all_of(model, joined, 2, seconds=0.01))
            await first.explored(30)
            first.watcher.leaving.set()
            outcome, _ = await first.done
            assert not outcome.ended_because
            assert await nodes == ["complete"] * 2
            assert (await second.done)[0].complete
    assert found(tmp_path / "second").same_as(model)
    assert 30 <= found(tmp_path / "first").explored < model.explored


async def test_a_server_that_is_killed_and_started_again_loses_nothing(tmp_path: Path, server: RedisServer) -> None:
    model = truth("test-ria")
    async with beginning(plan(tmp_path / "crawl"), server.url) as run, line(server.url) as joined:
        nodes = asyncio.create_task(all_of(model, joined, 3, seconds=0.01))
        await run.explored(40)
        server.kill()
        await asyncio.sleep(0.3)
        server.start()
        assert await nodes == ["complete"] * 3
        assert (await run.done)[0].complete
    assert found(tmp_path / "crawl").same_as(model)


async def test_what_a_power_cut_takes_is_found_again(tmp_path: Path, server: RedisServer) -> None:
    """The coordinator remembers more than the journal then, and must not believe itself."""
    model = truth("test-ria")
    async with beginning(plan(tmp_path / "crawl"), server.url) as run, line(server.url) as joined:
        nodes = asyncio.create_task(all_of(model, joined, 3, seconds=0.01))
        await run.explored(60)
        server.kill()
        server.forget(0.4)
        server.start()
        store = RedisConnection(server.url, patience=5.0)
        left = fold([fact async for _, group in groups(store, KEYS) for fact in group]).graph.explored
        await store.close()
        assert left < 60, "nothing was lost"
        assert await nodes == ["complete"] * 3
        assert (await run.done)[0].complete
    assert found(tmp_path / "crawl").same_as(model)


async def test_a_server_that_was_emptied_is_filled_again_and_that_is_said(tmp_path: Path, server: RedisServer) -> None:
    model = truth("test-ria")
    async with (
        beginning(plan(tmp_path / "crawl"), server.url) as run,
        line(server.url) as joined,
        stored(server.url) as store,
    ):
        nodes = asyncio.create_task(all_of(model, joined, 3, seconds=0.01))
        await run.explored(60)
        await execute(store, "FLUSHALL")
        assert await nodes == ["complete"] * 3
        outcome, _ = await run.done
        assert await execute(store, "EXISTS", KEYS.plan)
    assert any("has lost" in warning for warning in outcome.warnings)
    assert found(tmp_path / "crawl").same_as(model)


async def test_who_comes_when_it_is_over_is_told(tmp_path: Path, server: RedisServer) -> None:
    async with beginning(plan(tmp_path / "crawl"), server.url) as run, line(server.url) as joined:
        await all_of(truth("tiny"), joined, 1)
        await run.done
        assert await Sleeper("late", truth("tiny"), joined).run() == "complete"
    async with standing_by(tmp_path / "late", server.url) as late:
        assert (await late.done)[0].ended_because == "complete"


async def test_a_crawl_goes_on_where_it_was(tmp_path: Path, server: RedisServer) -> None:
    model = truth("test-ria")
    async with beginning(plan(tmp_path / "crawl"), server.url) as run, line(server.url) as joined:
        nodes = asyncio.create_task(all_of(model, joined, 2, seconds=0.01))
        await run.explored(30)
        assert run.coordinator is not None
        run.coordinator.stop("interrupted")
        assert (await run.done)[0].ended_because == "interrupted"
        assert await nodes == ["interrupted"] * 2
    async with beginning(plan(tmp_path / "crawl"), server.url) as again, line(server.url) as joined:
        await again.coordinates.wait()
        assert await all_of(model, joined, 2, kind="m") == ["complete"] * 2
        assert (await again.done)[0].complete
    assert found(tmp_path / "crawl").same_as(model)
    with pytest.raises(BadInput, match="#crawl holds a crawl with application"):
        await start_crawl(
            plan(tmp_path / "b", url="http://127.0.0.1/b"), RedisEngine(url=server.url), KEYS.crawl, Run().watcher
        )


async def test_a_node_does_not_wait_for_ever(server: RedisServer) -> None:
    async with line(server.url, patience=0.1) as joined:
        with pytest.raises(CoordinatorLost, match=r"crawl at .* has no coordinator"):
            await joined.ask(ClientNode("n").next_request(None))
        server.kill()
        with pytest.raises(CoordinatorLost, match="is unavailable"):
            await joined.ask(ClientNode("n").next_request(None))


async def test_a_folder_with_another_crawl_is_left_alone(tmp_path: Path, server: RedisServer) -> None:
    (tmp_path / "crawl").mkdir()
    with closing(open_journal(tmp_path / "crawl" / JOURNAL_NAME)) as journal:
        journal.append([CrawlStarted(application="another", configuration={}, reset_cost=1.0)])
    with pytest.raises(BadInput, match="holds another crawl"):
        await start_crawl(plan(tmp_path / "crawl"), RedisEngine(url=server.url), "crawl", Run().watcher)


async def test_who_wants_to_go_does_not_wait_for_a_server_that_is_away(
    tmp_path: Path, server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("statecrawl.cluster.redis.connection.HURRY_SECONDS", 0.1)
    async with beginning(plan(tmp_path / "crawl"), server.url) as run:
        await run.coordinates.wait()
        server.kill()
        run.watcher.leave()
        with pytest.raises(StoreError, match="is unavailable"):
            await asyncio.wait_for(run.done, 20.0)


async def test_nodes_of_another_kind_are_refused(tmp_path: Path, server: RedisServer) -> None:
    joining = JoinedCrawl(url=server.url, token="")
    with pytest.raises(BadInput, match="there is no crawl at"):
        await work(joining, lambda *_: None, lambda _: None)
    async with beginning(plan(tmp_path / "crawl"), server.url) as run:
        await run.coordinates.wait()
        with pytest.raises(NodeRefused, match="uses the equivalence content"):
            await work(replace(joining, equivalence="structure"), lambda *_: None, lambda _: None)
    second = asyncio.create_task(
        start_crawl(plan(tmp_path / "other"), RedisEngine(url=f"{server.url}#other"), "crawl", (other := Run()).watcher)
    )
    await other.coordinates.wait()
    with pytest.raises(BadInput, match=r"holds several crawls \(crawl, other\): choose one"):
        await work(joining, lambda *_: None, lambda _: None)
    second.cancel()
    await asyncio.gather(second, return_exceptions=True)


async def test_whoever_reads_a_long_journal_still_coordinates(
    tmp_path: Path, server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("statecrawl.cluster.redis.mailbox.LEAD_MILLISECONDS", 400)
    monkeypatch.setattr("statecrawl.fleet.standby.RENEW_SECONDS", 0.05)
    read = RedisMailbox.read

    async def slowly(post: RedisMailbox[Any, Any]) -> list[Fact]:
        facts = await read(post)
        await asyncio.sleep(1.0)
        return facts

    monkeypatch.setattr(RedisMailbox, "read", slowly)
    async with beginning(plan(tmp_path / "first"), server.url) as first, stored(server.url) as store:
        while not await execute(store, "EXISTS", KEYS.leader):
            await asyncio.sleep(0.01)
        other = a_mailbox(store)
        while not first.coordinates.is_set():
            assert not await other.lead()
            await asyncio.sleep(0.02)
