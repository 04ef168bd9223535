"""Waves reach the same states as a search state by state, at the same costs."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.model.cheapest_paths import CheapestRoute, Settling, Ties
from statecrawl.model.graph import INITIAL, Graph
from statecrawl.model.reachability import Waves
from statecrawl.testbed.generated import hypercube, pager
from tests.strategies.machines import RESET_COSTS, built, machines


def waves_of(graph: Graph) -> Waves:
    waves = Waves()
    for _ in range(len(graph)):
        waves.add_vertex()
    for state, _, target in graph.transitions():
        waves.add(state, target)
    return waves


def members(states: int) -> list[int]:
    return [state for state in range(states.bit_length()) if states >> state & 1]


def reached(waves: Waves, position: int | None, reset_cost: float) -> dict[int, float]:
    return {state: cost for cost, wave in waves.spread(position, reset_cost) for state in members(wave)}


@given(machines(), st.data(), st.sampled_from(RESET_COSTS))
@settings(max_examples=80, deadline=None)
def test_costs_are_those_of_a_search(graph: Graph, data: st.DataObject, reset_cost: float) -> None:
    position = data.draw(st.one_of(st.none(), st.integers(0, len(graph) - 1)))
    costs = [cost for cost, _ in waves_of(graph).spread(position, reset_cost)]
    assert costs == sorted(set(costs))
    assert reached(waves_of(graph), position, reset_cost) == dict(Settling(graph, position, reset_cost, Ties.WALK))


@given(machines(), st.data(), st.sampled_from(RESET_COSTS), st.sampled_from(Ties))
@settings(max_examples=200, deadline=None)
def test_routes_connect_and_cost_what_the_wave_said(
    graph: Graph, data: st.DataObject, reset_cost: float, ties: Ties
) -> None:
    position = data.draw(st.one_of(st.none(), st.integers(0, len(graph) - 1)))
    spread = waves_of(graph).spread(position, reset_cost)
    for cost, wave in spread:
        for goal in members(wave):
            route = spread.route(goal, cost, ties)
            assert (route.goal, route.cost) == (goal, cost)
            assert route.states[0] == (INITIAL if route.reset else position)
            assert cost == len(route.states) - 1 + route.reset * reset_cost
            assert all(b in graph.links.successors[a] for a, b in pairwise(route.states))


@given(machines(), st.data(), st.sampled_from(RESET_COSTS))
@settings(max_examples=200, deadline=None)
def test_a_walk_wins_a_tie_under_the_rule_walk(graph: Graph, data: st.DataObject, reset_cost: float) -> None:
    position = data.draw(st.integers(0, len(graph) - 1))
    search = Settling(graph, position, reset_cost, Ties.WALK)
    costs = dict(search)
    spread = waves_of(graph).spread(position, reset_cost)
    for cost, wave in spread:
        for goal in members(wave):
            assert spread.route(goal, cost, Ties.WALK).reset == search.route(goal).reset, (goal, costs[goal])


def test_a_walk_wins_a_tie_farther_on() -> None:
    """1 → 2 → 3 → 4 costs as much as a reset and 0 → 4."""
    graph = built([[("a", 4)], [("a", 2)], [("a", 3)], [("a", 4)], []])
    spread = waves_of(graph).spread(1, 2.0)
    assert [cost for cost, _ in spread] == [0, 1, 2, 3]
    assert spread.route(4, 3.0, Ties.WALK) == CheapestRoute(False, [1, 2, 3, 4], 3)


def test_a_reset_wins_a_tie_under_the_rule_reset() -> None:
    graph = pager(5).truth  # page 3 → first → page 1 costs one event, and so does a reset
    spread = waves_of(graph).spread(2, 1.0)
    assert [cost for cost, _ in spread] == [0, 1, 2]
    assert spread.route(INITIAL, 1.0, Ties.RESET).reset
    assert not spread.route(INITIAL, 1.0, Ties.WALK).reset


def test_a_removed_link_is_not_walked() -> None:
    waves = waves_of(pager(3).truth)
    waves.remove(0, 1)
    assert reached(waves, INITIAL, 2) == {0: 0}


@pytest.mark.timeout(3)
@pytest.mark.parametrize("reset_cost", [1.1, 1 / 3, 3.14159])
def test_a_measured_reset_cost_need_not_be_a_round_number(reset_cost: float) -> None:
    graph = hypercube(4).truth
    spread = waves_of(graph).spread(15, reset_cost)
    for cost, wave in spread:
        for goal in members(wave):
            route = spread.route(goal, cost, Ties.WALK)
            assert (route.goal, route.reset) == (goal, goal != 15)
            assert route.cost == pytest.approx(len(route.states) - 1 + route.reset * reset_cost)
