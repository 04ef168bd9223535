"""Supervisor of node processes on this machine: it starts them, watches them, and restarts those that die.

The parent coordinates and is the only process that writes the journal; its children join it over loopback as nodes on
other machines would. A node that fails is started again. One that fails again and again, soon after each start, is
given up; when all are, the crawl ends with the message of the last one. A crawl in Redis continues as long as there are
nodes elsewhere.
"""

import asyncio
import os
import secrets
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag

from statecrawl.cluster.http.server import RunningServer
from statecrawl.cluster.redis.connection import is_redis_url
from statecrawl.config.plan import CrawlPlan
from statecrawl.crawler.outcome import Outcome
from statecrawl.errors import (
    EXIT_BROWSER,
    EXIT_SITE,
    EXIT_UNREACHABLE,
    BrowserLost,
    SiteUnreachable,
    StatecrawlError,
    WorkerLost,
)
from statecrawl.fleet.coordinator import Coordinator
from statecrawl.fleet.http_host import CoordinatorAddress, serve_coordinator
from statecrawl.fleet.standby import CoordinatorWatcher, RedisEngine, start_crawl
from statecrawl.journal.end_reasons import MAX_TIME
from statecrawl.journal.facts import Fact

TOKEN_VARIABLE = "STATECRAWL_TOKEN"  # noqa: S105 — its name, not its value
JOIN_VARIABLE = "STATECRAWL_JOIN"  # what a node joins; no argument, which all users can see: it may hold a password
ENGINE_VARIABLE = "STATECRAWL_ENGINE"  # the same for a process that starts a crawl
ERROR_PREFIX = "statecrawl: "  # of the line that says why a process failed
LOGS = "nodes"  # folder of a crawl with the logs of its nodes
MOST_FAILURES = 3  # in a row, soon after the start
SOON_SECONDS = 60.0
KILLED_SOON_SECONDS = 3.0  # a node that is killed later than that is not to blame
PAUSE_SECONDS = 1.0  # before another start
END_SECONDS = 10.0  # for a node to end by itself
LATE_END_SECONDS = 0.8  # the same after the time limit of the crawl
PATIENCE = "15s"  # without a reply, after which a node takes the coordinator for dead
ALONE_SECONDS = 10.0  # for nodes elsewhere to notice a new coordinator
ABANDONED = "abandoned"  # why a crawl ended whose nodes were all given up


class Supervisor:
    """Keeps nodes running."""

    def __init__(self, count: int, plan: CrawlPlan, join: dict[str, str], end_reason: Callable[[], str | None]) -> None:
        """Nodes join by the environment variables `join`; `end_reason` returns why the crawl is over, if it is."""
        self._count = count
        self._plan = plan
        self._environment = {**os.environ, **join}
        self._logs = plan.out / LOGS
        self._end_reason = end_reason
        self._is_shared = is_redis_url(join[JOIN_VARIABLE])  # nodes join a Redis, as this process does
        self.failure: StatecrawlError | None = None  # why the last node was given up

    async def run(self) -> None:
        """Run until all nodes have ended well or were given up."""
        self._logs.mkdir(parents=True, exist_ok=True)
        async with asyncio.TaskGroup() as group:
            for number in range(1, self._count + 1):
                group.create_task(self._keep_running(number))

    async def run_on(self) -> None:
        """Run until all nodes were given up: a Redis may lose the end of the crawl, and nodes have to return."""
        await self.run()
        while self.failure is None:
            await asyncio.sleep(PAUSE_SECONDS)
            if self._end_reason() is None:
                await self.run()

    async def _keep_running(self, number: int) -> None:
        failures = 0
        log = self._logs / f"node-{number}.log"
        while failures < MOST_FAILURES:
            started_at = time.monotonic()
            with log.open("ab") as output:
                process = await asyncio.create_subprocess_exec(
                    *_command(number, self._plan), stdout=output, stderr=output, stdin=asyncio.subprocess.DEVNULL,
                    env=self._environment, start_new_session=True,
                )  # fmt: skip
            try:
                code = await process.wait()
            except asyncio.CancelledError:
                await _end(process, LATE_END_SECONDS if self._end_reason() == MAX_TIME else END_SECONDS)
                raise
            if self._end_reason() is not None:
                self.failure = None
                return
            if code == EXIT_UNREACHABLE and self._is_shared:  # Redis does not answer, which is not the node's fault
                await asyncio.sleep(PAUSE_SECONDS)
                continue
            soon = SOON_SECONDS if code >= 0 else KILLED_SOON_SECONDS
            failures = failures + 1 if time.monotonic() - started_at < soon else 1
            self.failure = _failure(code, log)
            await asyncio.sleep(PAUSE_SECONDS)


