"""Group of partitioned members that crawl a true model together."""

from collections import Counter
from functools import partial
from random import Random

from hypothesis import strategies as st

from statecrawl.coordination.partition import Partition, PartitionKey, PartitionRule
from statecrawl.coordination.partitioned_member import PartitionedMember
from statecrawl.journal.facts import Fact, MemberJoined, MemberLeft, StateFound, TransitionExplored
from statecrawl.model.graph import INITIAL, Graph
from statecrawl.strategies.orders import Order
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.settings import StrategySettings

partitions = st.builds(Partition, rule=st.sampled_from(PartitionRule)) | st.builds(
    Partition, rule=st.sampled_from((PartitionRule.HASH, PartitionRule.RENDEZVOUS)), key=st.sampled_from(PartitionKey)
)


def member(name: str, strategy: str = "greedy", partition: Partition | None = None) -> PartitionedMember:
    return PartitionedMember(
        name, lambda graph: make_strategy(strategy, graph, StrategySettings()), partition or Partition()
    )


def found(truth: Graph, state: int) -> StateFound:
    return StateFound.of(truth.ids[state], [truth.vocabulary[number] for number in truth.events[state]])


class MemberGroup:
    """Members over a true model and one record, which each of them reads at random times."""

    def __init__(self, truth: Graph, strategy: str, partition: Partition, chance: Random) -> None:
        self.truth = truth
        self.chance = chance
        self.record: list[Fact] = []
        self.epoch = 0
        self.members: dict[str, PartitionedMember] = {}
        self.read: Counter[str] = Counter()
        self.places: dict[str, str | None] = {}
        self.walks: dict[str, Order] = {}
        self.fired: Counter[tuple[str, str]] = Counter()
        self._make = partial(member, strategy=strategy, partition=partition)

    def join(self, name: str) -> None:
        self.epoch += 1
        self.record.append(MemberJoined(member=name, epoch=self.epoch))
        self.members.setdefault(name, self._make(name))
        self.places.setdefault(name, None)

    def leave(self, name: str) -> None:
        self.epoch += 1
        self.record.append(MemberLeft(member=name, epoch=self.epoch))

    def hear(self, name: str) -> None:
        self.members[name].learn(self.record[self.read[name] :])
        self.read[name] = len(self.record)

    def tell(self, name: str) -> None:
        one = self.members[name]
        self.record += one.unreported
        one.mark_recorded(len(one.unreported))

    def begin(self, name: str) -> None:
        walk = self.members[name].next_order(self.places[name])
        if walk is not None:
            self.walks[name] = walk

    def arrive(self, name: str) -> None:
        walk, truth = self.walks.pop(name), self.truth
        here = INITIAL if walk.reset else truth.numbers[self.places[name] or ""]
        facts: list[Fact] = []
        for place, (event, expected) in enumerate(walk.steps):
            before = here
            here = truth.targets[before][truth.position(before, event)]
            assert expected in (None, truth.ids[here])
            if place == len(walk.steps) - 1:
                self.fired[truth.ids[before], event] += 1
                facts = [TransitionExplored(state=truth.ids[before], event=event, target=truth.ids[here])]
        self.places[name] = truth.ids[here]
        self.members[name].observe([found(truth, here), *facts])

    def run(self) -> None:
        """Until everybody is idle and has read everything."""
        while True:
            name = self.chance.choice(sorted(self.members))
            one = self.members[name]
            if name in self.walks:
                self.arrive(name)
            elif not one.idle:
                self.begin(name)
            elif one.unreported:
                self.tell(name)
            elif self.read[name] < len(self.record):
                self.hear(name)
            elif all(
                one.idle and not one.unreported and self.read[name] == len(self.record)
                for name, one in self.members.items()
            ):
                return
            if self.chance.random() < 0.5:
                self.hear(name)
                self.tell(name)
