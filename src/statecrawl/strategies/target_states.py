"""Sets of target states that know their nearest member: one implementation searches, the other keeps an index.

Both answer with a target of least (tier, cost, rank); they differ in which of several equal ones they pick. A target's
rank decides between targets at the same cost; a rank of TIER or more puts it behind every target of a lower tier.
"""

from collections.abc import Callable, Iterable
from typing import Protocol

from statecrawl.model.cheapest_paths import CheapestRoute, Settling, Ties
from statecrawl.model.distance_field import FAR, STEP, TIER, DistanceField
from statecrawl.model.graph import INITIAL, Graph
from statecrawl.model.successors import Successors
from statecrawl.strategies.settings import SearchMethod, StrategySettings

Accept = Callable[[int], bool]
Extra = Callable[[int], Iterable[int]]


class TargetStates(Protocol):
    """A changing set of states, of which the nearest is wanted again and again."""

    def add_vertex(self) -> None: ...
    def link_added(self, source: int, target: int) -> None: ...
    def links_removed(self, links: Iterable[tuple[int, int]]) -> None: ...
    def open(self, state: int, rank: int = 0) -> None: ...
    def close(self, state: int) -> None: ...
    def retarget(self, state: int) -> None: ...
    def nearest(self, position: int | None, accept: Accept | None = None) -> CheapestRoute | None: ...


def make_targets(
    graph: Graph, rules: StrategySettings, links: Successors | None = None, extra: Extra | None = None
) -> TargetStates:
    """`extra` and `links` say the same twice: hypothetical links beside the explored ones, as a function and merged."""
    if rules.search is SearchMethod.REFERENCE:
        return SearchedTargetStates(graph, rules, extra)
    return IndexedTargetStates(graph, rules, links or graph.links, extra)


class SearchedTargetStates:
    """Searches from the position outwards, every time."""

    def __init__(self, graph: Graph, rules: StrategySettings, extra: Extra | None) -> None:
        self._graph = graph
        self._rules = rules
        self._extra = extra
        self._ranks: dict[int, int] = {}

    def add_vertex(self) -> None: ...
    def link_added(self, source: int, target: int) -> None: ...
    def links_removed(self, links: Iterable[tuple[int, int]]) -> None: ...

    def open(self, state: int, rank: int = 0) -> None:
        self._ranks[state] = rank

    def close(self, state: int) -> None:
        self._ranks.pop(state, None)

    def retarget(self, state: int) -> None:
        self._ranks = {state: 0}

    def nearest(self, position: int | None, accept: Accept | None = None) -> CheapestRoute | None:
        if not self._ranks:
            return None
        search = Settling(self._graph, position, self._rules.reset_cost, self._rules.ties, self._extra)
        return first_of(search, self._ranks.get, accept)


class IndexedTargetStates:
    """Reads the answer off a field; searches only where a condition rules the field's answer out."""

    def __init__(self, graph: Graph, rules: StrategySettings, links: Successors, extra: Extra | None) -> None:
        self._graph = graph
        self._rules = rules
        self._extra = extra
        self._field = DistanceField(links)
        self.add_vertex = self._field.add_vertex
        self.link_added = self._field.link_added
        self.links_removed = self._field.links_removed
        self.open = self._field.open
        self.close = self._field.close
        self.retarget = self._field.retarget

    def nearest(self, position: int | None, accept: Accept | None = None) -> CheapestRoute | None:
        field, rules = self._field, self._rules
        afresh = field.value(INITIAL)
        walk = FAR if position is None else field.value(position)
        if walk >= FAR and afresh >= FAR:
            return None
        reset = position is None or self._prefers_reset(walk, afresh)
        begin = INITIAL if position is None or reset else position
        way = field.way(begin)
        if accept is None or accept(way[-1]):
            return CheapestRoute(reset, way, len(way) - 1 + (rules.reset_cost if reset else 0))
        search = Settling(self._graph, position, rules.reset_cost, rules.ties, self._extra)
        return first_of(search, field.rank, accept)

    def _prefers_reset(self, walk: int, afresh: int) -> bool:
        if walk >= FAR or afresh >= FAR:
            return walk >= FAR
        here = _key(walk, 0)
        there = _key(afresh, self._rules.reset_cost)
        return there < here or (there == here and self._rules.ties is Ties.RESET)


def _key(value: int, more: float) -> tuple[int, float, int]:
    """A field's value as (tier, cost, rank), with what else it costs."""
    tier, value = divmod(value, TIER)
    steps, rank = divmod(value, STEP)
    return tier, steps + more, rank


def first_of(search: Settling, rank_of: Callable[[int], int | None], accept: Accept | None) -> CheapestRoute | None:
    """The settled state of least (tier, cost with rank), the first settled among equals."""
    best: tuple[int, float, int] | None = None
    goal = INITIAL
    for state, cost in search:
        if best is not None and best[0] == 0 and cost > best[1]:
            break
        rank = rank_of(state)
        if rank is None or (accept is not None and not accept(state)):
            continue
        tier, rank = divmod(rank, TIER)
        key = (tier, cost + rank // STEP, rank % STEP)
        if best is None or key < best:
            best, goal = key, state
            if key == (0, cost, 0):
                break
    return None if best is None else search.route(goal)
