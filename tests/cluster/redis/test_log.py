"""Log of peers in a real Redis: what it appends, when it admits and forgets peers, and its observer."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import redis
from msgspec.structs import replace

from statecrawl.cluster.redis.connection import RedisConnection
from statecrawl.cluster.redis.follower import RedisFollower
from statecrawl.cluster.redis.journal import groups
from statecrawl.cluster.redis.log import RedisLog
from statecrawl.coordination.peer_to_peer import LogRequest, PassedToken, Peer
from statecrawl.coordination.termination import Token
from statecrawl.errors import CoordinatorLost
from statecrawl.journal.facts import CrawlEnded, CrawlStarted, Fact, MemberJoined, StateFound, TransitionExplored
from statecrawl.journal.fold import fold
from statecrawl.model.equivalence import IDENTITY, IDENTITY_VERSION
from statecrawl.ports.mailbox import Deposed, JournalOutdated
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.settings import StrategySettings
from tests.cluster.redis_members import KEYS, in_redis
from tests.cluster.redis_runs import execute, stored
from tests.cluster.redis_server import RedisServer
from tests.fleet.test_mailbox_coordinator import PEERS, plan
from tests.fleet.test_standby_members import kept

pytestmark = pytest.mark.cluster
HOME = StateFound(state="aa", events=("go",))


@asynccontextmanager
async def log(server: RedisServer) -> AsyncIterator[RedisLog]:
    line = RedisLog(RedisConnection(server.url, patience=5.0), KEYS, 0.5)
    try:
        yield line
    finally:
        await line.close()


@asynccontextmanager
async def following(server: RedisServer, run: int = 1) -> AsyncIterator[RedisFollower]:
    """Somebody who has begun a run, and looks after it."""
    async with stored(server.url) as store:
        post = RedisFollower(store, KEYS)
        await begin_run(post, run)
        yield post
        await post.resign()


async def begin_run(post: RedisFollower, run: int) -> None:
    facts: Sequence[Fact] = await post.read()
    started = CrawlStarted(application="a", configuration={IDENTITY: IDENTITY_VERSION}, reset_cost=1.0, run=run)
    crawl = fold([*facts, started])
    crawl.fired, crawl.resets = max(crawl.fired, 40), max(crawl.resets, 4)
    await post.open_log([started], crawl)


async def begun(server: RedisServer) -> None:
    """A run has begun, and nobody looks after it."""
    async with following(server):
        pass


async def test_a_log_admits_no_peer_before_its_run_has_started(server: RedisServer) -> None:
    async with log(server) as line:
        with pytest.raises(CoordinatorLost, match=r"crawl at .* has no coordinator"):
            await asyncio.wait_for(line.exchange(LogRequest("me", 1, -1, 0, (HOME,))), 5.0)
        waits = asyncio.create_task(line.exchange(LogRequest("me", 1, -1, 0)))
        await begun(server)
        assert len((await waits).facts) == 1


async def test_facts_carry_the_costs_of_all_peers(server: RedisServer) -> None:
    async with log(server) as line:
        await begun(server)
        incarnation = (await line.exchange(LogRequest("me", 1, -1, 0, events=2))).incarnation
        explored = TransitionExplored(state="aa", event="go", target="aa")
        entries = await line.exchange(LogRequest("me", 2, incarnation, 1, (HOME, explored), events=5, resets=1))
        assert entries.facts == (HOME, replace(explored, fired=47, resets=5))
        crawl = await kept(server)
        assert (crawl.fired, crawl.resets) == (47, 5)


async def test_silence_does_not_count_while_the_server_is_away(server: RedisServer) -> None:
    async with log(server) as line:
        await begun(server)
        incarnation = (await line.exchange(LogRequest("me", 1, -1, 0))).incarnation
        await line.exchange(LogRequest("you", 1, incarnation, 1))
        await asyncio.sleep(0.3)
        silence = (await line.exchange(LogRequest("me", 2, incarnation, 1))).silence
        assert (silence["me"], 0.25 <= silence["you"] < 3.0) == (0.0, True)
        server.kill()
        store = RedisConnection(server.url, patience=5.0)
        server.start()
        minute = 60_000
        before = int(await store.call(lambda client: client.hget(KEYS.log, "at"))) - minute  # as if it was away so long
        await store.call(lambda client: client.hset(KEYS.log, "at", before))
        await store.close()
        silence = (await line.exchange(LogRequest("me", 3, incarnation, 1))).silence
        assert 5.0 <= silence["you"] < 9.0  # less than after which somebody is taken for lost


async def test_a_log_that_has_lost_data_gets_another_incarnation(server: RedisServer) -> None:
    states = [StateFound(state=f"{number:02x}", events=("go",), title="t" * 2000) for number in range(20)]
    async with log(server) as line:
        await begun(server)
        incarnation = (await line.exchange(LogRequest("me", 1, -1, 0))).incarnation
        position = 1
        for number, state in enumerate(states):
            position += len((await line.exchange(LogRequest("me", 2 + number, incarnation, position, (state,)))).facts)
        await line.exchange(LogRequest("you", 1, -1, 0))
        async with stored(server.url) as store:
            while (await store.call(lambda client: client.info("persistence")))["aof_buffer_length"]:
                await asyncio.sleep(0.02)  # a slow disk: more would be lost than is cut off
        server.kill()
        server.forget(0.4)
        server.start()
        ended = LogRequest("me", 50, incarnation, position, (CrawlEnded(reason="complete"),), exclusive=True)
        mine = await line.exchange(ended)
        assert (mine.appended, mine.incarnation == incarnation) == (False, False)
        assert 1 < len(mine.facts) < len(states)
        yours = await line.exchange(LogRequest("you", 2, incarnation, position, (states[-1],)))
        assert (yours.appended, yours.incarnation, yours.facts) == (False, mine.incarnation, mine.facts)
        again = await line.exchange(LogRequest("me", 51, mine.incarnation, len(mine.facts), (states[-1],)))
        assert (again.appended, again.facts) == (True, (states[-1],))


async def test_a_long_log_is_read_in_pieces(server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("statecrawl.cluster.redis.log.MOST_AT_ONCE", 3)
    monkeypatch.setattr("statecrawl.cluster.redis.journal.MOST_GROUPS", 2)
    states = tuple(StateFound(state=f"{number:02x}", events=("go",)) for number in range(9))
    async with log(server) as line:
        await begun(server)
        entries = await line.exchange(LogRequest("me", 1, -1, 0))
        for number, state in enumerate(states):
            await line.exchange(LogRequest("me", 2 + number, entries.incarnation, 1 + number, (state,)))
        assert (await line.exchange(LogRequest("you", 1, -1, 0))).facts == (*entries.facts, *states)
        assert (await line.exchange(LogRequest("you", 2, entries.incarnation, 10))).facts == ()


async def test_a_peer_that_has_left_leaves_no_keys(server: RedisServer) -> None:
    async with log(server) as line:
        await begun(server)
        incarnation = (await line.exchange(LogRequest("me", 1, -1, 0))).incarnation
        await line.pass_on("me", PassedToken(incarnation, Token(1, 2)))
        await line.leave("me")
        store = RedisConnection(server.url, patience=5.0)
        left = await store.call(lambda client: client.exists(KEYS.seen, KEYS.peers, KEYS.mail("me")))
        await store.close()
    assert left == 0


async def test_an_end_during_a_takeover_counts(tmp_path: Path, server: RedisServer) -> None:
    async with log(server) as line:
        await begun(server)
        incarnation = (await line.exchange(LogRequest("me", 1, -1, 0))).incarnation
        await line.exchange(LogRequest("me", 2, incarnation, 1, (HOME, CrawlEnded(reason="complete"))))
        await line.leave("me")
        store = RedisConnection(server.url, patience=5.0)
        await store.call(lambda client: client.delete(KEYS.ended))  # as whoever begins does
        await store.close()
        async with in_redis(plan(tmp_path / "crawl", PEERS, name="a"), server.url) as run:
            outcome, facts = await run.done
        assert (outcome.ended_because, len(facts)) == ("complete", 3)
        assert await line.end_reason() == "complete"


# -- many at once --


async def test_peers_that_join_at_once_write_one_change_each(server: RedisServer) -> None:
    """Of changes with the same number, the log appends only the first."""
    names = [f"n{number}" for number in range(12)]
    strategy = partial(make_strategy, "greedy", settings=StrategySettings())
    async with log(server) as line:
        await begun(server)

        async def joins(name: str) -> None:
            one = Peer(name, strategy, PEERS.event_partition, PEERS.sharing, 10.0)
            while not one.member.is_member:
                request = one.repeat(0.0)
                assert request is not None
                one.handle_entries(await line.exchange(request), 0.0)

        await asyncio.gather(*map(joins, names))
        async with stored(server.url) as store:
            facts = [fact async for _, group in groups(store, KEYS) for fact in group]
    joined = [fact for fact in facts if isinstance(fact, MemberJoined)]
    assert sorted(fact.member for fact in joined) == sorted(names)
    assert [fact.epoch for fact in joined] == [*range(1, 13)]


async def test_facts_sent_with_a_late_change_are_appended(server: RedisServer) -> None:
    async with log(server) as line:
        await begun(server)
        incarnation = (await line.exchange(LogRequest("me", 1, -1, 0))).incarnation
        first, second = (MemberJoined(member=name, epoch=1) for name in ("me", "you"))
        await line.exchange(LogRequest("you", 1, -1, 0))
        await line.exchange(LogRequest("me", 2, incarnation, 1, (first,)))
        entries = await line.exchange(LogRequest("you", 2, incarnation, 1, (second, HOME)))
    assert (entries.appended, entries.facts) == (True, (first, HOME))


async def test_a_peer_silent_for_long_is_forgotten(server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
    async with log(server) as line:
        await begun(server)
        incarnation = (await line.exchange(LogRequest("killed", 1, -1, 0))).incarnation
        await asyncio.sleep(0.1)
        assert "killed" in (await line.exchange(LogRequest("me", 1, incarnation, 1))).silence
        monkeypatch.setattr("statecrawl.cluster.redis.log.FORGET_MILLISECONDS", 50)
        assert [*(await line.exchange(LogRequest("me", 2, incarnation, 1))).silence] == ["me"]
        async with stored(server.url) as store:
            assert await execute(store, "HKEYS", KEYS.seen) == await execute(store, "HKEYS", KEYS.peers) == [b"me"]
        late = await line.exchange(LogRequest("killed", 2, incarnation, 1, (HOME,)))  # it was only slow
        assert late.appended


# -- whoever looks after it --


async def test_a_run_ends_however_busy_its_peers_are(server: RedisServer) -> None:
    """The end need not be the last entry: a peer may write between the observer's read and write."""
    async with log(server) as line, following(server) as post:
        incarnation = (await line.exchange(LogRequest("me", 1, -1, 0))).incarnation
        await line.exchange(LogRequest("me", 2, incarnation, 1, (HOME,)))
        ended = CrawlEnded(reason="max-time")
        await post.stop(ended)
        late = StateFound(state="bb", events=())
        entries = await line.exchange(
            LogRequest("me", 3, incarnation, 2, (late, CrawlEnded(reason="complete")), exclusive=True)
        )
        assert (entries.appended, entries.facts) == (False, (ended,))
        assert (await line.exchange(LogRequest("me", 4, incarnation, 3, (late,)))).appended  # nothing seen is lost
        assert await post.follow(0.0) == [HOME, ended, late]
        await post.stop(CrawlEnded(reason="interrupted"))
        assert await post.follow(0.0) == []
    crawl = await kept(server)
    assert (crawl.ended, len(crawl.graph)) == ("max-time", 2)


