"""How the rules of `coordination.partition` assign an application's events (S. M. Mir Taheri, 2015, §5.2.2)."""

import time
from collections import Counter

from statecrawl.coordination.partition import Partition, PartitionRule
from statecrawl.model.graph import Graph
from statecrawl.ports.scale_study import PartitionBalance
from statecrawl.testbed.application import Application


def partition_balances(app: Application, members: int) -> list[PartitionBalance]:
    """Apply each rule to the whole application. The time is the shortest of three runs, to reduce noise."""
    return [_partition_balance(app, rule, members) for rule in PartitionRule]


def _partition_balance(app: Application, rule: PartitionRule, members: int) -> PartitionBalance:
    graph, partition = app.truth, Partition(rule)
    names = [f"n{number}" for number in range(members + 1)]
    tries = [_timed(graph, partition, names[:-1]) for _ in range(3)]
    owners, _ = tries[0]
    after, _ = _timed(graph, partition, names)
    held = Counter(owners)
    average = len(owners) / members
    return PartitionBalance(
        partition=str(rule),
        app=app.name,
        members=members,
        busiest=max(held.values()) / average,
        fewest=min(held[member] for member in range(members)) / average,
        moved=sum(one != other for one, other in zip(owners, after, strict=True)) / len(owners),
        microseconds=min(seconds for _, seconds in tries) / len(owners) * 1e6,
    )


def _timed(graph: Graph, partition: Partition, names: list[str]) -> tuple[list[int], float]:
    begin = time.perf_counter()
    owners: list[int] = []
    for state, numbers in zip(graph.ids, graph.events, strict=True):
        owners += partition.owners(state, [graph.vocabulary[number] for number in numbers], names)
    return owners, time.perf_counter() - begin
