"""Offline bounds: what the best of all crawls would cost if it knew the application beforehand.

No strategy can beat them, so they say how far from perfect a crawl was (Dincturk et al., "A Model-Based
Approach for Crawling Rich Internet Applications", 2014, §7.2, where the first is found by an exact solver of the
travelling salesman problem). Cost is events + c_r × resets, and the first load counts as a reset.

Visiting all states
    A travelling salesman who starts at the initial state and may end anywhere. Up to MAX_EXACT states it is solved
    exactly. Beyond that, two sides close in on the optimum and often meet:

    * below, the cheapest circulation that enters every state (`circulation`). Where it falls apart into parts that
      no flow joins, it is solved again with the demand that each part be entered: a crawl must. That is never less
      than |S| − 1 events and one reset. If it comes out as one walk, it is the optimum itself;
    * above, the best tour we found (`tours`).

Exploring every transition
    A postman who walks every transition at least once. The cheapest circulation that does so is always connected,
    since the transitions themselves connect all states: the bound is the optimum, whatever the size.

States that cannot be reached from the initial one are left out, and so are pairs that were never explored.
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
MAX_IMPROVED = 2_000  # states; distances between all pairs then take 32 megabytes
MAX_FLOW_LINKS = 200_000  # more than this takes the solver minutes for one flow
MAX_ROUNDS = 12  # flows to solve for one bound; those that close the gap have done so by then
MAX_ROUND_LINKS = 400_000  # links in all those flows together: some ten seconds of solving
DECIMALS = 6  # of a cost; what the solver leaves behind them is noise, and would make an optimal crawl look too good


@dataclass(frozen=True, slots=True, kw_only=True)
class OfflineBound:
    """The cheapest possible, or what encloses it."""

    lower: float
    upper: float  # the cost of `tour`
    tour: Cost  # the best way that was found

    @property
    def exact(self) -> bool:
        return self.lower == self.upper


def all_states(graph: Graph, reset_cost: float) -> OfflineBound:
    """What it costs at least, and at most, to visit every state."""
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
    """What it costs to explore every transition when one knows where each leads."""
    graph = reachable_part(graph)
    surplus = np.zeros(len(graph))  # an event fired in s and leading to t leaves one to come into s and go out of t
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
    """The cheapest flow we can afford to find that enters every state; a walk, or as dear as the tour, at best."""
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
    """The least cost that a crawl can have and a flow this dear allows: whole where the reset cost is whole."""
    return ceil(flow.cost - TOLERANCE) if float(reset_cost).is_integer() else flow.cost - TOLERANCE


def _bound(lower: float, tour: Cost, reset_cost: float) -> OfflineBound:
    return OfflineBound(lower=lower, upper=tour.total(reset_cost), tour=tour)