async def _end(process: asyncio.subprocess.Process, seconds: float) -> None:
    """End a node, after so many seconds by force. Its browser ends with it."""
    with suppress(ProcessLookupError):
        process.terminate()
        try:
            await asyncio.wait_for(process.wait(), seconds)
        except TimeoutError:
            process.kill()
            await process.wait()


def _failure(code: int, log: Path) -> StatecrawlError:
    if code < 0:
        return WorkerLost(f"nodes are killed by signal {-code} again and again: is there enough memory?")
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.startswith(ERROR_PREFIX)]
    message = lines[-1].removeprefix(ERROR_PREFIX) if lines else f"a node ended with code {code}; see {log}."
    kinds: dict[int, type[StatecrawlError]] = {EXIT_SITE: SiteUnreachable, EXIT_BROWSER: BrowserLost}
    return kinds.get(code, WorkerLost)(message)


async def crawl_with_nodes(
    plan: CrawlPlan,
    count: int,
    on_start: Callable[[Any], None],
    on_progress: Callable[[Any], None],
) -> tuple[Outcome, Coordinator]:
    """Crawl with several processes on this machine.

    Raises BadInput and StoreError; SiteUnreachable, BrowserError or WorkerLost when no node can continue.
    """
    token = secrets.token_urlsafe(24)
    supervisors: list[Supervisor] = []
    watching: list[asyncio.Task[None]] = []

    def start(coordinator: Coordinator, server: RunningServer) -> None:
        url = f"http://{server.host}:{server.port}"
        join = {JOIN_VARIABLE: url, TOKEN_VARIABLE: token}
        supervisor = Supervisor(count, plan, join, lambda: coordinator.crawl.ended)
        supervisors.append(supervisor)
        task = asyncio.create_task(supervisor.run())
        task.add_done_callback(lambda _: coordinator.stop(ABANDONED))
        watching.append(task)
        on_start(coordinator)

    try:
        outcome, coordinator = await serve_coordinator(plan, CoordinatorAddress(token=token), start, on_progress)
    finally:
        await _cancel(watching)
    if outcome.ended_because == ABANDONED:
        raise supervisors[0].failure or WorkerLost("no node could be started: see statecrawl doctor.")
    return outcome, coordinator


async def crawl_in_engine(
    plan: CrawlPlan,
    engine: RedisEngine,
    name: str,
    count: int,
    watcher: CoordinatorWatcher,
    on_message: Callable[[str], None] = lambda _: None,
) -> tuple[Outcome, list[Fact]]:
    """Crawl in a Redis with nodes on this machine, which others may join; return the outcome and the journal.

    `on_message` receives messages for people. Raises BadInput and StoreError; SiteUnreachable, BrowserError or
    WorkerLost when no node can continue, neither here nor elsewhere.
    """
    join = {JOIN_VARIABLE: f"{urldefrag(engine.url).url}#{engine.name or name}"}
    coordinators: list[Coordinator] = []  # of this process
    watching: list[asyncio.Task[None]] = []
    warnings: list[str] = []
    supervisor = Supervisor(count, plan, join, lambda: coordinators[-1].crawl.ended if coordinators else None)

    async def keep_nodes() -> None:
        await supervisor.run_on()
        while not _is_alone(coordinators):
            if not warnings and any(each.members for each in coordinators[-1:]):
                warnings.append(f"no node can be kept alive on this machine, others continue: {supervisor.failure}")
                on_message(warnings[0])
            await asyncio.sleep(PAUSE_SECONDS)
        coordinators[-1].stop(ABANDONED)

    def start_nodes() -> None:
        if count and not watching:
            watching.append(asyncio.create_task(keep_nodes()))

    def on_lead(coordinator: Coordinator) -> None:
        coordinators.append(coordinator)
        start_nodes()
        watcher.on_lead(coordinator)

    def on_standby(message: str) -> None:
        start_nodes()
        watcher.on_standby(message)

    try:
        outcome, facts = await start_crawl(plan, engine, name, replace(watcher, on_lead=on_lead, on_standby=on_standby))
    finally:
        await _cancel(watching)
    if outcome.ended_because == ABANDONED:
        raise supervisor.failure or WorkerLost("no node could be started: see statecrawl doctor.")
    return replace(outcome, warnings=(*outcome.warnings, *warnings)), facts


async def _cancel(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _is_alone(coordinators: list[Coordinator]) -> bool:
    """Return whether this process leads, has led for long enough to hear of nodes, and there are none."""
    latest = coordinators[-1] if coordinators else None
    return latest is not None and not latest.members and time.monotonic() - latest.started_at > ALONE_SECONDS


def _command(number: int, plan: CrawlPlan) -> list[str]:
    command = [sys.executable, "-m", "statecrawl", "node", "--name", f"node-{number}"]
    command += ["--pages", str(plan.pages), "--patience", PATIENCE]
    return command if plan.browser is None else [*command, "--browser", plan.browser]
