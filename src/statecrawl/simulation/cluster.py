"""Cluster in virtual time: nodes that crawl a true model, their common part, and the faults that may hit them.

Theory of operation
    The machines of `coordination` run here as they do in a real crawl: they receive messages and the time, and what
    they output is executed. All randomness comes from one seed, so a run is a function of its arguments: the same seed
    produces the same journal, fact by fact.

    Each architecture has its own module: `client_server`, `dist_ria` and `peer_to_peer`. Each has a *server* that may
    crash: a coordinator, or the process that holds the log. No fault destroys the journal, except that a power cut
    removes its last facts.

    A node that crashes is started again under another name. A node that hangs receives and does nothing for a while,
    and then continues as if nothing had happened.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Container, Sequence
from random import Random
from typing import ClassVar, Protocol, Required, TypedDict

from statecrawl.journal.facts import CrawlStarted, Fact, TransitionExplored
from statecrawl.journal.fold import FoldedCrawl, fold
from statecrawl.model.graph import Graph
from statecrawl.model.regions import Regions
from statecrawl.simulation.actor import NO_DENIAL, Actor, Denial, no_regions
from statecrawl.simulation.kernel import Kernel
from statecrawl.simulation.network import Network, NetworkConditions
from statecrawl.simulation.service_times import ServiceTimes
from statecrawl.simulation.simulated_journal import SimulatedJournal
from statecrawl.strategies.orders import Order, StateEvent
from statecrawl.strategies.strategy import Strategy

SERVER = "server"  # name of the coordinator, or of the process that holds the log


Slowness = Callable[[int, float], float]  # (number of the node, time) -> factor on all its durations


def equal_speeds(_: int, __: float) -> float:
    """All nodes are equally fast."""
    return 1.0


def uneven_speeds(factors: Sequence[float]) -> Slowness:
    """Slow the first node down by the first factor, and so on; after the last factor, start again with the first."""
    return lambda number, _: factors[number % len(factors)]


class SimulatedNode(ABC):
    """A process with one page of the true application."""

    decides: ClassVar[bool] = False  # whether it chooses its own tasks

    def __init__(self, cluster: "SimulatedCluster", name: str) -> None:
        self.name = name
        self.slowdown = 1.0  # temporary factor on its durations, set by a fault
        self._number = len(cluster.nodes)
        self.alive = True
        self.walked = 0.0  # seconds
        self.overhead = 0.0  # seconds spent on choosing tasks, reporting and learning
        self.events = 0
        self.resets = 0
        self.reports = 0  # messages with facts that a node which decides for itself has sent
        self._fired = 0  # events fired during the last walk
        self._busy_until = 0.0  # end of its current overhead
        self._cluster = cluster
        self._kernel = cluster.kernel
        self._asleep_until = 0.0
        denial = cluster.denial
        self._actor = Actor(cluster.truth, denied=denial.pairs, inspection=denial.inspection(), regions=cluster.regions)
        cluster.network.join(name, self._deliver)

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether it knows that the crawl is over."""

    @abstractmethod
    def _receive(self, message: object) -> None:
        """Process a message."""

    @abstractmethod
    def _send_heartbeat(self) -> None:
        """Send a heartbeat; called at intervals unless the node hangs."""

    @abstractmethod
    def _send_leave(self) -> None:
        """Announce that it leaves."""

    def leave(self) -> None:
        self._send_leave()
        self.crash()

    def crash(self) -> None:
        self.alive = False
        self._cluster.network.leave(self.name)

    def hang(self, seconds: float) -> None:
        self._asleep_until = self._kernel.now + seconds

    @property
    def slowness(self) -> float:
        """Current factor on all its durations."""
        return self.slowdown * self._cluster.slowness(self._number, self._kernel.now)

    @property
    def position(self) -> str | None:
        """Id of the state that its page is in."""
        return self._actor.state

    def _walk(self, order: Order, then: Callable[[list[Fact]], None]) -> None:
        """Execute an order, and call `then` with the facts observed, if the order has steps."""
        pace = self._cluster.pace
        if self.decides:
            self._add_overhead(pace.think)
        seconds = (len(order.steps) * pace.event + order.reset * pace.reset) * self.slowness
        if pace.spread:
            seconds *= self._cluster.chance.uniform(1 - pace.spread, 1 + pace.spread)
        self.walked += seconds
        wait = max(self._busy_until - self._kernel.now, 0.0)
        self._kernel.after(wait + seconds, lambda: self._when_awake(lambda: then(self._arrive(order))))

    def _add_overhead(self, seconds: float) -> None:
        """Spend time on something other than walking, before the next walk."""
        seconds *= self.slowness
        self.overhead += seconds
        self._busy_until = max(self._busy_until, self._kernel.now) + seconds

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
    def violations(self) -> list[StateEvent]:
        """Events fired although the plan denies them."""
        return self._actor.violations

    def _inspect_unless_known(self, known: Container[str] = ()) -> list[Fact]:
        """Return the state its page is in and the refusals there, unless that state is known."""
        return [] if self.position in known else self._actor.inspect()

    def _schedule_heartbeat(self) -> None:
        self._kernel.after(self._cluster.pace.beat, self._heartbeat_due)

    def _heartbeat_due(self) -> None:
        if self.alive and not self.over:
            if self._kernel.now >= self._asleep_until:
                self._send_heartbeat()
            self._schedule_heartbeat()

    def _send(self, target: str, message: object) -> None:
        self._cluster.network.send(self.name, target, message)

    def _deliver(self, message: object) -> None:
        wake = self._cluster.pace.wake
        wait = self._cluster.chance.uniform(0, 2 * wake) if wake else 0.0
        self._kernel.after(wait, lambda: self._when_awake(lambda: self._receive(message)))

    def _when_awake(self, act: Callable[[], None]) -> None:
        """Act now, or when the node stops hanging; never after a crash."""
        if not self.alive:
            return
        wait = self._asleep_until - self._kernel.now
        if wait > 0:
            self._kernel.after(wait, lambda: self._when_awake(act))
        else:
            act()


