"""Peer-to-peer architecture in virtual time: the machine of `coordination.peer_to_peer` with a shared log.

Peers reach the log over the same network as each other. It takes time for each request, and can be away for a while.
When it is back it has all its facts, but has forgotten when it last received a message of each peer.
"""

from collections.abc import Callable
from typing import Unpack

from statecrawl.coordination.components import Responsibility
from statecrawl.coordination.partition import Partition
from statecrawl.coordination.peer_log import PeerLogMachine
from statecrawl.coordination.peer_to_peer import LogEntries, LogRequest, PassedToken, Peer
from statecrawl.coordination.shared_facts import SharingRules
from statecrawl.journal.facts import Fact
from statecrawl.model.graph import Graph
from statecrawl.simulation.cluster import SERVER, ClusterSettings, SimulatedCluster, SimulatedNode
from statecrawl.simulation.kernel import Action
from statecrawl.simulation.member import SimulatedMember
from statecrawl.simulation.service_times import ServiceQueue, nothing
from statecrawl.simulation.simulated_journal import SimulatedJournal
from statecrawl.strategies.strategy import Strategy


class SharedLog:
    """The process that holds the journal, which all peers can reach."""

    def __init__(self, cluster: "SimulatedPeers") -> None:
        self.alive = True
        self._cluster = cluster
        self._kernel = cluster.kernel
        self._machine = self._make_machine()
        cluster.network.join(SERVER, ServiceQueue(cluster.kernel, self._work).put)

    def crash(self) -> None:
        self.alive = False
        self._cluster.network.leave(SERVER)

    def _work(self, request: LogRequest) -> tuple[float, Action]:
        entries = self._answer(request) if self.alive else None
        if entries is None:
            return 0.0, nothing
        pace = self._cluster.pace
        seconds = pace.handle + pace.store * len(request.facts) + pace.serve * len(entries.facts)
        self._cluster.server_busy += seconds
        return seconds, lambda: self._send(entries)

    def _send(self, entries: LogEntries) -> None:
        if self.alive:
            self._cluster.network.send(SERVER, entries.peer, entries)

    def _make_machine(self) -> PeerLogMachine:
        journal = self._cluster.journal
        return PeerLogMachine(journal.facts, incarnation=journal.incarnation, follow=self._cluster.follow)

    def _answer(self, request: LogRequest) -> LogEntries | None:
        journal = self._cluster.journal
        if self._machine.incarnation != journal.incarnation:
            self._machine = self._make_machine()  # the old machine no longer matches the journal
        output = self._machine.handle_request(request, self._kernel.now)
        if output.refused:
            raise ValueError(output.refused)
        journal.write(output.facts)
        return output.replies[0] if output.replies else None


class _PeerWorker(SimulatedMember[Peer]):
    """Node that works while it has something to do, and talks to the log and to its successor in the ring."""

    def _receive(self, message: object) -> None:
        if isinstance(message, LogEntries):
            self._add_overhead(self._cluster.pace.learn * len(message.facts))
            self._machine.handle_entries(message, self._kernel.now)
        elif isinstance(message, PassedToken):
            self._machine.handle_token(message)
        self._continue()

    def _send_messages(self) -> None:
        self._send_token(self._machine.token_to_pass())
        self._send_request(self._machine.next_request(self._kernel.now))
        if not self._walking and not self.over:
            self._poll_later()

    def _poll(self) -> None:
        self._polling = False
        self._send_request(self._machine.next_request(self._kernel.now, at_any_rate=not self._walking))
        self._continue()

    def _observe(self, facts: list[Fact], resets: int) -> None:
        self._machine.observe(facts, self._kernel.now, self._fired, resets)

    def _send_heartbeat(self) -> None:
        self._send_request(self._machine.repeat(self._kernel.now))
        self._send_token(self._machine.token_to_resend())

    def _send_token(self, passing: tuple[str, PassedToken] | None) -> None:
        if passing is not None:
            self._send(*passing)

    def _send_request(self, request: LogRequest | None) -> None:
        if request is not None:
            pace, others = self._cluster.pace, len(self._machine.member.crawl.members) - 1
            if request.facts:
                self._add_overhead((pace.call + pace.tell * len(request.facts)) * max(others, 0))
            self._report(request)


class SimulatedPeers(SimulatedCluster):
    """Peers and a log over one true model."""

    def __init__(
        self,
        truth: Graph,
        make_strategy: Callable[[Graph], Strategy],
        *,
        partition: Partition,
        sharing: SharingRules,
        responsibility: Responsibility = Responsibility.GATE_KEEPERS,
        peer: type[Peer] = Peer,
        **settings: Unpack[ClusterSettings],
    ) -> None:
        """`peer` may be a faulty variant, to see that its fault is detected."""
        super().__init__(truth, make_strategy, **settings)
        self._partition = partition
        self._sharing = sharing
        self._responsibility = responsibility
        self._peer = peer
        self.journal = SimulatedJournal(self.kernel.time)
        self.journal.write([self._started()])
        self.start_server()
        self._start_nodes()

    def _make_server(self) -> SharedLog:
        return SharedLog(self)

    def _make_node(self, name: str) -> SimulatedNode:
        machine = self._peer(
            name,
            self.make_strategy,
            self._partition,
            self._sharing,
            self.pace.lease,
            responsibility=self._responsibility,
        )
        return _PeerWorker(self, name, machine)
