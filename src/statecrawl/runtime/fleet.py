"""Where the real parts of a crawl by several nodes meet: the coordinator with its journal, a node with its browser."""

import asyncio
import os
import secrets
import socket
import ssl
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any, Protocol

from statecrawl.browser.browsers import Browsers
from statecrawl.browser.chromium import find_browser
from statecrawl.browser.page import BrowserPage
from statecrawl.browser.volatile import Rule
from statecrawl.cluster import wire
from statecrawl.cluster.http_line import HttpLine
from statecrawl.cluster.http_server import Serving, serve
from statecrawl.coordination import dist_ria
from statecrawl.coordination.peer_to_peer import Peer
from statecrawl.errors import BadInput, NodeRefused
from statecrawl.model.graph import Graph
from statecrawl.ports.page import Page
from statecrawl.ports.store import Journal
from statecrawl.report.status import metrics_text, status_page
from statecrawl.runtime.assemble import page_settings
from statecrawl.runtime.coordinating import Coordinating
from statecrawl.runtime.crawling import DEFAULT_RESET_COST
from statecrawl.runtime.keeping import PATIENCE
from statecrawl.runtime.keeping_log import LogKeeping
from statecrawl.runtime.keeping_star import StarKeeping
from statecrawl.runtime.membering import Membering, MemberParts
from statecrawl.runtime.noding import NodeParts, Noding, Parcel
from statecrawl.runtime.outcome import Outcome
from statecrawl.runtime.plan import CrawlPlan
from statecrawl.runtime.prelude import learnt
from statecrawl.runtime.server_reset import reset_server
from statecrawl.runtime.talking import PeerTalker, StarTalker
from statecrawl.runtime.team import CLIENT_SERVER, DIST_RIA, Team
from statecrawl.stores.evidence import JOURNAL_NAME, Evidence
from statecrawl.stores.sqlite import open_journal
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.rules import Rules
from statecrawl.strategies.strategy import Strategy

