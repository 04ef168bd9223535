"""Fault trials: simulated crawls of every architecture under random faults, reproducible from a seed.

    python -m statecrawl.lab.fault_trials ARCHITECTURE SEED [--components]

runs one trial, and prints the scheduled faults, those that took effect, and the outcome. With `--components` it is a
crawl by components, of an application whose components are known.
"""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from random import Random
from typing import Any

import typer

from statecrawl.coordination.balance import Balance
from statecrawl.coordination.components import Responsibility
from statecrawl.coordination.inspection import Inspection
from statecrawl.coordination.partition import Partition, PartitionRule
from statecrawl.coordination.shared_facts import SharingExtent, SharingRules
from statecrawl.errors import StatecrawlError
from statecrawl.model.graph import Graph
from statecrawl.simulation.actor import Denial
from statecrawl.simulation.client_server import SimulatedClientServer
from statecrawl.simulation.cluster import SimulatedCluster
from statecrawl.simulation.dist_ria import SimulatedDistRia
from statecrawl.simulation.faults import FaultInjector, Schedule, draw, judge, judge_components, names_of
from statecrawl.simulation.peer_to_peer import SimulatedPeers
from statecrawl.strategies.orders import StateEvent
from statecrawl.strategies.registry import STRATEGIES, make_strategy
from statecrawl.strategies.settings import ModelKind, StrategySettings
from statecrawl.strategies.strategy import Strategy
from statecrawl.testbed.catalogue import application
from statecrawl.testbed.compositions import (
    Composition,
    linked_composition,
    panels_composition,
    random_composition,
    widgets_composition,
)

COMPOSITIONS: dict[str, Callable[[], Composition]] = {
    "widgets:3,4": partial(widgets_composition, 3, 4),
    "linked:3,3": partial(linked_composition, 3, 3),
    "panels:4,3": partial(panels_composition, 4, 3),
    "random:1": partial(random_composition, 1),
    "random:2": partial(random_composition, 2, machines=5, most_states=3),
}
APPLICATIONS = ("test-ria", "menusite:4,3", "widgets:2,5", "hypercube:5")
SECONDS = 60.0  # period in which faults happen
DENIED_PART = 0.1  # share of all events that the plan denies, in the trials where it denies some
BATCHES = (SharingRules(), SharingRules(count=8), SharingRules(count=1000, seconds=1.5))  # at once, by number, by time
BALANCES = tuple(balance for balance in Balance if balance is not Balance.DYNAMIC)  # dynamic is client-server


@dataclass(frozen=True, slots=True)
class TrialOutcome:
    """Outcome of a trial."""

    schedule: Schedule
    effects: list[str]  # kinds of the faults that took effect
    verdict: str | None  # what is wrong; None if nothing is
    cluster: SimulatedCluster


@cache
def truth(name: str) -> Graph:
    return application(name).truth


def strategy(name: str, graph: Graph) -> Strategy:
    return make_strategy(name, graph, StrategySettings(reset_cost=3.0))


@cache
def composition(name: str) -> Composition:
    return COMPOSITIONS[name]()


def component_strategy(name: str, graph: Graph) -> Strategy:
    return make_strategy(name, graph, StrategySettings(reset_cost=3.0, model=ModelKind.COMPONENTS))


def partition(seed: int) -> Partition:
    """Return how events are assigned in the trial of a seed."""
    return Partition(Random(f"{seed} partition").choice(list(PartitionRule)))


def balance(seed: int) -> Balance:
    """Return how Dist-RIA balances the work in the trial of a seed."""
    return Random(f"{seed} balance").choice(BALANCES)


def responsibility(seed: int) -> Responsibility:
    """Return how components are assigned in the trial of a seed."""
    return Random(f"{seed} components").choice(list(Responsibility))


def sharing(seed: int) -> SharingRules:
    """Return what peers share in the trial of a seed, and when."""
    chance = Random(f"{seed} sharing")
    batch = chance.choice(BATCHES)
    return SharingRules(extent=chance.choice(list(SharingExtent)), count=batch.count, seconds=batch.seconds)


def denied(seed: int, model: Graph) -> frozenset[StateEvent]:
    """Return the events that the plan denies in the trial of a seed: some events in every second trial."""
    chance = Random(f"{seed} denied")
    if chance.random() < 0.5:
        return frozenset()
    pairs = [(model.ids[state], model.event(state, position).local) for state, position, _ in model.transitions()]
    return frozenset(pair for pair in pairs if chance.random() < DENIED_PART)


def client_server(schedule: Schedule, **settings: Any) -> SimulatedCluster:
    return _cluster(SimulatedClientServer, schedule, settings)


def dist_ria(schedule: Schedule, **settings: Any) -> SimulatedCluster:
    rules = {"partition": partition(schedule.seed), "balance": balance(schedule.seed)}
    return _cluster(SimulatedDistRia, schedule, rules | settings)


def peer_to_peer(schedule: Schedule, **settings: Any) -> SimulatedCluster:
    rules = {"partition": partition(schedule.seed), "sharing": sharing(schedule.seed)}
    return _cluster(SimulatedPeers, schedule, rules | settings)


