"""Crawls by Dist-RIA nodes and peers in a real Redis: processes that lead, and nodes without a browser."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from statecrawl.cluster.redis.connection import RedisConnection
from statecrawl.cluster.redis.keys import RedisKeys
from statecrawl.cluster.redis.log import RedisLog
from statecrawl.config.plan import CrawlPlan
from statecrawl.fleet.member_coordinator import MemberCoordinator
from statecrawl.fleet.standby import CoordinatorWatcher, RedisEngine, stand_by, start_crawl
from statecrawl.model.graph import Graph
from tests.cluster.members import MemberSleeper

KEYS = RedisKeys("crawl")


class RedisRun:
    """Process that leads or stands by, with nodes beside it."""

    def __init__(self, planned: CrawlPlan, url: str) -> None:
        self.plan = planned
        self.url = url
        self.leads = asyncio.Event()
        self.lines: list[RedisLog] = []
        self.done: asyncio.Task[Any]
        self.watcher = CoordinatorWatcher(on_lead=self._on_lead, on_progress=lambda _: None, on_standby=lambda _: None)
        self.coordinator: MemberCoordinator[Any]

    def _on_lead(self, coordinator: Any) -> None:
        self.coordinator = coordinator
        self.leads.set()

    async def begins(self) -> None:
        """Wait until nodes may join."""
        await self.leads.wait()
        await self.coordinator.wait_until_ready()

    async def explored(self, count: int) -> None:
        await self.begins()
        while self.coordinator.crawl.graph.explored < count:
            await asyncio.sleep(0.005)
            assert not self.done.done()

    def line(self, patience: float = 20.0) -> RedisLog:
        self.lines.append(RedisLog(RedisConnection(self.url, patience=patience), KEYS, patience))
        return self.lines[-1]

    def node(self, name: str, truth: Graph, seconds: float = 0.0, patience: float = 10.0) -> MemberSleeper:
        return MemberSleeper(name, truth, self.line(), self.plan, seconds, patience)

    async def kill(self) -> None:
        """Stop as kill -9 would, if `RedisMailbox.resign` does nothing."""
        self.done.cancel()
        await asyncio.gather(self.done, return_exceptions=True)


@asynccontextmanager
async def _running(run: RedisRun, course: Awaitable[Any]) -> AsyncIterator[RedisRun]:
    run.done = asyncio.ensure_future(course)
    try:
        yield run
    finally:
        for line in run.lines:
            await line.close()
        await run.kill()


@asynccontextmanager
async def in_redis(planned: CrawlPlan, url: str) -> AsyncIterator[RedisRun]:
    run = RedisRun(planned, url)
    async with _running(run, start_crawl(planned, RedisEngine(url=url), KEYS.crawl, run.watcher)):
        yield run


@asynccontextmanager
async def beside_redis(planned: CrawlPlan, url: str, out: Path) -> AsyncIterator[RedisRun]:
    """Run a process that stands by."""
    run = RedisRun(planned, url)
    async with _running(run, stand_by(RedisEngine(url=url), out, run.watcher)):
        yield run
