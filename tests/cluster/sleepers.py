"""Client-server nodes without a browser: they act in a true model, and sleep instead of walking."""

import asyncio

from statecrawl.coordination.client_node import ClientNode
from statecrawl.coordination.client_server_messages import (
    DescribeState,
    LearnContent,
    ReviseRules,
    RunTask,
    TaskRequest,
)
from statecrawl.journal.facts import CostMeasured, StateFound
from statecrawl.model.graph import Graph
from statecrawl.ports.coordinator_link import CoordinatorLink
from statecrawl.ports.page import Snapshot
from statecrawl.simulation.actor import Actor

BEAT_SECONDS = 0.2


class Sleeper:
    """A node without a browser."""

    def __init__(
        self, name: str, truth: Graph, line: CoordinatorLink, seconds: float = 0.0, *, task_seconds: float = 0.0
    ) -> None:
        """A task takes it `task_seconds`, and `seconds` for each event."""
        self.events = 0
        self._line = line
        self.seconds = seconds
        self._task_seconds = task_seconds
        self._actor = Actor(truth)
        self._machine = ClientNode(name)

    async def run(self) -> str:
        """Until the crawl is over; why it is."""
        beating = asyncio.create_task(self._beat())
        try:
            question = self._machine.next_request(None)
            while self._machine.over is None:
                question = await self._next(question)
            await self._line.leave(self._machine.name)
            return self._machine.over
        finally:
            beating.cancel()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            await self._line.beat(self._machine.heartbeat())

    async def _next(self, question: TaskRequest) -> TaskRequest:
        match self._machine.handle_reply(await self._line.ask(question)):
            case RunTask(order=order):
                if self.seconds or self._task_seconds:
                    await asyncio.sleep(self._task_seconds + self.seconds * max(len(order.steps), 1))
                self.events += len(order.steps)
                facts = self._actor.act(order)
                return self._machine.next_request(self._actor.state, facts, len(order.steps), int(order.reset))
            case DescribeState():
                state = self._actor.describe()
                await self._line.send([(snapshot(state), b"picture")], [])
                return self._machine.describe(state)
            case ReviseRules():
                self._actor.position = None
                return self._machine.next_request(None)
            case LearnContent():
                self._machine.revision = -1
                return self._machine.next_request(None, [CostMeasured(reset_cost=3.0)], learning=(7, 2))
            case None:
                return question


def in_hex(name: str) -> str:
    """A name as an id: evidence is kept of what looks like a hash."""
    return name.encode().hex()


def snapshot(state: StateFound) -> Snapshot:
    """A state in full, as a page would show it."""
    names = tuple(name if isinstance(name, str) else name[0] for name in state.events)
    return Snapshot(
        state=in_hex(state.state),
        events=names,
        labels=names,
        url="http://host/",
        title="",
        html=f"<p>{state.state}</p>",
        normal="",
        links=(),
        forms=(),
        cut=False,
    )
