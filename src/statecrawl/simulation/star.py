"""Star topology in virtual time: nodes around a coordinator, which is the only writer of the journal.

A coordinator writes its facts before its replies leave. Another coordinator may take over at any time: the journal is
fenced, and refuses the writes of earlier leaders. A refused coordinator discards its state, which no longer matches
the journal, and builds it again from the journal, unless another one leads.
"""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, Protocol, Unpack

from statecrawl.coordination.output import Output
from statecrawl.model.graph import Graph
from statecrawl.simulation.cluster import SERVER, ClusterSettings, SimulatedCluster
from statecrawl.simulation.kernel import Action
from statecrawl.simulation.service_times import ServiceQueue, nothing
from statecrawl.simulation.simulated_journal import FencedJournal, WriteRefused
from statecrawl.strategies.strategy import Strategy


class AddressedAnswer(Protocol):
    """Reply to a node."""

    @property
    def node(self) -> str: ...


class SimulatedMachine(Protocol):
    """A coordinator of any architecture."""

    def receive(self, message: object, now: float) -> Output[Any] | None: ...
    def tick(self, now: float) -> Output[Any]: ...


class SimulatedServer:
    """Process that runs a coordinator."""

    def __init__(self, cluster: "SimulatedStar") -> None:
        self.alive = True
        self._cluster = cluster
        self._kernel = cluster.kernel
        self._queue = ServiceQueue(cluster.kernel, self._work)
        self._start()
        cluster.network.join(SERVER, self._queue.put)
        self._tick()

    def _start(self) -> None:
        journal = self._cluster.journal
        self._fence, self._incarnation = journal.lead(), journal.incarnation
        self._coordinator = self._cluster.make_coordinator()

    def crash(self) -> None:
        self.alive = False
        self._cluster.network.leave(SERVER)

    def _work(self, message: object) -> tuple[float, Action]:
        if not self.alive:
            return 0.0, nothing
        cluster, pace = self._cluster, self._cluster.pace
        output = self._coordinator.receive(message, self._kernel.now)
        seconds = pace.handle
        if output is not None:
            seconds += len(output.facts) * pace.store + sum(map(cluster.reply_seconds, output.replies))
        cluster.server_busy += seconds
        return seconds, nothing if output is None or not self.write(output) else lambda: self._send_replies(output)

    def _tick(self) -> None:
        if self.alive:
            output = self._coordinator.tick(self._kernel.now)
            if self.write(output):
                self._send_replies(output)
            self._kernel.after(self._cluster.pace.beat, self._tick)

    def write(self, output: Output[Any]) -> bool:
        """Append the facts; whether the journal accepted them, so that the replies may leave."""
        journal = self._cluster.journal
        try:
            if output.facts or self._incarnation != journal.incarnation:
                journal.append(output.facts, self._fence, self._incarnation)
        except WriteRefused:
            self._handle_refused_write()
            return False
        return True

    def _send_replies(self, output: Output[Any]) -> None:
        if self.alive:
            for answer in output.replies:
                self._cluster.network.send(SERVER, answer.node, answer)

    def _handle_refused_write(self) -> None:
        """Start again from the journal, unless another coordinator leads."""
        if self._incarnation != self._cluster.journal.incarnation and self._cluster.server is self:
            self._start()
        else:
            self.alive = False


class SimulatedStar(SimulatedCluster):
    """Nodes, a coordinator and a journal over one true model."""

    journal: FencedJournal
    server: SimulatedServer

    def __init__(
        self,
        truth: Graph,
        make_strategy: Callable[[Graph], Strategy],
        **settings: Unpack[ClusterSettings],
    ) -> None:
        super().__init__(truth, make_strategy, **settings)
        self.journal = FencedJournal(self.kernel.time)
        self.journal.append([self._started()], self.journal.lead(), 0)
        self.start_server()
        self._start_nodes()

    @abstractmethod
    def reply_seconds(self, answer: AddressedAnswer) -> float:
        """Return how long the coordinator takes for a reply."""

    @abstractmethod
    def make_coordinator(self) -> SimulatedMachine:
        """Return a coordinator whose state follows from the journal."""

    def _make_server(self) -> SimulatedServer:
        return SimulatedServer(self)
