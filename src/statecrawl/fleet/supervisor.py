"""Node processes on this machine: started, watched, and started again when they die.

The parent coordinates and is the only one that writes the journal; its children join it over loopback like nodes from
anywhere else would. A node that ends badly is started again. One that ends badly again and again, soon after it was
started, is given up; when all are, the crawl ends with what the last one said. A crawl in a Redis goes on as long as
nodes from elsewhere are heard of.
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
from statecrawl.cluster.redis.connection import is_store
from statecrawl.config.plan import CrawlPlan
from statecrawl.crawler.outcome import Outcome
from statecrawl.errors import (
    EXIT_BROWSER,
    EXIT_LINE,
    EXIT_SITE,
    BrowserLost,
    SiteUnreachable,
    StatecrawlError,
    WorkerLost,
)
from statecrawl.fleet.assembly import CoordinatorAddress
from statecrawl.fleet.coordinator import Coordinator
from statecrawl.fleet.http_host import run_centre
from statecrawl.fleet.standby import CoordinatorWatcher, RedisEngine, begin
from statecrawl.journal.end_reasons import MAX_TIME
from statecrawl.journal.facts import Fact

TOKEN_VARIABLE = "STATECRAWL_TOKEN"  # noqa: S105 — its name, not what is in it
JOIN_VARIABLE = "STATECRAWL_JOIN"  # where a node joins; not an argument, which all can see: there may be a password
COMPLAINT = "statecrawl: "  # how a line begins that says why a process ended
ENGINE_VARIABLE = "STATECRAWL_ENGINE"  # the same for whoever begins a crawl
LOGS = "nodes"  # folder of a crawl in which its nodes say what they have to say
MOST_FAILURES = 3  # in a row, soon after the start
SOON_SECONDS = 60.0
KILLED_SOON_SECONDS = 3.0  # who was killed later than that is not to blame
PAUSE_SECONDS = 1.0  # before another start
END_SECONDS = 10.0  # for a node to end by itself, and
LATE_END_SECONDS = 0.8  # when the time of the crawl is over
PATIENCE = "15s"  # without a word from the coordinator: it is dead
ALONE_SECONDS = 10.0  # for nodes elsewhere to notice whoever coordinates now
ABANDONED = "abandoned"  # why a crawl ended whose nodes were all given up


class Supervisor:
    """Keeps nodes running."""

    def __init__(self, count: int, plan: CrawlPlan, join: dict[str, str], ended: Callable[[], str | None]) -> None:
        """Nodes join by what these variables of the environment say; `ended` says why the crawl is over, if it is."""
        self._count = count
        self._plan = plan
        self._environment = {**os.environ, **join}
        self._logs = plan.out / LOGS
        self._ended = ended
        self._is_shared = is_store(join[JOIN_VARIABLE])  # they do not join this process, but what it joins itself
        self.trouble: StatecrawlError | None = None  # why the last node was given up

    async def run(self) -> None:
        """Until all nodes have ended well, or were given up."""
        self._logs.mkdir(parents=True, exist_ok=True)
        async with asyncio.TaskGroup() as group:
            for number in range(1, self._count + 1):
                group.create_task(self._keep(number))

    async def run_on(self) -> None:
        """Until all nodes were given up: a store may lose that it was the end, and nodes have to come again."""
        await self.run()
        while self.trouble is None:
            await asyncio.sleep(PAUSE_SECONDS)
            if self._ended() is None:
                await self.run()

    async def _keep(self, number: int) -> None:
        failures = 0
        log = self._logs / f"node-{number}.log"
        while failures < MOST_FAILURES:
            begun = time.monotonic()
            with log.open("ab") as said:
                process = await asyncio.create_subprocess_exec(
                    *_command(number, self._plan), stdout=said, stderr=said, stdin=asyncio.subprocess.DEVNULL,
                    env=self._environment, start_new_session=True,
                )  # fmt: skip
            try:
                code = await process.wait()
            except asyncio.CancelledError:
                await _end(process, LATE_END_SECONDS if self._ended() == MAX_TIME else END_SECONDS)
                raise
            if self._ended() is not None:
                self.trouble = None
                return
            if code == EXIT_LINE and self._is_shared:  # the store is away, which is no fault of a node
                await asyncio.sleep(PAUSE_SECONDS)
                continue
            soon = SOON_SECONDS if code >= 0 else KILLED_SOON_SECONDS
            failures = failures + 1 if time.monotonic() - begun < soon else 1
            self.trouble = _trouble(code, log)
            await asyncio.sleep(PAUSE_SECONDS)


async def _end(process: asyncio.subprocess.Process, seconds: float) -> None:
    """Have a node end; after so many seconds, by force. Its browser ends with it."""
    with suppress(ProcessLookupError):
        process.terminate()
        try:
            await asyncio.wait_for(process.wait(), seconds)
        except TimeoutError:
            process.kill()
            await process.wait()


def _trouble(code: int, log: Path) -> StatecrawlError:
    if code < 0:
        return WorkerLost(f"nodes are killed by signal {-code} again and again: is there enough memory?")
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.startswith(COMPLAINT)]
    said = lines[-1].removeprefix(COMPLAINT) if lines else f"a node ended with code {code}; see {log}."
    kinds: dict[int, type[StatecrawlError]] = {EXIT_SITE: SiteUnreachable, EXIT_BROWSER: BrowserLost}
    return kinds.get(code, WorkerLost)(said)


async def crawl_with_nodes(
    plan: CrawlPlan,
    count: int,
    begun: Callable[[Any], None],
    told: Callable[[Any], None],
) -> tuple[Outcome, Coordinator]:
    """Crawl with several processes on this machine.

    Raises BadInput and StoreError; SiteUnreachable, BrowserError or WorkerLost when no node can go on.
    """
    token = secrets.token_urlsafe(24)
    supervisors: list[Supervisor] = []
    watching: list[asyncio.Task[None]] = []

    def serves(coordinating: Coordinator, serving: RunningServer) -> None:
        url = f"http://{serving.host}:{serving.port}"
        join = {JOIN_VARIABLE: url, TOKEN_VARIABLE: token}
        supervisor = Supervisor(count, plan, join, lambda: coordinating.crawl.ended)
        supervisors.append(supervisor)
        task = asyncio.create_task(supervisor.run())
        task.add_done_callback(lambda _: coordinating.stop(ABANDONED))
        watching.append(task)
        begun(coordinating)

    try:
        outcome, coordinating = await run_centre(plan, CoordinatorAddress(token=token), serves, told)
    finally:
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
    if outcome.ended_because == ABANDONED:
        raise supervisors[0].trouble or WorkerLost("no node could be started: see statecrawl doctor.")
    return outcome, coordinating


async def crawl_in_engine(
    plan: CrawlPlan,
    engine: RedisEngine,
    name: str,
    count: int,
    watcher: CoordinatorWatcher,
    said: Callable[[str], None] = lambda _: None,
) -> tuple[Outcome, list[Fact]]:
    """Crawl with nodes on this machine, and whoever else joins, in a Redis; how it went, and its journal.

    `said` is called with what people should know. Raises BadInput and StoreError; SiteUnreachable, BrowserError or
    WorkerLost when no node can go on, neither here nor elsewhere.
    """
    join = {JOIN_VARIABLE: f"{urldefrag(engine.url).url}#{engine.name or name}"}
    coordinated: list[Coordinator] = []  # by us
    watching: list[asyncio.Task[None]] = []
    warnings: list[str] = []
    supervisor = Supervisor(count, plan, join, lambda: coordinated[-1].crawl.ended if coordinated else None)

    async def keep_nodes() -> None:
        await supervisor.run_on()
        while not _is_alone(coordinated):
            if not warnings and any(each.members for each in coordinated[-1:]):
                warnings.append(f"no node can be kept alive on this machine, others go on: {supervisor.trouble}")
                said(warnings[0])
            await asyncio.sleep(PAUSE_SECONDS)
        coordinated[-1].stop(ABANDONED)

    def start() -> None:
        if count and not watching:
            watching.append(asyncio.create_task(keep_nodes()))

    def begun(coordinating: Coordinator) -> None:
        coordinated.append(coordinating)
        start()
        watcher.begun(coordinating)

    def waits(why: str) -> None:
        start()
        watcher.waits(why)

    try:
        outcome, facts = await begin(plan, engine, name, replace(watcher, begun=begun, waits=waits))
    finally:
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
    if outcome.ended_because == ABANDONED:
        raise supervisor.trouble or WorkerLost("no node could be started: see statecrawl doctor.")
    return replace(outcome, warnings=(*outcome.warnings, *warnings)), facts


def _is_alone(coordinated: list[Coordinator]) -> bool:
    """Whether we coordinate, and have done so for long enough to hear of nodes, and there are none."""
    latest = coordinated[-1] if coordinated else None
    return latest is not None and not latest.members and time.monotonic() - latest.begun > ALONE_SECONDS


def _command(number: int, plan: CrawlPlan) -> list[str]:
    command = [sys.executable, "-m", "statecrawl", "node", "--name", f"node-{number}"]
    command += ["--pages", str(plan.pages), "--patience", PATIENCE]
    return command if plan.browser is None else [*command, "--browser", plan.browser]
