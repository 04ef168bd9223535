"""Trials: any of the architectures over one of a few applications, while things go wrong as a seed decides.

    python -m statecrawl.lab.fault_trials ARCHITECTURE SEED

runs one, and says what was to happen, what did, and how it ended. Who sees a seed fail can see it again.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from random import Random
from typing import Any

import typer

from statecrawl.coordination.balance import Balance
from statecrawl.coordination.inspection import Inspection
from statecrawl.coordination.partition import Partition, PartitionRule
from statecrawl.coordination.shared_facts import SharingExtent, SharingRules
from statecrawl.errors import StatecrawlError
from statecrawl.model.graph import Graph
from statecrawl.simulation.actor import Denial
from statecrawl.simulation.client_server import SimulatedClientServer
from statecrawl.simulation.cluster import SimulatedCluster
from statecrawl.simulation.dist_ria import SimulatedDistRia
from statecrawl.simulation.faults import FaultInjector, Schedule, draw, judge
from statecrawl.simulation.peer_to_peer import SimulatedPeers
from statecrawl.strategies.orders import StateEvent
from statecrawl.strategies.registry import STRATEGIES, make_strategy
from statecrawl.strategies.settings import StrategySettings
from statecrawl.strategies.strategy import Strategy
from statecrawl.testbed.catalogue import application

APPLICATIONS = ("test-ria", "menusite:4,3", "widgets:2,5", "hypercube:5")
SECONDS = 60.0  # of one node: in which faults happen
DENIED_PART = 0.1  # of all events, where the plan denies some
BATCHES = (SharingRules(), SharingRules(count=8), SharingRules(count=1000, seconds=1.5))  # at once, by number, by time


BALANCES = tuple(balance for balance in Balance if balance is not Balance.DYNAMIC)  # that is client and server


@dataclass(frozen=True, slots=True)
class TrialOutcome:
    """How a trial ended."""

    schedule: Schedule
    effects: list[str]  # kinds of the faults that took effect
    verdict: str | None  # what is wrong; None when nothing is
    cluster: SimulatedCluster


@cache
def truth(name: str) -> Graph:
    return application(name).truth


def strategy(name: str, graph: Graph) -> Strategy:
    return make_strategy(name, graph, StrategySettings(reset_cost=3.0))


def partition(seed: int) -> Partition:
    """How events are dealt out in the trial of a seed."""
    return Partition(Random(f"{seed} partition").choice(list(PartitionRule)))


def balance(seed: int) -> Balance:
    """How Dist-RIA balances the work in the trial of a seed."""
    return Random(f"{seed} balance").choice(BALANCES)


def sharing(seed: int) -> SharingRules:
    """What peers share in the trial of a seed, and when."""
    chance = Random(f"{seed} sharing")
    batch = chance.choice(BATCHES)
    return SharingRules(extent=chance.choice(list(SharingExtent)), count=batch.count, seconds=batch.seconds)


def denied(seed: int, model: Graph) -> frozenset[StateEvent]:
    """What the plan denies in the trial of a seed: in every second of them some events, wherever they lead."""
    chance = Random(f"{seed} denied")
    if chance.random() < 0.5:
        return frozenset()
    pairs = [(model.ids[state], model.event(state, position).local) for state, position, _ in model.transitions()]
    return frozenset(pair for pair in pairs if chance.random() < DENIED_PART)


def client_server(schedule: Schedule, **settings: Any) -> SimulatedCluster:
    return SimulatedClientServer(
        truth(schedule.application),
        partial(strategy, schedule.strategy),
        nodes=schedule.nodes,
        seed=schedule.seed,
        **settings,
    )


def dist_ria(schedule: Schedule, **settings: Any) -> SimulatedCluster:
    return SimulatedDistRia(
        truth(schedule.application),
        partial(strategy, schedule.strategy),
        nodes=schedule.nodes,
        seed=schedule.seed,
        partition=partition(schedule.seed),
        balance=balance(schedule.seed),
        **settings,
    )


def peer_to_peer(schedule: Schedule, **settings: Any) -> SimulatedCluster:
    return SimulatedPeers(
        truth(schedule.application),
        partial(strategy, schedule.strategy),
        nodes=schedule.nodes,
        seed=schedule.seed,
        partition=partition(schedule.seed),
        sharing=sharing(schedule.seed),
        **settings,
    )


ARCHITECTURES: dict[str, Callable[..., SimulatedCluster]] = {
    "client-server": client_server,
    "dist-ria": dist_ria,
    "peer-to-peer": peer_to_peer,
}


def trial(
    architecture: str,
    seed: int,
    change: Callable[[Any], object] = lambda _: None,
    judgement: type[Inspection] = Inspection,
    **wrong: Any,
) -> TrialOutcome:
    """Run the schedule of a seed. `wrong` parts and a `change` of the cluster are there to see that this is noticed."""
    schedule = draw(seed, APPLICATIONS, list(STRATEGIES), SECONDS)
    denial = Denial(denied(seed, truth(schedule.application)), judgement)
    cluster = ARCHITECTURES[architecture](schedule, denial=denial, **wrong)
    change(cluster)
    trouble = FaultInjector(cluster, schedule)
    try:
        verdict = judge(cluster, cluster.run())
    except (AssertionError, StatecrawlError, LookupError, ValueError) as astray:
        verdict = f"astray: {type(astray).__name__}: {astray}"
    return TrialOutcome(schedule, trouble.effects, verdict, cluster)


def command(architecture: str, seed: int) -> str:
    """What to type to see a trial again."""
    return f"python -m statecrawl.lab.fault_trials {architecture} {seed}"


def told(architecture: str, outcome: TrialOutcome) -> list[str]:
    """An outcome in lines for people."""
    schedule, cluster = outcome.schedule, outcome.cluster
    lines = [
        f"{architecture}, seed {schedule.seed}: {schedule.nodes} nodes, {schedule.application}, {schedule.strategy}"
    ]
    if architecture != "client-server":
        lines.append(f"partition: {partition(schedule.seed).way}")
    if architecture == "dist-ria":
        lines.append(f"balance: {balance(schedule.seed)}")
    if architecture == "peer-to-peer":
        lines.append(f"shared: {sharing(schedule.seed)}")
    lines.append(f"denied: {len(cluster.denial.pairs)} of {cluster.truth.explored} events")
    faults = sorted(schedule.faults, key=lambda fault: fault.at)
    lines += [f"  {fault.at:7.3f} s  {fault.kind}, {fault.lasts:.1f} s" for fault in faults]
    lines.append(f"took effect: {', '.join(outcome.effects) or 'nothing'}")
    fired = sum(node.events for node in cluster.nodes)
    lines.append(f"after {cluster.kernel.now:.3f} s: {len(cluster.journal.facts)} facts, {fired} events fired")
    lines.append(f"explored twice: {cluster.repeated}")
    lines.append(f"verdict: {outcome.verdict or 'as it should be'}")
    return lines


def main(architecture: str, seed: int) -> None:
    """Run the trial of a seed, and say how it went; the exit code is 1 when something is wrong."""
    if architecture not in ARCHITECTURES:
        raise typer.BadParameter(f"{architecture} is none of {', '.join(ARCHITECTURES)}")
    outcome = trial(architecture, seed)
    typer.echo("\n".join(told(architecture, outcome)))
    sys.exit(0 if outcome.verdict is None else 1)


if __name__ == "__main__":
    typer.run(main)
