"""The offline bounds against formulas, recorded figures and exhaustive search."""

import heapq
from itertools import pairwise, permutations
from math import comb, inf
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.model.cost import Cost
from statecrawl.model.event import Event
from statecrawl.model.graph import INITIAL, Graph
from statecrawl.model.subgraphs import reachable_part
from statecrawl.strategies import offline_bounds, tours
from statecrawl.strategies.offline_bounds import all_states, completion
from statecrawl.strategies.tours import improved_tour, walks, with_resets
from statecrawl.testbed.application import Application, machine
from statecrawl.testbed.generated import hypercube, menusite, pager, synthetic, tiny, viol8, widgets

Rows = list[list[int]]  # state -> target of each event

reset_costs = st.sampled_from([0.5, 1, 2, 3.25, 7])


def machines(most_states: int, most_events: int) -> st.SearchStrategy[Rows]:
    def rows(size: int) -> st.SearchStrategy[Rows]:
        targets = st.lists(st.integers(0, size - 1), max_size=most_events)
        return st.lists(targets, min_size=size, max_size=size)

    return st.integers(1, most_states).flatmap(rows)


def graph_of(rows: Rows) -> Graph:
    return machine(
        {str(state): [(f"e{i}", str(to)) for i, to in enumerate(targets)] for state, targets in enumerate(rows)}
    )


def cheapest_crawl(graph: Graph, reset_cost: float) -> float:
    """Find the cheapest complete exploration by exhaustive search."""
    pairs = {(state, position): number for number, (state, position, _) in enumerate(graph.transitions())}
    everything = (1 << len(pairs)) - 1
    queue: list[tuple[float, int, int]] = [(reset_cost, INITIAL, 0)]
    seen: set[tuple[int, int]] = set()
    while True:
        cost, state, done = heapq.heappop(queue)
        if done == everything:
            return cost
        if (state, done) in seen:
            continue
        seen.add((state, done))
        heapq.heappush(queue, (cost + reset_cost, INITIAL, done))
        for position, target in enumerate(graph.targets[state]):
            heapq.heappush(queue, (cost + 1, target, done | 1 << pairs[state, position]))


def cheapest_visit(graph: Graph, reset_cost: float) -> float:
    """Find the cheapest visit of all states by trying every order."""
    states = range(len(graph))
    far = [[0 if a == b else 1 if b in graph.links.successors[a] else inf for b in states] for a in states]
    for via in states:
        for a in states:
            for b in states:
                far[a][b] = min(far[a][b], far[a][via] + far[via][b])
    return reset_cost + min(
        sum(min(far[a][b], reset_cost + far[INITIAL][b]) for a, b in pairwise((INITIAL, *order)))
        for order in permutations(states[1:])
    )


