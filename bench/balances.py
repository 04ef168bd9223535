"""Balances of Dist-RIA against each other, in virtual time: when a crawl ends, and how much nodes wait."""

from functools import partial

from bench.table import print_table
from statecrawl.coordination.balance import Balance
from statecrawl.coordination.partition import Partition
from statecrawl.lab.fault_trials import BALANCES, strategy, truth
from statecrawl.simulation.cluster import equal_speeds, uneven_speeds
from statecrawl.simulation.dist_ria import SimulatedDistRia
from statecrawl.simulation.faults import judge
from statecrawl.simulation.service_times import ServiceTimes

APPLICATIONS = ("test-ria", "altoro", "dyna-table")
NODES = 4
SEEDS = 5
PATIENT = ServiceTimes(latest=100_000.0)  # virtual seconds
SPEEDS = {
    "equal": equal_speeds,
    "one takes four times as long": uneven_speeds((1, 1, 1, 4)),
    "all but one do": uneven_speeds((4, 4, 4, 1)),
}
LIMIT = 0.8  # of the time of static, with unequal nodes, for adaptive


def main() -> bool:
    """True when adaptive is as much better as it has to be."""
    rows, holds = [], True
    for application in APPLICATIONS:
        for speeds in SPEEDS:
            ends = {balance: _run(application, speeds, balance) for balance in BALANCES}
            static, adaptive = ends[Balance.STATIC][0], ends[Balance.ADAPTIVE][0]
            holds &= speeds == "equal" or adaptive < static * LIMIT
            told = [f"{seconds:.0f} s, {idle:.0%}" for seconds, idle in ends.values()]
            rows.append([application, speeds, *told])
    print_table(f"{NODES} nodes, time to finish and part of it idle", ["application", "nodes", *BALANCES], rows)
    return holds


def _run(application: str, speeds: str, balance: Balance) -> tuple[float, float]:
    seconds = idle = 0.0
    for seed in range(SEEDS):
        cluster = SimulatedDistRia(
            truth(application),
            partial(strategy, "greedy"),
            nodes=NODES,
            seed=seed,
            partition=Partition(seed=seed),
            balance=balance,
            pace=PATIENT,
            slowness=SPEEDS[speeds],
        )
        wrong = judge(cluster, cluster.run())
        if wrong is not None:
            raise RuntimeError(f"{application}, {speeds}, {balance}, seed {seed}: {wrong}")
        seconds += cluster.kernel.now
        idle += NODES * cluster.kernel.now - sum(node.walked for node in cluster.nodes)
    return seconds / SEEDS, idle / (NODES * seconds)
