"""Hosting: whoever is in the middle of a crawl by several nodes, in any architecture, with its journal, over HTTP."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

from statecrawl.cluster import wire
from statecrawl.cluster.http_server import Serving, listen, serve
from statecrawl.errors import BadInput
from statecrawl.journal.fold import Crawl
from statecrawl.report.status import metrics_text
from statecrawl.runtime.fleet import Address, coordinate, kept_token, showing
from statecrawl.runtime.joining import Invitation
from statecrawl.runtime.keeping import Keeping
from statecrawl.runtime.keeping_log import LogKeeping
from statecrawl.runtime.keeping_star import StarKeeping
from statecrawl.runtime.live import LivePage
from statecrawl.runtime.outcome import Outcome
from statecrawl.runtime.plan import CrawlPlan
from statecrawl.runtime.prelude import learnt
from statecrawl.runtime.status import Health, NodeStatus
from statecrawl.runtime.team import CLIENT_SERVER, DIST_RIA, Team
from statecrawl.stores.evidence import JOURNAL_NAME, Evidence
from statecrawl.stores.sqlite import open_journal


class Centre(Protocol):
    """Who keeps the journal of a crawl by several nodes."""

    plan: CrawlPlan

    @property
    def crawl(self) -> Crawl: ...
    @property
    def members(self) -> Sequence[Any]:
        """The nodes that were heard of lately."""

    @property
    def repeated(self) -> int: ...
    @property
    def is_stopped(self) -> bool: ...
    @property
    def phase(self) -> str: ...
    def stop(self, reason: str) -> None: ...
    def hurry(self) -> None: ...
    def doing(self) -> str: ...
    def outcome(self) -> Outcome: ...
    def health(self) -> Health | None: ...
    def node_statuses(self) -> list[NodeStatus]: ...
    def status(self) -> dict[str, Any]: ...


async def run_centre(
    plan: CrawlPlan,
    address: Address,
    begun: Callable[[Any, Serving], None],
    told: Callable[[Any], None],
    live: LivePage | None = None,
) -> tuple[Outcome, Centre]:
    """Serve the middle of a crawl until it is over. `begun` is called when nodes may come.

    Whoever else knows the token can watch at the same address, if there is a `live` page.

    Raises BadInput and StoreError; SiteUnreachable and BrowserError where this process has to learn.
    """
    team = plan.team or Team()
    if team.architecture == CLIENT_SERVER:
        return await coordinate(plan, address, begun, told, live)
    if plan.resetting.command is not None:
        raise BadInput("nodes run no commands: reset the server by --reset-url instead of --reset-command.")
    with (
        closing(listen(address.host, address.port)) as at,
        closing(Evidence(plan.out)) as evidence,
        closing(open_journal(plan.out / JOURNAL_NAME)) as journal,
    ):
        kind = _Star if team.architecture == DIST_RIA else _Log
        service = kind(plan, journal, evidence, partial(learnt, plan), told)
        serving = await serve(service, at, address.token or kept_token(plan.out), address.tls, showing(live))
        try:
            begun(service, serving)
            return await service.run(), service
        finally:
            await serving.close()


class _Served(Keeping[Any, Any]):
    """What both have in common for whoever comes or looks."""

    async def welcome(self, hello: wire.Hello) -> dict[str, Any]:
        """What a node has to know, as soon as that is known. Raises NodeRefused."""
        invitation = Invitation.to(self.plan)
        invitation.check(hello.version, hello.equivalence)
        await self.wait_until_ready()
        told: dict[str, Any] = wire.plain(replace(invitation.plan, reset_cost=self.reset_cost))
        return told

    def metrics(self) -> str:
        return metrics_text(self.status())


class _Log(LogKeeping, _Served):
    """The log of peers."""


class _Star(StarKeeping, _Served):
    """The coordinator of Dist-RIA."""
