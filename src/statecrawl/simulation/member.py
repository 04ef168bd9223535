"""Member in virtual time: the common part of Dist-RIA nodes and peers, which choose their own tasks."""

from abc import abstractmethod
from typing import Generic, TypeVar

from statecrawl.coordination.dist_ria import StatusReport
from statecrawl.coordination.dist_ria_node import DistRiaNode
from statecrawl.coordination.peer_to_peer import LogRequest, Peer
from statecrawl.journal.facts import Fact
from statecrawl.simulation.cluster import SERVER, SimulatedCluster, SimulatedNode
from statecrawl.strategies.orders import Order

Machine = TypeVar("Machine", bound=DistRiaNode | Peer)


class SimulatedMember(SimulatedNode, Generic[Machine]):
    """Node that walks while its machine has orders, and polls while it is idle."""

    decides = True

    def __init__(self, cluster: SimulatedCluster, name: str, machine: Machine) -> None:
        super().__init__(cluster, name)
        self._machine: Machine = machine
        self._walking = False
        self._polling = False
        self._continue()
        self._schedule_heartbeat()

    @property
    def over(self) -> bool:
        return self._machine.over is not None

    @abstractmethod
    def _observe(self, facts: list[Fact], resets: int) -> None:
        """Pass on to the machine what a walk has shown."""

    @abstractmethod
    def _send_messages(self) -> None:
        """Send what the machine wants to send."""

    def _continue(self) -> None:
        if not self._walking:
            order = self._machine.next_order(self.position)
            if order is not None:
                self._walking = True
                self._walk(order, lambda facts: self._done(order, facts))
        self._send_messages()

    def _done(self, order: Order, facts: list[Fact]) -> None:
        self._walking = False
        known = self._machine.member.crawl.graph.numbers
        self._observe([*self._inspect_unless_known(known), *facts], int(order.reset))
        self._continue()

    def _report(self, message: StatusReport | LogRequest) -> None:
        """Send what the machine reports."""
        self.reports += bool(message.facts)
        self._send(SERVER, message)

    def _poll_later(self) -> None:
        if not self._polling:
            self._polling = True
            self._kernel.after(self._cluster.pace.poll, lambda: self._when_awake(self._poll))

    def _poll(self) -> None:
        self._polling = False
        self._continue()

    def _send_leave(self) -> None:
        self._send(SERVER, self._machine.leave("sent away"))
