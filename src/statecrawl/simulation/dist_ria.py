"""Dist-RIA architecture in virtual time: the machines of `coordination.dist_ria` with a simulated journal."""

from collections.abc import Callable
from typing import Unpack

from statecrawl.coordination.balance import Balance
from statecrawl.coordination.components import Responsibility
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
from statecrawl.simulation.cluster import ClusterSettings, SimulatedNode
from statecrawl.simulation.member import SimulatedMember
from statecrawl.simulation.star import AddressedAnswer, SimulatedStar
from statecrawl.strategies.strategy import Strategy


class _DistRiaServer:
    """Coordinator that receives every kind of message."""

    def __init__(self, coordinator: DistRiaMachine) -> None:
        self._coordinator = coordinator
        self.tick = coordinator.tick

    def receive(self, message: object, now: float) -> DistRiaOutput | None:
        return self._coordinator.handle_report(message, now) if isinstance(message, StatusReport) else None


class _DistRiaWorker(SimulatedMember[DistRiaNode]):
    """Node that works while it has something to do, and reports when there is a reason to."""

    def _receive(self, message: object) -> None:
        if isinstance(message, SharedStates | NothingNew | Terminate):
            facts = message.facts if isinstance(message, SharedStates) else ()
            self._add_overhead(self._cluster.pace.learn * len(facts))
            self._machine.handle_reply(message)
            if not isinstance(message, NothingNew) or not self._machine.member.idle:
                self._continue()
            else:
                self._poll_later()

    def _send_messages(self) -> None:
        self._send_report(self._machine.next_report())

    def _observe(self, facts: list[Fact], resets: int) -> None:
        self._machine.observe(facts, self._fired, resets)

    def _send_heartbeat(self) -> None:
        self._send_report(self._machine.repeat())

    def _send_report(self, report: StatusReport | None) -> None:
        if report is not None:
            self._report(report)


class SimulatedDistRia(SimulatedStar):
    """A coordinator that distributes states, and nodes that explore their shares."""

    def __init__(
        self,
        truth: Graph,
        make_strategy: Callable[[Graph], Strategy],
        *,
        partition: Partition,
        balance: Balance = Balance.STATIC,
        responsibility: Responsibility = Responsibility.GATE_KEEPERS,
        coordinator: type[DistRiaMachine] = DistRiaMachine,
        node: type[DistRiaNode] = DistRiaNode,
        **settings: Unpack[ClusterSettings],
    ) -> None:
        """`coordinator` and `node` may be faulty variants, to see that their faults are detected."""
        self._partition = partition
        self._balance = balance
        self._responsibility = responsibility
        self._coordinator = coordinator
        self._node = node
        super().__init__(truth, make_strategy, **settings)

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
            follow=self.follow,
        )
        return _DistRiaServer(coordinator)

    def _make_node(self, name: str) -> SimulatedNode:
        machine = self._node(
            name,
            self.make_strategy,
            self._partition,
            balance=self._balance,
            responsibility=self._responsibility,
        )
        return _DistRiaWorker(self, name, machine)
