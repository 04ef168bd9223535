"""Tours: orders in which to visit all states, exact for a few states and good for many.

Theory of operation
    The distance from u to v is the cheaper of walking and of resetting (c_r) and walking from the initial state. It
    is asymmetric and obeys the triangle inequality, so a tour may be given by the order of first visits alone; the
    first is the initial state and the last may be any.

    * exact: dynamic programming over the sets of visited states (M. Held and R. M. Karp, "A dynamic programming
      approach to sequencing problems", 1962). 2^n sets, so only for a few states.
    * nearest: always go on to the nearest state not visited yet.
    * improved: move runs of up to MAX_RUN states elsewhere in the order while that makes it cheaper (I. Or, 1976).
      Runs keep their direction: turned round, in an asymmetric graph, they would have to be costed anew.
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

MAX_RUN = 3  # longer runs rarely pay
MAX_PASSES = 12  # each pass looks at every run once; most of the gain is in the first few
EPSILON = 1e-9


def walks(graph: Graph) -> Distances:
    """Events needed to walk from each state to each, infinite where there is no way."""
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
    """The cost of getting from each state to each, by walking or after a reset."""
    after_reset: Distances = reset_cost + walked[INITIAL]
    return np.minimum(walked, after_reset)


def cost_of(order: list[int], walked: Distances, reset_cost: float) -> Cost:
    """Events and resets of a tour, its first load included. Where a walk costs as much as a reset, it walks."""
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
    """The cheapest order. Time and memory grow as 2^n · n: for at most some 16 states."""
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
    """Always on to the nearest state not visited yet, among equals to the one with the fewest ways in."""
    field = DistanceField(graph.links)
    for state, sources in enumerate(graph.links.predecessors):
        if state != INITIAL:
            field.open(state, min(len(sources), STEP - 1))
    order, cost, here = [INITIAL], Cost(0, 1), INITIAL
    while len(order) < len(graph):
        resets = field.value(here) == FAR or (field.value(INITIAL) // STEP + reset_cost < field.value(here) // STEP)
        way = field.way(INITIAL if resets else here)
        cost += Cost(len(way) - 1, int(resets))
        here = way[-1]
        order.append(here)
        field.close(here)
    return order, cost


def improved_tour(order: list[int], distances: Distances) -> list[int]:
    """The order after moving short runs of states to where they cost less, until none does."""
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
    """The tour with one run moved to its best place, None when it is there already."""
    run = tour[start : start + length]
    rest = np.concatenate([tour[:start], tour[start + length :]])
    first, last = run[0], run[-1]
    gain = distances[tour[start - 1], first]
    if start < len(rest):
        gain += distances[last, rest[start]] - distances[rest[start - 1], rest[start]]
    price = backwards[first][rest]  # after each state of the rest; behind the last one nothing is cut
    price[:-1] += distances[last][rest[1:]] - distances[rest[:-1], rest[1:]]
    place = int(price.argmin())
    if price[place] >= gain - EPSILON:
        return None
    return np.concatenate([rest[: place + 1], run, rest[place + 1 :]])
