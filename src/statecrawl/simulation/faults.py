"""Fault schedules: what goes wrong in a simulated cluster, and when, drawn from one seed.

A schedule determines the number of nodes, the application, the strategy, and the times and kinds of faults. It is a
function of its seed, and so is the run: the same seed always reproduces the same run. The same schedule runs over any
architecture. After a run `judge` checks four things: no node fired an event that the plan denies, the journal holds the
rest of the true model, the crawl was declared over, and not before it was. Of a crawl by components, `judge_components`
expects every part of the application instead, and that no reachable task and no check was left.

`python -m statecrawl.lab.fault_trials` runs the schedule of a seed and reports what happened.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from statecrawl.journal.facts import Fact
from statecrawl.journal.fold import FoldedCrawl, fold
from statecrawl.model.event import Event
from statecrawl.model.graph import INITIAL, Graph
from statecrawl.model.regions import Regions
from statecrawl.simulation.cluster import SimulatedCluster, SimulatedNode
from statecrawl.simulation.network import NetworkConditions
from statecrawl.simulation.star import SimulatedStar
from statecrawl.strategies.journal_feed import StrategyFeed
from statecrawl.strategies.orders import StateEvent

LEAST_NODES, MOST_NODES = 3, 8
LEAST_EFFECTS = 3  # faults that take effect; a schedule with fewer proves little
MOST_FAULTS = 9
STORM = NetworkConditions(loss=0.3, repeat=0.3, min_delay=0.001, max_delay=1.5)


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault at a time; some kinds last for some seconds."""

    at: float
    kind: str
    lasts: float
    dice: int  # seed of its random choices


@dataclass(frozen=True, slots=True)
class Schedule:
    """Setting and faults of one run."""

    seed: int
    nodes: int
    application: str
    strategy: str
    faults: tuple[Fault, ...]


def draw(seed: int, applications: Sequence[str], strategies: Sequence[str], seconds: float) -> Schedule:
    """Return the schedule of a seed; the faults occur in the first `seconds`, divided by the number of nodes."""
    chance = Random(seed)
    nodes = chance.randint(LEAST_NODES, MOST_NODES)
    span = seconds / nodes
    faults = [
        Fault(chance.uniform(0, span), chance.choice(list(KINDS)), chance.uniform(0.2, 8.0), chance.randrange(1 << 30))
        for _ in range(chance.randint(LEAST_EFFECTS + 1, MOST_FAULTS))
    ]
    return Schedule(seed, nodes, chance.choice(list(applications)), chance.choice(list(strategies)), tuple(faults))


class FaultInjector:
    """Applies the faults of a schedule to a cluster."""

    def __init__(self, cluster: SimulatedCluster, schedule: Schedule) -> None:
        self.effects: list[str] = []  # kinds of the faults that took effect
        self._cluster = cluster
        for fault in schedule.faults:
            cluster.kernel.after(fault.at, lambda fault=fault: self._happen(fault))  # type: ignore[misc]

    def _happen(self, fault: Fault) -> None:
        if not self._cluster.is_over() and KINDS[fault.kind](self, fault, Random(fault.dice)):
            self.effects.append(fault.kind)

    def _later(self, seconds: float, act: Callable[[], None]) -> None:
        self._cluster.kernel.after(seconds, act)

    def _any_node(self, chance: Random) -> SimulatedNode | None:
        alive = [node for node in self._cluster.nodes if node.alive]
        return chance.choice(alive) if alive else None

    def _restart(self) -> None:
        self._cluster.start_node()

    # -- kinds of faults; each returns whether it took effect --

    def crash(self, fault: Fault, chance: Random) -> bool:
        return self._stop_node(fault, chance, SimulatedNode.crash)

    def leave(self, fault: Fault, chance: Random) -> bool:
        return self._stop_node(fault, chance, SimulatedNode.leave)

    def _stop_node(self, fault: Fault, chance: Random, stop: Callable[[SimulatedNode], None]) -> bool:
        node = self._any_node(chance)
        if node is None:
            return False
        stop(node)
        self._later(fault.lasts, self._restart)
        return True

    def hang(self, fault: Fault, chance: Random) -> bool:
        node = self._any_node(chance)
        if node is not None:
            node.hang(fault.lasts)
        return node is not None

    def slow(self, fault: Fault, chance: Random) -> bool:
        node = self._any_node(chance)
        if node is None:
            return False
        node.slowdown = chance.uniform(2.0, 20.0)
        self._later(fault.lasts, lambda: setattr(node, "slowdown", 1.0))
        return True

    def server_crash(self, fault: Fault, _: Random) -> bool:
        crashed = self._cluster.crash_server()
        if crashed:
            self._later(fault.lasts, self._cluster.start_server)
        return crashed

    def takeover(self, _: Fault, __: Random) -> bool:
        """Start another coordinator while the previous one still believes to lead. A log has no leader."""
        star = self._cluster
        if isinstance(star, SimulatedStar) and star.server.alive:
            star.start_server()
            return True
        return False

    def storm(self, fault: Fault, _: Random) -> bool:
        network = self._cluster.network
        if network.conditions is STORM:
            return False
        network.conditions = STORM
        self._later(fault.lasts, lambda: setattr(network, "conditions", network.normal))
        return True

    def split(self, fault: Fault, chance: Random) -> bool:
        names = [node.name for node in self._cluster.nodes if node.alive]
        if not names:
            return False
        self._cluster.network.split(set(chance.sample(names, chance.randint(1, len(names)))))
        self._later(fault.lasts, self._cluster.network.heal)
        return True

    def power_cut(self, _: Fault, chance: Random) -> bool:
        before = len(self._cluster.journal.facts)
        self._cluster.journal.cut_power(chance.randint(1, 40))
        return len(self._cluster.journal.facts) < before


