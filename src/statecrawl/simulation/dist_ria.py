"""Dist-RIA in virtual time: the machines of `coordination.dist_ria` around a journal."""

from collections.abc import Callable

from statecrawl.coordination.balance import Balance
from statecrawl.coordination.dist_ria import (
    DistRiaMachine,
    DistRiaOutput,
    NothingNew,
    SharedStates,
    StatusReport,
    Terminate,
)
from statecrawl.coordination.dist_ria_node import DistRiaNode
from statecrawl.coordination.partition import Partition
from statecrawl.journal.facts import Fact
from statecrawl.model.graph import Graph
from statecrawl.simulation.actor import NO_DENIAL, Denial
from statecrawl.simulation.cluster import CENTRE, SimulatedCluster, SimulatedNode, Slowness, alike
from statecrawl.simulation.service_times import ServiceTimes
from statecrawl.simulation.star import AddressedAnswer, SimulatedStar
from statecrawl.strategies.orders import Order
from statecrawl.strategies.strategy import Strategy


class _DistRiaServer:
    """A coordinator that is handed whatever nodes send."""

    def __init__(self, coordinator: DistRiaMachine) -> None:
        self._coordinator = coordinator
        self.passed = coordinator.passed

    def receive(self, message: object, now: float) -> DistRiaOutput | None:
        return self._coordinator.asked(message, now) if isinstance(message, StatusReport) else None


class _DistRiaWorker(SimulatedNode):
    """Works while there is something to do, and asks when there is reason to."""

    decides = True

    def __init__(self, cluster: SimulatedCluster, name: str, machine: DistRiaNode) -> None:
        super().__init__(cluster, name)
        self._machine = machine
        self._walking = False
        self._polling = False
        self._go_on()
        self._start_beating()

    @property
    def over(self) -> bool:
        return self._machine.over is not None

    def _hear(self, message: object) -> None:
        if isinstance(message, SharedStates | NothingNew | Terminate):
            self._labour(self._cluster.pace.learn * (len(message.facts) if isinstance(message, SharedStates) else 0))
            self._machine.heard(message)
            if not isinstance(message, NothingNew) or not self._machine.member.idle:
                self._go_on()
            elif not self._polling:
                self._polling = True
                self._kernel.after(self._cluster.pace.poll, lambda: self._awake(self._poll))

    def _poll(self) -> None:
        self._polling = False
        self._go_on()

    def _go_on(self) -> None:
        if not self._walking:
            order = self._machine.next_order(self.position)
            if order is not None:
                self._walking = True
                self._walk(order, lambda facts: self._done(order, facts))
        ask = self._machine.ask()
        if ask is not None:
            self._send(CENTRE, ask)

    def _done(self, order: Order, facts: list[Fact]) -> None:
        self._walking = False
        self._machine.seen(
            [*self._meet(self._machine.member.crawl.graph.numbers), *facts], self._fired, int(order.reset)
        )
        self._go_on()

    def _beat(self) -> None:
        ask = self._machine.again()
        if ask is not None:
            self._send(CENTRE, ask)

    def _say_goodbye(self) -> None:
        self._send(CENTRE, self._machine.leave("sent away"))


class SimulatedDistRia(SimulatedStar):
    """A coordinator that passes states on, and nodes that do their share."""

    def __init__(
        self,
        truth: Graph,
        make_strategy: Callable[[Graph], Strategy],
        *,
        nodes: int,
        seed: int,
        partition: Partition,
        balance: Balance = Balance.STATIC,
        pace: ServiceTimes | None = None,
        slowness: Slowness = alike,
        denial: Denial = NO_DENIAL,
        coordinator: type[DistRiaMachine] = DistRiaMachine,
        node: type[DistRiaNode] = DistRiaNode,
    ) -> None:
        """`coordinator` and `node` may be others that are wrong, to see that this is noticed."""
        self._partition = partition
        self._balance = balance
        self._coordinator = coordinator
        self._node = node
        super().__init__(truth, make_strategy, nodes=nodes, seed=seed, pace=pace, slowness=slowness, denial=denial)

    def answering(self, answer: AddressedAnswer) -> float:
        return self.pace.serve * len(answer.facts) if isinstance(answer, SharedStates) else 0.0

    def make_coordinator(self) -> _DistRiaServer:
        journal = self.journal
        coordinator = self._coordinator(
            journal.facts,
            expected=self._first_nodes,
            patience=self.pace.lease,
            incarnation=journal.incarnation,
            balance=self._balance,
        )
        return _DistRiaServer(coordinator)

    def _make_node(self, name: str) -> SimulatedNode:
        return _DistRiaWorker(self, name, self._node(name, self.make_strategy, self._partition, balance=self._balance))
