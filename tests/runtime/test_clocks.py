"""A machine that was paused: whoever coordinates does not take that for the silence of its nodes.

To stop the event loop is all that a pause is, as far as the coordinator can tell.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from statecrawl.coordination import dist_ria
from statecrawl.coordination.client import Node
from statecrawl.coordination.dist_ria_node import NOTHING_HEARD
from statecrawl.coordination.questions import Ask, Do, End, Reply
from statecrawl.journal.facts import StateFound, TransitionExplored
from statecrawl.journal.memory import MemoryJournal
from statecrawl.runtime.coordinating import Coordinating
from statecrawl.runtime.crawling import Crawling
from statecrawl.runtime.desk import Desk
from statecrawl.runtime.filing import Filing
from statecrawl.runtime.keeping_star import StarDesk, StarKeeping
from statecrawl.runtime.noding import Parcel
from statecrawl.runtime.plan import CrawlPlan
from statecrawl.runtime.prelude import Learnt

LEASE = 1.0  # seconds of silence after which a node is missed
STOPPED = 1.5 * LEASE
TICK = 0.02


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("statecrawl.browser.awake.TICK_SECONDS", TICK)
    monkeypatch.setattr("statecrawl.browser.awake.MOST_LATE", LEASE / 4)
    monkeypatch.setattr("statecrawl.runtime.coordinating.TICK_SECONDS", TICK)
    monkeypatch.setattr("statecrawl.runtime.keeping.TICK_SECONDS", TICK)
    monkeypatch.setattr("statecrawl.runtime.keeping.PATIENCE", LEASE)


def plan() -> CrawlPlan:
    return CrawlPlan(url="http://127.0.0.1/", out=Path("crawl"), strategy="greedy", learn_states=0, reset_cost=3.0)


async def paused() -> None:
    """Stop this process, and let it look around again."""
    time.sleep(STOPPED)
    await asyncio.sleep(10 * TICK)


def test_a_node_keeps_its_task_while_the_machine_is_paused() -> None:
    async def run() -> None:
        desk: Desk[Ask, Reply] = Desk(MemoryJournal(), Filing(Parcel(None)))
        coordinating = Coordinating(plan(), desk, lease=LEASE)
        await coordinating.begin()
        running = asyncio.create_task(coordinating.run())
        one, other = Node("one"), Node("other")
        one.heard(await desk.ask(one.ask(None)))
        given = one.heard(await desk.ask(one.ask("s", [StateFound(state="s", events=("click",))], resets=1)))
        assert isinstance(given, Do)
        waiting = asyncio.create_task(desk.ask(other.ask(None)))
        await asyncio.sleep(5 * TICK)
        await paused()
        assert not waiting.done(), "the only task is in good hands"
        assert {member.name for member in coordinating.members} == {"one", "other"}
        explored = TransitionExplored(state="s", event="click", target="s")
        assert isinstance(await desk.ask(one.ask("s", [explored], events=1)), End)
        assert isinstance(await waiting, End)
        for node in (one, other):
            desk.leave(node.name)
        assert (await running).ended_because == "complete"

    asyncio.run(run())


def test_a_node_that_decides_for_itself_is_not_missed_while_the_machine_is_paused() -> None:
    async def learn(_: Callable[[Crawling], None]) -> Learnt:
        return Learnt()

    async def run() -> None:
        desk = StarDesk(MemoryJournal(), Filing(Parcel(None)))
        keeping = desk.keeping = StarKeeping(plan(), desk, learn, lambda *_: None)
        await keeping.begin()
        running: Awaitable[object] = asyncio.create_task(keeping.run())
        await desk.report(dist_ria.Ask("one", 1, dist_ria.Status.ACTIVE, NOTHING_HEARD, 0))
        assert [node.name for node in keeping.members] == ["one"]
        await paused()
        assert [node.name for node in keeping.members] == ["one"]
        keeping.stop("enough")
        keeping.hurry()
        await running

    asyncio.run(run())
