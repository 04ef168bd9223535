"""Hypercube: chains first, then the rest from the bottom; greedy without a cube."""

import pytest

from statecrawl.model.cheapest_paths import Ties
from statecrawl.model.event import Event
from statecrawl.model.graph import UNEXPLORED, Graph
from statecrawl.simulation.crawl import SimulatedCrawl
from statecrawl.strategies.anticipated_hypercubes import CubeViolation
from statecrawl.strategies.hypercube import Hypercube, submasks
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.settings import SearchMethod, StrategySettings
from statecrawl.strategies.task import Task
from statecrawl.testbed.application import Application
from statecrawl.testbed.generated import hypercube, menusite, pager, widgets
from tests.strategies.machines import Expedition, built, crawled, traced

RULES = StrategySettings(reset_cost=2, ties=Ties.RESET, search=SearchMethod.REFERENCE)


def test_subsets_come_after_their_own_subsets() -> None:
    assert submasks(0) == []
    assert submasks(0b1011) == [0b0001, 0b0010, 0b0011, 0b1000, 0b1001, 0b1010, 0b1011]


def test_the_first_walk_follows_the_longest_chain() -> None:
    assert traced(hypercube(4).truth, "hypercube", RULES)[:5] == [
        "0000-press 1→1000*",
        "1000-press 2→1100*",
        "1100-press 3→1110*",
        "1110-press 4→1111*",
        "| 0000-press 2→0100*",
    ]


@pytest.mark.parametrize("search", SearchMethod)
@pytest.mark.parametrize("n", range(1, 8))
def test_states_come_by_as_few_resets_as_there_are_chains(n: int, search: SearchMethod) -> None:
    crawl = crawled(hypercube(n).truth, "hypercube", StrategySettings(reset_cost=3, search=search))
    chains = [1, 2, 3, 6, 10, 20, 35][n - 1]
    assert crawl.discovery[-1].resets == chains


@pytest.mark.parametrize("app", [menusite(5, 3), pager(20), widgets(2, 4)], ids=lambda app: app.name)
def test_elsewhere_it_costs_what_greedy_costs(app: Application) -> None:
    assert crawled(app.truth, "hypercube", RULES).cost == crawled(app.truth, "greedy", RULES).cost


@pytest.mark.parametrize("search", SearchMethod)
def test_a_cube_within_an_application(search: SearchMethod) -> None:
    """Behind the entrance lies a cube of three; its far corner leads back."""
    cube = hypercube(3).truth
    rows = [[("enter", 1)]] + [
        [(cube.event(state, position).logical, target + 1) for position, target in enumerate(cube.targets[state])]
        for state in range(8)
    ]
    rows[8] = [("leave", 0)]
    truth = built(rows)
    crawl = crawled(truth, "hypercube", StrategySettings(search=search))
    assert crawl.graph.same_as(truth)


@pytest.mark.parametrize("search", SearchMethod)
def test_events_of_one_state_may_share_a_logical_id(search: SearchMethod) -> None:
    """The two `a` of s2 are one bit of its cube, and lead to different states."""
    rows = [[("a", 2)], [("a", 1), ("b", 0), ("b", 1), ("c", 0)], [("a", 1), ("c", 0), ("a", 0), ("b", 0)]]
    truth = built(rows)
    assert crawled(truth, "hypercube", StrategySettings(search=search, reset_cost=0.5)).graph.same_as(truth)


def test_many_events_do_not_slow_it_down() -> None:
    """Masks of sixty bits; only the last edge to a start is searched for."""
    names = [f"e{event}" for event in range(60)]
    rows = [[(name, 1) for name in names], [(name, 0) for name in names[:30]]]
    assert crawled(built(rows), "hypercube", StrategySettings()).graph.statistics().complete


def test_a_walker_that_was_moved_drops_its_course() -> None:
    strategy = make_strategy("hypercube", Graph(), StrategySettings())
    trip = Expedition(hypercube(4).truth, strategy)
    strategy.next_task(0, 0)
    trip.explore(strategy.held[0])
    strategy.next_task(0, 0)
    assert strategy.held[0][0] == 0


@pytest.mark.parametrize("search", SearchMethod)
def test_somebody_else_may_take_the_next_event_of_a_course(search: SearchMethod) -> None:
    truth = hypercube(4).truth
    usual = Expedition(truth, make_strategy("hypercube", Graph(), StrategySettings(search=search)))
    usual.crawl()
    for stop, (state, event, _, _) in enumerate(usual.facts):
        strategy = make_strategy("hypercube", Graph(), StrategySettings(search=search))
        trip = Expedition(truth, strategy)
        position = 0
        while isinstance(task := strategy.next_task(0, position), Task):
            position = trip.perform(task)
            if len(trip.facts) == stop:
                trip.explore((state, event))
        assert trip.graph.same_as(truth)


@pytest.mark.parametrize("search", SearchMethod)
def test_an_event_that_shows_itself_late_leaves_the_cube_as_it_is(search: SearchMethod) -> None:
    """Another walker explores it at once; the states are found with as few resets as before."""
    strategy = make_strategy("hypercube", Graph(), StrategySettings(reset_cost=3, search=search))
    graph = strategy.graph

    def show(task: Task, _target: int, _is_new: bool) -> None:
        state = task.pair[0]
        position = graph.add_event(state, Event.named(f"help {state}"))
        if graph.targets[state][position] == UNEXPLORED:
            strategy.event_added(state, position)
            graph.explore(state, position, state)
            strategy.explored(state, position, state, is_new=False)

    crawl = SimulatedCrawl(hypercube(5).truth, strategy, on_task=show)
    crawl.run()
    assert crawl.finished
    assert crawl.discovery[-1].resets == 10
    assert isinstance(strategy, Hypercube)
    assert {kind for surprise in strategy.cubes.surprises for kind in surprise.kinds} == {CubeViolation.APPEARING}


@pytest.mark.parametrize("walkers", [2, 3, 5, 8])
def test_several_walkers_find_the_states_of_a_cube_as_cheaply_as_one(walkers: int) -> None:
    def found_with(number: int) -> float:
        strategy = make_strategy("hypercube", Graph(), StrategySettings(reset_cost=3))
        crawl = SimulatedCrawl(hypercube(8).truth, strategy, walkers=number)
        crawl.run()
        return crawl.discovery[-1].total(3)

    assert found_with(walkers) <= 1.1 * found_with(1)