async def test_an_observer_that_knows_lost_facts_cannot_end_a_run(server: RedisServer) -> None:
    async with log(server) as line, following(server) as post:
        incarnation = (await line.exchange(LogRequest("me", 1, -1, 0))).incarnation
        await line.exchange(LogRequest("me", 2, incarnation, 1, (HOME,)))
        assert await post.follow(0.0) == [HOME]
        async with stored(server.url) as store:
            await execute(store, "XTRIM", KEYS.journal, "MAXLEN", 0)
            await post.stop(CrawlEnded(reason="max-time"))
            assert await execute(store, "EXISTS", KEYS.ended) == await execute(store, "XLEN", KEYS.journal) == 0
        with pytest.raises(JournalOutdated):
            await post.follow(0.0)


async def test_a_replaced_observer_neither_starts_nor_ends_a_run(server: RedisServer) -> None:
    async with following(server) as old, stored(server.url) as store:
        await execute(store, "DEL", KEYS.leader)
        async with following(server, 2):
            await execute(store, "HSET", KEYS.peers, "me", "1 1 0 0 0 0 0")
            with pytest.raises(Deposed):
                await old.open_log(
                    [CrawlStarted(application="a", configuration={IDENTITY: IDENTITY_VERSION}, reset_cost=1.0, run=3)],
                    fold([]),
                )
            await old.stop(CrawlEnded(reason="interrupted", run=2))
            assert await execute(store, "EXISTS", KEYS.ended, KEYS.peers) == 1
    crawl = await kept(server)
    assert (crawl.started and crawl.started.run, crawl.ended) == (2, None)


