"""Sets of target states that find their nearest member: one implementation searches, the other maintains an index.

Both return a target with the least (tier, cost, rank); they differ in which of several equal targets they choose. The
rank decides between targets at the same cost. A rank of TIER or more puts a target after all targets of a lower tier.
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
    """Changing set of states with queries for the nearest one."""

    def add_vertex(self) -> None: ...
    def link_added(self, source: int, target: int) -> None: ...
    def links_removed(self, links: Iterable[tuple[int, int]]) -> None: ...
    def open(self, state: int, rank: int = 0) -> None: ...
    def close(self, state: int) -> None: ...
    def retarget(self, state: int) -> None: ...
    def nearest(self, position: int | None, accept: Accept | None = None) -> CheapestRoute | None: ...


def make_targets(
    graph: Graph, settings: StrategySettings, links: Successors | None = None, extra: Extra | None = None
) -> TargetStates:
    """Create a set. `extra` returns hypothetical links of a state; `links` are the explored and hypothetical links."""
    if settings.search is SearchMethod.REFERENCE:
        return SearchedTargetStates(graph, settings, extra)
    return IndexedTargetStates(graph, settings, links or graph.links, extra)


class SearchedTargetStates:
    """Searches outwards from the position for every query."""

    def __init__(self, graph: Graph, settings: StrategySettings, extra: Extra | None) -> None:
        self._graph = graph
        self._settings = settings
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
        search = Settling(self._graph, position, self._settings.reset_cost, self._settings.ties, self._extra)
        return first_of(search, self._ranks.get, accept)


class IndexedTargetStates:
    """Reads the nearest target from a distance field; searches only if a condition excludes that target."""

    def __init__(self, graph: Graph, settings: StrategySettings, links: Successors, extra: Extra | None) -> None:
        self._graph = graph
        self._settings = settings
        self._extra = extra
        self._field = DistanceField(links)
        self.add_vertex = self._field.add_vertex
        self.link_added = self._field.link_added
        self.links_removed = self._field.links_removed
        self.open = self._field.open
        self.close = self._field.close
        self.retarget = self._field.retarget

    def nearest(self, position: int | None, accept: Accept | None = None) -> CheapestRoute | None:
        field, settings = self._field, self._settings
        after_reset = field.value(INITIAL)
        walk = FAR if position is None else field.value(position)
        if walk >= FAR and after_reset >= FAR:
            return None
        reset = position is None or self._prefers_reset(walk, after_reset)
        start = INITIAL if position is None or reset else position
        states = field.path(start)
        if accept is None or accept(states[-1]):
            return CheapestRoute(reset, states, len(states) - 1 + (settings.reset_cost if reset else 0))
        search = Settling(self._graph, position, settings.reset_cost, settings.ties, self._extra)
        return first_of(search, field.rank, accept)

    def _prefers_reset(self, walk: int, after_reset: int) -> bool:
        if walk >= FAR or after_reset >= FAR:
            return walk >= FAR
        here = _key(walk, 0)
        there = _key(after_reset, self._settings.reset_cost)
        return there < here or (there == here and self._settings.ties is Ties.RESET)


def _key(value: int, more: float) -> tuple[int, float, int]:
    """Split a value of the field into (tier, cost, rank), and add `more` to the cost."""
    tier, value = divmod(value, TIER)
    steps, rank = divmod(value, STEP)
    return tier, steps + more, rank


def first_of(search: Settling, rank_of: Callable[[int], int | None], accept: Accept | None) -> CheapestRoute | None:
    """Return the route to the settled state with the least (tier, cost, rank), the first one among equals."""
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