@pytest.mark.parametrize(
    ("app", "reset_cost", "cost"),
    [
        (hypercube(3), 2, 27),
        (hypercube(4), 2, 64),
        (hypercube(5), 2, 175),
        (hypercube(6), 2, 396),
        (hypercube(8), 3, 2472),
        (tiny(), 2, 18),
        (menusite(5, 3), 2, 211),
        (menusite(10, 10), 2, 2241),
        (pager(20), 2, 250),
        (widgets(3, 3), 2, 164),
        (widgets(2, 6), 2, 362),
    ],
    ids=lambda value: value.name if isinstance(value, Application) else str(value),
)
def test_completion_of_known_applications(app: Application, reset_cost: float, cost: float) -> None:
    assert completion(app.truth, reset_cost) == cost


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6, 8, 10])
def test_hypercubes_meet_the_published_formulas(n: int) -> None:
    """Dincturk et al. 2014, §6: optimal chains for the states, optimal paths for the transitions."""
    middle = comb(n, n // 2)
    chains = [comb(n, level) - (comb(n, level - 1) if level else 0) for level in range(n // 2 + 1)]
    events = sum(count * (n - level) for level, count in enumerate(chains))
    graph = hypercube(n).truth
    bound = all_states(graph, 3)
    assert bound.exact
    assert bound.tour == Cost(events, middle)
    resets = middle * ((n + 1) // 2)
    assert completion(graph, 3) == pytest.approx(2**n * n / 4 + resets * n / 2 + 3 * resets)


@pytest.mark.parametrize(
    ("app", "tour"),
    [
        (tiny(), Cost(3, 1)),
        (viol8(), Cost(7, 3)),
        (menusite(5, 3), Cost(30, 1)),
        (menusite(10, 10), Cost(200, 1)),
        (pager(20), Cost(19, 1)),
        (widgets(3, 3), Cost(26, 1)),
        (widgets(2, 6), Cost(35, 1)),
        (widgets(4, 4), Cost(255, 1)),
    ],
    ids=lambda value: value.name if isinstance(value, Application) else "",
)
def test_all_states_of_known_applications(app: Application, tour: Cost) -> None:
    bound = all_states(app.truth, app.reset_cost)
    assert bound.lower <= tour.total(app.reset_cost) <= bound.upper
    assert bound.exact
    assert bound.tour == tour


@given(machines(most_states=6, most_events=4), reset_costs)
@settings(max_examples=100, deadline=None)
def test_few_states_are_visited_at_the_least_cost_there_is(rows: Rows, reset_cost: float) -> None:
    graph = graph_of(rows)
    bound = all_states(graph, reset_cost)
    assert bound.exact
    assert bound.upper == pytest.approx(cheapest_visit(reachable_part(graph), reset_cost))
    assert bound.tour.total(reset_cost) == bound.upper


@given(machines(most_states=9, most_events=4), reset_costs)
@settings(max_examples=100, deadline=None)
def test_flow_and_tour_enclose_the_optimum(rows: Rows, reset_cost: float) -> None:
    graph = graph_of(rows)
    optimum = all_states(graph, reset_cost).upper
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(offline_bounds, "MAX_EXACT", 0)
        bound = all_states(graph, reset_cost)
    assert len(reachable_part(graph)) - 1 + reset_cost <= bound.lower
    assert bound.lower <= optimum + 1e-9
    assert bound.upper >= optimum - 1e-9


@given(machines(most_states=4, most_events=2), reset_costs)
@settings(max_examples=100, deadline=None)
def test_completion_is_what_exhaustive_search_finds(rows: Rows, reset_cost: float) -> None:
    graph = graph_of(rows)
    assert completion(graph, reset_cost) == pytest.approx(cheapest_crawl(reachable_part(graph), reset_cost))


@given(machines(most_states=8, most_events=3), st.randoms(use_true_random=False))
@settings(max_examples=50, deadline=None)
def test_improving_a_tour_keeps_its_states_and_never_costs_more(rows: Rows, random: Random) -> None:
    graph = reachable_part(graph_of(rows))
    distances = with_resets(walks(graph), 2)
    others = list(range(1, len(graph)))
    random.shuffle(others)
    better = improved_tour([INITIAL, *others], distances)
    assert better[0] == INITIAL
    assert sorted(better) == list(range(len(graph)))
    before, after = (sum(distances[a, b] for a, b in pairwise(tour)) for tour in ([INITIAL, *others], better))
    assert after <= before


def test_what_cannot_be_reached_or_is_unexplored_is_left_out() -> None:
    graph = machine({"a": [("go", "b")], "b": [("return", "a")], "island": [("swim", "a")]})
    graph.add_state("c", [Event.named("later")])
    assert reachable_part(graph).ids == ["a", "b"]
    assert all_states(graph, 2).tour == Cost(1, 1)
    assert completion(graph, 2) == pytest.approx(4)


def test_a_single_state_costs_its_load() -> None:
    graph = machine({"only": []})
    assert all_states(graph, 2).upper == 2
    assert completion(graph, 2) == pytest.approx(2)


def test_too_many_links_for_the_solver_leave_a_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offline_bounds, "MAX_FLOW_LINKS", 10)
    monkeypatch.setattr(offline_bounds, "MAX_IMPROVED", 10)
    bound = all_states(menusite(5, 3).truth, 2)
    assert not bound.exact
    assert bound.lower == 22
    assert bound.upper >= 32


def test_a_flow_that_stays_in_parts_is_still_a_lower_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offline_bounds, "MAX_ROUNDS", 0)
    bound = all_states(menusite(10, 10).truth, 2)
    assert 112 < bound.lower <= 202 <= bound.upper


def test_improving_stops_after_its_last_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    distances = with_resets(walks(pager(9).truth), 2)
    backwards = [INITIAL, *range(8, 0, -1)]
    best = improved_tour(backwards, distances)
    monkeypatch.setattr(tours, "MAX_PASSES", 1)
    once = improved_tour(backwards, distances)
    costs = [sum(distances[a, b] for a, b in pairwise(order)) for order in (backwards, once, best)]
    assert costs[0] > costs[1] >= costs[2]


def test_a_large_site_is_bounded_quickly() -> None:
    graph = synthetic(40_000).truth
    bound = all_states(graph, 2)
    assert 501 <= bound.lower <= bound.upper <= 1.01 * bound.lower
    assert completion(graph, 2) > graph.explored