KINDS: dict[str, Callable[[FaultInjector, Fault, Random], bool]] = {
    "crash": FaultInjector.crash,
    "leave": FaultInjector.leave,
    "hang": FaultInjector.hang,
    "slow": FaultInjector.slow,
    "server crash": FaultInjector.server_crash,
    "takeover": FaultInjector.takeover,
    "storm": FaultInjector.storm,
    "split": FaultInjector.split,
    "power cut": FaultInjector.power_cut,
}


def judge(cluster: SimulatedCluster, found: FoldedCrawl) -> str | None:
    """Return what is wrong with the result of a run; None when nothing is."""
    wrong = _wrong_end(cluster, lambda facts, end: not fold(facts[:end]).progress().complete)
    if wrong is None and found.graph.facts() != permitted(cluster.truth, cluster.denial.pairs):
        return "wrong: the model in the journal is not the true one"
    return wrong


def judge_components(cluster: SimulatedCluster, found: FoldedCrawl, shown: frozenset[str]) -> str | None:
    """Return what is wrong with the result of a crawl by components; None when nothing is.

    `shown` are the places and contents of all regions of the application, unless events are denied.
    """
    wrong = _wrong_end(cluster, lambda facts, end: _is_unfinished(cluster, facts[: end - 1]))
    if wrong is not None or cluster.denial.pairs:
        return wrong
    seen = {name for state in found.graph.ids for name in names_of(cluster.regions(state))}
    return None if seen == shown else f"wrong: {len(shown - seen)} parts were not seen"


def _wrong_end(cluster: SimulatedCluster, is_early: Callable[[Sequence[Fact], int], bool]) -> str | None:
    """Return what is wrong with how a run went and ended. `is_early` tells whether something was left at its end."""
    journal = cluster.journal
    violations = [pair for node in cluster.nodes for pair in node.violations]
    if violations:
        return f"denied: {len(violations)} times an event was fired that the plan denies, first {violations[0]}"
    if journal.ended_at is None:
        return f"never: after {cluster.kernel.now:.0f} s it is not over"
    if is_early(journal.facts, journal.ended_at):
        return "early: it was declared over while something was left to do"
    return None if cluster.is_over() else "never: it is over, but a node does not know"


def _is_unfinished(cluster: SimulatedCluster, facts: Sequence[Fact]) -> bool:
    """Whether an event that is needed or a random check is left in states that reliable paths reach."""
    crawl = FoldedCrawl()
    strategy = cluster.make_strategy(crawl.graph)
    StrategyFeed(crawl, strategy).push(facts)
    reached, fresh = {INITIAL}, [INITIAL]
    for state in fresh:
        ahead = crawl.graph.links.successors[state].keys() - reached
        reached |= ahead
        fresh += ahead
    frontier = strategy.component_frontier
    return any(strategy.free[state] for state in reached) or (frontier is not None and frontier.has_checks_in(reached))


def names_of(regions: Regions) -> frozenset[str]:
    """Return a name for each region and what it shows."""
    return frozenset(f"{region.place}: {region.content}" for region in regions)


def permitted(truth: Graph, denied: frozenset[StateEvent]) -> dict[str, dict[Event, str | None]]:
    """Return the true model without denied events, and without what only these can reach."""
    model: dict[str, dict[Event, str | None]] = {}
    everything, fresh = truth.facts(), [truth.ids[INITIAL]]
    while fresh:
        state = fresh.pop()
        if state not in model:
            led = everything[state]
            model[state] = {event: None if (state, event.local) in denied else led[event] for event in led}
            fresh += [target for target in model[state].values() if target is not None]
    return model