class ClusterSettings(TypedDict, total=False):
    """Keyword arguments of every `SimulatedCluster`."""

    nodes: Required[int]
    seed: Required[int]
    pace: ServiceTimes | None
    slowness: Slowness
    denial: Denial
    regions: Callable[[str], Regions]


class ServerProcess(Protocol):
    """Process of a coordinator or log."""

    alive: bool

    def crash(self) -> None: ...


class SimulatedCluster(ABC):
    """Nodes over one true model. Each architecture adds its own nodes and server."""

    journal: SimulatedJournal
    server: ServerProcess

    def __init__(
        self,
        truth: Graph,
        make_strategy: Callable[[Graph], Strategy],
        *,
        nodes: int,
        seed: int,
        pace: ServiceTimes | None = None,
        slowness: Slowness = equal_speeds,
        denial: Denial = NO_DENIAL,
        regions: Callable[[str], Regions] = no_regions,
    ) -> None:
        """`regions` tells what the parts of the page show in a state."""
        self.truth = truth
        self.regions = regions
        self.denial = denial
        self.make_strategy = make_strategy
        self.pace = pace or ServiceTimes()
        self.slowness = slowness
        self.kernel = Kernel()
        self.chance = Random(seed)
        least, most = self.pace.latency
        self.network = Network(self.kernel, self.chance, NetworkConditions(min_delay=least, max_delay=most))
        self.explored: Counter[tuple[str, str]] = Counter()  # state and event -> times it was explored
        self.nodes: list[SimulatedNode] = []
        self.server_busy = 0.0  # seconds
        self._first_nodes = nodes
        self._seed = seed
        self._names = 0
        uses_components = make_strategy(Graph()).component_frontier is not None
        self.follow = make_strategy if uses_components else None  # what coordinators need in crawls by components

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
    def _make_server(self) -> ServerProcess: ...

    def crash_server(self) -> bool:
        """Stop the server until it is started again; False when it is not running."""
        was_alive = self.server.alive
        if was_alive:
            self.server.crash()
        return was_alive

    def start_server(self) -> None:
        """Start another server, whatever the previous one does."""
        self.server = self._make_server()

    @property
    def repeated(self) -> int:
        """Number of explorations of events that had been explored before."""
        return self.explored.total() - len(self.explored)

    def run(self, stop: Callable[[], bool] = lambda: False) -> FoldedCrawl:
        """Run until every living node knows that the crawl is over, or time is up; return the folded journal.

        `stop` is called regularly and ends the run when it returns True.
        """
        self.kernel.run(lambda: self.kernel.now > self.pace.latest or self.is_over() or stop())
        return fold(self.journal.facts)

    def is_over(self) -> bool:
        return self.journal.ended_at is not None and all(node.over for node in self.nodes if node.alive)
