"""Crawl by the processes of an MPI job: all ranks crawl, and rank 0 also holds the log.

Theory of operation
    Rank 0 holds the journal (`fleet.peer_log_coordinator`) and is a peer like the others, in one event loop. It runs
    the warm-up before it lets any rank in. Each other rank asks for the plan, works until the crawl is over, and does
    not end before rank 0 has confirmed that everything is stored: a rank that has ended makes MPI wait for all others,
    at full CPU load.

    A rank that cannot continue reports that to rank 0, since several may have the same problem at a time, and rank 0
    raises it; the command then ends the job. The journal holds everything that was confirmed to any rank, so the same
    command resumes the crawl.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any

from statecrawl.cluster import messages
from statecrawl.cluster.mpi.log import MpiLogLink, MpiLogServer, peer_name
from statecrawl.cluster.mpi.mailbox import MpiMailbox
from statecrawl.config.plan import CrawlPlan
from statecrawl.config.secrets import keyed_redactor, with_key
from statecrawl.crawler.deadline import time_left
from statecrawl.crawler.outcome import Outcome, qualified
from statecrawl.errors import BadInput, StatecrawlError
from statecrawl.fleet.evidence_intake import EvidenceIntake
from statecrawl.fleet.invitation import VERSION, Invitation
from statecrawl.fleet.member_assembly import PeerLink, peer_member
from statecrawl.fleet.peer_log_coordinator import PeerLogCoordinator, PeerLogMailbox
from statecrawl.fleet.task_failures import first_failure
from statecrawl.fleet.warm_up import run_warm_up
from statecrawl.fleet.worker_parts import worker_parts
from statecrawl.stores.evidence import JOURNAL_NAME, EvidenceWriter
from statecrawl.stores.sqlite_journal import open_journal

LAST_SECONDS = 10.0  # for rank 0 to end the job after a problem was reported

Crew = Callable[[PeerLink, CrawlPlan, list[str]], Awaitable[None]]  # runs peers of these names until the end


class _RankLog(PeerLogMailbox):
    """Log that ranks read and write."""

    async def welcome(self, hello: messages.NodeIntroduction) -> dict[str, Any]:
        await self.coordinator.wait_until_ready()
        plan = time_left(self.coordinator.plan, self.coordinator.seconds)
        invitation = Invitation.to(replace(plan, reset_cost=self.coordinator.reset_cost))
        invitation.check(hello.version)
        reply: dict[str, Any] = messages.plain(replace(invitation.plan, pages=plan.pages, browser=plan.browser))
        return reply


async def lead(
    ranks: MpiMailbox,
    plan: CrawlPlan,
    crew: Crew,
    on_start: Callable[[PeerLogCoordinator], None],
    on_progress: Callable[[Any], None],
) -> tuple[Outcome, PeerLogCoordinator]:
    """Run rank 0. Raises BadInput, StoreError, and what the crew of any rank raises."""
    if plan.resetting.command is not None and ranks.size > 1:
        raise BadInput("ranks run no commands: reset the server by --reset-url instead of --reset-command.")
    with (
        closing(EvidenceWriter(plan.out, keyed_redactor(plan))) as evidence,
        closing(open_journal(plan.out / JOURNAL_NAME)) as journal,
    ):
        plan, intake = with_key(plan), EvidenceIntake(evidence)
        mailbox = _RankLog(journal, intake)
        coordinator = mailbox.coordinator = PeerLogCoordinator(
            plan, mailbox, partial(run_warm_up, plan), intake.store, on_progress
        )
        await coordinator.load()
        server = MpiLogServer(ranks, mailbox)
        on_start(coordinator)

        async def work() -> None:
            await coordinator.wait_until_ready()
            left = time_left(plan, coordinator.seconds)
            await crew(server, replace(left, reset_cost=coordinator.reset_cost), _names(ranks, plan))

        with first_failure():
            async with asyncio.TaskGroup() as group:
                others = [group.create_task(server.run()), group.create_task(work())]
                outcome = await coordinator.run()
                intake.flush()
                await server.end(outcome.ended_because)
                for each in others:
                    each.cancel()
        return qualified(outcome, coordinator.crawl, evidence), coordinator


async def follow(ranks: MpiMailbox, crew: Crew) -> str:
    """Run any other rank; return why the crawl ended. Raises what crews raise, unless rank 0 ends the job first."""
    link = MpiLogLink(ranks)

    async def work() -> None:
        try:
            plan: CrawlPlan = messages.typed(await link.hello(messages.NodeIntroduction(VERSION)), CrawlPlan)
            Invitation(VERSION, plan).check()
            await crew(link, plan, _names(ranks, plan))
        except StatecrawlError as error:
            await link.fail(error)
            await asyncio.sleep(LAST_SECONDS)
            raise

    with first_failure():
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(link.run()), group.create_task(work())]
            reason = await link.over
            for each in tasks:
                each.cancel()
    return reason


def _names(ranks: MpiMailbox, plan: CrawlPlan) -> list[str]:
    return [peer_name(ranks.rank, page, plan.pages) for page in range(plan.pages)]


async def with_browsers(link: PeerLink, plan: CrawlPlan, names: list[str]) -> None:
    """Run peers with pages of one Chromium. Raises SiteUnreachable, BrowserError and what links raise."""
    async with worker_parts(plan, plan.browser, len(names)) as parts, asyncio.TaskGroup() as group:
        for name in names:
            group.create_task(peer_member(name, plan, link, parts).run())
