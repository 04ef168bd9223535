"""Dist-RIA architecture in virtual time: the machines of `coordination.dist_ria` with a simulated journal."""

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
from statecrawl.simulation.cluster import SERVER, SimulatedCluster, SimulatedNode, Slowness, equal_speeds
from statecrawl.simulation.service_times import ServiceTimes
from statecrawl.simulation.star import AddressedAnswer, SimulatedStar
from statecrawl.strategies.orders import Order
from statecrawl.strategies.strategy import Strategy


class _DistRiaServer:
    """Coordinator that receives every kind of message."""

    def __init__(self, coordinator: DistRiaMachine) -> None:
        self._coordinator = coordinator
        self.tick = coordinator.tick

    def receive(self, message: object, now: float) -> DistRiaOutput | None:
        return self._coordinator.handle_report(message, now) if isinstance(message, StatusReport) else None


class _DistRiaWorker(SimulatedNode):
    """Node that works while it has something to do, and reports when there is a reason to."""

    decides = True

    def __init__(self, cluster: SimulatedCluster, name: str, machine: DistRiaNode) -> None:
        super().__init__(cluster, name)
        self._machine = machine
        self._walking = False
        self._polling = False
        self._continue()
        self._schedule_heartbeat()

    @property
    def over(self) -> bool:
        return self._machine.over is not None

    def _receive(self, message: object) -> None:
        if isinstance(message, SharedStates | NothingNew | Terminate):
            self._add_overhead(
                self._cluster.pace.learn * (len(message.facts) if isinstance(message, SharedStates) else 0)
            )
            self._machine.handle_reply(message)
            if not isinstance(message, NothingNew) or not self._machine.member.idle:
                self._continue()
            elif not self._polling:
                self._polling = True
                self._kernel.after(self._cluster.pace.poll, lambda: self._when_awake(self._poll))

    def _poll(self) -> None:
        self._polling = False
        self._continue()

    def _continue(self) -> None:
        if not self._walking:
            order = self._machine.next_order(self.position)
            if order is not None:
                self._walking = True
                self._walk(order, lambda facts: self._done(order, facts))
        message = self._machine.next_report()
        if message is not None:
            self._send(SERVER, message)

    def _done(self, order: Order, facts: list[Fact]) -> None:
        self._walking = False
        self._machine.observe(
            [*self._inspect_unless_known(self._machine.member.crawl.graph.numbers), *facts],
            self._fired,
            int(order.reset),
        )
        self._continue()

    def _send_heartbeat(self) -> None:
        message = self._machine.repeat()
        if message is not None:
            self._send(SERVER, message)

    def _send_leave(self) -> None:
        self._send(SERVER, self._machine.leave("sent away"))


class SimulatedDistRia(SimulatedStar):
    """A coordinator that distributes states, and nodes that explore their shares."""

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
        slowness: Slowness = equal_speeds,
        denial: Denial = NO_DENIAL,
        coordinator: type[DistRiaMachine] = DistRiaMachine,
        node: type[DistRiaNode] = DistRiaNode,
    ) -> None:
        """`coordinator` and `node` may be faulty variants, to see that their faults are detected."""
        self._partition = partition
        self._balance = balance
        self._coordinator = coordinator
        self._node = node
        super().__init__(truth, make_strategy, nodes=nodes, seed=seed, pace=pace, slowness=slowness, denial=denial)

    def reply_seconds(self, answer: AddressedAnswer) -> float:
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