async def test_the_end_of_an_earlier_run_ends_no_peer(server: RedisServer) -> None:
    """When the server loses the start of a run, its peers and new ones wait until it has started again."""
    async with log(server) as line, log(server) as another, following(server) as post:
        incarnation = (await line.exchange(LogRequest("me", 1, -1, 0))).incarnation
        await post.stop(CrawlEnded(reason="interrupted"))
        assert (await line.exchange(LogRequest("me", 2, incarnation, 1))).facts == (CrawlEnded(reason="interrupted"),)
        await begin_run(post, 2)
        ((last, _),) = await line._store.call(lambda client: client.xrevrange(KEYS.journal, count=1))
        assert len((await line.exchange(LogRequest("me", 3, incarnation, 2))).facts) == 1
        async with stored(server.url) as store:  # what a power cut would leave
            await execute(store, "XDEL", KEYS.journal, last)
            await execute(store, "HSET", KEYS.log, "run", 1, "over", 1)
            await execute(store, "SET", KEYS.ended, "interrupted")
        waiting = [
            asyncio.create_task(line.exchange(LogRequest("me", 4, incarnation, 3, (HOME,)))),
            asyncio.create_task(another.exchange(LogRequest("new", 1, -1, 0))),
        ]
        await asyncio.sleep(0.5)
        assert not any(task.done() for task in waiting)
        await begin_run(post, 2)
        for entries in await asyncio.gather(*waiting):
            assert fold(entries.facts).ended is None


