"""Pairs of other nodes are never assigned, and behave normally once they are granted."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.model.graph import INITIAL, UNEXPLORED, Graph
from statecrawl.model.subgraphs import reachable_part
from statecrawl.strategies.registry import STRATEGIES, make_strategy
from statecrawl.strategies.settings import StrategySettings
from statecrawl.strategies.strategy import Strategy
from statecrawl.strategies.task import NoTask, Pair, Task
from statecrawl.testbed.application import Application
from statecrawl.testbed.generated import hypercube, menusite
from tests.strategies.machines import Expedition, examples, lateness, machines, rules

every_strategy = pytest.mark.parametrize("name", STRATEGIES)


class Share:
    """Walker that fires only its own pairs; `chance` decides and changes which those are."""

    def __init__(self, truth: Graph, strategy: Strategy, chance: Random, late: Random | None = None) -> None:
        self.strategy = strategy
        self.trip = Expedition(truth, strategy, late=late)
        self.chance = chance
        self.others: set[Pair] = set()
        self._decided: set[Pair] = set()

    def deal(self) -> None:
        """Withhold some of the new pairs."""
        for state, events in enumerate(self.trip.graph.events):
            for position in range(len(events)):
                if (state, position) not in self._decided:
                    self._decided.add((state, position))
                    if self.chance.random() < 0.5:
                        self.give((state, position))

    def give(self, pair: Pair) -> None:
        self.others.add(pair)
        self.strategy.withhold(pair)

    def get(self, pair: Pair) -> None:
        self.others.discard(pair)
        self.strategy.grant(pair)

    def open(self) -> list[Pair]:
        graph = self.trip.graph
        return [(state, position) for state in range(len(graph)) for position in graph.pending(state)]

    def work(self) -> None:
        """Crawl until no own pair can be reached; sometimes pairs change owner, or another node explores its own."""
        position = INITIAL
        self.deal()
        while isinstance(task := self.strategy.next_task(0, position), Task):
            assert task.pair not in self.others
            if self.chance.random() < 0.1:
                self.give(task.pair)  # while it is in hand
                assert self.strategy.held == {0: task.pair}
                self.strategy.release(0)
                assert task.pair[1] not in self.strategy.free[task.pair[0]]
                continue
            position = self.trip.perform(task)
            self.deal()
            self._disturb()
        mine = [pair for pair in self.open() if pair not in self.others]
        costs = self.trip.reachable(position, 1.0)
        assert not [pair for pair in mine if pair[0] in costs and not self.strategy.name.endswith("-default")]
        assert task is (NoTask.WAIT if self.others.intersection(self.open()) else NoTask.DONE)

    def _disturb(self) -> None:
        pairs = self.open()
        if not pairs or self.chance.random() < 0.6:
            return
        pair = self.chance.choice(pairs)
        if pair not in self.others:
            self.give(pair)
        elif self.chance.random() < 0.5:
            self.get(pair)
        else:
            self.trip.explore(pair)
            self.deal()


@every_strategy
@given(truth=machines(), played=rules(), chance=st.randoms(use_true_random=False), late=lateness)
@examples(40)
def test_only_what_is_ours_is_handed_out_and_all_of_it_once_granted(
    name: str, truth: Graph, played: StrategySettings, chance: Random, late: Random | None
) -> None:
    share = Share(truth, make_strategy(name, Graph(), played), chance, late)
    share.work()
    for pair in sorted(share.others):
        share.get(pair)
    share.trip.crawl()
    assert share.trip.graph.same_as(reachable_part(truth))


@every_strategy
@pytest.mark.parametrize("app", [hypercube(4), menusite(3, 2)], ids=lambda app: app.name)
def test_two_halves_make_a_whole(name: str, app: Application) -> None:
    share = Share(app.truth, make_strategy(name, Graph(), StrategySettings()), Random(3))
    share.work()
    for pair in sorted(share.others):
        share.get(pair)
    share.trip.crawl()
    assert share.trip.graph.same_as(app.truth)


@every_strategy
def test_while_only_others_have_something_to_do_one_waits(name: str) -> None:
    strategy = make_strategy(name, Graph(), StrategySettings())
    trip = Expedition(hypercube(1).truth, strategy)
    strategy.withhold((0, 0))
    strategy.withhold((0, 0))
    assert strategy.next_task(0, INITIAL) is NoTask.WAIT
    assert strategy.next_task(1, None) is NoTask.WAIT
    assert not strategy.take(0, (0, 0))
    trip.explore((0, 0))
    assert strategy.next_task(0, INITIAL) is NoTask.DONE
    strategy.grant((0, 0))
    strategy.withhold((0, 0))
    assert strategy.next_task(0, INITIAL) is NoTask.DONE


@every_strategy
def test_a_closed_pair_is_nobodys(name: str) -> None:
    strategy = make_strategy(name, Graph(), StrategySettings())
    Expedition(hypercube(1).truth, strategy)
    strategy.withhold((0, 0))
    strategy.closed(0, 0)
    strategy.grant((0, 0))
    assert strategy.free == [[]]
    assert strategy.next_task(0, INITIAL) is NoTask.DONE


@every_strategy
def test_what_is_in_hand_is_finished_though_it_is_somebody_elses_now(name: str) -> None:
    strategy = make_strategy(name, Graph(), StrategySettings())
    trip = Expedition(hypercube(1).truth, strategy)
    task = strategy.next_task(0, INITIAL)
    assert isinstance(task, Task)
    strategy.withhold(task.pair)
    strategy.grant(task.pair)
    assert strategy.held == {0: task.pair}
    assert strategy.free[0] == []
    strategy.withhold(task.pair)
    trip.perform(task)
    assert trip.graph.targets[0][0] != UNEXPLORED
    assert strategy.held == {}
