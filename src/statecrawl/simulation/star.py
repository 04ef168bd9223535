"""A star in virtual time: nodes around a coordinator, which is the only one to write the journal.

A coordinator writes its facts before its answers leave. Another may take its place at any time: the journal is fenced,
and refuses whoever led before. A coordinator that is refused throws away what it knows, which is not what the journal
says, and begins again from that, unless somebody else leads.
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Protocol

from statecrawl.journal.facts import Fact
from statecrawl.model.graph import Graph
from statecrawl.simulation.actor import NO_DENIAL, Denial
from statecrawl.simulation.cluster import CENTRE, SimulatedCluster, Slowness, alike
from statecrawl.simulation.journal import FencedJournal, WriteRefused
from statecrawl.simulation.kernel import Action
from statecrawl.simulation.service_times import ServiceQueue, ServiceTimes, nothing
from statecrawl.strategies.strategy import Strategy


class AddressedAnswer(Protocol):
    """Goes to a node."""

    @property
    def node(self) -> str: ...


class SimulatedOutput(Protocol):
    """What a coordinator wants: first the facts in the journal, then the answers on their way."""

    @property
    def facts(self) -> Sequence[Fact]: ...
    @property
    def answers(self) -> Sequence[AddressedAnswer]: ...


class SimulatedMachine(Protocol):
    """A coordinator, whatever it hears."""

    def receive(self, message: object, now: float) -> SimulatedOutput | None: ...
    def passed(self, now: float) -> SimulatedOutput: ...


class SimulatedServer:
    """A process that runs a coordinator."""

    def __init__(self, cluster: "SimulatedStar") -> None:
        self.alive = True
        self._cluster = cluster
        self._kernel = cluster.kernel
        self._desk = ServiceQueue(cluster.kernel, self._work)
        self._begin()
        cluster.network.join(CENTRE, self._desk.put)
        self._tick()

    def _begin(self) -> None:
        journal = self._cluster.journal
        self._fence, self._incarnation = journal.lead(), journal.incarnation
        self._coordinator = self._cluster.make_coordinator()

    def crash(self) -> None:
        self.alive = False
        self._cluster.network.leave(CENTRE)

    def _work(self, message: object) -> tuple[float, Action]:
        if not self.alive:
            return 0.0, nothing
        cluster, pace = self._cluster, self._cluster.pace
        told = self._coordinator.receive(message, self._kernel.now)
        seconds = pace.handle
        if told is not None:
            seconds += len(told.facts) * pace.store + sum(map(cluster.answering, told.answers))
        cluster.centre_worked += seconds
        return seconds, nothing if told is None or not self.write(told) else lambda: self._answer(told)

    def _tick(self) -> None:
        if self.alive:
            told = self._coordinator.passed(self._kernel.now)
            if self.write(told):
                self._answer(told)
            self._kernel.after(self._cluster.pace.beat, self._tick)

    def write(self, told: SimulatedOutput) -> bool:
        """Whether the journal took it, so that the answers may leave."""
        journal = self._cluster.journal
        try:
            if told.facts or self._incarnation != journal.incarnation:
                journal.append(told.facts, self._fence, self._incarnation)
        except WriteRefused:
            self._doubt()
            return False
        return True

    def _answer(self, told: SimulatedOutput) -> None:
        if self.alive:
            for answer in told.answers:
                self._cluster.network.send(CENTRE, answer.node, answer)

    def _doubt(self) -> None:
        """What it knows is not what the journal says: it begins again, unless somebody else leads."""
        if self._incarnation != self._cluster.journal.incarnation and self._cluster.server is self:
            self._begin()
        else:
            self.alive = False


class SimulatedStar(SimulatedCluster):
    """Nodes, a coordinator and a journal over one true model."""

    journal: FencedJournal

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
    ) -> None:
        super().__init__(truth, make_strategy, nodes=nodes, seed=seed, pace=pace, slowness=slowness, denial=denial)
        self.journal = FencedJournal(self.kernel.time)
        self.journal.append([self._started()], self.journal.lead(), 0)
        self.server: SimulatedServer = SimulatedServer(self)
        self._start_nodes()

    @abstractmethod
    def answering(self, answer: AddressedAnswer) -> float:
        """How long the coordinator is at an answer, in seconds."""

    @abstractmethod
    def make_coordinator(self) -> SimulatedMachine:
        """A coordinator that knows what the journal says."""

    def crash_centre(self) -> bool:
        was_alive = self.server.alive
        if was_alive:
            self.server.crash()
        return was_alive

    def start_centre(self) -> None:
        self.server = SimulatedServer(self)
