"""`statecrawl forget`: a crawl in a real Redis is deleted, unless it may still be needed."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from statecrawl.cli.forget import ELSEWHERE, STILL_THERE
from statecrawl.cluster.messages import decode_message
from statecrawl.cluster.redis.connection import RedisConnection
from statecrawl.cluster.redis.crawls import register_crawl
from statecrawl.cluster.redis.keys import CRAWLS, RedisKeys
from statecrawl.cluster.redis.mailbox import RedisMailbox
from statecrawl.coordination.client_server_messages import CrawlOver, TaskReply, TaskRequest
from statecrawl.journal.facts import CrawlEnded, CrawlStarted
from tests.cli.command import Command
from tests.cluster.redis_server import RedisServer, redis_server
from tests.fleet.test_supervisor import wait_for

pytestmark = pytest.mark.cluster
SHOP, OTHER = RedisKeys("shop"), RedisKeys("shop2")
STARTED = CrawlStarted(application="http://127.0.0.1/", configuration={}, reset_cost=2.0)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    with redis_server(tmp_path / "redis") as running:
        yield running


def at(server: RedisServer, act: Callable[[RedisConnection], Awaitable[Any]]) -> Any:
    async def acted() -> Any:
        store = RedisConnection(server.url, patience=5.0)
        try:
            return await act(store)
        finally:
            await store.close()

    return asyncio.run(acted())


def keep(server: RedisServer, keys: RedisKeys, ended: str = "", *, led: bool = False) -> None:
    """A crawl with all kinds of data."""

    async def kept(store: RedisConnection) -> None:
        post: RedisMailbox[TaskRequest, TaskReply] = RedisMailbox(store, keys, decode_message)
        await post.read()
        await post.begin({"password": "hunter2x9"})
        await register_crawl(store, keys)
        await post.commit([STARTED, *([CrawlEnded(reason=ended)] if ended else [])], [CrawlOver("n", 1, "complete")])
        await post.publish({}, {}, 1.0)
        await store.call(lambda client: client.xadd(keys.evidence, {"p": b"parcel"}))
        if not led:
            await post.resign()

    at(server, kept)


def left(server: RedisServer) -> set[bytes]:
    return set(at(server, lambda store: store.call(lambda client: client.keys("*"))))


def of(server: RedisServer, keys: RedisKeys) -> set[bytes]:
    return {key for key in left(server) if key.startswith(keys.prefix.encode())}


def test_only_the_named_crawl_is_deleted(server: RedisServer, here: Command) -> None:
    keep(server, SHOP, "complete")
    keep(server, OTHER, "complete")
    others = of(server, OTHER)
    assert len(others) == len(of(server, SHOP)) == 8
    done = here("forget", f"{server.url}#shop", "--yes").fine()
    assert done.out == f"deleted shop from {server.url}. {ELSEWHERE}\n"
    assert left(server) == {*others, CRAWLS.encode()}
    assert at(server, lambda store: store.call(lambda client: client.smembers(CRAWLS))) == {b"shop2"}
    here("forget", f"{server.url}#shop", "--yes").refused(2, f"there is no crawl named shop at {server.url}")


def holds_password(folder: Path) -> bool:
    return any(b"hunter2x9" in file.read_bytes() for file in folder.glob("appendonlydir/*"))


def test_login_data_is_removed_from_the_disk_of_the_server(server: RedisServer, here: Command, tmp_path: Path) -> None:
    keep(server, SHOP, "complete")
    wait_for(lambda: holds_password(tmp_path / "redis"))
    here("forget", f"{server.url}#shop", "--yes").fine()
    wait_for(lambda: not holds_password(tmp_path / "redis"))  # old files are removed in the background


def test_a_user_who_may_not_rewrite_the_file_gets_a_warning(server: RedisServer, here: Command, tmp_path: Path) -> None:
    keep(server, SHOP, "complete")
    rights = ("on", ">pass", "~statecrawl:*", "+@all", "-@admin", "-@dangerous", "+info")
    at(server, lambda store: store.call(lambda client: client.execute_command("acl", "setuser", "crawler", *rights)))
    url = server.url.replace("redis://", "redis://crawler:pass@")
    done = here("forget", f"{url}#shop", "--yes").fine()
    assert done.out == f"deleted shop from {server.url}{STILL_THERE}. {ELSEWHERE}\n"
    assert left(server) == set()
    assert holds_password(tmp_path / "redis")


@pytest.mark.parametrize(
    ("ended", "led", "asked", "said"),
    [
        ("", False, (), "has not ended and could still be resumed: use --yes"),
        ("complete", False, (), "cannot ask whether to delete shop, because standard input is no terminal: use --yes."),
        ("complete", True, ("--yes",), " has a running coordinator: stop that first."),
    ],
)
def test_a_crawl_that_may_be_needed_is_not_deleted(
    ended: str, led: bool, asked: tuple[str, ...], said: str, server: RedisServer, here: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr("statecrawl.cluster.redis.mailbox.LEAD_MILLISECONDS", 60_000)
    keep(server, SHOP, ended, led=led)
    before = of(server, SHOP)
    here("forget", f"{server.url}#shop", *asked).refused(2, said)
    assert of(server, SHOP) == before
    assert len(before) > 5


def test_deletion_must_be_confirmed(server: RedisServer, here: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(server, SHOP, "max-time")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    for answer, gone in (("n", False), ("y", True)):
        monkeypatch.setattr(
            "typer.confirm", lambda question, err, said=answer: said == "y" and "(max-time)" in question
        )
        here("forget", f"{server.url}#shop").fine()
        assert (not of(server, SHOP)) == gone


@pytest.mark.parametrize(
    ("url", "said"),
    [
        (
            "http://127.0.0.1:8765",
            "statecrawl forget takes the URL of a crawl in Redis, such as redis://HOST:6379/0#NAME, not",
        ),
        ("redis://:secret@127.0.0.1:9/0", "the name of the crawl is missing: write redis://127.0.0.1:9/0#N"),
    ],
)
def test_an_invalid_url_is_refused(url: str, said: str, here: Command) -> None:
    here("forget", url, "--yes").refused(2, said)
