"""Searched and indexed targets give equal answers."""

from collections.abc import Callable
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.model.cheapest_paths import CheapestRoute, Ties
from statecrawl.model.distance_field import STEP, TIER
from statecrawl.model.event import Event
from statecrawl.model.graph import INITIAL, MAX_DIVERGENCES, UNEXPLORED, Graph
from statecrawl.model.successors import Successors
from statecrawl.strategies.settings import SearchMethod, StrategySettings
from statecrawl.strategies.target_states import IndexedTargetStates, SearchedTargetStates, TargetStates, make_targets
from statecrawl.testbed.application import machine
from tests.strategies.machines import RESET_COSTS

EVENTS = [Event.named(name) for name in "abcd"]
RANKS = (0, 0, 0, 1, 7, STEP + 2, TIER, TIER + 7)
MOST_STATES = 9

number = st.integers(0, MOST_STATES - 1)
steps = st.one_of(
    st.tuples(st.just("state"), number, number),
    st.tuples(st.just("explore"), number, number),
    st.tuples(st.just("explore"), number, number),
    st.tuples(st.just("presume"), number, number),
    st.tuples(st.just("lose"), number, number),
    st.tuples(st.just("open"), number, st.sampled_from(RANKS)),
    st.tuples(st.just("close"), number, number),
    st.tuples(st.just("retarget"), number, number),
)
accepts: list[Callable[[int], bool] | None] = [None, lambda state: state % 2 == 0, lambda state: state % 3 != 1]

Key = tuple[int, float, int]


class World:
    """Growing graph with predicted links, and both kinds of targets over it."""

    def __init__(self, reset_cost: float, ties: Ties) -> None:
        self.reset_cost = reset_cost
        self.graph = Graph()
        self.merged = Successors()
        self.predicted: dict[tuple[int, int], None] = {}
        self.ranks: dict[int, int] = {}
        self.targets: list[TargetStates] = [
            make_targets(
                self.graph,
                StrategySettings(reset_cost=reset_cost, ties=ties, search=search),
                self.merged,
                self.presumptions,
            )
            for search in SearchMethod
        ]
        for _ in range(6):
            self.change("state", 0, 0)

    def presumptions(self, state: int) -> list[int]:
        return [target for source, target in self.predicted if source == state]

    def change(self, kind: str, one: int, other: int) -> None:
        size = len(self.graph)
        state, target = one % max(size, 1), other % max(size, 1)
        match kind:
            case "state" if size < MOST_STATES:
                self.graph.add_state(f"s{size}", EVENTS)
                self.merged.add_vertex()
                for targets in self.targets:
                    targets.add_vertex()
            case "explore" if self.graph.pending(state):
                self.graph.explore(state, self.graph.pending(state)[0], target)
                self.link(state, target)
            case "presume" if state != target:
                self.predicted[state, target] = None
                self.link(state, target)
            case "lose":
                self.lose(state, target)
            case "open" | "close" | "retarget":
                self.aim(kind, state, other)
            case _:
                pass

    def aim(self, kind: str, state: int, rank: int) -> None:
        for targets in self.targets:
            match kind:
                case "open":
                    targets.open(state, rank)
                case "close":
                    targets.close(state)
                case _:
                    targets.retarget(state)
        kept = {} if kind == "retarget" else {other: known for other, known in self.ranks.items() if other != state}
        self.ranks = kept if kind == "close" else {**kept, state: rank if kind == "open" else 0}

    def link(self, source: int, target: int) -> None:
        if self.merged.add(source, target, 0):
            for targets in self.targets:
                targets.link_added(source, target)

    def lose(self, state: int, target: int) -> None:
        position = self.graph.links.successors[state].get(target)
        if position is None:
            return
        gone = sum(self.graph.diverge(state, position, UNEXPLORED) for _ in range(MAX_DIVERGENCES))
        if gone and (state, target) not in self.predicted:
            self.merged.remove(state, target)
            for targets in self.targets:
                targets.links_removed([(state, target)])

    def key(self, route: CheapestRoute | None, position: int | None) -> Key | None:
        """Return the key to minimize, after checking the route."""
        if route is None:
            return None
        assert route.states[0] == (INITIAL if route.reset else position)
        assert all(b in self.merged.successors[a] for a, b in pairwise(route.states))
        assert route.cost == len(route.states) - 1 + route.reset * self.reset_cost
        tier, rank = divmod(self.ranks[route.goal], TIER)
        return tier, route.cost + rank // STEP, rank % STEP

    def answers(self, accept: Callable[[int], bool] | None) -> list[list[Key | None]]:
        """Compare the answers of both kinds of targets for every position."""
        positions = [None, *range(len(self.graph))]
        found = []
        for position in positions:
            routes = [targets.nearest(position, accept) for targets in self.targets]
            assert accept is None or all(route is None or accept(route.goal) for route in routes)
            found.append([self.key(route, position) for route in routes])
        return found


