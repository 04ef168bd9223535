"""Hosting: whoever is in the middle of a crawl by several nodes, in any architecture, with its journal, over HTTP."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any

from statecrawl.cluster import wire
from statecrawl.cluster.http_server import Serving, listen, serve
from statecrawl.errors import BadInput
from statecrawl.report.status import metrics_text
from statecrawl.runtime.centre import Centre
from statecrawl.runtime.deadline import time_left
from statecrawl.runtime.filing import Filing
from statecrawl.runtime.fleet import Address, coordinate, kept_token, showing
from statecrawl.runtime.joining import Invitation
from statecrawl.runtime.keeping import Keeping
from statecrawl.runtime.keeping_log import LogDesk, LogKeeping
from statecrawl.runtime.keeping_star import StarDesk, StarKeeping
from statecrawl.runtime.live import LivePage
from statecrawl.runtime.outcome import Outcome, qualified
from statecrawl.runtime.plan import CrawlPlan
from statecrawl.runtime.prelude import learnt
from statecrawl.runtime.secrecy import keyed_redactor, with_key
from statecrawl.runtime.team import CLIENT_SERVER, DIST_RIA, Team
from statecrawl.stores.evidence import JOURNAL_NAME, Evidence
from statecrawl.stores.sqlite import open_journal


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
        closing(Evidence(plan.out, keyed_redactor(plan))) as evidence,
        closing(open_journal(plan.out / JOURNAL_NAME)) as journal,
    ):
        plan, filing = with_key(plan), Filing(evidence)
        service: _Star | _Log
        keeping: StarKeeping | LogKeeping
        learn = partial(learnt, plan)
        if team.architecture == DIST_RIA:
            service = _Star(journal, filing)
            keeping = service.keeping = StarKeeping(plan, service, learn, filing.keep, told)
        else:
            service = _Log(journal, filing)
            keeping = service.keeping = LogKeeping(plan, service, learn, filing.keep, told)
        await keeping.begin()
        serving = await serve(service, at, address.token or kept_token(plan.out), address.tls, showing(live))
        try:
            begun(keeping, serving)
            outcome = await keeping.run()
            filing.flush()
            return qualified(outcome, keeping.crawl, evidence), keeping
        finally:
            await serving.close()


class _Served:
    """What both have in common for whoever comes or looks."""

    keeping: Keeping

    async def welcome(self, hello: wire.Hello) -> dict[str, Any]:
        """What a node has to know, as soon as that is known. Raises NodeRefused."""
        invitation = Invitation.to(self.keeping.plan)
        invitation.check(hello.version, hello.equivalence)
        await self.keeping.wait_until_ready()
        plan = time_left(invitation.plan, self.keeping.seconds)
        told: dict[str, Any] = wire.plain(replace(plan, reset_cost=self.keeping.reset_cost))
        return told

    def status(self) -> dict[str, Any]:
        return self.keeping.status()

    def metrics(self) -> str:
        return metrics_text(self.status())


class _Log(_Served, LogDesk):
    """The log of peers."""

    keeping: LogKeeping


class _Star(_Served, StarDesk):
    """The coordinator of Dist-RIA."""

    keeping: StarKeeping
