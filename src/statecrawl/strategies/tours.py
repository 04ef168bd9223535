"""Tours: orders in which to visit all states, optimal for few states and good for many.

Theory of operation
    The distance from u to v is the cheaper of two: walking, or resetting (c_r) and walking from the initial state. It
    is asymmetric and obeys the triangle inequality, so the order of first visits determines a tour. The first state is
    the initial one; the last may be any.

    * exact: dynamic programming over the sets of visited states (M. Held and R. M. Karp, "A dynamic programming
      approach to sequencing problems", 1962). 2^n sets, so only for a few states.
    * nearest: always continue with the nearest unvisited state.
    * improved: move runs of up to MAX_RUN states to other places while that makes the tour cheaper (I. Or, 1976).
      Runs keep their direction, because in an asymmetric graph a reversed run has a different cost.
"""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order

from statecrawl.model.cost import Cost
from statecrawl.model.distance_field import FAR, STEP, DistanceField
from statecrawl.model.graph import INITIAL, Graph

Distances = NDArray[np.float64]

MAX_RUN = 3  # longer runs rarely help
MAX_PASSES = 12  # each pass tries every run once; the first few bring most of the gain
EPSILON = 1e-9


def walks(graph: Graph) -> Distances:
    """Return the number of events between each two states; infinite if there is no path."""
    size = len(graph)
    ends = [(state, target) for state, targets in enumerate(graph.links.successors) for target in targets]
    rows, columns = np.array(ends, dtype=np.int64).reshape(-1, 2).T
    links = csr_array((np.ones(len(ends)), (rows, columns)), shape=(size, size))
    result = np.full((size, size), np.inf)
    for state in range(size):
        order, parents = breadth_first_order(links, state)
        depths = [0] * size
        before = parents.tolist()
        for reached in order[1:].tolist():
            depths[reached] = depths[before[reached]] + 1
        result[state, order] = np.array(depths)[order]
    return result


def with_resets(walked: Distances, reset_cost: float) -> Distances:
    """Return the cost of getting from each state to each other one, by walking or after a reset."""
    after_reset: Distances = reset_cost + walked[INITIAL]
    return np.minimum(walked, after_reset)


def cost_of(order: list[int], walked: Distances, reset_cost: float) -> Cost:
    """Return the events and resets of a tour, including the first load. Walks are preferred at equal cost."""
    events, resets = 0, 1
    for state, target in pairwise(order):
        after_reset = walked[INITIAL, target]
        if reset_cost + after_reset < walked[state, target]:
            resets += 1
            events += int(after_reset)
        else:
            events += int(walked[state, target])
    return Cost(events, resets)


def exact_tour(distances: Distances) -> list[int]:
    """Return the cheapest order. Time and memory grow as 2^n · n, so this is feasible up to about 16 states."""
    others = len(distances) - 1
    steps = distances[1:, 1:]  # state i + 1 is bit i
    sets = np.arange(1 << others)
    sizes = np.bitwise_count(sets)
    best = np.full((1 << others, others), np.inf)  # [visited, last]
    for last in range(others):
        best[1 << last, last] = distances[INITIAL, last + 1]
    for size in range(2, others + 1):
        for last in range(others):
            visited = sets[(sizes == size) & (sets >> last & 1 == 1)]
            best[visited, last] = (best[visited ^ (1 << last)] + steps[:, last]).min(axis=1)
    order: list[int] = []
    visited_set, last = (1 << others) - 1, int(best[-1].argmin()) if others else 0
    while visited_set:
        order.append(last + 1)
        visited_set ^= 1 << last
        last = int((best[visited_set] + steps[:, last]).argmin())
    return [INITIAL, *reversed(order)]


def nearest_tour(graph: Graph, reset_cost: float) -> tuple[list[int], Cost]:
    """Always go to the nearest unvisited state; among equals, to the one with the fewest incoming links."""
    field = DistanceField(graph.links)
    for state, sources in enumerate(graph.links.predecessors):
        if state != INITIAL:
            field.open(state, min(len(sources), STEP - 1))
    order, cost, here = [INITIAL], Cost(0, 1), INITIAL
    while len(order) < len(graph):
        resets = field.value(here) == FAR or (field.value(INITIAL) // STEP + reset_cost < field.value(here) // STEP)
        path = field.path(INITIAL if resets else here)
        cost += Cost(len(path) - 1, int(resets))
        here = path[-1]
        order.append(here)
        field.close(here)
    return order, cost


def improved_tour(order: list[int], distances: Distances) -> list[int]:
    """Improve an order by moving short runs of states, until no move makes it cheaper."""
    tour = np.array(order)
    backwards = np.ascontiguousarray(distances.T)
    for _ in range(MAX_PASSES):
        moved = False
        for length in range(1, min(MAX_RUN, len(tour) - 2) + 1):
            for start in range(1, len(tour) - length + 1):
                better = _moved(tour, start, length, distances, backwards)
                if better is not None:
                    tour, moved = better, True
        if not moved:
            break
    return [int(state) for state in tour]


def _moved(
    tour: NDArray[np.int64], start: int, length: int, distances: Distances, backwards: Distances
) -> NDArray[np.int64] | None:
    """Move one run to its best place; None if it is already there."""
    run = tour[start : start + length]
    rest = np.concatenate([tour[:start], tour[start + length :]])
    first, last = run[0], run[-1]
    gain = distances[tour[start - 1], first]
    if start < len(rest):
        gain += distances[last, rest[start]] - distances[rest[start - 1], rest[start]]
    price = backwards[first][rest]  # of inserting the run after each state; after the last state, no link is cut
    price[:-1] += distances[last][rest[1:]] - distances[rest[:-1], rest[1:]]
    place = int(price.argmin())
    if price[place] >= gain - EPSILON:
        return None
    return np.concatenate([rest[: place + 1], run, rest[place + 1 :]])
