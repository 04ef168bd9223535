"""Serves the coordinator of a crawl over HTTP, with its journal, whatever the architecture."""

import os
import secrets
import ssl
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from aiohttp import web

from statecrawl.cluster import messages
from statecrawl.cluster.http.live_page import add_live_page
from statecrawl.cluster.http.server import RunningServer, listen, serve
from statecrawl.config.fleet import CLIENT_SERVER, DIST_RIA, FleetSettings
from statecrawl.config.plan import CrawlPlan
from statecrawl.config.secrets import keyed_redactor, with_key
from statecrawl.coordination.client_server_messages import TaskReply, TaskRequest
from statecrawl.crawler.deadline import time_left
from statecrawl.crawler.live_page import LivePage
from statecrawl.crawler.outcome import Outcome, qualified
from statecrawl.errors import BadInput
from statecrawl.fleet.coordinator import ENDED, Coordinator
from statecrawl.fleet.dist_ria_coordinator import DistRiaCoordinator, DistRiaMailbox
from statecrawl.fleet.evidence_intake import EvidenceIntake
from statecrawl.fleet.invitation import Invitation
from statecrawl.fleet.local_mailbox import LocalMailbox
from statecrawl.fleet.member_coordinator import MemberCoordinator
from statecrawl.fleet.peer_log_coordinator import PeerLogCoordinator, PeerLogMailbox
from statecrawl.fleet.task_coordinator import TaskCoordinator
from statecrawl.fleet.warm_up import run_warm_up
from statecrawl.ports.journal_store import Journal
from statecrawl.report.live.files import assets
from statecrawl.report.metrics import metrics_text
from statecrawl.stores.evidence import JOURNAL_NAME, TOKEN_NAME, EvidenceWriter
from statecrawl.stores.sqlite_journal import open_journal

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class CoordinatorAddress:
    """Where a coordinator is served."""

    host: str = LOOPBACK
    port: int = 0  # any that is free
    token: str = ""  # that nodes have to send; empty: the one stored with the crawl, made up the first time
    tls: ssl.SSLContext | None = None


async def serve_coordinator(
    plan: CrawlPlan,
    address: CoordinatorAddress,
    on_start: Callable[[Any, RunningServer], None],
    on_progress: Callable[[Any], None],
    live: LivePage | None = None,
) -> tuple[Outcome, Coordinator]:
    """Serve the coordinator of a crawl until the crawl is over.

    `on_start` is called with the coordinator and its server when nodes may join, `on_progress` with the coordinator
    after every step. The `live` page, if there is one, is served at the same address to clients that have the token.

    Raises BadInput and StoreError; SiteUnreachable and BrowserError where this process runs a warm-up.
    """
    if plan.resetting.command is not None:
        raise BadInput("nodes run no commands: reset the server by --reset-url instead of --reset-command.")
    with (
        closing(listen(address.host, address.port)) as at,  # first: if the port is taken, no files are created
        closing(EvidenceWriter(plan.out, keyed_redactor(plan))) as evidence,
        closing(open_journal(plan.out / JOURNAL_NAME)) as journal,
    ):
        plan, intake = with_key(plan), EvidenceIntake(evidence)
        service = _service(plan, journal, intake, on_progress)
        coordinator: Coordinator = service.coordinator
        await coordinator.load()
        token = address.token or stored_token(plan.out)
        server = await serve(service, at, token, address.tls, partial(_add_live_page, live))
        try:
            on_start(coordinator, server)
            outcome = await coordinator.run()
            intake.flush()
            return qualified(outcome, coordinator.crawl, evidence), coordinator
        finally:
            await server.close()


def stored_token(folder: Path) -> str:
    """Return the token of this crawl, which is made up the first time: nodes of an earlier run know no other."""
    path = folder / TOKEN_NAME
    try:
        with suppress(FileExistsError), open(path, "x", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(secrets.token_urlsafe(18))
        return path.read_text().strip()
    except OSError as problem:
        reason = problem.strerror
        raise BadInput(f"cannot write into {folder}: {reason}; name another directory with --out.") from problem


def _add_live_page(live: LivePage | None, application: web.Application) -> None:
    if live is not None:
        add_live_page(application, live, assets())


# -- what is served --


class _TaskHost(LocalMailbox[TaskRequest, TaskReply]):
    """Coordinator of client and server."""

    coordinator: TaskCoordinator

    async def welcome(self, hello: messages.NodeIntroduction) -> dict[str, Any]:
        """Return the plan for a node. Raises NodeRefused."""
        invitation = _checked_invitation(self.coordinator, hello)
        reply: dict[str, Any] = messages.plain(time_left(invitation.plan, self.coordinator.seconds))
        return reply

    def is_over(self) -> bool:
        return self.coordinator.phase == ENDED

    def status(self) -> dict[str, Any]:
        return self.coordinator.status()

    def metrics(self) -> str:
        return metrics_text(self.status())


class _MemberService:
    """What the hosts of both other architectures have in common."""

    coordinator: MemberCoordinator[Any]

    async def welcome(self, hello: messages.NodeIntroduction) -> dict[str, Any]:
        """Return the plan for a node once the warm-up is over. Raises NodeRefused."""
        invitation = _checked_invitation(self.coordinator, hello)
        await self.coordinator.wait_until_ready()
        plan = time_left(invitation.plan, self.coordinator.seconds)
        reply: dict[str, Any] = messages.plain(replace(plan, reset_cost=self.coordinator.reset_cost))
        return reply

    def status(self) -> dict[str, Any]:
        return self.coordinator.status()

    def metrics(self) -> str:
        return metrics_text(self.status())


class _PeerLogHost(_MemberService, PeerLogMailbox):
    """Log of peers."""

    coordinator: PeerLogCoordinator


class _DistRiaHost(_MemberService, DistRiaMailbox):
    """Coordinator of Dist-RIA."""

    coordinator: DistRiaCoordinator


def _service(
    plan: CrawlPlan, journal: Journal, intake: EvidenceIntake, on_progress: Callable[[Any], None]
) -> _TaskHost | _DistRiaHost | _PeerLogHost:
    architecture = (plan.fleet or FleetSettings()).architecture
    warm_up = partial(run_warm_up, plan)
    if architecture == CLIENT_SERVER:
        tasks = _TaskHost(journal, intake)
        tasks.coordinator = TaskCoordinator(plan, tasks, on_progress)
        return tasks
    if architecture == DIST_RIA:
        dist_ria = _DistRiaHost(journal, intake)
        dist_ria.coordinator = DistRiaCoordinator(plan, dist_ria, warm_up, intake.store, on_progress)
        return dist_ria
    peers = _PeerLogHost(journal, intake)
    peers.coordinator = PeerLogCoordinator(plan, peers, warm_up, intake.store, on_progress)
    return peers


def _checked_invitation(coordinator: Coordinator, hello: messages.NodeIntroduction) -> Invitation:
    invitation = Invitation.to(coordinator.plan)
    invitation.check(hello.version, hello.equivalence)
    return invitation
