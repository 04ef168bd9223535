"""A simulated crawl counts, times and remembers what its walkers do."""

import pytest

from statecrawl.errors import BadInput
from statecrawl.model.cost import Cost
from statecrawl.model.event import Event
from statecrawl.model.graph import Graph
from statecrawl.simulation.crawl import SimulatedCrawl, VirtualTimes
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.settings import StrategySettings
from statecrawl.strategies.task import Task
from statecrawl.testbed.application import machine
from statecrawl.testbed.generated import hypercube, menusite, pager, tiny


def greedy(truth: Graph, **options: object) -> SimulatedCrawl:
    return SimulatedCrawl(truth, make_strategy("greedy", Graph(), StrategySettings()), **options)  # type: ignore[arg-type]


def test_the_first_load_counts_as_a_reset() -> None:
    crawl = greedy(machine({"only": []}))
    assert crawl.cost == Cost(0, 0)
    crawl.run()
    assert crawl.cost == Cost(0, 1)
    assert crawl.discovery == [Cost(0, 1)]
    assert crawl.finished


def test_discovery_lists_the_cost_of_each_state() -> None:
    crawl = greedy(pager(4).truth)
    crawl.run()
    assert crawl.discovery == [Cost(events, 1) for events in range(4)]


def test_a_lone_walker_takes_as_long_as_its_actions() -> None:
    times = VirtualTimes(event=0.5, reset=4.0, think=0.25)
    tasks: list[Task] = []
    crawl = greedy(hypercube(3).truth, times=times, on_task=lambda task, target, is_new: tasks.append(task))
    crawl.run()
    assert crawl.kernel.now == crawl.events * 0.5 + crawl.resets * 4.0 + len(tasks) * 0.25


def test_on_task_is_called_for_every_task() -> None:
    seen: list[tuple[Task, int, bool]] = []
    crawl = greedy(tiny().truth, on_task=lambda *arguments: seen.append(arguments))
    crawl.run()
    assert len(seen) == tiny().truth.explored
    assert sum(task.events for task, _, _ in seen) == crawl.events
    assert 1 + sum(task.reset for task, _, _ in seen) == crawl.resets
    assert [target for _, target, is_new in seen if is_new] == [1, 2, 3]
    assert all(crawl.graph.targets[task.pair[0]][task.pair[1]] == target for task, target, _ in seen)


def test_a_crawl_can_be_stopped_and_keeps_what_it_knows() -> None:
    crawl = greedy(menusite(5, 3).truth)
    crawl.run(until=lambda: len(crawl.graph) >= 10)
    assert not crawl.finished
    assert len(crawl.graph) == 10
    assert crawl.graph.unexplored > 0


@pytest.mark.parametrize("walkers", [1, 2, 5, 30])
def test_any_number_of_walkers_finds_the_model(walkers: int) -> None:
    truth = menusite(3, 2).truth
    crawl = greedy(truth, walkers=walkers)
    crawl.run()
    assert crawl.finished
    assert crawl.graph.same_as(truth)
    assert crawl.resets >= min(walkers, 2)


def test_the_same_crawl_twice_is_the_same() -> None:
    runs = []
    for _ in range(2):
        seen: list[tuple[Task, int, bool]] = []
        crawl = greedy(menusite(4, 2).truth, walkers=3, on_task=lambda *arguments, seen=seen: seen.append(arguments))
        crawl.run()
        runs.append((seen, crawl.cost, crawl.kernel.now))
    assert runs[0] == runs[1]


def test_the_crawl_shares_ids_with_the_truth_and_nothing_else() -> None:
    truth = tiny().truth
    before = truth.facts()
    crawl = greedy(truth)
    crawl.run()
    assert crawl.graph is not truth
    assert truth.facts() == before
    assert crawl.graph.ids == ["H", "A", "B", "C"]


def test_only_a_complete_model_can_be_simulated() -> None:
    truth = Graph()
    truth.add_state("A", [Event.named("go")])
    with pytest.raises(BadInput, match="1 unexplored"):
        greedy(truth)
