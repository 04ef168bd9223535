"""Menu: by category, over predicted links if they shorten the path."""

from collections import defaultdict
from random import Random

import pytest
from hypothesis import given, settings

from statecrawl.model.cheapest_paths import Settling, Ties
from statecrawl.model.graph import Graph
from statecrawl.strategies.event_categories import UNKNOWN, EventCategory, EventHistory
from statecrawl.strategies.menu import Menu
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.settings import SearchMethod, StatePreference, StrategySettings
from statecrawl.strategies.strategy import Strategy
from statecrawl.strategies.task import NoTask, Pair, Task
from statecrawl.testbed.generated import menusite
from tests.strategies.machines import Expedition, built, crawled, fare, lateness, machines, rules, traced

both_searches = pytest.mark.parametrize("search", SearchMethod)
FAR = float("inf")


class Onlooker:
    """Derives from the facts alone which tasks a walker without a plan may get."""

    def __init__(self, trip: Expedition, strategy: Strategy, played: StrategySettings) -> None:
        self.trip = trip
        self.strategy = strategy
        self.played = played
        self.histories: dict[int, EventHistory] = defaultdict(EventHistory)
        self.seen = 0

    def learn(self) -> None:
        for state, position, target, _ in self.trip.facts[self.seen :]:
            self.histories[self.trip.graph.logical(state, position)].add(state, target)
        self.seen = len(self.trip.facts)

    def category(self, pair: Pair) -> EventCategory:
        return self.histories[self.trip.graph.logical(*pair)].category

    def predicted(self, state: int) -> list[int]:
        logical = self.trip.graph.logical
        known = [self.histories[logical(state, position)].destination for position in self.strategy.free[state]]
        return [target for target in known if target not in (UNKNOWN, state)]

    def costs(self, position: int, category: EventCategory, reset_cost: float) -> dict[int, float]:
        """Return state -> cost of reaching it, including predicted links while states remain to be found."""
        extra = self.predicted if category < EventCategory.MENU else None
        return dict(Settling(self.trip.graph, position, reset_cost, Ties.WALK, extra))

    def nearest(self, position: int, category: EventCategory, reset_cost: float) -> float:
        """Return the cost of reaching a free pair of this category."""
        costs = self.costs(position, category, reset_cost)
        free = self.strategy.free
        return min(
            (cost for state, cost in costs.items() if any(self.category((state, p)) is category for p in free[state])),
            default=FAR,
        )

    def check(self, position: int) -> None:
        self.learn()
        played, task = self.played, self.trip.glance(self.strategy, position)
        nearest = [self.nearest(position, category, played.reset_cost) for category in EventCategory]
        wanted = next((category for category in EventCategory if nearest[category] < FAR), None)
        if isinstance(task, NoTask):
            assert wanted is None
            return
        assert wanted is not None
        chosen = self.category(task.pair)
        if wanted >= EventCategory.MENU:
            assert chosen in (EventCategory.MENU, EventCategory.SELF)
            assert fare(task, played) == nearest[chosen]
            return
        through = self.histories[self.trip.graph.logical(*task.pair)].destination
        ends = [fare(task, played)] if chosen is wanted else []
        if through not in (UNKNOWN, task.pair[0]):
            ends.append(fare(task, played) + 1 + self.nearest(through, wanted, FAR))
        assert nearest[wanted] in ends


@given(truth=machines(), played=rules(prefer=StatePreference.NONE), late=lateness)
@settings(max_examples=160, deadline=None)
def test_the_nearest_pair_of_the_best_category_comes_next(
    truth: Graph, played: StrategySettings, late: Random | None
) -> None:
    """Or an event that is predicted to lead to it at the same cost."""
    strategy = make_strategy("menu", Graph(), played)
    trip = Expedition(truth, strategy, late=late)
    trip.crawl(Onlooker(trip, strategy, played).check)


@both_searches
def test_an_event_never_tried_comes_before_one_at_hand(search: SearchMethod) -> None:
    truth = built([[("a", 1), ("b", 0)], [("a", 1), ("c", 1)]])
    assert traced(truth, "menu", StrategySettings(search=search))[:3] == ["s0-a0→s1*", "s1-c1→s1", "| s0-b1→s0"]


@both_searches
def test_a_presumed_link_is_explored_on_the_way(search: SearchMethod) -> None:
    """In s2, the unexplored `a` is predicted to lead to s1 again, where `c` is unexplored."""
    truth = built([[("a", 1), ("b", 2)], [("b", 2), ("c", 0)], [("a", 1)]])
    strategy = make_strategy("menu", Graph(), StrategySettings(search=search, reset_cost=5))
    trip = Expedition(truth, strategy)
    for pair in ((0, 0), (0, 1)):
        trip.explore(pair)
    first = strategy.next_task(0, 2)
    assert isinstance(first, Task)
    assert (first.reset, first.path, first.pair) == (False, (), (2, 0))
    second = strategy.next_task(0, trip.perform(first))
    assert isinstance(second, Task)
    assert (second.path, second.pair) == ((), (1, 1))


