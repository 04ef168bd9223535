"""One run of a crawl in Redis has one plan and one time limit, whichever process coordinates it."""

import asyncio
from pathlib import Path

import pytest

from statecrawl.cluster.redis.crawls import read_end_reason, read_spent
from statecrawl.config.plan import CrawlLimits, Scope
from statecrawl.coordination.client_server_messages import CrawlOver
from statecrawl.errors import BadInput, BrowserError
from statecrawl.fleet.standby import RedisEngine, start_crawl
from statecrawl.fleet.supervisor import crawl_in_engine
from statecrawl.journal.facts import CrawlEnded
from statecrawl.ports.mailbox import Deposed
from tests.cluster.redis_runs import (
    KEYS,
    STARTED,
    Run,
    a_mailbox,
    all_of,
    beginning,
    execute,
    found,
    line,
    plan,
    stored,
    truth,
)
from tests.cluster.redis_server import RedisServer
from tests.cluster.sleepers import Sleeper

NAMED = "redis://.*#crawl holds a crawl"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"url": "http://127.0.0.2/"}, f"{NAMED} with application http://127.0.0.1/, not http://127.0.0.2/"),
        ({"scope": Scope(read_only=True)}, f"{NAMED} with read-only off, not on: use the same setting to resume"),
        ({"strategy": "menu"}, f"{NAMED} that runs with strategy greedy, not menu: use the same setting to s"),
        ({"limits": CrawlLimits(states=9)}, f"{NAMED} that runs with max-states none, not 9"),
    ],
)
async def test_another_plan_is_refused_at_once(
    changed: dict[str, object], said: str, tmp_path: Path, server: RedisServer
) -> None:
    async with beginning(plan(tmp_path / "first"), server.url) as first:
        await first.coordinates.wait()
        with pytest.raises(BadInput, match=said):
            await start_crawl(
                plan(tmp_path / "second", **changed), RedisEngine(url=server.url), KEYS.crawl, Run().watcher
            )
        assert not (tmp_path / "second").exists()


async def test_what_nobody_coordinates_may_go_on_in_another_manner(tmp_path: Path, server: RedisServer) -> None:
    model = truth("tiny")
    async with (
        beginning(plan(tmp_path / "crawl", limits=CrawlLimits(states=2)), server.url) as run,
        line(server.url) as one,
    ):
        assert await all_of(model, one, 1) == ["max-states"]
        assert (await run.done)[0].ended_because == "max-states"
    async with beginning(plan(tmp_path / "crawl", strategy="menu"), server.url) as run, line(server.url) as one:
        await run.coordinates.wait()
        assert await all_of(model, one, 1, kind="m") == ["complete"]
        assert (await run.done)[0].complete
    assert found(tmp_path / "crawl").same_as(model)


async def test_time_counts_on_when_somebody_else_takes_over(tmp_path: Path, server: RedisServer) -> None:
    async with stored(server.url) as store:
        first, second = a_mailbox(store), a_mailbox(store)
        assert await first.lead()
        assert await first.begin({}) == 0.0
        await first.publish({}, {}, 99.5)
        await first.resign()
        assert await second.lead()
        assert await second.begin({}) == 99.5
        await second.resign()
    async with beginning(plan(tmp_path / "crawl", limits=CrawlLimits(seconds=100)), server.url) as run:
        assert (await run.done)[0].ended_because == "max-time"
    async with stored(server.url) as store:
        assert await read_end_reason(store, KEYS) == "max-time"
        third = a_mailbox(store)
        assert await third.lead()
        assert await third.begin({}) == 0.0  # another run


async def test_whoever_was_replaced_begins_nothing_and_tells_nothing(server: RedisServer) -> None:
    async with stored(server.url) as store:
        old, new = a_mailbox(store), a_mailbox(store)
        assert await old.lead()
        await execute(store, "DEL", KEYS.leader)
        assert await new.read() == []
        assert await new.begin({"of": "new"}) == 0.0
        await new.commit([STARTED, CrawlEnded(reason="complete")], [CrawlOver("n", 1, "complete")])
        for _ in range(2):  # while the other leads, and when nobody does
            with pytest.raises(Deposed):
                await old.begin({"of": "old"})
            await old.publish({}, {"of": "old"}, 5.0)
            assert await execute(store, "MGET", KEYS.plan, KEYS.ended, KEYS.status, KEYS.spent) == [
                b'{"of":"new"}', b"complete", None, None,
            ]  # fmt: skip
            await new.resign()


@pytest.mark.parametrize("elsewhere", [2, 0])
async def test_without_nodes_here_those_elsewhere_go_on(
    elsewhere: int, tmp_path: Path, server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"MOST_FAILURES": 1, "PAUSE_SECONDS": 0.1, "ALONE_SECONDS": 2.0}.items():
        monkeypatch.setattr(f"statecrawl.fleet.supervisor.{name}", value)
    planned, said, run = plan(tmp_path / "crawl", browser=str(tmp_path / "none")), list[str](), Run()
    crawling = asyncio.create_task(
        crawl_in_engine(planned, RedisEngine(url=server.url), KEYS.crawl, 1, run.watcher, said.append)
    )
    if not elsewhere:
        with pytest.raises(BrowserError, match="none"):
            await crawling
        assert said == []
        return
    await run.coordinates.wait()
    async with line(server.url) as joined:
        nodes = [Sleeper(f"n{number}", truth("test-ria"), joined, 0.2) for number in range(elsewhere)]
        working = asyncio.gather(*(node.run() for node in nodes))
        while not said:
            await asyncio.sleep(0.05)
            assert not working.done(), "it was to be said before the end"
        for node in nodes:
            node.seconds = 0.0
        assert await working == ["complete"] * elsewhere
    outcome, _ = await crawling
    assert outcome.complete
    assert [*outcome.warnings] == said
    assert said[0].startswith("no node can be kept alive on this machine, others continue: ")


async def test_whoever_joins_learns_how_long_the_run_has_lasted(server: RedisServer) -> None:
    async with stored(server.url) as store:
        post = a_mailbox(store)
        assert await read_spent(store, KEYS) == 0
        assert await post.lead()
        await post.begin({})
        await post.publish({}, {}, 700.0)
        first = await read_spent(store, KEYS)
        assert 700 <= first <= await read_spent(store, KEYS) < 800, "it goes on by the clock of the server"
        await post.end("max-time")
        assert await post.begin({}) == 0
        assert await read_spent(store, KEYS) == 0
