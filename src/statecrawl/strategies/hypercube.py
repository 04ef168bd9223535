"""Hypercube: the events of a state are assumed to be independent and each usable once.

Source: Dincturk et al., "A Model-Based Approach for Crawling Rich Internet Applications", 2014, §5 and §6.

Theory of operation
    A state with n events is assumed to be the base of an n-dimensional cube (see `anticipated_hypercubes`). While
    states remain to be found, the walker goes to the cheapest vertex that starts a symmetric chain (see
    `symmetric_chains`) not attempted yet, follows that chain, and then continues with unexplored events as long as its
    current state has any. Chains cover all vertices with the fewest walks from the bottom, and continuing keeps the
    number of resets of the complete crawl minimal. The path to the start of a chain uses explored events first and then
    as many unexplored ones as possible (`_approach`), but never an explored event after an unexplored one. When no
    start is left, the remaining transitions are explored from the nearest state, but never by walking forward inside
    the cube: lemma 6.2 of the paper, and with it the optimality, requires every walk to leave the bottom by an
    unexplored event as early as possible.

    A contradiction to the cube ends the walker's course; a new state that causes one becomes the base of its own cube.
    On applications that are not cubes this becomes a greedy strategy that prefers, among equally near states, the one
    with more events (§7.5). An event added to a state later belongs to no cube. It is explored when a walker is in
    that state or, with the remaining transitions, from the nearest state.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from statecrawl.model.cheapest_paths import CheapestRoute, Settling
from statecrawl.model.distance_field import STEP
from statecrawl.model.graph import Graph
from statecrawl.strategies.anticipated_hypercubes import AnticipatedHypercubes, Vertex
from statecrawl.strategies.settings import StrategySettings
from statecrawl.strategies.strategy import Choice, Strategy, here
from statecrawl.strategies.symmetric_chains import starts_chain, successor
from statecrawl.strategies.task import Pair

APPROACH_LEVELS = 10  # 2^10 sub-masks are searched for the best path to a start; above, only the last edge is new
LAST = STEP - 1  # the rank of the last of equally near targets


@dataclass(slots=True)
class _Course:
    """Course of a walker: the rest of the path to a start, then its chain, then any unexplored events."""

    start: Vertex
    approach: list[int]  # logical numbers of unexplored events
    pair: Pair  # of the last task
    on_chain: bool = True


class _Reach(NamedTuple):
    """Best path to a vertex: the cheapest, then the one with the most unexplored events."""

    cost: float
    minus_unexplored: int
    start: int  # the state where the unexplored part starts
    events: tuple[int, ...]  # logical numbers


class Hypercube(Strategy):
    """Hypercube strategy: optimal on hypercubes, greedy on other applications."""

    name: ClassVar[str] = "hypercube"

    def __init__(self, graph: Graph, settings: StrategySettings) -> None:
        super().__init__(graph, settings)
        self.cubes = AnticipatedHypercubes(graph)
        self._attempted: set[Vertex] = set()
        self._finding_states = True
        self._courses: dict[int, _Course] = {}
        self._starts = self._index()  # states at, or one unexplored event before, the start of a chain
        self._open = self._index()

    # -- what was learnt --

    def _learn(self, state: int, position: int, target: int, *, is_new: bool) -> None:
        self._settle(state)
        if self.cubes.explored(state, position, target, is_new=is_new):
            if is_new:
                self._look_below(self.cubes.homes[target])
            return
        self._finding_states = self._finding_states or is_new
        for walker, course in list(self._courses.items()):
            if course.pair == (state, position):
                del self._courses[walker]

    def _settle(self, state: int) -> None:
        """Make a state without a vertex (the initial state, or one found by a surprise) the base of a cube."""
        if state not in self.cubes.homes:
            self.cubes.anchor(state)
            self._finding_states = True

    def _refresh(self, state: int) -> None:
        self._settle(state)
        free = self.free[state]
        if free:
            self._open.open(state, self._tier(state) + max(0, LAST - len(self.graph.events[state])))
        else:
            self._open.close(state)
        start = self._start_at(state)
        if start is None:
            self._starts.close(state)
        else:
            (base, mask), _ = start
            chain = self.cubes.size(base) - 2 * mask.bit_count()
            ahead = self.cubes.homes[state] != (base, mask)
            self._starts.open(state, self._tier(state) + ahead * STEP + max(0, LAST - chain))

    def _start_at(self, state: int) -> tuple[Vertex, int] | None:
        """Find the first chain start not attempted yet at this state or one free event away, and that event."""
        if not self.free[state]:
            return None
        home = base, mask = self.cubes.homes[state]
        size = self.cubes.size(base)
        if mask == 0 and home not in self._attempted:
            return home, self.free[state][0]
        for position in self.free[state]:
            ahead = self.cubes.ahead(state, position)
            if ahead is None or ahead in self._attempted or ahead in self.cubes.states:
                continue
            if starts_chain(ahead[1], size):
                return ahead, position
        return None

    def _attempt(self, vertex: Vertex) -> None:
        self._attempted.add(vertex)
        self._look_below(vertex)

    def _look_below(self, vertex: Vertex) -> None:
        """Refresh the states one event below a vertex, because knowledge about the vertex has changed."""
        base, mask = vertex
        below = (self.cubes.states.get((base, mask ^ 1 << bit)) for bit in range(mask.bit_length()) if mask >> bit & 1)
        self._mark_stale([state for state in (*below, self.cubes.states.get(vertex)) if state is not None])

    # -- what to do --

    def _choose(self, walker: int, position: int | None) -> Choice | None:
        course = self._courses.pop(walker, None)
        if course is not None and position is not None:
            choice = self._go_on(walker, course, position)
            if choice is not None:
                return choice
            self._give_up(course)
        if self._finding_states:
            choice = self._find_states(walker, position)
            if choice is not None:
                return choice
            self._finding_states = bool(self.held or self._withheld)  # other walkers may find new starts
        return self._find_transitions(position)

    def _give_up(self, course: _Course) -> None:
        """Drop a course whose next event was taken or released. A start that was not reached can be attempted again."""
        if course.start in self._attempted and course.start not in self.cubes.states:
            self._attempted.discard(course.start)
            self._finding_states = True
            self._look_below(course.start)
            self._catch_up()

    def _go_on(self, walker: int, course: _Course, position: int) -> Choice | None:
        state, event = course.pair
        if self.graph.targets[state][event] != position or self._tier(position):
            return None
        chosen: int | None = None
        if course.approach:
            chosen = self._free_position(position, course.approach[0])
            if chosen is None:
                return None
            course = _Course(course.start, course.approach[1:], (position, chosen))
        elif course.on_chain:
            chosen = self._along_chain(position)
            course = _Course(course.start, [], (position, chosen or 0), on_chain=chosen is not None)
        if chosen is None and self.free[position]:
            chosen = self._pick(self.free[position], position)
        if chosen is None:
            return None
        course.pair = (position, chosen)
        self._courses[walker] = course
        return here(position), chosen

    def _along_chain(self, state: int) -> int | None:
        base, mask = self.cubes.homes[state]
        bit = successor(mask, self.cubes.size(base))
        return None if bit is None else self._free_position(state, self.cubes.event(base, bit))

    def _find_states(self, walker: int, position: int | None) -> Choice | None:
        route = self._starts.nearest(position)
        start = None if route is None else self._start_at(route.goal)
        if route is None or start is None:
            return None
        vertex, event = start
        self._attempt(vertex)
        approach: tuple[int, ...] = ()
        if vertex == self.cubes.homes[route.goal]:
            ahead = self._along_chain(route.goal)
            event = event if ahead is None else ahead
        elif 1 < vertex[1].bit_count() <= APPROACH_LEVELS:
            route, event, approach = self._approach(position, vertex, route.cost)
        self._courses[walker] = _Course(vertex, list(approach), (route.goal, event))
        return route, event

    def _approach(
        self, position: int | None, vertex: Vertex, most: float
    ) -> tuple[CheapestRoute, int, tuple[int, ...]]:
        """Find the cheapest path to a vertex that ends with as many unexplored events as possible."""
        search = Settling(self.graph, position, self.settings.reset_cost, self.settings.ties)
        for _, cost in search:
            if cost > most:  # a path with one unexplored edge is cheaper
                break
        base, target = vertex
        best: dict[int, _Reach] = {}
        for mask in submasks(target):
            reaches = [
                reach
                for bit in range(mask.bit_length())
                if mask >> bit & 1
                for reach in self._last_steps(base, mask ^ 1 << bit, bit, search.costs, best)
            ]
            if reaches:
                best[mask] = min(reaches, key=lambda reach: reach[:2])
        reach = best[target]
        event = self._free_position(reach.start, reach.events[0])
        if event is None:  # only free events were considered
            raise RuntimeError("the path to a chain starts with an event that is not free")
        return search.route(reach.start), event, reach.events[1:]

    def _last_steps(
        self, base: int, below: int, bit: int, costs: Mapping[int, float], best: Mapping[int, _Reach]
    ) -> Iterator[_Reach]:
        """Yield the paths to a vertex that end with this unexplored event, from the vertex below it."""
        logical = self.cubes.event(base, bit)
        state = self.cubes.states.get((base, below))
        if state is not None and self._free_position(state, logical) is None:
            return
        if state is not None and state in costs:
            yield _Reach(costs[state] + 1, -1, state, (logical,))
        if below in best:
            cost, minus_unexplored, start, events = best[below]
            yield _Reach(cost + 1, minus_unexplored - 1, start, (*events, logical))

    def _find_transitions(self, position: int | None) -> Choice | None:
        if position is not None and self.free[position] and not self._tier(position):
            return here(position), self._pick(self.free[position], position)
        route = None
        if position is not None:
            base, mask = self.cubes.homes[position]
            homes = self.cubes.homes
            route = self._open.nearest(
                position, lambda state: homes[state][0] != base or homes[state][1] & mask != mask
            )
        route = route or self._open.nearest(position)
        return None if route is None else (route, self._pick(self.free[route.goal], route.goal))

    def _free_position(self, state: int, logical: int) -> int | None:
        """Return the first position where a logical event is free in a state."""
        return next((position for position in self.free[state] if self.graph.logical(state, position) == logical), None)


def submasks(mask: int) -> list[int]:
    """Return the non-empty subsets of a mask, each after its own subsets."""
    subsets = [0]
    for bit in range(mask.bit_length()):
        if mask >> bit & 1:
            subsets += [subset | 1 << bit for subset in subsets]
    return sorted(subsets[1:])