@both_searches
def test_a_plan_is_dropped_when_the_presumption_fails(search: SearchMethod) -> None:
    truth = built([[("a", 1), ("b", 2)], [("b", 2), ("c", 0)], [("a", 2)]])
    strategy = make_strategy("menu", Graph(), StrategySettings(search=search, reset_cost=5))
    trip = Expedition(truth, strategy)
    for pair in ((0, 0), (0, 1)):
        trip.explore(pair)
    first = strategy.next_task(0, 2)
    assert isinstance(first, Task)
    assert trip.perform(first) == 2
    second = strategy.next_task(0, 2)
    assert isinstance(second, Task)
    assert (second.reset, second.path, second.pair) == (True, ((0, 0),), (1, 1))
    assert isinstance(strategy, Menu)
    assert strategy.violations == 1


@both_searches
def test_a_plan_is_dropped_when_somebody_else_was_faster(search: SearchMethod) -> None:
    truth = built([[("a", 1), ("b", 2)], [("b", 2), ("c", 0)], [("a", 1)]])
    strategy = make_strategy("menu", Graph(), StrategySettings(search=search, reset_cost=5))
    trip = Expedition(truth, strategy)
    for pair in ((0, 0), (0, 1)):
        trip.explore(pair)
    first = strategy.next_task(0, 2)
    assert isinstance(first, Task)
    position = trip.perform(first)
    trip.explore((1, 1))
    second = strategy.next_task(0, position)
    assert isinstance(second, Task)
    assert second.pair == (1, 0)


@both_searches
def test_a_plan_is_dropped_when_a_later_presumption_fell(search: SearchMethod) -> None:
    """From s3 to the `c` of s2 by `a` and `b`, both predicted; then `b` of s1 turns out to lead elsewhere."""
    truth = built([[("a", 1), ("b", 2), ("d", 3)], [("b", 0)], [("c", 2)], [("a", 1)]])
    strategy = make_strategy("menu", Graph(), StrategySettings(search=search, reset_cost=9))
    trip = Expedition(truth, strategy)
    for pair in ((0, 0), (0, 1), (0, 2)):
        trip.explore(pair)
    first = strategy.next_task(0, 3)
    assert isinstance(first, Task)
    assert first.pair == (3, 0)
    position = trip.perform(first)
    trip.explore((1, 0))
    second = strategy.next_task(0, position)
    assert second == Task(0, 1, False, ((1, 0), (0, 1)), (2, 0))


@both_searches
def test_what_changes_nothing_comes_before_menus_as_near(search: SearchMethod) -> None:
    """After two explorations `a` is a menu and `x` changes nothing; both are left at s2."""
    truth = built([[("a", 0), ("x", 0)], [("a", 0), ("x", 1), ("b", 2)], [("a", 0), ("x", 2)]])
    strategy = make_strategy("menu", Graph(), StrategySettings(search=search))
    trip = Expedition(truth, strategy)
    trip.see(1)
    trip.see(2)
    for pair in ((0, 0), (1, 0), (0, 1), (1, 1), (1, 2)):
        trip.explore(pair)
    task = strategy.next_task(0, 2)
    assert isinstance(task, Task)
    assert task.pair == (2, 1)


@both_searches
def test_a_lost_link_that_was_still_presumed_is_forgotten_with_the_presumption(search: SearchMethod) -> None:
    """`a` leads from s0 to s1 until that proves unreliable; the other `a` of s0 is predicted to, and leads to s2."""
    truth = built([[("a", 1), ("b", 0), ("a", 2)], [("a", 1), ("b", 1), ("b", 1)], [("c", 1)]])
    strategy = make_strategy("menu", Graph(), StrategySettings(search=search))
    trip = Expedition(truth, strategy)
    for pair in ((0, 0), (0, 1), (1, 0), (1, 1)):
        trip.explore(pair)
    assert isinstance(trip.glance(strategy, 0), Task)
    trip.lose(0, 0)
    trip.explore((0, 2))
    trip.explore((2, 0))
    task = strategy.next_task(0, 0)
    assert task == Task(0, 0, False, ((0, 2), (2, 0)), (1, 2))


@both_searches
def test_every_state_of_a_menu_site_at_nearly_the_least_cost(search: SearchMethod) -> None:
    crawl = crawled(menusite(10, 10).truth, "menu", StrategySettings(search=search))
    assert crawl.discovery[-1].total(2) <= 1.05 * (200 + 2)
