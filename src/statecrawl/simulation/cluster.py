"""A cluster in virtual time: nodes over a true model, what they have in common, and whatever goes wrong with them.

Theory of operation
    The machines of `coordination` run here as they run in the world: they are handed messages and the time, and what
    they want is done for them. Everything that chance decides is drawn from one seed, so a run is a function of its
    arguments: the same seed gives the same journal, fact by fact.

    There is one module for each architecture: `client_server`, `dist_ria`, `peer_to_peer`. Each has a *centre*, which
    may crash: a coordinator, or where the log is. The journal is what no fault takes away, save a power cut.

    A node that crashes is started anew under another name. One that hangs hears and does nothing for a while, and then
    goes on as if nothing had been.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Container, Sequence
from random import Random
from typing import ClassVar

from statecrawl.journal.facts import CrawlStarted, Fact, TransitionExplored
from statecrawl.journal.fold import FoldedCrawl, fold
from statecrawl.model.graph import Graph
from statecrawl.simulation.actor import NO_DENIAL, Actor, Denial
from statecrawl.simulation.journal import SimulatedJournal
from statecrawl.simulation.kernel import Kernel
from statecrawl.simulation.network import Network, NetworkConditions
from statecrawl.simulation.service_times import ServiceTimes
from statecrawl.strategies.orders import Order, StateEvent
from statecrawl.strategies.strategy import Strategy

CENTRE = "centre"  # the name of the coordinator, or of where the log is


Slowness = Callable[[int, float], float]  # how many times as long the n-th node to be started takes, at a time


def alike(_: int, __: float) -> float:
    """All nodes are equally fast."""
    return 1.0


def unlike(factors: Sequence[float]) -> Slowness:
    """The first node is slower by the first of these factors, and so on; then they come again."""
    return lambda number, _: factors[number % len(factors)]


class SimulatedNode(ABC):
    """A process with one page of the true application."""

    decides: ClassVar[bool] = False  # whether it works out its tasks by itself

    def __init__(self, cluster: "SimulatedCluster", name: str) -> None:
        self.name = name
        self.hindrance = 1.0  # how many times as long it takes for the time being, beside what it is by nature
        self._number = len(cluster.nodes)
        self.alive = True
        self.walked = 0.0  # seconds
        self.laboured = 0.0  # seconds of thinking, telling and learning
        self.events = 0
        self.resets = 0
        self._fired = 0  # events, during the last walk
        self._free = 0.0  # until when it labours
        self._cluster = cluster
        self._kernel = cluster.kernel
        self._asleep_until = 0.0
        self._actor = Actor(cluster.truth, denied=cluster.denial.pairs, judgement=cluster.denial.judgement())
        cluster.network.join(name, self._wake)

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether it knows that the crawl is over."""

    @abstractmethod
    def _hear(self, message: object) -> None:
        """A message has come."""

    @abstractmethod
    def _beat(self) -> None:
        """A beat has passed, and it does not hang."""

    @abstractmethod
    def _say_goodbye(self) -> None:
        """It is about to go."""

    def leave(self) -> None:
        self._say_goodbye()
        self.crash()

    def crash(self) -> None:
        self.alive = False
        self._cluster.network.leave(self.name)

    def hang(self, seconds: float) -> None:
        self._asleep_until = self._kernel.now + seconds

    @property
    def slowness(self) -> float:
        """How many times as long everything takes here, now."""
        return self.hindrance * self._cluster.slowness(self._number, self._kernel.now)

    @property
    def position(self) -> str | None:
        """The id of the state that its page is in."""
        return self._actor.state

    def _walk(self, order: Order, then: Callable[[list[Fact]], None]) -> None:
        """Walk to the end of an order, and tell then what it explored, if it has steps."""
        pace = self._cluster.pace
        if self.decides:
            self._labour(pace.think)
        seconds = (len(order.steps) * pace.event + order.reset * pace.reset) * self.slowness
        if pace.spread:
            seconds *= self._cluster.chance.uniform(1 - pace.spread, 1 + pace.spread)
        self.walked += seconds
        wait = max(self._free - self._kernel.now, 0.0)
        self._kernel.after(wait + seconds, lambda: self._awake(lambda: then(self._arrive(order))))

    def _labour(self, seconds: float) -> None:
        """Do something by itself, before it walks again."""
        seconds *= self.slowness
        self.laboured += seconds
        self._free = max(self._free, self._kernel.now) + seconds

    def _arrive(self, order: Order) -> list[Fact]:
        before = self._actor.fired
        facts = self._actor.act(order)
        self._fired = self._actor.fired - before
        self.events += self._fired
        self.resets += order.reset
        for fact in facts:
            if isinstance(fact, TransitionExplored):
                self._cluster.explored[fact.state, fact.event] += 1
        return facts

    @property
    def wrongly_fired(self) -> list[StateEvent]:
        """What it fired though the plan denies it."""
        return self._actor.wrongly

    def _meet(self, known: Container[str] = ()) -> list[Fact]:
        """The state that its page is in and what must not be fired there, unless that state is known."""
        return [] if self.position in known else self._actor.meet()

    def _start_beating(self) -> None:
        self._kernel.after(self._cluster.pace.beat, self._next_beat)

    def _next_beat(self) -> None:
        if self.alive and not self.over:
            if self._kernel.now >= self._asleep_until:
                self._beat()
            self._start_beating()

    def _send(self, target: str, message: object) -> None:
        self._cluster.network.send(self.name, target, message)

    def _wake(self, message: object) -> None:
        wake = self._cluster.pace.wake
        wait = self._cluster.chance.uniform(0, 2 * wake) if wake else 0.0
        self._kernel.after(wait, lambda: self._awake(lambda: self._hear(message)))

    def _awake(self, act: Callable[[], None]) -> None:
        """Do something now, or when it has stopped hanging; never after a crash."""
        if not self.alive:
            return
        wait = self._asleep_until - self._kernel.now
        if wait > 0:
            self._kernel.after(wait, lambda: self._awake(act))
        else:
            act()


