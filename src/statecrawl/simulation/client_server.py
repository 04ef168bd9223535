"""Client-server architecture in virtual time: the machines of `coordination.client_server` with a simulated journal."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Unpack

from statecrawl.coordination.client_node import ClientNode
from statecrawl.coordination.client_server import ClientServerMachine, ClientServerOutput
from statecrawl.coordination.client_server_messages import CrawlOver, DescribeState, Heartbeat, RunTask, TaskRequest
from statecrawl.journal.facts import Fact
from statecrawl.model.graph import Graph
from statecrawl.simulation.cluster import SERVER, ClusterSettings, SimulatedCluster, SimulatedNode
from statecrawl.simulation.star import AddressedAnswer, SimulatedStar
from statecrawl.strategies.orders import Order
from statecrawl.strategies.strategy import Strategy


@dataclass(frozen=True, slots=True)
class _Goodbye:
    node: str


class _TaskServer:
    """Coordinator that receives every kind of message."""

    def __init__(self, coordinator: ClientServerMachine) -> None:
        self._coordinator = coordinator
        self.tick = coordinator.tick

    def receive(self, message: object, now: float) -> ClientServerOutput | None:
        if isinstance(message, Heartbeat):
            self._coordinator.handle_heartbeat(message, now)
        if isinstance(message, _Goodbye):
            return self._coordinator.handle_leave(message.node, now)
        return self._coordinator.handle_request(message, now) if isinstance(message, TaskRequest) else None


class _TaskClient(SimulatedNode):
    """Node that executes the tasks it receives."""

    def __init__(self, cluster: SimulatedCluster, name: str, machine: ClientNode) -> None:
        super().__init__(cluster, name)
        self._machine = machine
        self._send(SERVER, machine.next_request(None))
        self._schedule_heartbeat()

    @property
    def over(self) -> bool:
        return self._machine.over is not None

    def _receive(self, message: object) -> None:
        task = self._machine.handle_reply(message) if isinstance(message, RunTask | DescribeState | CrawlOver) else None
        if isinstance(task, DescribeState):
            self._send(SERVER, self._machine.describe(*self._inspect_unless_known()))
        elif isinstance(task, RunTask):
            self._walk(task.order, lambda facts: self._done(task.order, facts))

    def _done(self, order: Order, facts: list[Fact]) -> None:
        self._send(SERVER, self._machine.next_request(self.position, facts, self._fired, int(order.reset)))

    def _send_heartbeat(self) -> None:
        self._send(SERVER, self._machine.repeat())

    def _send_leave(self) -> None:
        self._send(SERVER, _Goodbye(self.name))


class SimulatedClientServer(SimulatedStar):
    """A coordinator that assigns tasks, and nodes that execute them."""

    def __init__(
        self,
        truth: Graph,
        make_strategy: Callable[[Graph], Strategy],
        *,
        coordinator: type[ClientServerMachine] = ClientServerMachine,
        node: type[ClientNode] = ClientNode,
        **settings: Unpack[ClusterSettings],
    ) -> None:
        """`coordinator` and `node` may be faulty variants, to see that their faults are detected."""
        self._coordinator = coordinator
        self._node = node
        super().__init__(truth, make_strategy, **settings)

    def reply_seconds(self, answer: AddressedAnswer) -> float:
        return self.pace.think if isinstance(answer, RunTask) else 0.0

    def make_coordinator(self) -> _TaskServer:
        return _TaskServer(self._coordinator(self.journal.facts, self.make_strategy, self.pace.lease))

    def _make_node(self, name: str) -> SimulatedNode:
        return _TaskClient(self, name, self._node(name))
