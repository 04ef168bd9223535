"""Client and server in virtual time: the machines of `coordination.client_server` around a journal."""

from collections.abc import Callable
from dataclasses import dataclass

from statecrawl.coordination.client_node import ClientNode
from statecrawl.coordination.client_server import ClientServerMachine, ClientServerOutput
from statecrawl.coordination.client_server_messages import CrawlOver, DescribeState, Heartbeat, RunTask, TaskRequest
from statecrawl.journal.facts import Fact
from statecrawl.model.graph import Graph
from statecrawl.simulation.actor import NO_DENIAL, Denial
from statecrawl.simulation.cluster import CENTRE, SimulatedCluster, SimulatedNode, Slowness, alike
from statecrawl.simulation.service_times import ServiceTimes
from statecrawl.simulation.star import AddressedAnswer, SimulatedStar
from statecrawl.strategies.orders import Order
from statecrawl.strategies.strategy import Strategy


@dataclass(frozen=True, slots=True)
class _Goodbye:
    node: str


class _TaskServer:
    """A coordinator that is handed whatever nodes send."""

    def __init__(self, coordinator: ClientServerMachine) -> None:
        self._coordinator = coordinator
        self.passed = coordinator.passed

    def receive(self, message: object, now: float) -> ClientServerOutput | None:
        if isinstance(message, Heartbeat):
            self._coordinator.beat(message, now)
        if isinstance(message, _Goodbye):
            return self._coordinator.left(message.node, now)
        return self._coordinator.asked(message, now) if isinstance(message, TaskRequest) else None


class _TaskClient(SimulatedNode):
    """Does what it is given."""

    def __init__(self, cluster: SimulatedCluster, name: str, machine: ClientNode) -> None:
        super().__init__(cluster, name)
        self._machine = machine
        self._send(CENTRE, machine.ask(None))
        self._start_beating()

    @property
    def over(self) -> bool:
        return self._machine.over is not None

    def _hear(self, message: object) -> None:
        task = self._machine.heard(message) if isinstance(message, RunTask | DescribeState | CrawlOver) else None
        if isinstance(task, DescribeState):
            self._send(CENTRE, self._machine.looked(*self._meet()))
        elif isinstance(task, RunTask):
            self._walk(task.order, lambda facts: self._done(task.order, facts))

    def _done(self, order: Order, facts: list[Fact]) -> None:
        self._send(CENTRE, self._machine.ask(self.position, facts, self._fired, int(order.reset)))

    def _beat(self) -> None:
        self._send(CENTRE, self._machine.again())

    def _say_goodbye(self) -> None:
        self._send(CENTRE, _Goodbye(self.name))


class SimulatedClientServer(SimulatedStar):
    """A coordinator that decides, and nodes that do what they are given."""

    def __init__(
        self,
        truth: Graph,
        make_strategy: Callable[[Graph], Strategy],
        *,
        nodes: int,
        seed: int,
        pace: ServiceTimes | None = None,
        slowness: Slowness = alike,
        denial: Denial = NO_DENIAL,
        coordinator: type[ClientServerMachine] = ClientServerMachine,
        node: type[ClientNode] = ClientNode,
    ) -> None:
        """`coordinator` and `node` may be others that are wrong, to see that this is noticed."""
        self._coordinator = coordinator
        self._node = node
        super().__init__(truth, make_strategy, nodes=nodes, seed=seed, pace=pace, slowness=slowness, denial=denial)

    def answering(self, answer: AddressedAnswer) -> float:
        return self.pace.think if isinstance(answer, RunTask) else 0.0

    def make_coordinator(self) -> _TaskServer:
        return _TaskServer(self._coordinator(self.journal.facts, self.make_strategy, self.pace.lease))

    def _make_node(self, name: str) -> SimulatedNode:
        return _TaskClient(self, name, self._node(name))