def _cluster(
    make: Callable[..., SimulatedCluster], schedule: Schedule, settings: Mapping[str, Any]
) -> SimulatedCluster:
    if schedule.application in COMPOSITIONS:
        known = composition(schedule.application)
        model, make_strategy_of = known.application.truth, partial(component_strategy, schedule.strategy)
        if make in NEEDED_BY_COMPONENTS:
            settings = {"responsibility": responsibility(schedule.seed), **settings} | NEEDED_BY_COMPONENTS[make]
        settings = {**settings, "regions": known.page_regions}
    else:
        model, make_strategy_of = truth(schedule.application), partial(strategy, schedule.strategy)
    return make(model, make_strategy_of, nodes=schedule.nodes, seed=schedule.seed, **settings)


NEEDED_BY_COMPONENTS: dict[Callable[..., SimulatedCluster], dict[str, Any]] = {
    SimulatedDistRia: {"balance": Balance.STATIC},
    SimulatedPeers: {"sharing": SharingRules()},
}
ARCHITECTURES: dict[str, Callable[..., SimulatedCluster]] = {
    "client-server": client_server,
    "dist-ria": dist_ria,
    "peer-to-peer": peer_to_peer,
}


def trial(
    architecture: str,
    seed: int,
    change: Callable[[Any], object] = lambda _: None,
    inspection: type[Inspection] = Inspection,
    **wrong: Any,
) -> TrialOutcome:
    """Run the trial of a seed. Tests pass `wrong` parts or a `change` of the cluster to check that it is detected."""
    return _run(architecture, draw(seed, APPLICATIONS, list(STRATEGIES), SECONDS), change, inspection, wrong)


def component_trial(
    architecture: str,
    seed: int,
    change: Callable[[Any], object] = lambda _: None,
    inspection: type[Inspection] = Inspection,
    **wrong: Any,
) -> TrialOutcome:
    """Run the trial of a seed as a crawl by components."""
    return _run(architecture, draw(seed, list(COMPOSITIONS), list(STRATEGIES), SECONDS), change, inspection, wrong)


def _run(
    architecture: str,
    schedule: Schedule,
    change: Callable[[Any], object],
    inspection: type[Inspection],
    wrong: Mapping[str, Any],
) -> TrialOutcome:
    known = composition(schedule.application) if schedule.application in COMPOSITIONS else None
    model = truth(schedule.application) if known is None else known.application.truth
    denial = Denial(denied(schedule.seed, model), inspection)
    cluster = ARCHITECTURES[architecture](schedule, denial=denial, **wrong)
    change(cluster)
    faults = FaultInjector(cluster, schedule)
    try:
        found = cluster.run()
        verdict = judge(cluster, found) if known is None else judge_components(cluster, found, _everything(known))
    except (AssertionError, StatecrawlError, LookupError, ValueError) as error:
        verdict = f"failed: {type(error).__name__}: {error}"
    return TrialOutcome(schedule, faults.effects, verdict, cluster)


def _everything(known: Composition) -> frozenset[str]:
    """Return the names of all parts of an application."""
    return frozenset().union(*(names_of(known.page_regions(state)) for state in known.application.truth.ids))


def command(architecture: str, seed: int, *, components: bool = False) -> str:
    """Return the command that repeats a trial."""
    return f"python -m statecrawl.lab.fault_trials {architecture} {seed}{' --components' if components else ''}"


def outcome_lines(architecture: str, outcome: TrialOutcome) -> list[str]:
    """Return an outcome as lines of text."""
    schedule, cluster = outcome.schedule, outcome.cluster
    lines = [
        f"{architecture}, seed {schedule.seed}: {schedule.nodes} nodes, {schedule.application}, {schedule.strategy}"
    ]
    if architecture != "client-server":
        lines.append(f"partition: {partition(schedule.seed).rule}")
    by_states = schedule.application not in COMPOSITIONS
    if architecture != "client-server" and not by_states:
        lines.append(f"components: {responsibility(schedule.seed)}")
    if architecture == "dist-ria" and by_states:
        lines.append(f"balance: {balance(schedule.seed)}")
    if architecture == "peer-to-peer" and by_states:
        lines.append(f"shared: {sharing(schedule.seed)}")
    lines.append(f"denied: {len(cluster.denial.pairs)} of {cluster.truth.explored} events")
    faults = sorted(schedule.faults, key=lambda fault: fault.at)
    lines += [f"  {fault.at:7.3f} s  {fault.kind}, {fault.lasts:.1f} s" for fault in faults]
    lines.append(f"took effect: {', '.join(outcome.effects) or 'nothing'}")
    fired = sum(node.events for node in cluster.nodes)
    lines.append(f"after {cluster.kernel.now:.3f} s: {len(cluster.journal.facts)} facts, {fired} events fired")
    lines.append(f"explored twice: {cluster.repeated}")
    lines.append(f"verdict: {outcome.verdict or 'correct'}")
    return lines


def main(architecture: str, seed: int, *, components: bool = False) -> None:
    """Run the trial of a seed and print its outcome; the exit code is 1 if something is wrong."""
    if architecture not in ARCHITECTURES:
        raise typer.BadParameter(f"{architecture} is none of {', '.join(ARCHITECTURES)}")
    outcome = component_trial(architecture, seed) if components else trial(architecture, seed)
    typer.echo("\n".join(outcome_lines(architecture, outcome)))
    sys.exit(0 if outcome.verdict is None else 1)


if __name__ == "__main__":
    typer.run(main)
