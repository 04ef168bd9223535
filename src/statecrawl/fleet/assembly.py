"""Where the real parts of a crawl by several nodes meet: the coordinator with its journal, a node with its browser."""

import asyncio
import contextlib
import os
import secrets
import socket
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from aiohttp import web

from statecrawl.browser.browsers import Browsers
from statecrawl.browser.chromium import find_browser
from statecrawl.browser.traffic import KeptTraffic
from statecrawl.cluster import messages
from statecrawl.cluster.http.link import HttpLink
from statecrawl.cluster.http.live_page import add_live_page
from statecrawl.cluster.http.server import RunningServer, listen, serve
from statecrawl.cluster.redis.connection import RedisConnection, is_store, shown
from statecrawl.cluster.redis.crawls import named, read_plan, read_spent
from statecrawl.cluster.redis.keys import RedisKeys
from statecrawl.cluster.redis.log import RedisLog
from statecrawl.config.fleet import CLIENT_SERVER, DIST_RIA, FleetSettings
from statecrawl.config.plan import CrawlPlan
from statecrawl.config.secrets import keyed_redactor, with_key
from statecrawl.coordination.client_server_messages import TaskReply, TaskRequest
from statecrawl.crawler.assembly import manners_in_time
from statecrawl.crawler.deadline import Deadline, time_left
from statecrawl.crawler.live_view import LivePage
from statecrawl.crawler.outcome import Outcome, qualified
from statecrawl.crawler.page_factory import PageFactory
from statecrawl.errors import BadInput, CoordinatorLost, StoreError
from statecrawl.fleet.evidence_intake import EvidenceIntake
from statecrawl.fleet.invitation import VERSION, Invitation
from statecrawl.fleet.local_mailbox import LocalMailbox
from statecrawl.fleet.member_assembly import peer, star_node
from statecrawl.fleet.member_node import MemberParts
from statecrawl.fleet.node_statistics import NodeStatistics
from statecrawl.fleet.task_coordinator import ENDED, TaskCoordinator
from statecrawl.fleet.task_node import NodeParts, TaskNode
from statecrawl.report.live.files import assets
from statecrawl.report.metrics import metrics_text
from statecrawl.stores.evidence import JOURNAL_NAME, TOKEN_NAME, EvidenceWriter
from statecrawl.stores.sqlite_journal import open_journal

LOOPBACK = "127.0.0.1"
PAUSE_SECONDS = 0.3  # between two looks at whether nodes may come


@dataclass(frozen=True, slots=True, kw_only=True)
class CoordinatorAddress:
    """Where a coordinator is served."""

    host: str = LOOPBACK
    port: int = 0  # any that is free
    token: str = ""  # what nodes have to know; nothing: what is kept with the crawl, made up the first time
    tls: ssl.SSLContext | None = None


class _Service(LocalMailbox[TaskRequest, TaskReply]):
    """A coordinator as it is served."""

    coordinating: TaskCoordinator

    async def welcome(self, hello: messages.NodeIntroduction) -> dict[str, Any]:
        """What a node has to know. Raises NodeRefused."""
        invitation = Invitation.to(self.coordinating.plan)
        invitation.check(hello.version, hello.equivalence)
        told: dict[str, Any] = messages.plain(time_left(invitation.plan, self.coordinating.seconds))
        return told

    def is_over(self) -> bool:
        return self.coordinating.phase == ENDED

    def status(self) -> dict[str, Any]:
        return self.coordinating.status()

    def metrics(self) -> str:
        return metrics_text(self.status())


async def coordinate(
    plan: CrawlPlan,
    address: CoordinatorAddress,
    begun: Callable[[TaskCoordinator, RunningServer], None],
    told: Callable[[TaskCoordinator], None],
    live: LivePage | None = None,
) -> tuple[Outcome, TaskCoordinator]:
    """Serve the coordinator of a crawl until it is over. `begun` is called when nodes may come.

    Whoever else knows the token can watch at the same address, if there is a `live` page.

    Raises BadInput and StoreError.
    """
    if plan.resetting.command is not None:
        raise BadInput("nodes run no commands: reset the server by --reset-url instead of --reset-command.")
    with (
        closing(listen(address.host, address.port)) as at,  # first: what is refused leaves nothing behind
        closing(EvidenceWriter(plan.out, keyed_redactor(plan))) as evidence,
        closing(open_journal(plan.out / JOURNAL_NAME)) as journal,
    ):
        plan, filing = with_key(plan), EvidenceIntake(evidence)
        service = _Service(journal, filing)
        coordinating = service.coordinating = TaskCoordinator(plan, service, told)
        await coordinating.begin()
        serving = await serve(service, at, address.token or kept_token(plan.out), address.tls, showing(live))
        try:
            begun(coordinating, serving)
            outcome = await coordinating.run()
            filing.flush()
            return qualified(outcome, coordinating.crawl, evidence), coordinating
        finally:
            await serving.close()


def showing(live: LivePage | None) -> Callable[[web.Application], None]:
    """Has a server show the live page, if there is one."""
    return lambda application: None if live is None else add_live_page(application, live, assets())


