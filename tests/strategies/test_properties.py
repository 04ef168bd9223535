"""Properties of all strategies, with all settings, on any deterministic application."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.model.cheapest_paths import cheapest_route
from statecrawl.model.cost import Cost
from statecrawl.model.graph import INITIAL, Graph
from statecrawl.model.subgraphs import reachable_part
from statecrawl.strategies.offline_bounds import completion
from statecrawl.strategies.registry import STRATEGIES, make_strategy
from statecrawl.strategies.settings import SearchMethod, StatePreference, StrategySettings, TieOrder
from statecrawl.strategies.task import NoTask, Task
from statecrawl.strategies.traversal import BreadthFirst
from statecrawl.testbed.generated import menusite
from tests.strategies.machines import Expedition, examples, fare, lateness, machines, rules

FIRST = ("breadth-first", "depth-first")
every_strategy = pytest.mark.parametrize("name", STRATEGIES)


@every_strategy
@given(truth=machines(), played=rules(), late=lateness)
@examples(60)
def test_every_crawl_ends_with_the_whole_model(
    name: str, truth: Graph, played: StrategySettings, late: Random | None
) -> None:
    """The expedition checks the tasks: known paths, one unexplored event each."""
    trip = Expedition(truth, make_strategy(name, Graph(), played), late=late)
    trip.crawl()
    reachable = reachable_part(truth)
    assert trip.graph.same_as(reachable)
    assert trip.cost[0] >= reachable.explored
    assert Cost(*trip.cost).total(played.reset_cost) >= completion(truth, played.reset_cost) - 1e-6


@every_strategy
@given(truth=machines(), played=rules())
@examples(15)
def test_the_same_rules_give_the_same_crawl(name: str, truth: Graph, played: StrategySettings) -> None:
    facts = []
    for _ in range(2):
        trip = Expedition(truth, make_strategy(name, Graph(), played))
        trip.crawl()
        facts.append((trip.facts, trip.cost))
    assert facts[0] == facts[1]


def test_another_number_draws_another_order() -> None:
    crawls = []
    for number in range(3):
        strategy = make_strategy("greedy", Graph(), StrategySettings(order=TieOrder.RANDOM, seed=number))
        trip = Expedition(menusite(3, 3).truth, strategy)
        trip.crawl()
        crawls.append(tuple(trip.facts))
    assert len(set(crawls)) > 1


@given(truth=machines(), played=rules(prefer=StatePreference.NONE), late=lateness)
@examples(80)
def test_greedy_goes_to_a_nearest_state(truth: Graph, played: StrategySettings, late: Random | None) -> None:
    strategy = make_strategy("greedy", Graph(), played)
    trip = Expedition(truth, strategy, late=late)

    def before(position: int) -> None:
        task = trip.glance(strategy, position)
        costs = trip.reachable(position, played.reset_cost)
        nearest = min((cost for state, cost in costs.items() if strategy.free[state]), default=None)
        assert nearest == (fare(task, played) if isinstance(task, Task) else None)

    trip.crawl(before)


@pytest.mark.parametrize("name", FIRST)
@given(truth=machines(), played=rules(prefer=StatePreference.NONE), late=lateness)
@examples(60)
def test_first_goes_the_cheapest_way_to_the_oldest_or_newest_state(
    name: str, truth: Graph, played: StrategySettings, late: Random | None
) -> None:
    strategy = make_strategy(name, Graph(), played)
    trip = Expedition(truth, strategy, late=late)

    def before(position: int) -> None:
        task = trip.glance(strategy, position)
        if not isinstance(task, Task):
            return
        open_states = [state for state in range(len(trip.graph)) if strategy.free[state]]
        goal = task.pair[0]
        assert goal == (open_states[0] if isinstance(strategy, BreadthFirst) else open_states[-1])
        route = cheapest_route(trip.graph, position, goal, played.reset_cost)
        assert route is not None
        assert fare(task, played) == route.cost

    trip.crawl(before)


@pytest.mark.parametrize("name", ["breadth-first-default", "depth-first-default"])
@given(truth=machines(), played=rules())
@examples(30)
def test_default_forms_stay_or_reset(name: str, truth: Graph, played: StrategySettings) -> None:
    strategy = make_strategy(name, Graph(), played)
    trip = Expedition(truth, strategy)

    def before(position: int) -> None:
        task = trip.glance(strategy, position)
        if isinstance(task, Task):
            assert task.reset == (task.pair[0] != position)

    trip.crawl(before)


@pytest.mark.parametrize("name", [*FIRST, "greedy"])  # for probability see test_probability: it knows near ties
@given(truth=machines(), played=rules(search=SearchMethod.INDEXED, order=TieOrder.FIXED), late=lateness)
@examples(80)
def test_an_index_says_what_a_search_would(
    name: str, truth: Graph, played: StrategySettings, late: Random | None
) -> None:
    """A searching twin receives the same facts; before each task both are asked, and the tasks are released."""
    graph = Graph()
    indexed = make_strategy(name, graph, played)
    searching = make_strategy(name, graph, replace(played, search=SearchMethod.REFERENCE))
    trip = Expedition(truth, indexed, searching, late=late)

    def before(position: int) -> None:
        for place in (position, None, INITIAL):
            one, other = trip.glance(indexed, place), trip.glance(searching, place)
            if isinstance(one, NoTask) or isinstance(other, NoTask):
                assert one == other
            else:
                assert fare(one, played) == fare(other, played)

    trip.crawl(before)


@pytest.mark.parametrize("name", [name for name in STRATEGIES if name != "hypercube"])
@given(truth=machines(), played=rules(search=SearchMethod.REFERENCE, order=TieOrder.FIXED), stop=st.integers(0, 40))
@examples(30)
def test_facts_told_again_lead_to_the_same_task(name: str, truth: Graph, played: StrategySettings, stop: int) -> None:
    """Plans are not facts, so both strategies are asked by a walker without a plan."""
    trip = Expedition(truth, make_strategy(name, Graph(), played))
    again = Expedition(truth, make_strategy(name, Graph(), played))
    position = play(trip, stop)
    for state, event, _, _ in trip.facts:
        again.explore((state, event))
    assert again.facts == trip.facts
    for place in (position, None, INITIAL):
        one, other = trip.glance(trip.strategies[0], place), again.glance(again.strategies[0], place)
        assert without_walker(one) == without_walker(other)


@every_strategy
@given(truth=machines(), played=rules(), stop=st.integers(0, 40))
@examples(30)
def test_a_resumed_crawl_ends_with_the_same_model(name: str, truth: Graph, played: StrategySettings, stop: int) -> None:
    trip = Expedition(truth, make_strategy(name, Graph(), played))
    play(trip, stop)
    again = Expedition(truth, make_strategy(name, Graph(), played))
    for state, event, _, _ in trip.facts:
        again.explore((state, event))
    again.crawl()
    trip.crawl()
    assert again.graph.same_as(trip.graph)


def play(trip: Expedition, tasks: int) -> int:
    """Perform a number of tasks and return the last state."""
    position = INITIAL
    for _ in range(tasks):
        task = trip.strategies[0].next_task(0, position)
        if isinstance(task, NoTask):
            break
        position = trip.perform(task)
    return position


def without_walker(answer: Task | NoTask) -> object:
    return answer if isinstance(answer, NoTask) else (answer.reset, answer.path, answer.pair)


@every_strategy
@given(truth=machines(), played=rules(), chance=st.randoms(use_true_random=False), late=lateness)
@examples(50)
def test_unreliable_links_are_not_travelled_and_nothing_stops(
    name: str, truth: Graph, played: StrategySettings, chance: Random, late: Random | None
) -> None:
    strategy = make_strategy(name, Graph(), played)
    trip = Expedition(truth, strategy, late=late)
    position = INITIAL
    while isinstance(task := strategy.next_task(0, position), Task):
        position = trip.perform(task)
        if chance.random() < 0.3:
            state, event, _, _ = chance.choice(trip.facts)
            trip.lose(state, event)
    assert task is NoTask.DONE
    place = None if name.endswith("-default") else position  # those know no other way than from the start
    costs = trip.reachable(place, played.reset_cost)
    assert not any(strategy.free[state] for state in costs)
