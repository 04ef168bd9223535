"""Cheapest routes with resets, and the order of ties."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.model.cheapest_paths import CheapestRoute, Settling, Ties, cheapest_route
from statecrawl.model.graph import INITIAL, Graph
from statecrawl.testbed.application import machine
from tests.strategies.machines import RESET_COSTS, machines


@pytest.fixture
def ring() -> Graph:
    """A → B → C → D → E → A, and A → D"""
    rows = {"A": [("n", "B"), ("d", "D")], "B": [("n", "C")], "C": [("n", "D")], "D": [("n", "E")], "E": [("n", "A")]}
    return machine(rows)


def walked(graph: Graph, position: int) -> dict[int, int]:
    """State -> number of events to walk there."""
    far = {position: 0}
    queue = [position]
    for state in queue:
        for target in graph.targets[state]:
            if target not in far:
                far[target] = far[state] + 1
                queue.append(target)
    return far


def test_where_one_stands_costs_nothing(ring: Graph) -> None:
    assert cheapest_route(ring, 2, 2, 2) == CheapestRoute(False, [2], 0)


def test_a_walk_that_is_cheaper_than_a_reset(ring: Graph) -> None:
    route = cheapest_route(ring, 1, 3, 5)
    assert route == CheapestRoute(False, [1, 2, 3], 2)
    assert route.actions == 2
    assert route.goal == 3


def test_a_reset_that_is_cheaper_than_a_walk(ring: Graph) -> None:
    route = cheapest_route(ring, 3, 1, 0.5)
    assert route == CheapestRoute(True, [0, 1], 1.5)
    assert route.actions == 2


def test_without_a_page_the_only_way_is_a_reset(ring: Graph) -> None:
    assert cheapest_route(ring, None, 4, 2) == CheapestRoute(True, [0, 3, 4], 4)
    assert cheapest_route(ring, None, INITIAL, 2) == CheapestRoute(True, [0], 2)


def test_from_the_initial_state_nobody_resets(ring: Graph) -> None:
    assert cheapest_route(ring, INITIAL, 4, 0, Ties.RESET) == CheapestRoute(False, [0, 3, 4], 2)


def test_what_cannot_be_reached_has_no_route() -> None:
    graph = machine({"A": [], "island": [("swim", "A")]})
    assert cheapest_route(graph, INITIAL, 1, 2) is None
    assert cheapest_route(graph, 1, INITIAL, 2) == CheapestRoute(False, [1, 0], 1)


def test_ties_go_to_the_walk_or_to_the_reset(ring: Graph) -> None:
    assert cheapest_route(ring, 3, INITIAL, 2, Ties.WALK) == CheapestRoute(False, [3, 4, 0], 2)
    assert cheapest_route(ring, 3, INITIAL, 2, Ties.RESET) == CheapestRoute(True, [0], 2)


def test_a_single_step_was_queued_before_the_reset(ring: Graph) -> None:
    assert cheapest_route(ring, 4, INITIAL, 1, Ties.RESET) == CheapestRoute(False, [4, 0], 1)


def test_states_settle_in_the_order_in_which_they_were_queued() -> None:
    graph = Graph()
    for state in machine({"A": [("x", "C"), ("y", "B")], "B": [], "C": []}).facts():
        graph.add_state(state, machine({"A": [("x", "C"), ("y", "B")], "B": [], "C": []}).vocabulary[:2])
    graph.explore(0, 1, 1)
    graph.explore(0, 0, 2)
    assert list(Settling(graph, 0, 2, Ties.WALK)) == [(0, 0), (1, 1), (2, 1)]


def test_hypothetical_links_are_walked_like_the_others() -> None:
    graph = machine({"A": [("go", "B")], "B": [], "C": []})
    search = Settling(graph, 0, 2, Ties.WALK, lambda state: [2] if state == 1 else [])
    assert dict(search) == {0: 0, 1: 1, 2: 2}
    assert search.route(2) == CheapestRoute(False, [0, 1, 2], 2)


@given(machines(most_states=10), st.data(), st.sampled_from(RESET_COSTS), st.sampled_from(Ties))
@settings(max_examples=80, deadline=None)
def test_costs_are_the_lesser_of_walking_and_resetting(
    graph: Graph, data: st.DataObject, reset_cost: float, ties: Ties
) -> None:
    position = data.draw(st.one_of(st.none(), st.integers(0, len(graph) - 1)))
    walk = {} if position is None else walked(graph, position)
    afresh = walked(graph, INITIAL)
    search = Settling(graph, position, reset_cost, ties)
    costs = dict(search)
    assert list(costs.values()) == sorted(costs.values())
    for state in range(len(graph)):
        ways: list[float] = [walk[state]] if state in walk else []
        ways += [reset_cost + afresh[state]] if state in afresh else []
        assert costs.get(state) == min(ways, default=None)
        if not ways:
            continue
        route = search.route(state)
        assert (route.goal, route.cost) == (state, costs[state])
        assert route.states[0] == (INITIAL if route.reset else position)
        assert route.cost == len(route.states) - 1 + route.reset * reset_cost
        assert all(b in graph.links.successors[a] for a, b in pairwise(route.states))
        if ties is Ties.WALK:
            assert route.reset == (walk.get(state, route.cost + 1) > route.cost)
