"""Ranks: a crawl by the processes of an MPI job, all of which work, while rank 0 also keeps the log.

Theory of operation
    Rank 0 is whoever keeps the journal (`fleet.peer_log_coordinator`) and a peer like the others, in one event loop.
    It finds out what is volatile before it lets anybody in. Each other rank asks for the plan, works until the crawl
    is over, and does not end before rank 0 has said that everything is kept: a rank that ends makes MPI wait for all,
    busily.

    A rank that can not go on has rank 0 say so, since several may meet with the same at a time; whoever runs the job
    ends it then. The journal holds all that was answered to anybody, so the same command goes on.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any

from statecrawl.browser.browsers import Browsers
from statecrawl.browser.chromium import find_browser
from statecrawl.browser.traffic import KeptTraffic
from statecrawl.cluster import messages
from statecrawl.cluster.mpi.log import MpiLogLink, MpiLogServer, peer_name
from statecrawl.cluster.mpi.mailbox import MpiMailbox
from statecrawl.config.plan import CrawlPlan
from statecrawl.config.secrets import keyed_redactor, with_key
from statecrawl.crawler.assembly import manners_in_time
from statecrawl.crawler.deadline import Deadline, time_left
from statecrawl.crawler.outcome import Outcome, qualified
from statecrawl.crawler.page_factory import PageFactory
from statecrawl.errors import BadInput, StatecrawlError
from statecrawl.fleet.evidence_intake import EvidenceIntake
from statecrawl.fleet.invitation import VERSION, Invitation
from statecrawl.fleet.member_assembly import PeerLink, peer
from statecrawl.fleet.member_node import MemberParts
from statecrawl.fleet.peer_log_coordinator import PeerLogCoordinator, PeerLogMailbox
from statecrawl.fleet.warm_up import learnt
from statecrawl.stores.evidence import JOURNAL_NAME, EvidenceWriter
from statecrawl.stores.sqlite_journal import open_journal

LAST_SECONDS = 10.0  # for rank 0 to end the job, after it was told of trouble

Crew = Callable[[PeerLink, CrawlPlan, list[str]], Awaitable[None]]  # as peers of these names, works to the end


class _RankLog(PeerLogMailbox):
    """The log as ranks ask for it."""

    async def welcome(self, hello: messages.NodeIntroduction) -> dict[str, Any]:
        await self.keeping.wait_until_ready()
        plan = time_left(self.keeping.plan, self.keeping.seconds)
        invitation = Invitation.to(replace(plan, reset_cost=self.keeping.reset_cost))
        invitation.check(hello.version)
        told: dict[str, Any] = messages.plain(replace(invitation.plan, pages=plan.pages, browser=plan.browser))
        return told


async def lead(
    post: MpiMailbox,
    plan: CrawlPlan,
    crew: Crew,
    begun: Callable[[PeerLogCoordinator], None],
    told: Callable[[Any], None],
) -> tuple[Outcome, PeerLogCoordinator]:
    """Rank 0. Raises what crews raise at any rank, BadInput and StoreError."""
    if plan.resetting.command is not None and post.size > 1:
        raise BadInput("ranks run no commands: reset the server by --reset-url instead of --reset-command.")
    with (
        closing(EvidenceWriter(plan.out, keyed_redactor(plan))) as evidence,
        closing(open_journal(plan.out / JOURNAL_NAME)) as journal,
    ):
        plan, filing = with_key(plan), EvidenceIntake(evidence)
        desk = _RankLog(journal, filing)
        log = desk.keeping = PeerLogCoordinator(plan, desk, partial(learnt, plan), filing.keep, told)
        await log.begin()
        keeper = MpiLogServer(post, desk)
        begun(log)

        async def work() -> None:
            await log.wait_until_ready()
            left = time_left(plan, log.seconds)
            await crew(keeper, replace(left, reset_cost=log.reset_cost), _names(post, plan))

        try:
            async with asyncio.TaskGroup() as group:
                others = [group.create_task(keeper.run()), group.create_task(work())]
                outcome = await log.run()
                filing.flush()
                await keeper.end(outcome.ended_because)
                for each in others:
                    each.cancel()
        except BaseExceptionGroup as troubles:
            raise _first(troubles) from None
        return qualified(outcome, log.crawl, evidence), log


async def follow(post: MpiMailbox, crew: Crew) -> str:
    """Any other rank; why the crawl ended. Raises what crews raise, when rank 0 does nothing about it."""
    line = MpiLogLink(post)

    async def work() -> None:
        try:
            plan: CrawlPlan = messages.typed(await line.hello(messages.NodeIntroduction(VERSION)), CrawlPlan)
            Invitation(VERSION, plan).check()
            await crew(line, plan, _names(post, plan))
        except StatecrawlError as error:
            await line.fail(error)
            await asyncio.sleep(LAST_SECONDS)
            raise

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(line.run()), group.create_task(work())]
            reason = await line.over
            for each in tasks:
                each.cancel()
    except BaseExceptionGroup as troubles:
        raise _first(troubles) from None
    return reason


def _names(post: MpiMailbox, plan: CrawlPlan) -> list[str]:
    return [peer_name(post.rank, page, plan.pages) for page in range(plan.pages)]


def _first(troubles: BaseException) -> BaseException:
    """One of them: the others came of it, or are the same."""
    while isinstance(troubles, BaseExceptionGroup):
        troubles = troubles.exceptions[0]
    return troubles


async def with_browsers(line: PeerLink, plan: CrawlPlan, names: list[str]) -> None:
    """The usual crew: peers with pages of one Chromium. Raises SiteUnreachable, BrowserError and what lines raise."""
    deadline = Deadline(plan.limits.seconds)
    manners = await manners_in_time(plan)
    browsers = Browsers(find_browser(plan.browser), plan.recycle_bytes * len(names), pace=manners.pace)
    pages = PageFactory(plan, browsers, traffic=KeptTraffic(), until=deadline.at)
    parts = MemberParts(pages.make, pages.reset_server, pages.is_worn, line.leave, manners=manners, deadline=deadline)
    try:
        async with asyncio.TaskGroup() as group:
            for name in names:
                group.create_task(peer(name, plan, line, parts).run())
    finally:
        await asyncio.shield(browsers.close(at_once=deadline.is_over))