LOOPBACK = "127.0.0.1"
VERSION = metadata.version("statecrawl")


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where a coordinator is served."""

    host: str = LOOPBACK
    port: int = 0  # any that is free
    token: str = ""
    tls: ssl.SSLContext | None = None


Centre = Coordinating | LogKeeping | StarKeeping  # whoever keeps the journal


class _Served:
    """What everybody who is served has in common."""

    async def welcome(self: Any, hello: wire.Hello) -> dict[str, Any]:
        """What a node has to know, as soon as that is known. Raises NodeRefused."""
        _check(hello, self.plan)
        plan = replace(self.plan, out=Path(), pages=1, browser=None)
        if not isinstance(self, Coordinating):
            await self.wait_until_ready()
            plan = replace(plan, reset_cost=self.reset_cost)
        told: dict[str, Any] = wire.plain(plan)
        return told

    def page(self: Any) -> str:
        return status_page(self.status())

    def metrics(self: Any) -> str:
        return metrics_text(self.status())


def _check(hello: wire.Hello, plan: CrawlPlan) -> None:
    """Raises NodeRefused when a node does not fit."""
    if hello.version != VERSION:
        raise NodeRefused(
            f"this crawl is run by statecrawl {VERSION}, and the node is {hello.version}: install the same."
        )
    if hello.equivalence not in (None, plan.equivalence):
        raise NodeRefused(
            f"states are told apart by {plan.equivalence} here, and by {hello.equivalence} at the node:"
            " leave out its --equivalence."
        )


class _ServedTasks(_Served, Coordinating):
    """A coordinator that hands out tasks."""


class _ServedLog(_Served, LogKeeping):
    """The log of peers."""


class _ServedStar(_Served, StarKeeping):
    """The coordinator of Dist-RIA."""


def _made(
    plan: CrawlPlan, journal: Journal, evidence: Evidence, told: Callable[[Any], None]
) -> "_ServedTasks | _ServedLog | _ServedStar":
    """Whoever keeps the journal in this architecture."""
    match plan.team:
        case Team(architecture="dist-ria"):
            return _ServedStar(plan, journal, evidence, partial(learnt, plan), told)
        case Team(architecture="peer-to-peer"):
            return _ServedLog(plan, journal, evidence, partial(learnt, plan), told)
        case _:
            return _ServedTasks(plan, journal, evidence, told)


async def coordinate(
    plan: CrawlPlan,
    address: Address,
    begun: Callable[[Any, Serving], None],
    told: Callable[[Any], None],
) -> tuple[Outcome, Centre]:
    """Serve the coordinator of a crawl until it is over. `begun` is called when nodes may come.

    Raises BadInput and StoreError.
    """
    if plan.resetting.command is not None:
        raise BadInput("nodes run no commands: reset the server by --reset-url instead of --reset-command.")
    with closing(Evidence(plan.out)) as evidence, closing(open_journal(plan.out / JOURNAL_NAME)) as journal:
        service = _made(plan, journal, evidence, told)
        serving = await serve(service, address.host, address.port, address.token, address.tls)
        try:
            begun(service, serving)
            return await service.run(), service
        finally:
            await serving.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Joining:
    """How a node joins."""

    url: str
    token: str
    name: str = ""
    pages: int = 1
    browser: str | None = None
    equivalence: str | None = None
    patience: float = 60.0
    tls: ssl.SSLContext | None = None


def _check_trust(plan: CrawlPlan) -> None:
    """A coordinator may say what to open, and nothing else. Raises NodeRefused."""
    if plan.resetting.command is not None:
        raise NodeRefused("the coordinator wants a command to be run here, and nodes run none.")


class Worker(Protocol):
    """One page that crawls with others."""

    tasks: int
    events: int

    @property
    def name(self) -> str: ...
    def drain(self) -> None: ...
    async def run(self) -> str: ...


def _talker(name: str, plan: CrawlPlan, team: Team, line: HttpLine, parcel: Parcel) -> StarTalker | PeerTalker:
    """Who decides what a node does that decides for itself."""

    def strategy(graph: Graph) -> Strategy:
        cost = DEFAULT_RESET_COST if plan.reset_cost is None else plan.reset_cost
        return make_strategy(plan.strategy, graph, Rules(reset_cost=cost, seed=plan.seed))

    async def send() -> None:
        await line.send(*parcel.take())

    depth = plan.limits.depth
    if team.architecture == DIST_RIA:
        return StarTalker(dist_ria.Node(name, strategy, team.dealt, depth), line, send)
    return PeerTalker(Peer(name, strategy, team.dealt, team.told, PATIENCE, depth), line, send)


async def work(joining: Joining, begun: Callable[[list[Worker]], None], told: Callable[[Worker], None]) -> str:
    """Join a crawl and work for it until it is over; why it ended, or nothing when the node was told to go.

    Raises LineLost, NodeRefused, SiteUnreachable and BrowserError.
    """
    line = HttpLine(joining.url, joining.token, tls=joining.tls, patience=joining.patience)
    try:
        welcome = await line.hello(wire.Hello(VERSION, joining.equivalence))
        plan: CrawlPlan = wire.typed(welcome, CrawlPlan)
        _check_trust(plan)
        browsers = Browsers(find_browser(joining.browser), plan.recycle_bytes * joining.pages)
        agent = f"a{secrets.token_hex(12)}"

        async def make_page(world: int, rules: frozenset[Rule]) -> BrowserPage:
            return BrowserPage(browsers, page_settings(plan, agent, world, rules))

        async def before_reset() -> None:
            await reset_server(plan.resetting)

        def is_worn(page: Page) -> bool:
            return isinstance(page, BrowserPage) and page.is_worn()

        def worker(name: str) -> Worker:
            if plan.team is None or plan.team.architecture == CLIENT_SERVER:
                return Noding(
                    name, plan, NodeParts(line, make_page, before_reset, browsers.resident_bytes, is_worn, told)
                )
            parcel = Parcel()
            talker = _talker(name, plan, plan.team, line, parcel)
            return Membering(plan, MemberParts(make_page, before_reset, is_worn, line.leave, told), parcel, talker)

        base = joining.name or f"{socket.gethostname()}-{os.getpid()}"
        names = [
            f"{base}-{secrets.token_hex(3)}" if joining.pages == 1 else f"{base}.{page + 1}-{secrets.token_hex(3)}"
            for page in range(joining.pages)
        ]
        nodes = [worker(name) for name in names]
        begun(nodes)
        try:
            async with asyncio.TaskGroup() as group:
                running = [group.create_task(node.run()) for node in nodes]
            return running[0].result()
        except BaseExceptionGroup as troubles:
            raise troubles.exceptions[0] from None
        finally:
            await asyncio.shield(browsers.close())
    finally:
        await line.close()
