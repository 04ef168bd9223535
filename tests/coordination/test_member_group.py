"""Members together explore everything, and each event once, whatever the strategy and the membership."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.coordination.partition import Partition
from statecrawl.journal.fold import fold
from statecrawl.model.graph import Graph
from statecrawl.model.subgraphs import reachable_part
from statecrawl.strategies.registry import STRATEGIES
from statecrawl.testbed.generated import menusite
from tests.coordination.member_group import MemberGroup, partitions
from tests.strategies.machines import machines


@pytest.mark.parametrize("strategy", STRATEGIES)
@given(
    truth=machines(most_states=8),
    partition=partitions,
    nodes=st.integers(1, 4),
    chance=st.randoms(use_true_random=False),
)
@settings(max_examples=15, deadline=None)
def test_members_together_explore_everything_once(
    strategy: str, truth: Graph, partition: Partition, nodes: int, chance: Random
) -> None:
    group = MemberGroup(truth, strategy, partition, chance)
    for number in range(nodes):
        group.join(f"n{number}")
    for name in group.members:
        group.hear(name)
    group.run()
    assert fold(group.record).graph.same_as(reachable_part(truth))
    assert set(group.fired.values()) <= {1}


@given(partition=partitions, seed=st.integers(0, 10**6), changes=st.integers(1, 5))
@settings(max_examples=30, deadline=None)
def test_everything_is_explored_whatever_the_membership(partition: Partition, seed: int, changes: int) -> None:
    truth, chance = menusite(3, 2).truth, Random(seed)
    group = MemberGroup(truth, "greedy", partition, chance)
    for name in "abc":
        group.join(name)
    for _ in range(changes):
        for _ in range(chance.randrange(20)):
            name = chance.choice(sorted(group.members))
            act = chance.choice((group.hear, group.tell, group.begin, group.arrive))
            if (act == group.arrive) == (name in group.walks):
                act(name)
        name = chance.choice("abcde")
        if name in fold(group.record).members and len(fold(group.record).members) > 1:
            group.leave(name)
        else:
            group.join(name)
    for name in group.members:
        if name in group.walks:
            group.arrive(name)
        group.tell(name)
        group.hear(name)
    group.run()
    assert fold(group.record).graph.same_as(truth)
