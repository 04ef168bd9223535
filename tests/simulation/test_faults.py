"""Fault schedules: whatever goes wrong in a cluster, the model is the true one, and the end is neither early nor
missing.
"""

from collections import Counter
from functools import partial

import pytest

from statecrawl.coordination.balance import Balance
from statecrawl.coordination.partition import Partition, PartitionRule
from statecrawl.coordination.shared_facts import SharingExtent, SharingRules
from statecrawl.lab.fault_trials import ARCHITECTURES, BALANCES, balance, command, strategy, trial, truth
from statecrawl.simulation.client_server import SimulatedClientServer
from statecrawl.simulation.cluster import SimulatedCluster
from statecrawl.simulation.dist_ria import SimulatedDistRia
from statecrawl.simulation.faults import KINDS, LEAST_EFFECTS, judge
from statecrawl.simulation.peer_to_peer import SimulatedPeers
from statecrawl.strategies.registry import STRATEGIES

SCHEDULES = 300
PARTS = 10
every_architecture = pytest.mark.parametrize("architecture", ARCHITECTURES)


@pytest.mark.parametrize("part", range(PARTS))
@every_architecture
def test_every_fault_schedule_ends_with_the_true_model(architecture: str, part: int) -> None:
    effective = 0
    seed = part * 1_000_000
    while effective < SCHEDULES // PARTS:
        outcome = trial(architecture, seed)
        assert outcome.verdict is None, f"{outcome.verdict}; to see it again: {command(architecture, seed)}"
        effective += len(outcome.effects) >= LEAST_EFFECTS
        seed += 1


@every_architecture
def test_the_same_seed_gives_the_same_journal(architecture: str) -> None:
    for seed in range(10):
        one, other = (trial(architecture, seed).cluster for _ in range(2))
        assert one.journal.facts == other.journal.facts


@every_architecture
def test_every_kind_of_fault_happens_and_few_events_are_explored_twice(architecture: str) -> None:
    happened: Counter[str] = Counter()
    fired = repeated = 0
    for seed in range(60):
        outcome = trial(architecture, seed)
        happened.update(outcome.effects)
        fired += sum(node.events for node in outcome.cluster.nodes)
        repeated += outcome.cluster.repeated
    meaningless = {"takeover"} if architecture == "peer-to-peer" else set()
    assert happened.keys() == KINDS.keys() - meaningless
    assert 0 < repeated < fired * 0.05


# -- without faults --


def calm_client_server(name: str) -> SimulatedCluster:
    return SimulatedClientServer(truth("test-ria"), partial(strategy, name), nodes=5, seed=1)


def calm_dist_ria(name: str) -> SimulatedCluster:
    return SimulatedDistRia(truth("test-ria"), partial(strategy, name), nodes=5, seed=1, partition=Partition())


def calm_peers(name: str, sharing: SharingRules) -> SimulatedCluster:
    return SimulatedPeers(
        truth("test-ria"), partial(strategy, name), nodes=5, seed=1, partition=Partition(), sharing=sharing
    )


@pytest.mark.parametrize("name", STRATEGIES)
def test_without_faults_client_and_server_explore_nothing_twice(name: str) -> None:
    cluster = calm_client_server(name)
    assert judge(cluster, cluster.run()) is None
    assert cluster.repeated == 0


@pytest.mark.parametrize("name", STRATEGIES)
def test_without_faults_dist_ria_explores_nothing_twice(name: str) -> None:
    cluster = calm_dist_ria(name)
    assert judge(cluster, cluster.run()) is None
    assert cluster.repeated == 0


@pytest.mark.parametrize("balance", BALANCES)
def test_without_faults_dist_ria_explores_nothing_twice_by_any_balance(balance: Balance) -> None:
    for seed in range(5):
        cluster = SimulatedDistRia(
            truth("test-ria"), partial(strategy, "greedy"), nodes=5, seed=seed, partition=Partition(), balance=balance
        )
        assert judge(cluster, cluster.run()) is None
        assert cluster.repeated == 0


def test_every_balance_is_tried() -> None:
    assert {balance(seed) for seed in range(30)} == set(BALANCES)


@pytest.mark.parametrize("way", PartitionRule)
def test_dist_ria_does_by_any_partition(way: PartitionRule) -> None:
    cluster = SimulatedDistRia(
        truth("test-ria"), partial(strategy, "greedy"), nodes=5, seed=1, partition=Partition(way)
    )
    assert judge(cluster, cluster.run()) is None
    assert cluster.repeated == 0


@pytest.mark.parametrize("extent", SharingExtent)
@pytest.mark.parametrize(
    "batch", [SharingRules(), SharingRules(count=10), SharingRules(count=1000, seconds=1.0)], ids=str
)
def test_without_faults_peers_explore_next_to_nothing_twice(extent: SharingExtent, batch: SharingRules) -> None:
    """Peers start one after the other, and those present share the work until the next one joins."""
    cluster = calm_peers("greedy", SharingRules(extent=extent, count=batch.count, seconds=batch.seconds))
    assert judge(cluster, cluster.run()) is None
    assert cluster.repeated <= 5
