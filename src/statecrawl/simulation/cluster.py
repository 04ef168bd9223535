"""A cluster in virtual time: nodes over a true model, a coordinator, a journal, and whatever goes wrong with them.

Theory of operation
    The machines of `coordination.client_server` run here as they run in the world: they are handed messages and the
    time, and what they want is done for them. Everything that chance decides is drawn from one seed, so a run is a
    function of its arguments: the same seed gives the same journal, fact by fact.

    The journal is what no fault takes away, save one: after a power cut it may have lost what was written last, and
    says so by another `incarnation`. It is fenced: once another coordinator has begun, an earlier one's facts are
    refused.

    A node that crashes is started anew under another name. One that hangs hears and does nothing for a while, and then
    goes on as if nothing had been.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

from statecrawl.coordination.client_server import Ask, Beat, Coordinator, Do, Look, Node, Reply, Told
from statecrawl.journal.facts import CrawlEnded, CrawlStarted, Fact, StateFound, TransitionExplored
from statecrawl.journal.fold import Crawl, fold
from statecrawl.model.graph import INITIAL, Graph
from statecrawl.simulation.kernel import Kernel
from statecrawl.simulation.network import Network
from statecrawl.strategies.strategy import Strategy

COORDINATOR = "coordinator"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How long things take, in virtual seconds."""

    event: float = 0.1
    reset: float = 0.3
    think: float = 0.0005  # of the coordinator, for each question
    lease: float = 3.0
    beat: float = 1.0  # between two signs of life, and between a question and the same again
    latest: float = 3600.0  # a crawl that has not ended by then never will


class Refused(Exception):
    """The journal does not take this: somebody else writes it now, or it is not what it was."""


class FencedJournal:
    """A journal with one writer at a time."""

    def __init__(self) -> None:
        self.facts: list[Fact] = []
        self.incarnation = 0
        self.ended_at: int | None = None  # how many facts there were when the crawl was first said to be over
        self._fence = 0

    def lead(self) -> int:
        """Whoever leads from now on has this number; those before are refused."""
        self._fence += 1
        return self._fence

    def append(self, facts: Iterable[Fact], fence: int, incarnation: int) -> None:
        """Raises Refused."""
        if fence != self._fence or incarnation != self.incarnation:
            raise Refused
        for fact in facts:
            self.facts.append(fact)
            if isinstance(fact, CrawlEnded) and self.ended_at is None:
                self.ended_at = len(self.facts)

    def cut_power(self, lost: int) -> None:
        """What was written last is gone."""
        kept = max(1, len(self.facts) - lost)
        if self.ended_at is None:
            del self.facts[kept:]
            self.incarnation += 1


class SimulatedServer:
    """A process that runs a coordinator."""

    def __init__(self, cluster: "SimulatedCluster") -> None:
        self._cluster = cluster
        self._kernel = cluster.kernel
        self._free = 0.0  # until when it thinks
        self.alive = True
        self._begin()
        cluster.network.join(COORDINATOR, self.hear)

    def _begin(self) -> None:
        journal = self._cluster.journal
        self._fence, self._incarnation = journal.lead(), journal.incarnation
        self._coordinator = self._cluster.make_coordinator(journal.facts)
        self._tick()

    def crash(self) -> None:
        self.alive = False
        self._cluster.repeated += self._coordinator.repeated
        self._cluster.network.leave(COORDINATOR)

    def hear(self, message: Ask | Beat) -> None:
        """It takes its time over each message, one after the other."""
        self._free = max(self._free, self._kernel.now) + self._cluster.pace.think
        self._kernel.after(self._free - self._kernel.now, lambda: self._think(message))

    def _think(self, message: Ask | Beat) -> None:
        if not self.alive:
            return
        now = self._kernel.now
        if isinstance(message, Beat):
            self._coordinator.beat(message, now)
        else:
            self._do(self._coordinator.asked(message, now))

    def _tick(self) -> None:
        if not self.alive:
            return
        self._do(self._coordinator.passed(self._kernel.now))
        self._kernel.after(self._cluster.pace.beat, self._tick)

    def _do(self, told: Told) -> None:
        journal = self._cluster.journal
        try:
            if told.facts or self._incarnation != journal.incarnation:
                journal.append(told.facts, self._fence, self._incarnation)
        except Refused:
            self._doubt()
            return
        for answer in told.answers:
            self._cluster.network.send(COORDINATOR, answer.node, answer)

    def _doubt(self) -> None:
        """What it knows is not what the journal says: it begins again, unless somebody else leads."""
        self._cluster.repeated += self._coordinator.repeated
        if self._incarnation != self._cluster.journal.incarnation and self._cluster.server is self:
            journal = self._cluster.journal
            self._fence, self._incarnation = journal.lead(), journal.incarnation
            self._coordinator = self._cluster.make_coordinator(journal.facts)
        else:
            self.alive = False

    @property
    def repeated(self) -> int:
        return self._coordinator.repeated


