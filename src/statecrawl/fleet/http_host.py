"""Hosting: whoever is in the middle of a crawl by several nodes, in any architecture, with its journal, over HTTP."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any

from statecrawl.cluster import messages
from statecrawl.cluster.http.server import RunningServer, listen, serve
from statecrawl.config.fleet import CLIENT_SERVER, DIST_RIA, FleetSettings
from statecrawl.config.plan import CrawlPlan
from statecrawl.config.secrets import keyed_redactor, with_key
from statecrawl.crawler.deadline import time_left
from statecrawl.crawler.live_view import LivePage
from statecrawl.crawler.outcome import Outcome, qualified
from statecrawl.errors import BadInput
from statecrawl.fleet.assembly import CoordinatorAddress, coordinate, kept_token, showing
from statecrawl.fleet.coordinator import Coordinator
from statecrawl.fleet.dist_ria_coordinator import DistRiaCoordinator, DistRiaMailbox
from statecrawl.fleet.evidence_intake import EvidenceIntake
from statecrawl.fleet.invitation import Invitation
from statecrawl.fleet.member_coordinator import MemberCoordinator
from statecrawl.fleet.peer_log_coordinator import PeerLogCoordinator, PeerLogMailbox
from statecrawl.fleet.warm_up import learnt
from statecrawl.report.metrics import metrics_text
from statecrawl.stores.evidence import JOURNAL_NAME, EvidenceWriter
from statecrawl.stores.sqlite_journal import open_journal


async def run_centre(
    plan: CrawlPlan,
    address: CoordinatorAddress,
    begun: Callable[[Any, RunningServer], None],
    told: Callable[[Any], None],
    live: LivePage | None = None,
) -> tuple[Outcome, Coordinator]:
    """Serve the middle of a crawl until it is over. `begun` is called when nodes may come.

    Whoever else knows the token can watch at the same address, if there is a `live` page.

    Raises BadInput and StoreError; SiteUnreachable and BrowserError where this process has to learn.
    """
    fleet = plan.fleet or FleetSettings()
    if fleet.architecture == CLIENT_SERVER:
        return await coordinate(plan, address, begun, told, live)
    if plan.resetting.command is not None:
        raise BadInput("nodes run no commands: reset the server by --reset-url instead of --reset-command.")
    with (
        closing(listen(address.host, address.port)) as at,
        closing(EvidenceWriter(plan.out, keyed_redactor(plan))) as evidence,
        closing(open_journal(plan.out / JOURNAL_NAME)) as journal,
    ):
        plan, filing = with_key(plan), EvidenceIntake(evidence)
        service: _DistRiaHost | _PeerLogHost
        keeping: DistRiaCoordinator | PeerLogCoordinator
        learn = partial(learnt, plan)
        if fleet.architecture == DIST_RIA:
            service = _DistRiaHost(journal, filing)
            keeping = service.keeping = DistRiaCoordinator(plan, service, learn, filing.keep, told)
        else:
            service = _PeerLogHost(journal, filing)
            keeping = service.keeping = PeerLogCoordinator(plan, service, learn, filing.keep, told)
        await keeping.begin()
        serving = await serve(service, at, address.token or kept_token(plan.out), address.tls, showing(live))
        try:
            begun(keeping, serving)
            outcome = await keeping.run()
            filing.flush()
            return qualified(outcome, keeping.crawl, evidence), keeping
        finally:
            await serving.close()


class _HostedService:
    """What both have in common for whoever comes or looks."""

    keeping: MemberCoordinator

    async def welcome(self, hello: messages.NodeIntroduction) -> dict[str, Any]:
        """What a node has to know, as soon as that is known. Raises NodeRefused."""
        invitation = Invitation.to(self.keeping.plan)
        invitation.check(hello.version, hello.equivalence)
        await self.keeping.wait_until_ready()
        plan = time_left(invitation.plan, self.keeping.seconds)
        told: dict[str, Any] = messages.plain(replace(plan, reset_cost=self.keeping.reset_cost))
        return told

    def status(self) -> dict[str, Any]:
        return self.keeping.status()

    def metrics(self) -> str:
        return metrics_text(self.status())


class _PeerLogHost(_HostedService, PeerLogMailbox):
    """The log of peers."""

    keeping: PeerLogCoordinator


class _DistRiaHost(_HostedService, DistRiaMailbox):
    """The coordinator of Dist-RIA."""

    keeping: DistRiaCoordinator
