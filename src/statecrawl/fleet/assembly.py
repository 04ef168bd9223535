"""Assembly of the nodes of a process: their link, their browser, and the node of the crawl's architecture."""

import asyncio
import contextlib
import os
import secrets
import socket
import ssl
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from statecrawl.cluster import messages
from statecrawl.cluster.http.link import HttpLink
from statecrawl.cluster.redis.connection import RedisConnection, is_redis_url, without_password
from statecrawl.cluster.redis.crawls import find_crawl, read_plan, read_spent
from statecrawl.cluster.redis.keys import RedisKeys
from statecrawl.cluster.redis.log import RedisLog
from statecrawl.config.fleet import CLIENT_SERVER, DIST_RIA, FleetSettings
from statecrawl.config.plan import CrawlPlan
from statecrawl.crawler.deadline import time_left
from statecrawl.errors import CoordinatorLost, StoreError
from statecrawl.fleet.invitation import VERSION, Invitation
from statecrawl.fleet.member_assembly import dist_ria_member, peer_member
from statecrawl.fleet.task_failures import first_failure
from statecrawl.fleet.task_node import TaskNode
from statecrawl.fleet.worker import FleetWorker
from statecrawl.fleet.worker_parts import WorkerParts, worker_parts

PAUSE_SECONDS = 0.3  # between two checks whether nodes may join


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinedCrawl:
    """How a process joins a crawl."""

    url: str  # of a coordinator, or of a Redis
    token: str
    name: str = ""
    pages: int = 1
    browser: str | None = None
    equivalence: str | None = None
    patience: float = 60.0  # seconds to wait for a coordinator that does not answer
    tls: ssl.SSLContext | None = None

    @property
    def shown(self) -> str:
        """The URL without its password."""
        return without_password(self.url) if is_redis_url(self.url) else self.url


async def work(
    joining: JoinedCrawl,
    on_start: Callable[[list[FleetWorker], str], None],
    on_task: Callable[[FleetWorker], None],
    on_message: Callable[[str], None] = lambda _: None,
) -> str:
    """Join a crawl and work until it is over; return why it ended, or nothing when the nodes were told to leave.

    `on_start` receives the nodes and the place of the crawl, `on_task` a node after each task, `on_message` messages
    for people.

    Raises CoordinatorLost, NodeRefused, SiteUnreachable and BrowserError.
    """
    async with (
        _joined(joining, on_message) as (link, plan),
        worker_parts(plan, joining.browser, joining.pages) as process,
    ):
        parts = replace(process, on_task=on_task, on_message=on_message, coordinator_seen=lambda: link.last_contact)
        nodes = [_node(name, plan, link, parts) for name in _names(joining)]
        on_start(nodes, link.place)
        with first_failure():
            async with asyncio.TaskGroup() as group:
                running = [group.create_task(node.run()) for node in nodes]
        return running[0].result()


def _names(joining: JoinedCrawl) -> list[str]:
    base = joining.name or f"{socket.gethostname()}-{os.getpid()}"
    if joining.pages == 1:
        return [f"{base}-{secrets.token_hex(3)}"]
    return [f"{base}.{page + 1}-{secrets.token_hex(3)}" for page in range(joining.pages)]


def _node(name: str, plan: CrawlPlan, link: HttpLink | RedisLog, parts: WorkerParts) -> FleetWorker:
    architecture = (plan.fleet or FleetSettings()).architecture
    if architecture == CLIENT_SERVER:
        return TaskNode(name, plan, link, parts)
    return (dist_ria_member if architecture == DIST_RIA else peer_member)(name, plan, link, parts)


@contextlib.asynccontextmanager
async def _joined(
    joining: JoinedCrawl, on_message: Callable[[str], None]
) -> AsyncIterator[tuple[HttpLink | RedisLog, CrawlPlan]]:
    """Connect to a crawl and receive its plan, which says what to open, and nothing else about this machine.

    Raises CoordinatorLost, NodeRefused and BadInput.
    """
    if is_redis_url(joining.url):
        store = RedisConnection(joining.url, patience=joining.patience)
        store.on_message = on_message
        try:
            try:
                keys = await find_crawl(store, urlsplit(joining.url).fragment)
                log = RedisLog(store, keys, joining.patience)
                plan = await _read_invitation(store, keys, log, joining.equivalence)
            except StoreError as problem:
                raise CoordinatorLost(str(problem)) from problem
            yield log, plan
        finally:
            await store.close()
    else:
        link = HttpLink(joining.url, joining.token, tls=joining.tls, patience=joining.patience, on_message=on_message)
        try:
            hello = messages.NodeIntroduction(VERSION, joining.equivalence)
            plan = messages.typed(await link.hello(hello), CrawlPlan)
            Invitation(VERSION, plan).check()
            yield link, plan
        finally:
            await link.close()


async def _read_invitation(
    store: RedisConnection, keys: RedisKeys, log: RedisLog, equivalence: str | None
) -> CrawlPlan:
    """Wait until nodes may join, and return the plan. Raises CoordinatorLost when no process runs the warm-up."""
    while True:
        invitation: Invitation = messages.typed(await read_plan(store, keys), Invitation)
        invitation.check(equivalence=equivalence)
        if invitation.is_open or await log.end_reason() is not None:
            return time_left(invitation.plan, await read_spent(store, keys))
        await asyncio.sleep(PAUSE_SECONDS)