class SimulatedNode:
    """A process with one page of the true application."""

    def __init__(self, cluster: "SimulatedCluster", name: str) -> None:
        self.name = name
        self.slowness = 1.0
        self.alive = True
        self.busy = 0.0  # seconds
        self.events = 0
        self._asleep_until = 0.0
        self._cluster = cluster
        self._kernel = cluster.kernel
        self._machine = cluster.node(name)
        self._position: int | None = None  # in the truth
        cluster.network.join(name, self.hear)
        self._say(self._machine.ask(None))
        self._kernel.after(cluster.pace.beat, self._beat)

    @property
    def over(self) -> bool:
        return self._machine.over is not None

    def crash(self) -> None:
        self.alive = False
        self._cluster.network.leave(self.name)

    def hang(self, seconds: float) -> None:
        self._asleep_until = self._kernel.now + seconds

    def hear(self, reply: Reply) -> None:
        self._awake(lambda: self._heard(reply))

    def _heard(self, reply: Reply) -> None:
        task = self._machine.heard(reply)
        if task is None:
            return
        truth, pace = self._cluster.truth, self._cluster.pace
        if isinstance(task, Look):
            self._say(self._machine.looked(self._describe()))
            return
        if not isinstance(task, Do):
            raise TypeError(f"{self.name} has nothing to learn here")
        seconds = len(task.steps) * pace.event + task.reset * pace.reset
        self.busy += seconds * self.slowness
        if task.reset:
            self._position = INITIAL
        if task.steps and (self._position is None or truth.ids[self._position] != task.start):
            raise AssertionError(f"{self.name} was given a task that begins elsewhere")
        self._kernel.after(seconds * self.slowness, lambda: self._awake(lambda: self._done(task)))

    def _done(self, task: Do) -> None:
        truth = self._cluster.truth
        here = last = INITIAL if self._position is None else self._position
        for event, expected in task.steps:
            last = here
            here = truth.targets[here][truth.position(here, event)]
            if expected not in (None, truth.ids[here]):
                raise AssertionError(f"{self.name} was told that {event} leads to {expected}")
        self._position = here
        self.events += len(task.steps)
        facts: list[Fact] = []
        if task.steps:
            facts.append(TransitionExplored(state=truth.ids[last], event=task.steps[-1][0], target=truth.ids[here]))
        self._say(self._machine.ask(truth.ids[here], facts, len(task.steps), int(task.reset)))

    def _describe(self) -> StateFound:
        truth, here = self._cluster.truth, INITIAL if self._position is None else self._position
        return StateFound.of(truth.ids[here], [truth.vocabulary[number] for number in truth.events[here]])

    def _beat(self) -> None:
        if not self.alive or self.over:
            return
        if self._kernel.now >= self._asleep_until:
            self._say(self._machine.again())
        self._kernel.after(self._cluster.pace.beat, self._beat)

    def _say(self, message: Ask | Beat) -> None:
        self._cluster.network.send(self.name, COORDINATOR, message)

    def _awake(self, act: Callable[[], None]) -> None:
        """Do something now, or when it has stopped hanging; never after a crash."""
        if not self.alive:
            return
        wait = self._asleep_until - self._kernel.now
        if wait > 0:
            self._kernel.after(wait, lambda: self._awake(act))
        else:
            act()


class SimulatedCluster:
    """Nodes, a coordinator and a journal over one true model."""

    def __init__(
        self,
        truth: Graph,
        make_strategy: Callable[[Graph], Strategy],
        *,
        nodes: int,
        seed: int,
        pace: Pace | None = None,
        coordinator: type[Coordinator] = Coordinator,
        node: type[Node] = Node,
    ) -> None:
        """`coordinator` and `node` may be others that are wrong, to see that this is noticed."""
        self.truth = truth
        self.pace = pace or Pace()
        self.node = node
        self._make_strategy = make_strategy
        self._coordinator = coordinator
        self.kernel = Kernel()
        self.chance = Random(seed)
        self.network = Network(self.kernel, self.chance)
        self.journal = FencedJournal()
        self.repeated = 0  # events that were fired a second time, told by coordinators that are gone
        self._names = 0
        started = CrawlStarted(application="simulated", configuration={"nodes": nodes, "seed": seed}, reset_cost=2.0)
        self.journal.append([started], self.journal.lead(), 0)
        self.server: SimulatedServer = SimulatedServer(self)
        self.nodes: list[SimulatedNode] = []
        for _ in range(nodes):
            self.start_node()

    def make_coordinator(self, facts: Iterable[Fact]) -> Coordinator:
        return self._coordinator(facts, self._make_strategy, self.pace.lease)

    def start_node(self) -> SimulatedNode:
        self._names += 1
        node = SimulatedNode(self, f"n{self._names}")
        self.nodes.append(node)
        return node

    def start_server(self) -> None:
        """Another coordinator leads, whatever the one before does."""
        self.server = SimulatedServer(self)

    def run(self) -> Crawl:
        """Until every node that is alive knows that the crawl is over, or it is too late; what the journal says."""
        self.kernel.run(lambda: self.kernel.now > self.pace.latest or self.is_over())
        return fold(self.journal.facts)

    def is_over(self) -> bool:
        return self.journal.ended_at is not None and all(node.over for node in self.nodes if node.alive)
