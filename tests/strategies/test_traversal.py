"""Breadth-first and depth-first explore states by age."""

import pytest

from statecrawl.model.cost import Cost
from statecrawl.model.graph import INITIAL, Graph
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.settings import SearchMethod, StrategySettings
from statecrawl.strategies.task import NoTask, Task
from statecrawl.testbed.generated import pager
from tests.strategies.machines import Expedition, built, crawled, traced

both_searches = pytest.mark.parametrize("search", SearchMethod)
TREE = built([[("a", 1), ("b", 2)], [("c", 3)], [("d", 4)], [("u", 0)], [("u", 0)]])


@both_searches
def test_breadth_first_takes_the_oldest(search: SearchMethod) -> None:
    assert traced(TREE, "breadth-first", StrategySettings(search=search)) == [
        "s0-a0→s1*",
        "| s0-b1→s2*",
        "| s1-c0→s3*",
        "| s2-d0→s4*",
        "| s3-u0→s0",
        "s4-u0→s0",
    ]


@both_searches
def test_depth_first_takes_the_newest(search: SearchMethod) -> None:
    assert traced(TREE, "depth-first", StrategySettings(search=search)) == [
        "s0-a0→s1*",
        "s1-c0→s3*",
        "s3-u0→s0",
        "s0-b1→s2*",
        "s2-d0→s4*",
        "s4-u0→s0",
    ]


@both_searches
def test_the_default_form_resets_where_it_could_walk(search: SearchMethod) -> None:
    truth = pager(6).truth
    walking = crawled(truth, "depth-first", StrategySettings(search=search))
    replaying = crawled(truth, "depth-first-default", StrategySettings(search=search))
    assert walking.resets == 1
    assert replaying.resets > 1
    assert replaying.cost.total(2) > walking.cost.total(2)


def test_breadth_first_default_on_a_chain() -> None:
    """Every event is fired after a reset and a complete replay, unless the walker is in its state already."""
    truth = built([[("a", 1), ("x", 0)], [("a", 2), ("x", 1)], [("x", 2)]])
    assert crawled(truth, "breadth-first-default", StrategySettings()).cost == Cost(9, 5)


@both_searches
@pytest.mark.parametrize("name", ["breadth-first", "depth-first"])
def test_what_cannot_be_reached_now_is_kept_for_later(name: str, search: SearchMethod) -> None:
    """The only path to s1 is lost while s1 still has an event, and s0 finds another path."""
    strategy = make_strategy(name, Graph(), StrategySettings(search=search))
    trip = Expedition(built([[("a", 1), ("b", 1)], [("c", 1)]]), strategy)
    trip.explore((0, 0))
    trip.lose(0, 0)
    task = strategy.next_task(0, INITIAL)
    assert isinstance(task, Task)
    assert task.pair == (0, 1)
    assert strategy.next_task(1, None) is NoTask.WAIT
    trip.perform(task)
    assert strategy.next_task(1, None) == Task(1, None, True, ((0, 1),), (1, 0))
