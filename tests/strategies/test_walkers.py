"""Several walkers, interleaved at random: no pair is held twice or lost, and the end is final."""

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
from statecrawl.testbed.generated import hypercube, menusite, viol8
from tests.strategies.machines import Expedition, crawled, examples, lateness, machines, rules

every_strategy = pytest.mark.parametrize("name", STRATEGIES)


class Party:
    """Walkers that request tasks, walk, give up and are overtaken at random."""

    def __init__(
        self, truth: Graph, strategy: Strategy, walkers: int, chance: Random, late: Random | None = None
    ) -> None:
        self.strategy = strategy
        self.trip = Expedition(truth, strategy, late=late)
        self.chance = chance
        self.positions: list[int | None] = [INITIAL] + [None] * (walkers - 1)
        self.tasks: dict[int, Task] = {}
        self.looked_ahead: dict[int, list[Pair]] = {}  # what walkers hold beside their tasks
        self.troubles = 12  # walkers that may still give up or be overtaken

    def run(self) -> None:
        """Run until a walker gets DONE."""
        waiting: set[int] = set()
        while True:
            walker = self.chance.choice([w for w in range(len(self.positions)) if w not in waiting])
            if walker in self.tasks:
                self.end(walker)
                waiting.clear()
                continue
            answer = self.strategy.next_task(walker, self.positions[walker])
            if answer is NoTask.DONE:
                assert not self.held(), "a walker still holds a pair"
                if not self.trip.reveal():
                    return
                waiting.clear()
                continue
            if answer is NoTask.WAIT:
                assert self.held(), "no walker holds a pair"
                waiting.add(walker)
            else:
                assert isinstance(answer, Task)
                self.begin(walker, answer)

    def begin(self, walker: int, task: Task) -> None:
        self.trip.check(task)
        self.looked_ahead.pop(walker, None)  # asking releases everything the walker held
        assert task.pair not in self.held(), "held twice"
        self.tasks[walker] = task
        assert self.strategy.held == {number: held.pair for number, held in self.tasks.items()}
        while self.chance.random() < 0.5:
            next_pair = self.strategy.look_ahead(walker, self.chance.randrange(len(self.trip.graph)))
            if next_pair is None:
                break
            assert next_pair not in self.held(), "held twice"
            assert self.is_free(next_pair)
            self.looked_ahead.setdefault(walker, []).append(next_pair)

    def is_free(self, pair: Pair) -> bool:
        return self.trip.graph.targets[pair[0]][pair[1]] == UNEXPLORED

    def held(self) -> set[Pair]:
        pairs = {task.pair for task in self.tasks.values()}.union(*self.looked_ahead.values())
        return {pair for pair in pairs if self.is_free(pair)}

    def end(self, walker: int) -> None:
        """A walker completes its task, gives up, asks again, or finds that another walker was faster."""
        task = self.tasks.pop(walker)
        next_pairs = self.looked_ahead.pop(walker, [])
        kind = self.chance.random() if self.troubles else 1.0
        self.troubles -= kind < 0.3
        if kind < 0.1:
            self.strategy.release(walker)
            self.positions[walker] = self.chance.choice([None, task.start])
        elif kind < 0.2:
            self.positions[walker] = task.start  # forgets its task and will ask for another
            self.strategy.release(walker)
            self.strategy.release(walker)
        elif kind < 0.3:
            self.overtake()
            self.tasks[walker], self.looked_ahead[walker] = task, next_pairs
            self.tasks = {w: t for w, t in self.tasks.items() if w in self.strategy.held}
        else:
            self.positions[walker] = self.trip.perform(task)
            if self.chance.random() < 0.5 and any(self.is_free(pair) for pair in next_pairs[:1]):
                self.positions[walker] = self.trip.explore(next_pairs[0])  # the guess was right
            assert walker not in self.strategy.held
            self.strategy.release(walker)

    def overtake(self) -> None:
        """Explore a pair from outside, whether it is held or not."""
        graph = self.trip.graph
        pairs = [(state, position) for state in range(len(graph)) for position in graph.pending(state)]
        if pairs:
            self.trip.explore(self.chance.choice(pairs))


@every_strategy
@given(
    truth=machines(),
    played=rules(),
    walkers=st.integers(1, 8),
    chance=st.randoms(use_true_random=False),
    late=lateness,
)
@examples(60)
def test_any_interleaving_ends_with_the_whole_model(
    name: str, truth: Graph, played: StrategySettings, walkers: int, chance: Random, late: Random | None
) -> None:
    party = Party(truth, make_strategy(name, Graph(), played), walkers, chance, late)
    party.run()
    assert party.trip.graph.same_as(reachable_part(truth))
    assert party.strategy.held == {}


@every_strategy
@pytest.mark.parametrize("app", [hypercube(5), menusite(4, 3), viol8()], ids=lambda app: app.name)
@pytest.mark.parametrize("number", range(3))
def test_a_party_on_a_known_application(name: str, app: Application, number: int) -> None:
    Party(app.truth, make_strategy(name, Graph(), StrategySettings(seed=number)), 6, Random(number)).run()


@every_strategy
def test_simulated_walkers_find_the_same_model_sooner(name: str) -> None:
    truth = menusite(5, 3).truth
    alone, together = (crawled(truth, name, StrategySettings(), walkers) for walkers in (1, 4))
    assert together.graph.same_as(alone.graph)
    assert together.kernel.now < alone.kernel.now


@every_strategy
def test_a_second_walker_waits_for_what_the_first_holds(name: str) -> None:
    graph = Graph()
    strategy = make_strategy(name, graph, StrategySettings())
    trip = Expedition(hypercube(1).truth, strategy)
    task = strategy.next_task(1, INITIAL)
    assert isinstance(task, Task)
    assert strategy.next_task(2, None) is NoTask.WAIT
    strategy.release(1)
    again = strategy.next_task(2, None)
    assert isinstance(again, Task)
    assert (again.reset, again.path, again.pair) == (True, (), task.pair)
    assert strategy.next_task(1, INITIAL) is NoTask.WAIT
    position = trip.perform(again)
    assert strategy.next_task(1, INITIAL) is NoTask.DONE
    assert strategy.next_task(2, position) is NoTask.DONE


@every_strategy
def test_a_walker_that_asks_again_gives_back_what_it_held(name: str) -> None:
    strategy = make_strategy(name, Graph(), StrategySettings())
    trip = Expedition(menusite(2, 1).truth, strategy)
    first, second = (strategy.next_task(0, INITIAL) for _ in range(2))
    assert isinstance(first, Task)
    assert isinstance(second, Task)
    assert strategy.held == {0: second.pair}
    strategy.release(7)
    assert sum(map(len, strategy.free)) == trip.graph.unexplored - 1
    assert trip.graph.targets[0][0] == UNEXPLORED
