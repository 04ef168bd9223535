"""Menu: an event is presumed to lead to the same state from wherever it is fired.

Sources: S. Choudhary, "M-Crawler: Crawling rich Internet applications using menu meta-model", 2012, and S.
Choudhary et al., "Building rich Internet applications models: Example of a better strategy", 2013, as told in
Dincturk et al., "A Model-Based Approach for Crawling Rich Internet Applications", 2014, §5.5.

Theory of operation
    Free pairs are worked off by the category of their logical event (see `categories`), strictly in order of
    priority: an event never tried before anything else, then those tried once, then the unpredictable ones. What is
    presumed to lead to a known state (MENU) or nowhere (SELF) comes last: the kind that takes fewer actions to get
    to, a reset being one action, and SELF of two equal ones.

    For the first three the way may lead over presumed links: events not explored in that state whose result is
    presumed. They are explored on the way, for nothing. The rest of such a way is the walker's plan; a landing
    elsewhere drops it. For MENU and SELF no presumed link can help, since the state it starts from is a nearer
    target itself.

    A violation needs no handling of its own: the category follows from what was seen, so a MENU event that misbehaves
    is OTHER from then on, and a new state brings events of higher priority.
"""

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from statecrawl.model.cheapest_paths import CheapestRoute
from statecrawl.model.graph import Graph
from statecrawl.strategies.event_categories import UNKNOWN, EventCategory, EventHistory
from statecrawl.strategies.predictions import Predictions
from statecrawl.strategies.settings import StrategySettings
from statecrawl.strategies.strategy import Choice, Strategy
from statecrawl.strategies.task import Pair


@dataclass(frozen=True, slots=True)
class _Plan:
    way: list[int]  # from where the walker should be now to the state of the pair
    pair: Pair


class Menu(Strategy):
    """Works off events by category."""

    name: ClassVar[str] = "menu"

    def __init__(self, graph: Graph, rules: StrategySettings) -> None:
        super().__init__(graph, rules)
        self.violations = 0  # explorations that contradicted what was presumed
        self._histories: list[EventHistory] = []  # by logical number
        self._pairs: list[set[Pair]] = []  # logical number -> its free pairs
        self._left = [0] * len(EventCategory)  # free pairs in all states, by category
        self._left_at: list[list[int]] = []  # state -> free pairs there, by category
        self._predictions = Predictions(graph)
        self._plans: dict[int, _Plan] = {}
        self._over_presumed = [
            self._index(self._predictions.links, self._predictions.targets)
            for _ in (EventCategory.NEW, EventCategory.ONCE, EventCategory.OTHER)
        ]
        self._over_explored = [self._index(), self._index()]  # MENU and SELF
        self._nearest = [*self._over_presumed, *self._over_explored]  # by category

    # -- what was learnt --

    def _learn_state(self, state: int) -> None:
        self._meet_events()
        self._predictions.add_vertex()
        self._left_at.append([0] * len(EventCategory))
        for position in self.free[state]:
            self._put_back(state, position)

    def _learn_event(self, state: int, position: int) -> None:
        self._meet_events()
        self._put_back(state, position)

    def _meet_events(self) -> None:
        """A logical event seen for the first time has a history from now on."""
        for _ in range(len(self._histories), len(self.graph.logical_ids)):
            self._histories.append(EventHistory())
            self._pairs.append(set())

    def _put_back(self, state: int, position: int) -> None:
        logical = self.graph.logical(state, position)
        self._pairs[logical].add((state, position))
        self._count(state, self._histories[logical].category, +1)
        self._presume((state, position), self._histories[logical].destination)

    def _taken(self, state: int, position: int) -> None:
        logical = self.graph.logical(state, position)
        self._pairs[logical].discard((state, position))
        self._count(state, self._histories[logical].category, -1)
        self._unpresume([(state, position)], self._histories[logical].destination)

    def _learn(self, state: int, position: int, target: int, *, is_new: bool) -> None:
        logical = self.graph.logical(state, position)
        history = self._histories[logical]
        self.violations += history.predict(state) not in (UNKNOWN, target)
        category, destination = history.category, history.destination
        history.add(state, target)
        if history.category is not category:
            for holder, _ in self._pairs[logical]:
                self._count(holder, category, -1)
                self._count(holder, history.category, +1)
        if history.destination != destination:
            self._unpresume(self._pairs[logical], destination)
            for pair in self._pairs[logical]:
                self._presume(pair, history.destination)

    def _linked(self, source: int, target: int) -> None:
        self._predictions.explore(source, target)
        super()._linked(source, target)

    def link_lost(self, state: int, target: int) -> None:
        gone = [(state, target)]
        for index in self._over_explored:
            index.links_removed(gone)
        if self._predictions.lose(state, target):
            for index in self._over_presumed:
                index.links_removed(gone)

    def _count(self, state: int, category: EventCategory, change: int) -> None:
        self._left[category] += change
        left = self._left_at[state]
        left[category] += change
        if left[category] == (change > 0):  # the first came or the last went
            self._stale[state] = None

    def _presume(self, pair: Pair, target: int) -> None:
        if target != UNKNOWN and self._predictions.add(*pair, target):
            for index in self._over_presumed:
                index.link_added(pair[0], target)

    def _unpresume(self, pairs: Iterable[Pair], target: int) -> None:
        if target == UNKNOWN:
            return
        gone = [(state, target) for state, position in pairs if self._predictions.remove(state, position, target)]
        for index in self._over_presumed:
            index.links_removed(gone)

    # -- what to do --

    def _refresh(self, state: int) -> None:
        for index, left in zip(self._nearest, self._left_at[state], strict=True):
            if left:
                index.open(state, self._tier(state))
            else:
                index.close(state)

    def _choose(self, walker: int, position: int | None) -> Choice | None:
        plan = self._plans.pop(walker, None)
        if plan is not None and plan.way[0] == position and plan.pair[1] in self.free[plan.pair[0]]:
            choice = self._follow(walker, CheapestRoute(False, plan.way, 0), plan.pair)
            if choice is not None:
                return choice
        for category in (EventCategory.NEW, EventCategory.ONCE, EventCategory.OTHER):
            if self._left[category] and (route := self._nearest[category].nearest(position)):
                return self._follow(walker, route, self._first(route.goal, category))
        idle = self._nearest[EventCategory.SELF].nearest(position)
        menu = self._nearest[EventCategory.MENU].nearest(position)
        if idle is not None and (menu is None or idle.actions <= menu.actions):
            return idle, self._first(idle.goal, EventCategory.SELF)[1]
        return None if menu is None else (menu, self._first(menu.goal, EventCategory.MENU)[1])

    def _first(self, state: int, category: EventCategory) -> Pair:
        positions = [p for p in self.free[state] if self._histories[self.graph.logical(state, p)].category is category]
        return state, self._pick(positions, state)

    def _follow(self, walker: int, route: CheapestRoute, pair: Pair) -> Choice | None:
        """The route as far as it is explored; the rest becomes the walker's plan. None when it fell apart meanwhile."""
        way, explored = route.way, self.graph.links.successors
        for passed, (state, after) in enumerate(itertools.pairwise(way)):
            if after in explored[state]:
                continue
            if not self._predictions.supported(state, after):
                return None
            self._plans[walker] = _Plan(way[passed + 1 :], pair)
            return CheapestRoute(route.reset, way[: passed + 1], route.cost), self._predictions.position(state, after)
        return route, pair[1]
