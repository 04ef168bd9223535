"""Connection and mailbox in a real Redis: refused servers, temporary errors, and leadership."""

import asyncio
from pathlib import Path

import pytest

from statecrawl.cluster.redis.connection import RedisConnection, RedisUnavailable, without_password
from statecrawl.cluster.redis.keys import RedisKeys
from statecrawl.coordination.client_node import ClientNode
from statecrawl.coordination.client_server_messages import CrawlOver, TaskRequest
from statecrawl.errors import BadInput, CoordinatorLost, StoreError, StoreUnavailable
from statecrawl.fleet.assembly import JoinedCrawl, work
from statecrawl.fleet.standby import RedisEngine, start_crawl
from statecrawl.journal.facts import CrawlStarted
from statecrawl.model.equivalence import IDENTITY, IDENTITY_VERSION
from statecrawl.ports.mailbox import Deposed, JournalOutdated
from statecrawl.ports.page import Note
from tests.cluster.redis_runs import (
    KEYS,
    STARTED,
    Run,
    a_mailbox,
    all_of,
    beginning,
    execute,
    line,
    plan,
    stored,
    truth,
)
from tests.cluster.redis_server import RedisServer, free_port, redis_server


async def test_a_replaced_coordinator_changes_nothing(server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("statecrawl.cluster.redis.mailbox.LEAD_MILLISECONDS", 500)
    store = RedisConnection(server.url, patience=5.0)
    old, new = a_mailbox(store), a_mailbox(store)
    started = CrawlStarted(application="a", configuration={IDENTITY: IDENTITY_VERSION}, reset_cost=1.0)
    assert await old.read() == []
    with pytest.raises(Deposed):
        await new.read()
    await asyncio.sleep(0.7)
    assert await new.read() == []
    await new.commit([started], [])
    with pytest.raises(Deposed):
        await old.commit([started], [])
    await asyncio.sleep(0.7)
    assert await old.lead()
    with pytest.raises(JournalOutdated):
        await old.commit([started], [])
    assert await old.read() == [started]
    await store.close()


@pytest.mark.parametrize(
    "settings", [("--appendonly", "no"), ("--maxmemory", "64mb", "--maxmemory-policy", "allkeys-lru")]
)
async def test_a_server_that_forgets_is_refused(tmp_path: Path, settings: tuple[str, ...]) -> None:
    with redis_server(tmp_path / "redis", *settings) as server, pytest.raises(BadInput, match=r"set \S+"):
        await start_crawl(plan(tmp_path / "crawl"), RedisEngine(url=server.url), "crawl", Run().watcher)
    assert not (tmp_path / "crawl").exists()


async def test_a_cluster_is_refused(tmp_path: Path) -> None:
    with (
        redis_server(tmp_path / "redis", "--cluster-enabled", "yes", "--cluster-port", str(free_port())) as server,
        pytest.raises(BadInput, match="Cluster"),
    ):
        await start_crawl(plan(tmp_path / "crawl"), RedisEngine(url=server.url), "crawl", Run().watcher)


async def test_a_volatile_server_is_accepted_on_request(tmp_path: Path) -> None:
    with redis_server(tmp_path / "redis", "--appendonly", "no") as server:
        run = Run()
        run.done = asyncio.create_task(
            start_crawl(plan(tmp_path / "crawl"), RedisEngine(url=server.url, unsafe=True), "crawl", run.watcher)
        )
        async with line(server.url) as joined:
            assert await all_of(truth("tiny"), joined, 1) == ["complete"]
        assert (await run.done)[0].complete


@pytest.mark.parametrize(
    "url",
    [
        "redis://127.0.0.1:1/0",
        "redis://127.0.0.1:99999/0",
        "redis://127.0.0.1:6379/none",
        "redis://127.0.0.1:6379/0?none=1",
    ],
)
async def test_a_wrong_url_is_reported_at_once(tmp_path: Path, url: str) -> None:
    with pytest.raises((BadInput, StoreUnavailable), match=r"cannot connect to Redis at|is not a Redis URL"):
        await start_crawl(plan(tmp_path / "crawl"), RedisEngine(url=url), "crawl", Run().watcher)


async def test_a_wrong_server_is_described_in_plain_words(server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("statecrawl.cluster.redis.connection.CONNECT_SECONDS", 0.3)

    async def says(url: str) -> str:
        async with stored(url) as store:
            with pytest.raises(StoreUnavailable) as trouble:
                await store.reach()
        return str(trouble.value).replace(str(server.port), "PORT")

    assert "does not speak TLS (use redis:// without TLS)" in await says(server.url.replace("redis:", "rediss:"))
    assert await says(server.url.replace("/0", "/99")) == (
        "redis://127.0.0.1:PORT/99 has no such database: use another number, such as /0."
    )

    async def answers(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(answers, "127.0.0.1") as web:
        port = web.sockets[0].getsockname()[1]
        assert "is not Redis: use another URL." in await says(f"redis://127.0.0.1:{port}/0")


async def test_a_server_that_is_loading_is_waited_for(tmp_path: Path) -> None:
    (tmp_path / "redis").mkdir()
    slowly = ("--key-load-delay", "300")  # microseconds for each key; it answers after each thousand
    server = RedisServer(tmp_path / "redis", *slowly)
    try:
        server.start()
        async with stored(server.url) as store:
            await store.call(lambda client: client.eval("for n = 1, 5000 do redis.call('SET', n, n) end", 0))
            while (await store.call(lambda client: client.info("persistence")))["aof_buffer_length"]:
                await asyncio.sleep(0.02)
        server.kill()
        server.start()
        async with stored(server.url, 0.0) as impatient, stored(server.url) as store:
            with pytest.raises(StoreUnavailable, match="is unavailable: Redis is loading"):
                await impatient.reach()
            await store.reach()
    finally:
        server.kill()


async def test_a_password_is_needed_and_never_shown(tmp_path: Path) -> None:
    with redis_server(tmp_path / "redis", "--requirepass", "open sesame") as server:
        with pytest.raises(StoreError, match="refused this user"):
            await start_crawl(plan(tmp_path / "crawl"), RedisEngine(url=server.url), "crawl", Run().watcher)
        wrong = server.url.replace("//", "//:close%20sesame@")
        with pytest.raises(StoreError, match="refused this user") as refused:
            await start_crawl(plan(tmp_path / "crawl"), RedisEngine(url=wrong), "crawl", Run().watcher)
        assert "sesame" not in str(refused.value)
        right = server.url.replace("//", "//:open%20sesame@")
        async with beginning(plan(tmp_path / "crawl"), right) as run, line(right) as joined:
            assert await all_of(truth("tiny"), joined, 1) == ["complete"]
            assert (await run.done)[0].complete


async def test_a_full_memory_is_temporary(server: RedisServer) -> None:
    """No process gives up, and the coordinator continues to lead."""
    async with stored(server.url) as store, line(server.url) as joined:
        post = a_mailbox(store)
        assert await post.read() == []
        await execute(store, "CONFIG", "SET", "maxmemory", 1)
        with pytest.raises(RedisUnavailable, match="used memory"):
            await store.once(lambda client: client.set("key", "value"))
        asking = asyncio.create_task(joined.ask(TaskRequest("n", 1, None)))
        await post.publish({}, {}, 0.0)
        assert await post.lead()
        await asyncio.sleep(0.2)
        await execute(store, "CONFIG", "SET", "maxmemory", 0)
        while not await post.receive(0.1):
            pass
        await post.commit([STARTED], [CrawlOver("n", 1, "complete")])
        assert (await asking).number == 1


async def test_a_waiting_node_survives_a_failover(server: RedisServer) -> None:
    async with stored(server.url) as store:
        post = a_mailbox(store)
        await post.read()
        hearing = asyncio.create_task(post.receive(30.0))
        await asyncio.sleep(0.1)
        await execute(store, "REPLICAOF", "127.0.0.1", "1")
        committing = asyncio.create_task(post.commit([STARTED], []))
        await asyncio.sleep(0.2)
        assert not hearing.done()
        await execute(store, "REPLICAOF", "NO", "ONE")
        await committing
        async with line(server.url) as joined:
            await joined.beat(ClientNode("n").heartbeat())
            assert len(await hearing) == 1


async def test_a_repeated_request_is_stored_once(server: RedisServer) -> None:
    async with stored(server.url) as store, line(server.url) as joined:
        post = a_mailbox(store)
        await post.read()
        for _ in range(5):
            await joined._try(TaskRequest("n", 1, None))
            assert len(await post.receive(0.05)) == 1
            await post.commit([], [])
            assert await execute(store, "XLEN", KEYS.asks) == 1
        await post.commit([], [CrawlOver("n", 1, "complete")])
        assert await execute(store, "XLEN", KEYS.asks) == 0


async def test_evidence_without_a_coordinator_blocks_no_node(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("statecrawl.cluster.redis.link.MOST_EVIDENCE", 1)
    noted = [(Note("error", "what"), "00", None)]
    async with stored(server.url) as store, line(server.url) as joined:
        await joined.send([], noted)
        await execute(store, "SET", KEYS.ended, "complete")
        await asyncio.wait_for(joined.send([], noted), 5)
        assert await execute(store, "XLEN", KEYS.evidence) == 1


async def test_a_replaced_coordinator_notices_without_messages(server: RedisServer) -> None:
    """However often it has renewed its leadership before."""
    async with stored(server.url) as store:
        post = a_mailbox(store)
        await post.read()
        await execute(store, "SET", KEYS.leader, "somebody else")

        async def coordinate() -> None:
            for _ in range(30):
                assert not await post.lead()
                assert await post.receive(0.05) == []

        with pytest.raises(Deposed):
            await coordinate()


async def test_a_coordinator_that_was_away_unnoticed_continues(server: RedisServer) -> None:
    async with stored(server.url) as store:
        post = a_mailbox(store)
        await post.read()
        await execute(store, "DEL", KEYS.leader)
        await post.commit([STARTED], [])
        with pytest.raises(Deposed):
            await a_mailbox(store).read()
        assert await post.read() == [STARTED]


async def test_a_user_without_info_permission_is_told_so(server: RedisServer) -> None:
    async with stored(server.url) as store:
        rights = ("~statecrawl:*", "+@all", "-@admin", "-@dangerous")
        await execute(store, "ACL", "SETUSER", "crawler", "on", ">secret", *rights)
        async with stored(server.url.replace("//", "//crawler:secret@")) as ours:
            with pytest.raises(BadInput, match=r"\+info"):
                await ours.check()
            await ours.check(unsafe=True)
            await execute(store, "ACL", "SETUSER", "crawler", "+info")
            await ours.check()
            assert await a_mailbox(ours).read() == []


async def test_a_node_without_a_server_reports_a_lost_coordinator() -> None:
    with pytest.raises(CoordinatorLost, match=r"cannot connect to Redis at \S+: connection refused; start the server"):
        await work(JoinedCrawl(url="redis://127.0.0.1:1/0", token="", patience=0.1), lambda *_: None, lambda _: None)


@pytest.mark.parametrize("password", ["open%20sesame", "open/sesame", "open#sesame", "open?sesame", "open@sesame"])
def test_an_address_is_shown_without_its_password(password: str) -> None:
    url = f"redis://user:{password}@host:6379/0"
    assert without_password(url) == "redis://host:6379/0"
    with pytest.raises(BadInput) as refused:
        RedisKeys(f"sesame@{url}")
    assert "sesame" not in str(refused.value)