async def test_a_new_observer_admits_peers_at_once(tmp_path: Path, server: RedisServer) -> None:
    await begun(server)
    told_first: list[bytes] = []
    async with in_redis(plan(tmp_path / "crawl", PEERS, name="a"), server.url) as run:

        def looks(coordinator: Any) -> None:
            told_first.append(redis.Redis.from_url(server.url).get(KEYS.plan))  # type: ignore[arg-type]
            run._on_lead(coordinator)

        run.watcher.on_lead = looks
        await run.leads.wait()
    assert b'"is_open":true' in told_first[0]


async def test_a_peer_that_joined_just_before_the_end_is_waited_for(tmp_path: Path, server: RedisServer) -> None:
    """What it writes after the end is in the journal of the observer."""
    async with log(server) as line, in_redis(plan(tmp_path / "crawl", PEERS, name="a"), server.url) as run:
        await run.begins()
        entries = await line.exchange(LogRequest("late", 1, -1, 0))
        run.coordinator.stop("interrupted")
        while run.coordinator.crawl.ended is None:
            await asyncio.sleep(0.02)
        await asyncio.sleep(0.6)  # more than two looks of whoever waits
        await line.exchange(LogRequest("late", 2, entries.incarnation, len(entries.facts), (HOME,)))
        await line.leave("late")
        _, facts = await run.done
    assert HOME in facts


async def test_a_peer_that_missed_a_run_cannot_end_the_next_one(tmp_path: Path, server: RedisServer) -> None:
    async with in_redis(plan(tmp_path / "crawl", PEERS, name="a"), server.url) as run, stored(server.url) as store:
        await run.begins()
        slept = run.coordinator
        await execute(store, "DEL", KEYS.leader)
        other = RedisFollower(store, KEYS)
        await begin_run(other, 2)
        await other.resign()
        while run.coordinator is slept:
            await asyncio.sleep(0.02)
        run.coordinator.stop("interrupted")
        _, facts = await run.done
    assert facts[-1] == CrawlEnded(reason="interrupted", run=2)


async def test_a_peer_reports_a_lost_run_that_is_not_started_again(server: RedisServer) -> None:
    async with log(server) as line, following(server, 2) as post:
        await line.exchange(LogRequest("me", 1, -1, 0))
        await post.resign()
        async with stored(server.url) as store:
            await execute(store, "HSET", KEYS.log, "run", 1, "over", 1)
            await execute(store, "SET", KEYS.ended, "interrupted")
        with pytest.raises(CoordinatorLost, match="has lost the start of crawl: run the command that started"):
            await asyncio.wait_for(line.exchange(LogRequest("me", 2, -1, 0)), 5.0)
