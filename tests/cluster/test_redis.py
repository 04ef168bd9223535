"""A crawl in a real Redis: nodes that act in a true model, coordinators that come and go, a server that is killed."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from statecrawl.cluster import wire
from statecrawl.cluster.redis_journal import groups
from statecrawl.cluster.redis_keys import Keys
from statecrawl.cluster.redis_line import RedisLine
from statecrawl.cluster.redis_post import RedisPost
from statecrawl.cluster.redis_store import Away, Store, shown
from statecrawl.coordination.client import Node
from statecrawl.coordination.questions import Ask, End, Reply
from statecrawl.errors import BadInput, LineLost, NodeRefused, StoreError
from statecrawl.journal.facts import CrawlStarted, Fact
from statecrawl.journal.fold import fold
from statecrawl.model.graph import Graph
from statecrawl.ports.page import Note
from statecrawl.ports.post import Deposed, Outdated
from statecrawl.runtime.centre import Centre
from statecrawl.runtime.fleet import Joining, work
from statecrawl.runtime.leading import Engine, Watcher, begin, stand_by
from statecrawl.runtime.outcome import Outcome
from statecrawl.runtime.plan import CrawlPlan
from statecrawl.stores.evidence import JOURNAL_NAME
from statecrawl.stores.sqlite import open_journal, open_reader
from statecrawl.testbed.catalogue import application
from tests.cluster.redis_server import RedisServer, redis_server
from tests.cluster.sleepers import Sleeper

pytestmark = pytest.mark.cluster
KEYS = Keys("crawl")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    with redis_server(tmp_path / "redis") as running:
        yield running


def plan(out: Path, **changed: object) -> CrawlPlan:
    given = CrawlPlan(url="http://127.0.0.1/", out=out, strategy="greedy", learn_states=0, reset_cost=3.0)
    return replace(given, **changed)  # type: ignore[arg-type]


class Run:
    """A process that coordinates, or wants to."""

    def __init__(self) -> None:
        self.coordinates = asyncio.Event()
        self.coordinating: Centre | None = None
        self.done: asyncio.Task[tuple[Outcome, Any]]
        self.watcher = Watcher(begun=self._begun, told=lambda _: None, waits=lambda _: None)

    def _begun(self, coordinating: Centre) -> None:
        self.coordinating = coordinating
        self.coordinates.set()

    async def explored(self, count: int) -> None:
        await self.coordinates.wait()
        assert self.coordinating is not None
        while self.coordinating.crawl.graph.explored < count:
            await asyncio.sleep(0.005)
            assert not self.done.done()

    async def kill(self) -> None:
        """As kill -9 would: nothing is said to anybody."""
        self.done.cancel()
        await asyncio.gather(self.done, return_exceptions=True)


@asynccontextmanager
async def beginning(planned: CrawlPlan, url: str) -> AsyncIterator[Run]:
    run = Run()
    run.done = asyncio.create_task(begin(planned, Engine(url=url), KEYS.crawl, run.watcher))
    try:
        yield run
    finally:
        await run.kill()


@asynccontextmanager
async def standing_by(out: Path, url: str) -> AsyncIterator[Run]:
    run = Run()
    run.done = asyncio.create_task(stand_by(Engine(url=url), out, run.watcher))
    try:
        yield run
    finally:
        await run.kill()


@asynccontextmanager
async def line(url: str, patience: float = 20.0) -> AsyncIterator[RedisLine]:
    joined = RedisLine(Store(url, patience=patience), KEYS, patience)
    try:
        yield joined
    finally:
        await joined.close()


def a_post(store: Store) -> RedisPost[Ask, Reply]:
    return RedisPost(store, KEYS, wire.to_message)


def truth(app: str) -> Graph:
    return application(app).truth


def found(out: Path) -> Graph:
    return fold(open_reader(out / JOURNAL_NAME).read()).graph


async def all_of(model: Graph, joined: RedisLine, count: int, seconds: float = 0.0, kind: str = "n") -> list[str]:
    return await asyncio.gather(*(Sleeper(f"{kind}{number}", model, joined, seconds).run() for number in range(count)))


async def test_a_standby_takes_over(tmp_path: Path, server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("statecrawl.cluster.redis_post.LEAD_MILLISECONDS", 700)
    model = truth("test-ria")
    planned = plan(tmp_path / "first")
    async with beginning(planned, server.url) as first, line(server.url) as joined:
        await first.coordinates.wait()
        async with standing_by(tmp_path / "second", server.url) as second:
            nodes = asyncio.create_task(all_of(model, joined, 3, seconds=0.01))
            await first.explored(40)
            assert not second.coordinates.is_set()
            monkeypatch.setattr(RedisPost, "resign", _silence)
            await first.kill()
            assert await nodes == ["complete"] * 3
            assert (await second.done)[0].complete
    facts = list(open_reader(tmp_path / "second" / JOURNAL_NAME).read())
    assert [fact.run for fact in facts if isinstance(fact, CrawlStarted)] == [1, 2]
    assert fold(facts).graph.same_as(model)


async def _silence(_: RedisPost[Any, Any]) -> None:
    """What somebody says who was killed."""


async def test_whoever_makes_way_is_followed_at_once(tmp_path: Path, server: RedisServer) -> None:
    model = truth("test-ria")
    async with beginning(plan(tmp_path / "first"), server.url) as first, line(server.url) as joined:
        await first.coordinates.wait()
        async with standing_by(tmp_path / "second", server.url) as second:
            nodes = asyncio.create_task(all_of(model, joined, 2, seconds=0.01))
            await first.explored(30)
            first.watcher.leaves.set()
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
        store = Store(server.url, patience=5.0)
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
        await told(store, "FLUSHALL")
        assert await nodes == ["complete"] * 3
        outcome, _ = await run.done
        assert await told(store, "EXISTS", KEYS.plan)
    assert any("has lost" in warning for warning in outcome.warnings)
    assert found(tmp_path / "crawl").same_as(model)


async def test_whoever_was_replaced_changes_nothing(server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("statecrawl.cluster.redis_post.LEAD_MILLISECONDS", 500)
    store = Store(server.url, patience=5.0)
    old, new = a_post(store), a_post(store)
    started = CrawlStarted(application="a", configuration={}, reset_cost=1.0)
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
    with pytest.raises(Outdated):
        await old.commit([started], [])
    assert await old.read() == [started]
    await store.close()


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
        assert run.coordinating is not None
        run.coordinating.stop("interrupted")
        assert (await run.done)[0].ended_because == "interrupted"
        assert await nodes == ["interrupted"] * 2
    async with beginning(plan(tmp_path / "crawl"), server.url) as again, line(server.url) as joined:
        await again.coordinates.wait()
        assert await all_of(model, joined, 2, kind="m") == ["complete"] * 2
        assert (await again.done)[0].complete
    assert found(tmp_path / "crawl").same_as(model)
    with pytest.raises(BadInput, match="#crawl holds a crawl with application"):
        await begin(plan(tmp_path / "b", url="http://127.0.0.1/b"), Engine(url=server.url), KEYS.crawl, Run().watcher)


async def test_a_node_does_not_wait_for_ever(server: RedisServer) -> None:
    async with line(server.url, patience=0.1) as joined:
        with pytest.raises(LineLost, match="nobody coordinates crawl"):
            await joined.ask(Node("n").ask(None))
    server.kill()
    async with line(server.url, patience=0.1) as joined:
        with pytest.raises(LineLost, match="is not to be used"):
            await joined.ask(Node("n").ask(None))


@pytest.mark.parametrize(
    "settings", [("--appendonly", "no"), ("--maxmemory", "64mb", "--maxmemory-policy", "allkeys-lru")]
)
async def test_a_server_that_forgets_is_refused(tmp_path: Path, settings: tuple[str, ...]) -> None:
    with redis_server(tmp_path / "redis", *settings) as server, pytest.raises(BadInput, match=r"set \S+"):
        await begin(plan(tmp_path / "crawl"), Engine(url=server.url), "crawl", Run().watcher)
    assert not (tmp_path / "crawl").exists()


async def test_a_cluster_is_refused(tmp_path: Path) -> None:
    with (
        redis_server(tmp_path / "redis", "--cluster-enabled", "yes") as server,
        pytest.raises(BadInput, match="Cluster"),
    ):
        await begin(plan(tmp_path / "crawl"), Engine(url=server.url), "crawl", Run().watcher)


async def test_a_folder_with_another_crawl_is_left_alone(tmp_path: Path, server: RedisServer) -> None:
    (tmp_path / "crawl").mkdir()
    with closing(open_journal(tmp_path / "crawl" / JOURNAL_NAME)) as journal:
        journal.append([CrawlStarted(application="another", configuration={}, reset_cost=1.0)])
    with pytest.raises(BadInput, match="holds a crawl of its own"):
        await begin(plan(tmp_path / "crawl"), Engine(url=server.url), "crawl", Run().watcher)


async def test_who_wants_to_go_does_not_wait_for_a_server_that_is_away(
    tmp_path: Path, server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("statecrawl.cluster.redis_store.HURRY_SECONDS", 0.1)
    async with beginning(plan(tmp_path / "crawl"), server.url) as run:
        await run.coordinates.wait()
        server.kill()
        run.watcher.leave()
        with pytest.raises(StoreError, match="not to be used"):
            await asyncio.wait_for(run.done, 20.0)


async def test_it_may_forget_when_that_is_accepted(tmp_path: Path) -> None:
    with redis_server(tmp_path / "redis", "--appendonly", "no") as server:
        run = Run()
        run.done = asyncio.create_task(
            begin(plan(tmp_path / "crawl"), Engine(url=server.url, unsafe=True), "crawl", run.watcher)
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
async def test_a_wrong_address_is_said_at_once(tmp_path: Path, url: str) -> None:
    with pytest.raises(BadInput, match=r"no Redis at|no address of a Redis"):
        await begin(plan(tmp_path / "crawl"), Engine(url=url), "crawl", Run().watcher)


async def test_a_password_is_needed_and_never_shown(tmp_path: Path) -> None:
    with redis_server(tmp_path / "redis", "--requirepass", "open sesame") as server:
        with pytest.raises(StoreError, match="refuses this user"):
            await begin(plan(tmp_path / "crawl"), Engine(url=server.url), "crawl", Run().watcher)
        wrong = server.url.replace("//", "//:close%20sesame@")
        with pytest.raises(StoreError, match="refuses this user") as refused:
            await begin(plan(tmp_path / "crawl"), Engine(url=wrong), "crawl", Run().watcher)
        assert "sesame" not in str(refused.value)
        right = server.url.replace("//", "//:open%20sesame@")
        async with beginning(plan(tmp_path / "crawl"), right) as run, line(right) as joined:
            assert await all_of(truth("tiny"), joined, 1) == ["complete"]
            assert (await run.done)[0].complete


async def test_nodes_of_another_kind_are_refused(tmp_path: Path, server: RedisServer) -> None:
    joining = Joining(url=server.url, token="")
    with pytest.raises(BadInput, match="there is no crawl at"):
        await work(joining, lambda _: None, lambda _: None)
    async with beginning(plan(tmp_path / "crawl"), server.url) as run:
        await run.coordinates.wait()
        with pytest.raises(NodeRefused, match="told apart by content here"):
            await work(replace(joining, equivalence="structure"), lambda _: None, lambda _: None)
    second = asyncio.create_task(
        begin(plan(tmp_path / "other"), Engine(url=f"{server.url}#other"), "crawl", (other := Run()).watcher)
    )
    await other.coordinates.wait()
    with pytest.raises(BadInput, match="crawl, other: name one"):
        await work(joining, lambda _: None, lambda _: None)
    second.cancel()
    await asyncio.gather(second, return_exceptions=True)


STARTED = CrawlStarted(application="a", configuration={}, reset_cost=1.0)


@asynccontextmanager
async def stored(url: str, patience: float = 5.0) -> AsyncIterator[Store]:
    store = Store(url, patience=patience)
    try:
        yield store
    finally:
        await store.close()


async def told(store: Store, *command: str | int) -> Any:
    return await store.call(lambda client: client.execute_command(*command))


async def test_a_full_memory_passes(server: RedisServer) -> None:
    """Nobody gives up, and whoever coordinates goes on to do so."""
    async with stored(server.url) as store, line(server.url) as joined:
        post = a_post(store)
        assert await post.read() == []
        await told(store, "CONFIG", "SET", "maxmemory", 1)
        with pytest.raises(Away, match="used memory"):
            await store.once(lambda client: client.set("key", "value"))
        asking = asyncio.create_task(joined.ask(Ask("n", 1, None)))
        await post.publish({}, {}, 0.0)
        assert await post.lead()
        await asyncio.sleep(0.2)
        await told(store, "CONFIG", "SET", "maxmemory", 0)
        while not await post.hear(0.1):
            pass
        await post.commit([STARTED], [End("n", 1, "complete")])
        assert (await asking).number == 1


async def test_who_waits_at_a_server_that_hands_over_waits_on(server: RedisServer) -> None:
    async with stored(server.url) as store:
        post = a_post(store)
        await post.read()
        hearing = asyncio.create_task(post.hear(30.0))
        await asyncio.sleep(0.1)
        await told(store, "REPLICAOF", "127.0.0.1", "1")
        committing = asyncio.create_task(post.commit([STARTED], []))
        await asyncio.sleep(0.2)
        assert not hearing.done()
        await told(store, "REPLICAOF", "NO", "ONE")
        await committing
        async with line(server.url) as joined:
            await joined.beat(Node("n").beat())
            assert len(await hearing) == 1


async def test_a_question_that_is_asked_again_and_again_is_kept_once(server: RedisServer) -> None:
    async with stored(server.url) as store, line(server.url) as joined:
        post = a_post(store)
        await post.read()
        for _ in range(5):
            await joined._try(Ask("n", 1, None))
            assert len(await post.hear(0.05)) == 1
            await post.commit([], [])
            assert await told(store, "XLEN", KEYS.asks) == 1
        await post.commit([], [End("n", 1, "complete")])
        assert await told(store, "XLEN", KEYS.asks) == 0


async def test_evidence_that_nobody_will_take_holds_nobody_up(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("statecrawl.cluster.redis_line.MOST_EVIDENCE", 1)
    noted = [(Note("error", "what"), "00", None)]
    async with stored(server.url) as store, line(server.url) as joined:
        await joined.send([], noted)
        await told(store, "SET", KEYS.ended, "complete")
        await asyncio.wait_for(joined.send([], noted), 5)
        assert await told(store, "XLEN", KEYS.evidence) == 1


async def test_whoever_was_replaced_notices_though_nobody_speaks(server: RedisServer) -> None:
    """However often it says by itself that it still coordinates."""
    async with stored(server.url) as store:
        post = a_post(store)
        await post.read()
        await told(store, "SET", KEYS.leader, "somebody else")

        async def coordinate() -> None:
            for _ in range(30):
                assert not await post.lead()
                assert await post.hear(0.05) == []

        with pytest.raises(Deposed):
            await coordinate()


async def test_whoever_was_away_and_not_missed_goes_on(server: RedisServer) -> None:
    async with stored(server.url) as store:
        post = a_post(store)
        await post.read()
        await told(store, "DEL", KEYS.leader)
        await post.commit([STARTED], [])
        with pytest.raises(Deposed):
            await a_post(store).read()
        assert await post.read() == [STARTED]


async def test_whoever_reads_a_long_journal_still_coordinates(
    tmp_path: Path, server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("statecrawl.cluster.redis_post.LEAD_MILLISECONDS", 400)
    monkeypatch.setattr("statecrawl.runtime.leading.SIGN_SECONDS", 0.05)
    read = RedisPost.read

    async def slowly(post: RedisPost[Any, Any]) -> list[Fact]:
        facts = await read(post)
        await asyncio.sleep(1.0)
        return facts

    monkeypatch.setattr(RedisPost, "read", slowly)
    async with beginning(plan(tmp_path / "first"), server.url) as first, stored(server.url) as store:
        while not await told(store, "EXISTS", KEYS.leader):
            await asyncio.sleep(0.01)
        other = a_post(store)
        while not first.coordinates.is_set():
            assert not await other.lead()
            await asyncio.sleep(0.02)


async def test_a_user_who_may_not_ask_whether_it_is_safe_is_told_so(server: RedisServer) -> None:
    async with stored(server.url) as store:
        rights = ("~statecrawl:*", "+@all", "-@admin", "-@dangerous")
        await told(store, "ACL", "SETUSER", "crawler", "on", ">secret", *rights)
        async with stored(server.url.replace("//", "//crawler:secret@")) as ours:
            with pytest.raises(BadInput, match=r"\+info"):
                await ours.check()
            await ours.check(unsafe=True)
            await told(store, "ACL", "SETUSER", "crawler", "+info")
            await ours.check()
            assert await a_post(ours).read() == []


async def test_a_node_that_finds_no_server_says_that_its_line_is_lost() -> None:
    with pytest.raises(LineLost, match="is not to be used"):
        await work(Joining(url="redis://127.0.0.1:1/0", token="", patience=0.1), lambda _: None, lambda _: None)


@pytest.mark.parametrize("password", ["open%20sesame", "open/sesame", "open#sesame", "open?sesame", "open@sesame"])
def test_an_address_is_shown_without_its_password(password: str) -> None:
    url = f"redis://user:{password}@host:6379/0"
    assert shown(url) == "redis://host:6379/0"
    with pytest.raises(BadInput) as refused:
        Keys(f"sesame@{url}")
    assert "sesame" not in str(refused.value)
