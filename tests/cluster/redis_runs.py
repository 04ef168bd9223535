"""Coordinators of a crawl in a real Redis, and nodes that act in a true model."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from statecrawl.cluster import messages
from statecrawl.cluster.redis.connection import RedisConnection
from statecrawl.cluster.redis.keys import RedisKeys
from statecrawl.cluster.redis.link import RedisLink
from statecrawl.cluster.redis.mailbox import RedisMailbox
from statecrawl.config.plan import CrawlPlan
from statecrawl.coordination.client_server_messages import TaskReply, TaskRequest
from statecrawl.crawler.outcome import Outcome
from statecrawl.fleet.standby import CoordinatorWatcher, RedisEngine, stand_by, start_crawl
from statecrawl.fleet.task_coordinator import TaskCoordinator
from statecrawl.journal.facts import CrawlStarted
from statecrawl.journal.fold import fold
from statecrawl.model.equivalence import IDENTITY, IDENTITY_VERSION
from statecrawl.model.graph import Graph
from statecrawl.stores.evidence import JOURNAL_NAME
from statecrawl.stores.sqlite_journal import open_reader
from statecrawl.testbed.catalogue import application
from tests.cluster.sleepers import Sleeper

KEYS = RedisKeys("crawl")
STARTED = CrawlStarted(application="a", configuration={IDENTITY: IDENTITY_VERSION}, reset_cost=1.0)


def plan(out: Path, **changed: object) -> CrawlPlan:
    given = CrawlPlan(url="http://127.0.0.1/", out=out, strategy="greedy", learn_states=0, reset_cost=3.0)
    return replace(given, **changed)  # type: ignore[arg-type]


def a_mailbox(store: RedisConnection) -> RedisMailbox[TaskRequest, TaskReply]:
    return RedisMailbox(store, KEYS, messages.decode_message)


class Run:
    """Process that leads or stands by."""

    def __init__(self) -> None:
        self.coordinates = asyncio.Event()
        self.coordinator: TaskCoordinator | None = None
        self.done: asyncio.Task[tuple[Outcome, Any]]
        self.watcher = CoordinatorWatcher(on_lead=self._on_lead, on_progress=lambda _: None, on_standby=lambda _: None)

    def _on_lead(self, coordinator: TaskCoordinator) -> None:
        self.coordinator = coordinator
        self.coordinates.set()

    async def explored(self, count: int) -> None:
        await self.coordinates.wait()
        assert self.coordinator is not None
        while self.coordinator.crawl.graph.explored < count:
            await asyncio.sleep(0.005)
            assert not self.done.done()

    async def kill(self) -> None:
        """Stop as kill -9 would, without a message to anyone."""
        self.done.cancel()
        await asyncio.gather(self.done, return_exceptions=True)


@asynccontextmanager
async def beginning(planned: CrawlPlan, url: str) -> AsyncIterator[Run]:
    run = Run()
    run.done = asyncio.create_task(start_crawl(planned, RedisEngine(url=url), KEYS.crawl, run.watcher))
    try:
        yield run
    finally:
        await run.kill()


@asynccontextmanager
async def standing_by(out: Path, url: str) -> AsyncIterator[Run]:
    run = Run()
    run.done = asyncio.create_task(stand_by(RedisEngine(url=url), out, run.watcher))
    try:
        yield run
    finally:
        await run.kill()


@asynccontextmanager
async def line(url: str, patience: float = 20.0) -> AsyncIterator[RedisLink]:
    joined = RedisLink(RedisConnection(url, patience=patience), KEYS, patience)
    try:
        yield joined
    finally:
        await joined.close()


def truth(app: str) -> Graph:
    return application(app).truth


def found(out: Path) -> Graph:
    return fold(open_reader(out / JOURNAL_NAME).read()).graph


async def all_of(model: Graph, joined: RedisLink, count: int, seconds: float = 0.0, kind: str = "n") -> list[str]:
    return await asyncio.gather(*(Sleeper(f"{kind}{number}", model, joined, seconds).run() for number in range(count)))


@asynccontextmanager
async def stored(url: str, patience: float = 5.0) -> AsyncIterator[RedisConnection]:
    store = RedisConnection(url, patience=patience)
    try:
        yield store
    finally:
        await store.close()


async def execute(store: RedisConnection, *command: str | int) -> Any:
    return await store.call(lambda client: client.execute_command(*command))