@given(st.lists(steps, min_size=12, max_size=60), st.sampled_from(RESET_COSTS), st.sampled_from(Ties))
@settings(max_examples=150, deadline=None)
def test_both_find_a_target_of_the_same_tier_and_cost(
    changes: list[tuple[str, int, int]], reset_cost: float, ties: Ties
) -> None:
    world = World(reset_cost, ties)
    for change in changes:
        world.change(*change)
    for accept in accepts:
        for one, other in world.answers(accept):
            assert (one and one[:2]) == (other and other[:2])


@given(st.lists(steps, min_size=25, max_size=60), st.sampled_from((1.0, 2.0, 3.0)), st.sampled_from(Ties))
@settings(max_examples=200, deadline=None)
def test_both_find_a_target_of_the_same_rank(
    changes: list[tuple[str, int, int]], reset_cost: float, ties: Ties
) -> None:
    world = World(reset_cost, ties)
    for change in changes:
        world.change(*change)
    for accept in accepts:
        for one, other in world.answers(accept):
            assert one == other


@given(st.lists(steps, min_size=5, max_size=25), st.sampled_from(RESET_COSTS))
@settings(max_examples=60, deadline=None)
def test_they_agree_after_every_change(changes: list[tuple[str, int, int]], reset_cost: float) -> None:
    world = World(reset_cost, Ties.WALK)
    for change in changes:
        world.change(*change)
        for one, other in world.answers(None):
            assert (one and one[:2]) == (other and other[:2])


def test_the_rules_say_which_kind_is_made() -> None:
    assert isinstance(make_targets(Graph(), StrategySettings(search=SearchMethod.REFERENCE)), SearchedTargetStates)
    assert isinstance(make_targets(Graph(), StrategySettings(search=SearchMethod.INDEXED)), IndexedTargetStates)


def both(graph: Graph, ties: Ties = Ties.WALK) -> list[TargetStates]:
    return [make_targets(graph, StrategySettings(reset_cost=2, ties=ties, search=search)) for search in SearchMethod]


def test_the_better_rank_wins_between_a_walk_and_a_reset_of_the_same_cost() -> None:
    """0 → 1 by a reset, and 2 → 3 → 4 → 5 on foot, cost three each."""
    rows = {"0": [("a", "1")], "1": [], "2": [("a", "3")], "3": [("a", "4")], "4": [("a", "5")], "5": []}
    for ties in Ties:
        for targets in both(machine(rows), ties):
            targets.open(5, 7)
            targets.open(1, 3)
            route = targets.nearest(2)
            assert route is not None
            assert route.goal == 1, (ties, type(targets))


def test_a_tie_goes_by_the_rules() -> None:
    rows = {"0": [], "1": [("a", "2")], "2": [("a", "0")]}
    for targets in both(machine(rows), Ties.WALK):
        targets.open(0)
        assert targets.nearest(1) == CheapestRoute(False, [1, 2, 0], 2)
    for targets in both(machine(rows), Ties.RESET):
        targets.open(0)
        assert targets.nearest(1) == CheapestRoute(True, [0], 2)


def test_without_targets_there_is_no_route() -> None:
    for targets in both(machine({"0": [("a", "0")]})):
        assert targets.nearest(0) is None
        targets.open(0)
        assert targets.nearest(None) == CheapestRoute(True, [0], 2)
        targets.close(0)
        assert targets.nearest(None) is None


def test_a_lower_tier_is_worth_any_distance() -> None:
    for targets in both(machine({"0": [("a", "1")], "1": [("a", "2")], "2": []})):
        targets.open(0, TIER)
        targets.open(2)
        assert targets.nearest(0) == CheapestRoute(False, [0, 1, 2], 2)
        assert targets.nearest(0, lambda state: state != 2) == CheapestRoute(False, [0], 0)
        assert targets.nearest(0, lambda state: state == 1) is None
