"""Menu: an event is assumed to lead to the same state from wherever it is fired.

Sources: S. Choudhary, "M-Crawler: Crawling rich Internet applications using menu meta-model", 2012, and S.
Choudhary et al., "Building rich Internet applications models: Example of a better strategy", 2013, as described in
Dincturk et al., "A Model-Based Approach for Crawling Rich Internet Applications", 2014, §5.5.

Theory of operation
    Free pairs are explored by the category of their logical event (see `event_categories`), strictly in order of
    priority: events never tried, then those tried once, then the unpredictable ones. Events assumed to lead to a known
    state (MENU) or nowhere (SELF) come last: of the two categories, the one that can be reached with fewer actions (a
    reset is one action), and SELF if both are equal.

    For the first three categories, the path may use predicted links: events not yet explored in a state whose target is
    predicted. They are explored along the way at no extra cost. The rest of such a path is the walker's plan; reaching
    a different state drops it. For MENU and SELF a predicted link never helps, because the state where it starts is a
    nearer target itself.

    Violations need no special treatment. The category follows from the observations, so a MENU event that misbehaves is
    OTHER from then on, and a new state brings events of higher priority.
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
    states: list[int]  # from the walker's expected state to the state of the pair
    pair: Pair


class Menu(Strategy):
    """Explores events by category."""

    name: ClassVar[str] = "menu"

    def __init__(self, graph: Graph, settings: StrategySettings) -> None:
        super().__init__(graph, settings)
        self.violations = 0  # explorations that contradicted a prediction
        self._histories: list[EventHistory] = []  # by logical number
        self._pairs: list[set[Pair]] = []  # logical number -> its free pairs
        self._left = [0] * len(EventCategory)  # free pairs in all states, by category
        self._left_at: list[list[int]] = []  # state -> free pairs there, by category
        self._predictions = Predictions(graph)
        self._plans: dict[int, _Plan] = {}
        self._over_predicted = [
            self._index(self._predictions.links, self._predictions.targets)
            for _ in (EventCategory.NEW, EventCategory.ONCE, EventCategory.OTHER)
        ]
        self._over_explored = [self._index(), self._index()]  # MENU and SELF
        self._nearest = [*self._over_predicted, *self._over_explored]  # by category

    # -- what was learnt --

    def _learn_state(self, state: int) -> None:
        self._add_histories()
        self._predictions.add_vertex()
        self._left_at.append([0] * len(EventCategory))
        for position in self.free[state]:
            self._put_back(state, position)

    def _learn_event(self, state: int, position: int) -> None:
        self._add_histories()
        self._put_back(state, position)

    def _add_histories(self) -> None:
        """Create the histories of logical events seen for the first time."""
        for _ in range(len(self._histories), len(self.graph.logical_ids)):
            self._histories.append(EventHistory())
            self._pairs.append(set())

    def _put_back(self, state: int, position: int) -> None:
        logical = self.graph.logical(state, position)
        self._pairs[logical].add((state, position))
        self._count(state, self._histories[logical].category, +1)
        self._predict((state, position), self._histories[logical].destination)

    def _taken(self, state: int, position: int) -> None:
        logical = self.graph.logical(state, position)
        self._pairs[logical].discard((state, position))
        self._count(state, self._histories[logical].category, -1)
        self._unpredict([(state, position)], self._histories[logical].destination)

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
            self._unpredict(self._pairs[logical], destination)
            for pair in self._pairs[logical]:
                self._predict(pair, history.destination)

    def _linked(self, source: int, target: int) -> None:
        self._predictions.explore(source, target)
        super()._linked(source, target)

    def link_lost(self, state: int, target: int) -> None:
        gone = [(state, target)]
        for index in self._over_explored:
            index.links_removed(gone)
        if self._predictions.lose(state, target):
            for index in self._over_predicted:
                index.links_removed(gone)

    def _count(self, state: int, category: EventCategory, change: int) -> None:
        self._left[category] += change
        left = self._left_at[state]
        left[category] += change
        if left[category] == (change > 0):  # the first came or the last went
            self._stale[state] = None

    def _predict(self, pair: Pair, target: int) -> None:
        if target != UNKNOWN and self._predictions.add(*pair, target):
            for index in self._over_predicted:
                index.link_added(pair[0], target)

    def _unpredict(self, pairs: Iterable[Pair], target: int) -> None:
        if target == UNKNOWN:
            return
        gone = [(state, target) for state, position in pairs if self._predictions.remove(state, position, target)]
        for index in self._over_predicted:
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
        if plan is not None and plan.states[0] == position and plan.pair[1] in self.free[plan.pair[0]]:
            choice = self._follow(walker, CheapestRoute(False, plan.states, 0), plan.pair)
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
        """Follow a route as far as it is explored and plan the rest. None if one of its links no longer exists."""
        states, explored = route.states, self.graph.links.successors
        for passed, (state, after) in enumerate(itertools.pairwise(states)):
            if after in explored[state]:
                continue
            if not self._predictions.supported(state, after):
                return None
            self._plans[walker] = _Plan(states[passed + 1 :], pair)
            return CheapestRoute(route.reset, states[: passed + 1], route.cost), self._predictions.position(
                state, after
            )
        return route, pair[1]