class SimulatedCluster(ABC):
    """Nodes over one true model. An architecture says what nodes and centre there are."""

    journal: SimulatedJournal

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
        self.truth = truth
        self.denial = denial
        self.make_strategy = make_strategy
        self.pace = pace or ServiceTimes()
        self.slowness = slowness
        self.kernel = Kernel()
        self.chance = Random(seed)
        least, most = self.pace.latency
        self.network = Network(self.kernel, self.chance, NetworkConditions(least=least, most=most))
        self.explored: Counter[tuple[str, str]] = Counter()  # state and event -> how often it was fired to explore it
        self.nodes: list[SimulatedNode] = []
        self.centre_worked = 0.0  # seconds
        self._first_nodes = nodes
        self._seed = seed
        self._names = 0

    def _started(self) -> CrawlStarted:
        configuration = {"nodes": self._first_nodes, "seed": self._seed}
        return CrawlStarted(application="simulated", configuration=configuration, reset_cost=2.0)

    def _start_nodes(self) -> None:
        for _ in range(self._first_nodes):
            self.start_node()

    def start_node(self) -> SimulatedNode:
        self._names += 1
        node = self._make_node(f"n{self._names}")
        self.nodes.append(node)
        return node

    @abstractmethod
    def _make_node(self, name: str) -> SimulatedNode: ...

    @abstractmethod
    def crash_centre(self) -> bool:
        """The centre is gone until it is started again; False when it was gone already."""

    @abstractmethod
    def start_centre(self) -> None:
        """Whatever the one before does, there is another."""

    @property
    def repeated(self) -> int:
        """How many events were explored that had been explored before."""
        return self.explored.total() - len(self.explored)

    def run(self, stop: Callable[[], bool] = lambda: False) -> FoldedCrawl:
        """Until every node that is alive knows that the crawl is over, or it is too late; what the journal says.

        `stop` is asked now and then whether it should end at once.
        """
        self.kernel.run(lambda: self.kernel.now > self.pace.latest or self.is_over() or stop())
        return fold(self.journal.facts)

    def is_over(self) -> bool:
        return self.journal.ended_at is not None and all(node.over for node in self.nodes if node.alive)
