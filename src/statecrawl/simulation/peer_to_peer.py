"""Peers in virtual time: the machine of `coordination.peer_to_peer` around a shared log.

The log is reached over the same network as everybody else, takes its time over each request, and can be away for a
while. When it is back it has all its facts, and has forgotten whom it heard.
"""

from collections.abc import Callable

from statecrawl.coordination.partition import Partition
from statecrawl.coordination.peer_log import PeerLogMachine
from statecrawl.coordination.peer_to_peer import LogEntries, LogRequest, PassedToken, Peer
from statecrawl.coordination.shared_facts import SharingRules
from statecrawl.journal.facts import Fact
from statecrawl.model.graph import Graph
from statecrawl.simulation.actor import NO_DENIAL, Denial
from statecrawl.simulation.cluster import CENTRE, SimulatedCluster, SimulatedNode, Slowness, alike
from statecrawl.simulation.journal import SimulatedJournal
from statecrawl.simulation.kernel import Action
from statecrawl.simulation.service_times import ServiceQueue, ServiceTimes, nothing
from statecrawl.strategies.orders import Order
from statecrawl.strategies.strategy import Strategy


class SharedLog:
    """Where the journal is, in reach of all peers."""

    def __init__(self, cluster: "SimulatedPeers") -> None:
        self.alive = True
        self._cluster = cluster
        self._kernel = cluster.kernel
        self._keeper = self._made()
        cluster.network.join(CENTRE, ServiceQueue(cluster.kernel, self._work).put)

    def crash(self) -> None:
        self.alive = False
        self._cluster.network.leave(CENTRE)

    def _work(self, request: LogRequest) -> tuple[float, Action]:
        entries = self._answer(request) if self.alive else None
        if entries is None:
            return 0.0, nothing
        pace = self._cluster.pace
        seconds = pace.handle + pace.store * len(request.facts) + pace.serve * len(entries.facts)
        self._cluster.centre_worked += seconds
        return seconds, lambda: self._send(entries)

    def _send(self, entries: LogEntries) -> None:
        if self.alive:
            self._cluster.network.send(CENTRE, entries.peer, entries)

    def _made(self) -> PeerLogMachine:
        journal = self._cluster.journal
        return PeerLogMachine(journal.facts, incarnation=journal.incarnation)

    def _answer(self, request: LogRequest) -> LogEntries | None:
        journal = self._cluster.journal
        if self._keeper.incarnation != journal.incarnation:
            self._keeper = self._made()  # what the one before knew is not what the journal says
        told = self._keeper.asked(request, self._kernel.now)
        if told.refused:
            raise ValueError(told.refused)
        journal.write(told.facts)
        return told.answers[0] if told.answers else None


class _PeerWorker(SimulatedNode):
    """Works while there is something to do, and talks to the log and to its neighbour in the ring."""

    decides = True

    def __init__(self, cluster: SimulatedCluster, name: str, machine: Peer) -> None:
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
        if isinstance(message, LogEntries):
            self._labour(self._cluster.pace.learn * len(message.facts))
            self._machine.heard(message, self._kernel.now)
        elif isinstance(message, PassedToken):
            self._machine.got(message)
        self._go_on()

    def _go_on(self) -> None:
        if not self._walking:
            order = self._machine.next_order(self.position)
            if order is not None:
                self._walking = True
                self._walk(order, lambda facts: self._done(order, facts))
        passing = self._machine.pass_on()
        if passing is not None:
            self._send(*passing)
        self._tell(self._machine.request(self._kernel.now))
        if not self._walking and not self._polling and not self.over:
            self._polling = True
            self._kernel.after(self._cluster.pace.poll, lambda: self._awake(self._poll))

    def _poll(self) -> None:
        self._polling = False
        self._tell(self._machine.request(self._kernel.now, at_any_rate=not self._walking))
        self._go_on()

    def _done(self, order: Order, facts: list[Fact]) -> None:
        self._walking = False
        self._machine.seen(
            [*self._meet(self._machine.member.crawl.graph.numbers), *facts],
            self._kernel.now,
            self._fired,
            int(order.reset),
        )
        self._go_on()

    def _beat(self) -> None:
        self._tell(self._machine.again(self._kernel.now))
        passing = self._machine.sent()
        if passing is not None:
            self._send(*passing)

    def _say_goodbye(self) -> None:
        self._send(CENTRE, self._machine.leave("sent away"))

    def _tell(self, request: LogRequest | None) -> None:
        if request is not None:
            pace, others = self._cluster.pace, len(self._machine.member.crawl.members) - 1
            if request.facts:
                self._labour((pace.call + pace.tell * len(request.facts)) * max(others, 0))
            self._send(CENTRE, request)


class SimulatedPeers(SimulatedCluster):
    """Peers and a log over one true model."""

    def __init__(
        self,
        truth: Graph,
        make_strategy: Callable[[Graph], Strategy],
        *,
        nodes: int,
        seed: int,
        partition: Partition,
        sharing: SharingRules,
        pace: ServiceTimes | None = None,
        slowness: Slowness = alike,
        denial: Denial = NO_DENIAL,
        peer: type[Peer] = Peer,
    ) -> None:
        """`peer` may be another that is wrong, to see that this is noticed."""
        super().__init__(truth, make_strategy, nodes=nodes, seed=seed, pace=pace, slowness=slowness, denial=denial)
        self._partition = partition
        self._sharing = sharing
        self._peer = peer
        self.journal = SimulatedJournal(self.kernel.time)
        self.journal.write([self._started()])
        self.log = SharedLog(self)
        self._start_nodes()

    def crash_centre(self) -> bool:
        was_alive = self.log.alive
        if was_alive:
            self.log.crash()
        return was_alive

    def start_centre(self) -> None:
        self.log = SharedLog(self)

    def _make_node(self, name: str) -> SimulatedNode:
        machine = self._peer(name, self.make_strategy, self._partition, self._sharing, self.pace.lease)
        return _PeerWorker(self, name, machine)
