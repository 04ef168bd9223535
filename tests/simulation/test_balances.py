"""Balances compared: they save time where nodes are unequal, and cost almost nothing where nodes are equal."""

from dataclasses import dataclass
from functools import cache, partial

import pytest

from statecrawl.coordination.balance import Balance
from statecrawl.coordination.partition import Partition
from statecrawl.lab.fault_trials import BALANCES, strategy, truth
from statecrawl.simulation.cluster import Slowness, equal_speeds, uneven_speeds
from statecrawl.simulation.dist_ria import SimulatedDistRia
from statecrawl.simulation.faults import judge

NODES = 4
ONE_SLOW = uneven_speeds((1, 1, 1, 4))
ONE_FAST = uneven_speeds((4, 4, 4, 1))
balances = pytest.mark.parametrize("balance", [balance for balance in BALANCES if balance is not Balance.STATIC])


def first_half_slow(number: int, now: float) -> float:
    """Slow the last node down for a minute."""
    return 4.0 if number == NODES - 1 and now < 60 else 1.0


@dataclass(frozen=True, slots=True)
class Run:
    """Average result of several crawls."""

    seconds: float
    idle: float  # part of the nodes' time


@cache
def run(application: str, balance: Balance, slowness: Slowness, seeds: int = 3) -> Run:
    seconds = idle = 0.0
    for seed in range(seeds):
        cluster = SimulatedDistRia(
            truth(application),
            partial(strategy, "greedy"),
            nodes=NODES,
            seed=seed,
            partition=Partition(seed=seed),
            balance=balance,
            slowness=slowness,
        )
        assert judge(cluster, cluster.run()) is None
        now = cluster.kernel.now
        seconds += now / seeds
        idle += (1 - sum(node.walked for node in cluster.nodes) / (NODES * now)) / seeds
    return Run(seconds, idle)


@balances
@pytest.mark.parametrize("slowness", [ONE_SLOW, ONE_FAST], ids=["one slow", "one fast"])
@pytest.mark.parametrize("application", ["test-ria", "altoro"])
def test_unequal_nodes_finish_sooner_and_wait_less(application: str, slowness: Slowness, balance: Balance) -> None:
    static, balanced = (run(application, which, slowness) for which in (Balance.STATIC, balance))
    assert balanced.seconds < static.seconds * 0.8
    assert balanced.idle < static.idle * 0.5


@balances
@pytest.mark.parametrize("application", ["test-ria", "altoro"])
def test_equal_nodes_take_about_as_long(application: str, balance: Balance) -> None:
    static, balanced = (run(application, which, equal_speeds) for which in (Balance.STATIC, balance))
    assert balanced.seconds < static.seconds * 1.1
    assert balanced.idle < static.idle


def test_lazy_beats_adaptive_when_a_node_gets_faster() -> None:
    adaptive, lazy = (run("altoro", which, first_half_slow) for which in (Balance.ADAPTIVE, Balance.LAZY_ADAPTIVE))
    assert lazy.idle < adaptive.idle


def test_slowness_depends_on_the_number_of_a_node() -> None:
    assert [ONE_SLOW(number, 7.0) for number in range(5)] == [1, 1, 1, 4, 1]
    assert equal_speeds(3, 7.0) == 1.0
