"""A machine that was paused: its coordinator does not take the pause for silence of its nodes.

To the coordinator, a pause is an event loop that stands still.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from statecrawl.config.plan import CrawlPlan
from statecrawl.coordination import dist_ria
from statecrawl.coordination.client_node import ClientNode
from statecrawl.coordination.client_server_messages import CrawlOver, RunTask, TaskReply, TaskRequest
from statecrawl.coordination.dist_ria_node import NOTHING_HEARD
from statecrawl.crawler.loop import CrawlLoop
from statecrawl.fleet.dist_ria_coordinator import DistRiaCoordinator, DistRiaMailbox
from statecrawl.fleet.evidence_batch import EvidenceBatch
from statecrawl.fleet.evidence_intake import EvidenceIntake
from statecrawl.fleet.local_mailbox import LocalMailbox
from statecrawl.fleet.task_coordinator import TaskCoordinator
from statecrawl.fleet.warm_up import WarmUp
from statecrawl.journal.facts import StateFound, TransitionExplored
from statecrawl.journal.memory_journal import MemoryJournal

LEASE = 1.0  # seconds of silence after which a node is missed
STOPPED = 1.5 * LEASE
TICK = 0.02


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("statecrawl.browser.awake_clock.TICK_SECONDS", TICK)
    monkeypatch.setattr("statecrawl.browser.awake_clock.MOST_LATE", LEASE / 4)
    monkeypatch.setattr("statecrawl.fleet.coordinator.TICK_SECONDS", TICK)
    monkeypatch.setattr("statecrawl.fleet.coordinator.LEASE_SECONDS", LEASE)


def plan() -> CrawlPlan:
    return CrawlPlan(url="http://127.0.0.1/", out=Path("crawl"), strategy="greedy", learn_states=0, reset_cost=3.0)


async def paused() -> None:
    """Stop this process, and let it look around again."""
    time.sleep(STOPPED)
    await asyncio.sleep(10 * TICK)


def test_a_node_keeps_its_task_while_the_machine_is_paused() -> None:
    async def run() -> None:
        mailbox: LocalMailbox[TaskRequest, TaskReply] = LocalMailbox(
            MemoryJournal(), EvidenceIntake(EvidenceBatch(None))
        )
        coordinator = TaskCoordinator(plan(), mailbox, lease=LEASE)
        await coordinator.load()
        running = asyncio.create_task(coordinator.run())
        one, other = ClientNode("one"), ClientNode("other")
        one.handle_reply(await mailbox.ask(one.next_request(None)))
        given = one.handle_reply(
            await mailbox.ask(one.next_request("s", [StateFound(state="s", events=("click",))], resets=1))
        )
        assert isinstance(given, RunTask)
        waiting = asyncio.create_task(mailbox.ask(other.next_request(None)))
        await asyncio.sleep(5 * TICK)
        await paused()
        assert not waiting.done(), "the only task is in good hands"
        assert {member.name for member in coordinator.members} == {"one", "other"}
        explored = TransitionExplored(state="s", event="click", target="s")
        assert isinstance(await mailbox.ask(one.next_request("s", [explored], events=1)), CrawlOver)
        assert isinstance(await waiting, CrawlOver)
        for node in (one, other):
            mailbox.leave(node.name)
        assert (await running).ended_because == "complete"

    asyncio.run(run())


def test_a_node_that_decides_for_itself_is_not_missed_while_the_machine_is_paused() -> None:
    async def learn(_: Callable[[CrawlLoop], None]) -> WarmUp:
        return WarmUp()

    async def run() -> None:
        mailbox = DistRiaMailbox(MemoryJournal(), EvidenceIntake(EvidenceBatch(None)))
        coordinator = mailbox.coordinator = DistRiaCoordinator(plan(), mailbox, learn, lambda *_: None)
        await coordinator.load()
        running: Awaitable[object] = asyncio.create_task(coordinator.run())
        await mailbox.report(dist_ria.StatusReport("one", 1, dist_ria.DistRiaStatus.ACTIVE, NOTHING_HEARD, 0))
        assert [node.name for node in coordinator.members] == ["one"]
        await paused()
        assert [node.name for node in coordinator.members] == ["one"]
        coordinator.stop("enough")
        coordinator.hurry()
        await running

    asyncio.run(run())
