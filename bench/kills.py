"""A whole crawl with real browsers in which a node is killed every few seconds: is it true, and what was done twice?"""

import asyncio
import os
import random
import signal
import tempfile
import time
from pathlib import Path

from bench.recorded import planned, served
from bench.table import print_table
from statecrawl.coordination.client_server_messages import RunTask
from statecrawl.crawler.outcome import Outcome
from statecrawl.fleet.standby import CoordinatorWatcher, RedisEngine
from statecrawl.fleet.supervisor import crawl_in_engine
from statecrawl.fleet.task_coordinator import TaskCoordinator
from statecrawl.journal.facts import Fact
from statecrawl.journal.fold import fold
from statecrawl.testbed.catalogue import application
from statecrawl.testbed.model_match import mismatch
from tests.cluster.redis_server import redis_server

APP, STRATEGY, NODES = "dyna-table", "greedy", 3
LATENCY = 20  # milliseconds
PAUSE_SECONDS = 5.0  # between two kills
MOST_REPEATED = 0.02  # of all events
SEED = 1


def main() -> bool:
    """True when all that has to hold holds."""
    outcome, facts, kills, repeated, lost = asyncio.run(_crawl())
    wrong = mismatch(fold(facts).graph, application(APP).truth)
    share = (repeated + lost) / outcome.events
    held = wrong is None and share <= MOST_REPEATED
    row = (
        kills,
        outcome.events,
        repeated,
        lost,
        f"{share:.2%}",
        wrong or "exactly the true one",
        f"{outcome.seconds:.0f} s",
        f"{'yes' if held else 'no'} (≤ {MOST_REPEATED:.0%})",
    )
    header = ("kills", "events", "recorded twice", "lost with their node, at most", "share", "model", "time", "holds")
    print_table(f"A node killed every {PAUSE_SECONDS:g} s ({APP}, {STRATEGY}, {NODES} nodes, Redis)", header, [row])
    return held


async def _crawl() -> tuple[Outcome, list[Fact], int, int, int]:
    """How it went, and its journal; nodes killed, events recorded twice, and events that died with a node."""
    chance = random.Random(SEED)
    coordinated: list[TaskCoordinator] = []
    killed: list[int] = []  # for each kill, the events that the node may have fired and not told of

    async def kill() -> None:
        while True:
            await asyncio.sleep(PAUSE_SECONDS)
            victims = _nodes()
            if len(victims) > 1 and coordinated and coordinated[-1].crawl.ended is None:
                name, process = chance.choice(sorted(victims.items()))
                os.kill(process, signal.SIGKILL)
                killed.append(_task_length(coordinated[-1], name))

    with (
        tempfile.TemporaryDirectory() as folder,
        redis_server(Path(folder)) as server,
        served(APP, LATENCY) as (url, _),
        planned(url, STRATEGY, pages=1) as plan,
    ):
        killing = asyncio.create_task(kill())
        watcher = CoordinatorWatcher(on_lead=coordinated.append, on_progress=lambda _: None, on_standby=lambda _: None)
        try:
            outcome, facts = await crawl_in_engine(plan, RedisEngine(url=server.url), "kills", NODES, watcher)
        finally:
            killing.cancel()
    return outcome, facts, len(killed), coordinated[-1].repeated, sum(killed)


def _nodes() -> dict[str, int]:
    """The node processes that this one has started, by their names."""
    me, found = os.getpid(), {}
    for child in Path(f"/proc/{me}/task/{me}/children").read_text().split():
        arguments = Path(f"/proc/{child}/cmdline").read_text().split("\0")
        if "node" in arguments:
            found[arguments[arguments.index("--name") + 1]] = int(child)
    return found


def _task_length(coordinating: TaskCoordinator, name: str) -> int:
    """How many events the task has that a node was given last."""
    given = [member.last_reply for member in coordinating.members if member.name.startswith(f"{name}-")]
    return max((len(each.order.steps) for each in given if isinstance(each, RunTask)), default=0)


if __name__ == "__main__":
    begun = time.monotonic()
    main()
    print(f"{time.monotonic() - begun:.0f} s")
