"""What every mailbox of a coordinator must do: local ones over a list and over a file, and the one in Redis."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from random import Random

import pytest
from hypothesis import Phase, find, settings

from statecrawl.cluster import messages
from statecrawl.cluster.redis.connection import RedisConnection
from statecrawl.cluster.redis.link import RedisLink
from statecrawl.cluster.redis.mailbox import RedisMailbox
from statecrawl.coordination.client_server_messages import (
    CrawlOver,
    Heartbeat,
    Leave,
    NodeMessage,
    TaskReply,
    TaskRequest,
)
from statecrawl.fleet.evidence_batch import EvidenceBatch
from statecrawl.fleet.evidence_intake import EvidenceIntake
from statecrawl.fleet.local_mailbox import LocalMailbox
from statecrawl.journal.facts import CrawlEnded, CrawlStarted, Fact, StateFound, TransitionExplored
from statecrawl.journal.memory_journal import MemoryJournal
from statecrawl.ports.journal_store import Journal
from statecrawl.ports.mailbox import Mailbox
from statecrawl.stores.sqlite_journal import open_journal
from tests.cluster.redis_runs import KEYS
from tests.cluster.redis_server import redis_server
from tests.journal.test_encoding import facts

SECONDS = 0.05
ANY = settings(phases=[Phase.generate], max_examples=1_000, database=None)  # need not be the smallest


@dataclass
class Place:
    """A mailbox, and how nodes reach it."""

    mailbox: Mailbox[TaskRequest, TaskReply]
    say: Callable[[NodeMessage], Awaitable[object]]


@asynccontextmanager
async def local(journal: Journal) -> AsyncIterator[Place]:
    mailbox: LocalMailbox[TaskRequest, TaskReply] = LocalMailbox(journal, EvidenceIntake(EvidenceBatch(None)))
    asking: set[asyncio.Task[object]] = set()

    async def say(message: NodeMessage) -> None:
        match message:
            case TaskRequest():
                asking.add(asyncio.create_task(mailbox.ask(message)))
                await asyncio.sleep(0)
            case Heartbeat():
                mailbox.beat(message)
            case Leave():
                mailbox.leave(message.node)

    with closing(journal):
        yield Place(mailbox, say)
        for task in asking:
            task.cancel()


@asynccontextmanager
async def in_redis(folder: Path) -> AsyncIterator[Place]:
    with redis_server(folder / "redis") as server:
        store = RedisConnection(server.url, patience=5.0)
        line = RedisLink(store, KEYS, 5.0)
        yield Place(
            RedisMailbox(store, KEYS, messages.decode_message), lambda message: line._call(line._message(message))
        )
        await store.close()


PLACES: dict[str, Callable[[Path], AbstractAsyncContextManager[Place]]] = {
    "list": lambda _: local(MemoryJournal()),
    "sqlite": lambda folder: local(open_journal(folder / "crawl.journal")),
    "redis": in_redis,
}
Making = Callable[[], AbstractAsyncContextManager[Place]]


@pytest.fixture(params=PLACES)
def making(request: pytest.FixtureRequest, tmp_path: Path) -> Making:
    return lambda: PLACES[request.param](tmp_path)


@cache
def one_of_each() -> list[Fact]:
    """A fact of every kind, and one with texts that are hard to keep."""
    hard = "\ud800 \x00 \u2028 <b> 中"
    return [
        *(find(facts, partial(_is, kind), settings=ANY, random=Random(0)) for kind in Fact.__args__),
        StateFound(state=hard, events=((hard, hard),), url=hard, title=hard),
    ]


def _is(kind: type, fact: Fact) -> bool:
    return isinstance(fact, kind)


async def test_facts_come_back_as_they_were(making: Making) -> None:
    some = one_of_each()
    async with making() as place:
        assert await place.mailbox.read() == []
        await place.mailbox.commit(some, [])
        await place.mailbox.commit(some[:1], [])
        assert await place.mailbox.read() == [*some, some[0]]


async def test_what_was_said_is_heard_once_and_in_order(making: Making) -> None:
    said: list[NodeMessage] = [
        TaskRequest("n", 1, None),
        Heartbeat("m", 3, ("s", "e")),
        TaskRequest("o", 1, "s"),
        Leave("m"),
    ]
    async with making() as place:
        await place.mailbox.read()
        for message in said:
            await place.say(message)
        assert await place.mailbox.receive(SECONDS) == said
        assert await place.mailbox.receive(SECONDS) == []


async def test_answers_go_to_who_asked(making: Making) -> None:
    async with making() as place:
        await place.mailbox.read()
        await place.say(TaskRequest("n", 7, None))
        await place.mailbox.receive(SECONDS)
        answer = CrawlOver("n", 7, "complete")
        assert await place.mailbox.commit([CrawlEnded(reason="complete")], [answer]) == [answer]
        assert await place.mailbox.receive(SECONDS) == []


async def test_a_question_with_facts_is_not_told_twice(making: Making) -> None:
    """The next coordinator does not receive again what has been written, but only the request itself, if it can."""
    explored = TransitionExplored(state="a", event="e", target="a")
    async with making() as place:
        await place.mailbox.read()
        await place.say(TaskRequest("n", 1, "a", (explored,), events=3, resets=1))
        await place.mailbox.receive(SECONDS)
        await place.mailbox.commit([CrawlStarted(application="a", configuration={}, reset_cost=1.0), explored], [])
        assert await place.mailbox.receive(SECONDS) == []
        await place.mailbox.read()
        assert await place.mailbox.receive(SECONDS) in ([], [TaskRequest("n", 1, "a")])