def kept_token(folder: Path) -> str:
    """The token of this crawl, made up the first time: nodes that wait for a coordinator know no other."""
    path = folder / TOKEN_NAME
    try:
        with suppress(FileExistsError), open(path, "x", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(secrets.token_urlsafe(18))
        return path.read_text().strip()
    except OSError as trouble:
        raise BadInput(f"cannot write into {folder}: {trouble.strerror}; name another folder with --out.") from trouble


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinedCrawl:
    """How a node joins."""

    url: str
    token: str
    name: str = ""
    pages: int = 1
    browser: str | None = None
    equivalence: str | None = None
    patience: float = 60.0
    tls: ssl.SSLContext | None = None

    @property
    def shown(self) -> str:
        """The address without its password."""
        return shown(self.url) if is_store(self.url) else self.url


@contextlib.asynccontextmanager
async def _joined(
    joining: JoinedCrawl, said: Callable[[str], None]
) -> AsyncIterator[tuple[HttpLink | RedisLog, CrawlPlan]]:
    """The line to a coordinator, and what it wants to be crawled. A coordinator may say what to open, no more.

    Raises LineLost, NodeRefused and BadInput.
    """
    if is_store(joining.url):
        store = RedisConnection(joining.url, patience=joining.patience)
        store.says = said
        try:
            try:
                keys = await named(store, urlsplit(joining.url).fragment)
                line = RedisLog(store, keys, joining.patience)
                plan = await _invited(store, keys, line, joining.equivalence)
            except StoreError as trouble:
                raise CoordinatorLost(str(trouble)) from trouble
            yield line, plan
        finally:
            await store.close()
    else:
        served = HttpLink(joining.url, joining.token, tls=joining.tls, patience=joining.patience, said=said)
        try:
            plan = messages.typed(
                await served.hello(messages.NodeIntroduction(VERSION, joining.equivalence)), CrawlPlan
            )
            Invitation(VERSION, plan).check()
            yield served, plan
        finally:
            await served.close()


async def _invited(store: RedisConnection, keys: RedisKeys, line: RedisLog, equivalence: str | None) -> CrawlPlan:
    """What is to be crawled, once all is known that this node has to know. Raises LineLost when nobody finds it out."""
    while True:
        invitation: Invitation = messages.typed(await read_plan(store, keys), Invitation)
        invitation.check(equivalence=equivalence)
        if invitation.is_open or await line.look() is not None:
            return time_left(invitation.plan, await read_spent(store, keys))
        await asyncio.sleep(PAUSE_SECONDS)


class FleetWorker(Protocol):
    """One page that crawls with others."""

    tasks: int
    events: int

    @property
    def name(self) -> str: ...
    def drain(self) -> None: ...
    def statistics(self) -> NodeStatistics: ...
    async def run(self) -> str: ...


async def work(
    joining: JoinedCrawl,
    begun: Callable[[list[FleetWorker], str], None],
    told: Callable[[FleetWorker], None],
    said: Callable[[str], None] = lambda _: None,
) -> str:
    """Join a crawl and work for it until it is over; why it ended, or nothing when the node was told to go.

    `begun` is told where the crawl is, `said` what people should know.

    Raises LineLost, NodeRefused, SiteUnreachable and BrowserError.
    """
    async with _joined(joining, said) as (line, plan):
        deadline = Deadline(plan.limits.seconds)
        manners = await manners_in_time(plan)
        browsers = Browsers(find_browser(joining.browser), plan.recycle_bytes * joining.pages, pace=manners.pace)
        opened = PageFactory(plan, browsers, traffic=KeptTraffic(), until=deadline.at)

        def worker(name: str) -> FleetWorker:
            architecture = (plan.fleet or FleetSettings()).architecture
            if architecture != CLIENT_SERVER:
                shared = MemberParts(
                    make_page=opened.make,
                    before_reset=opened.reset_server,
                    is_worn=opened.is_worn,
                    leave=line.leave,
                    told=told,
                    said=said,
                    heard=lambda: line.last_contact,
                    browsers=opened.browsers_started,
                    browser_bytes=browsers.resident_bytes,
                    manners=manners,
                    deadline=deadline,
                )
                if architecture == DIST_RIA:
                    return star_node(name, plan, line, shared)
                return peer(name, plan, line, shared)
            parts = NodeParts(
                line=line,
                make_page=opened.make,
                before_reset=opened.reset_server,
                browser_bytes=browsers.resident_bytes,
                is_worn=opened.is_worn,
                told=told,
                said=said,
                browsers=opened.browsers_started,
                manners=manners,
                deadline=deadline,
            )
            return TaskNode(name, plan, parts)

        base = joining.name or f"{socket.gethostname()}-{os.getpid()}"
        names = [
            f"{base}-{secrets.token_hex(3)}" if joining.pages == 1 else f"{base}.{page + 1}-{secrets.token_hex(3)}"
            for page in range(joining.pages)
        ]
        nodes = [worker(name) for name in names]
        begun(nodes, line.place)
        try:
            async with asyncio.TaskGroup() as group:
                running = [group.create_task(node.run()) for node in nodes]
            return running[0].result()
        except BaseExceptionGroup as troubles:
            raise troubles.exceptions[0] from None
        finally:
            await asyncio.shield(browsers.close(at_once=deadline.is_over))
