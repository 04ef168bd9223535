"""Offline bounds: the cost of the best possible crawl if it knew the application in advance.

No strategy can beat them, so they show how far from optimal a crawl was (Dincturk et al., "A Model-Based
Approach for Crawling Rich Internet Applications", 2014, §7.2, where the first bound is computed by an exact solver of
the traveling salesman problem). Cost is events + c_r × resets, and the first load counts as a reset.

Visiting all states
    This is a traveling salesman problem that starts at the initial state and may end anywhere. Up to MAX_EXACT states
    it is solved exactly. For more states, a lower and an upper bound enclose the optimum and often meet:

    * The lower bound is the cheapest circulation that enters every state (`circulation`). If it consists of several
      unconnected parts, it is solved again with the constraint that each part is entered, as a crawl must. It is never
      less than |S| − 1 events and one reset. If the result is a single walk, it is the optimum.
    * The upper bound is the best tour found (`tours`).

Exploring every transition
    This is a postman problem: walk every transition at least once. The cheapest circulation that does so is always
    connected, because the transitions themselves connect all states. So the bound is the optimum for any size.

States that cannot be reached from the initial state and pairs that were never explored are ignored.
"""

from dataclasses import dataclass
from math import ceil

import numpy as np

from statecrawl.model.cost import Cost
from statecrawl.model.graph import Graph
from statecrawl.model.subgraphs import reachable_part
from statecrawl.strategies.circulation import TOLERANCE, Circulation, Flow
from statecrawl.strategies.tours import cost_of, exact_tour, improved_tour, nearest_tour, walks, with_resets

MAX_EXACT = 16  # states; the table of the dynamic program then has half a million entries
MAX_IMPROVED = 2_000  # states; the distances between all pairs then take 32 megabytes
MAX_FLOW_LINKS = 200_000  # with more links, the solver takes minutes for one flow
MAX_ROUNDS = 12  # flows to solve for one bound; if the gap closes at all, it has closed by then
MAX_ROUND_LINKS = 400_000  # links in all these flows together: about ten seconds of solving
DECIMALS = 6  # of a cost; further digits are noise of the solver and would put the bound above an optimal crawl


@dataclass(frozen=True, slots=True, kw_only=True)
class OfflineBound:
    """Optimal cost, or an interval that contains it."""

    lower: float
    upper: float  # the cost of `tour`
    tour: Cost  # the best tour found

    @property
    def exact(self) -> bool:
        return self.lower == self.upper


def all_states(graph: Graph, reset_cost: float) -> OfflineBound:
    """Bound the cost of visiting every state."""
    graph = reachable_part(graph)
    if len(graph) <= MAX_EXACT:
        walked = walks(graph)
        tour = cost_of(exact_tour(with_resets(walked, reset_cost)), walked, reset_cost)
        return _bound(tour.total(reset_cost), tour, reset_cost)
    tour = _good_tour(graph, reset_cost)
    least = len(graph) - 1 + reset_cost
    if tour.total(reset_cost) == least or sum(map(len, graph.links.successors)) > MAX_FLOW_LINKS:
        return _bound(least, tour, reset_cost)
    flow = _flow_through_all(graph, reset_cost, tour)
    if flow.is_walk:
        tour = Cost(round(flow.events), round(flow.resets))
        return _bound(tour.total(reset_cost), tour, reset_cost)
    return _bound(max(least, _rounded_up(flow, reset_cost)), tour, reset_cost)


def completion(graph: Graph, reset_cost: float) -> float:
    """Return the optimal cost of exploring every transition when all targets are known."""
    graph = reachable_part(graph)
    surplus = np.zeros(len(graph))  # after the transition s → t, a walk must enter s and leave t once more
    for state, _, target in graph.transitions():
        surplus[state] += 1
        surplus[target] -= 1
    return round(graph.explored + Circulation(graph, reset_cost).cheapest(surplus).cost, DECIMALS)


def _good_tour(graph: Graph, reset_cost: float) -> Cost:
    order, cost = nearest_tour(graph, reset_cost)
    if len(graph) > MAX_IMPROVED or cost.total(reset_cost) == len(graph) - 1 + reset_cost:
        return cost
    walked = walks(graph)
    return cost_of(improved_tour(order, with_resets(walked, reset_cost)), walked, reset_cost)


def _flow_through_all(graph: Graph, reset_cost: float, tour: Cost) -> Flow:
    """Find the cheapest flow that enters every state; stop when it is a walk or costs as much as the tour."""
    circulation = Circulation(graph, reset_cost)
    balanced = np.zeros(len(graph))
    partitions = [np.arange(len(graph))]  # every state by itself must be entered
    flow = circulation.cheapest(balanced, partitions)
    for _ in range(min(MAX_ROUNDS, MAX_ROUND_LINKS // max(1, circulation.links))):
        if flow.parts.max() == 0 or _rounded_up(flow, reset_cost) >= tour.total(reset_cost):
            break
        partitions.append(flow.parts)
        flow = circulation.cheapest(balanced, partitions)
    return flow


def _rounded_up(flow: Flow, reset_cost: float) -> float:
    """Round the cost of a flow up to the next possible cost of a crawl: an integer if the reset cost is one."""
    return ceil(flow.cost - TOLERANCE) if float(reset_cost).is_integer() else flow.cost - TOLERANCE


def _bound(lower: float, tour: Cost, reset_cost: float) -> OfflineBound:
    return OfflineBound(lower=lower, upper=tour.total(reset_cost), tour=tour)
