"""Greedy: the current state if possible, otherwise the nearest one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.model.cheapest_paths import Ties
from statecrawl.model.graph import INITIAL, Graph
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.settings import SearchMethod, StrategySettings
from statecrawl.strategies.task import NoTask, Task
from tests.strategies.machines import Expedition, built, machines, traced

both_searches = pytest.mark.parametrize("search", SearchMethod)


@both_searches
def test_events_at_hand_come_first_and_in_order(search: SearchMethod) -> None:
    truth = built([[("a", 0), ("b", 0), ("c", 1)], [("d", 1)]])
    assert traced(truth, "greedy", StrategySettings(search=search)) == ["s0-a0→s0", "s0-b1→s0", "s0-c2→s1*", "s1-d0→s1"]


@both_searches
def test_a_walk_is_taken_when_it_costs_no_more_than_a_reset(search: SearchMethod) -> None:
    truth = built([[("a", 1), ("b", 0)], [("a", 2)], [("a", 0)]])
    trace = ["s0-a0→s1*", "s1-a0→s2*", "s2-a0→s0", "s0-b1→s0"]
    assert traced(truth, "greedy", StrategySettings(search=search)) == trace


@both_searches
@pytest.mark.parametrize(("ties", "reset"), [(Ties.WALK, False), (Ties.RESET, True)])
def test_ties_go_by_the_rules(search: SearchMethod, ties: Ties, reset: bool) -> None:
    """From s3, s0 is two links away and a reset costs two."""
    truth = built([[("a", 1), ("b", 4)], [("a", 2)], [("a", 0)], [], []])
    strategy = make_strategy("greedy", Graph(), StrategySettings(reset_cost=2, ties=ties, search=search))
    trip = Expedition(truth, strategy)
    for pair in ((0, 0), (1, 0), (2, 0)):
        trip.explore(pair)
    task = strategy.next_task(0, 1)
    assert isinstance(task, Task)
    assert (task.reset, task.pair) == (reset, (0, 1))


@both_searches
def test_without_a_page_it_begins_with_a_reset(search: SearchMethod) -> None:
    strategy = make_strategy("greedy", Graph(), StrategySettings(search=search))
    Expedition(built([[("a", 0)]]), strategy)
    task = strategy.next_task(3, None)
    assert task == Task(3, None, True, (), (0, 0))


@given(truth=machines(), search=st.sampled_from(SearchMethod))
def test_what_it_foresees_is_what_it_will_ask_for(truth: Graph, search: SearchMethod) -> None:
    strategy = make_strategy("greedy", Graph(), StrategySettings(search=search))
    trip = Expedition(truth, strategy)
    position: int = INITIAL
    task = strategy.next_task(0, position)
    while isinstance(task, Task):
        target = trip.leads_to(task.pair)
        next_pair = None if target is None else strategy.look_ahead(0, target)
        position = trip.perform(task)
        strategy.release(0)
        task = strategy.next_task(0, position)
        if next_pair is not None:
            assert isinstance(task, Task)
            assert (task.reset, task.path, task.pair) == (False, (), next_pair)


@both_searches
def test_a_page_without_events_is_done_at_once(search: SearchMethod) -> None:
    strategy = make_strategy("greedy", Graph(), StrategySettings(search=search))
    Expedition(built([[]]), strategy)
    assert strategy.next_task(0, INITIAL) is NoTask.DONE
