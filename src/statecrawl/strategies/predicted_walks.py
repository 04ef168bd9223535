"""Predicted walks: ways to untried events through events that were fired elsewhere.

Theory of operation
    In a state that was just found, no event was fired yet. Known links lead nowhere from there, so an untried event in
    another part of the application costs a reset and the walk from the first page. But most events of the new state
    were fired in other states, and what they do is known (`model.components`): the link to the settings leads to the
    settings from everywhere.

    An *offer* is a unit with a value, as (unit, value). A task belongs to one offer, and leads to the offers that are
    there after it and not before. The goals are the offers of untried tasks. A search from the goals backwards finds
    how many events each offer is away from the nearest goal. A walker follows decreasing distances, over explored links
    first, up to the first event that is unexplored in its state. That is its next task. Wherever it leads, the walk is
    planned anew.

    A dialog hides the offers behind it. They are one event farther away, if an event of the dialog lets their units
    appear again.

    Distances are optimistic: an event may depend on more than its unit, and a walk may destroy what it has reached. So
    a goal is given up after MOST_VAIN tasks that came no closer to it, and distances are divided by the share of
    latest tasks that led to the offer that they were fired for.
"""

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from statecrawl.model.cheapest_paths import CheapestRoute
from statecrawl.model.component_tasks import Offer, Pair, Task
from statecrawl.model.components import Components
from statecrawl.model.graph import INITIAL, UNEXPLORED, Graph

MOST_VAIN = 3  # tasks that came no closer to a goal
MOST_LINKS = 30  # explored links before the first unexplored event
MOST_SETTLED = 3_000  # offers in one search
LATEST = 0.1  # weight of the latest task in the share of those that led where they should
PER_REVISION = 20  # transitions, at least, from one computation of all links to the next

MOST_ALIKE = 12  # goals of one name in one search
MOST_GOALS = 400  # in one search

Goals = Mapping[str, Iterable[Task]]  # name -> tasks


class Prospect(NamedTuple):
    """A walk up to the first unexplored event on the way to an untried one."""

    route: CheapestRoute
    position: int


@dataclass(frozen=True, slots=True)
class Choices:
    """What the strategy may choose."""

    penalty: Callable[[str], float]  # name of tasks -> how many events farther away they count
    is_free: Callable[[Pair], bool]  # whether a pair is to be explored, and nobody does
    is_available: Callable[[Pair], bool]  # whether a pair can be fired on the way


@dataclass(frozen=True, slots=True)
class _Start:
    """Where a walk may begin."""

    state: int
    reset: bool
    cost: float
    offers: frozenset[Offer]  # of the events of the state
    hidden: frozenset[Offer]  # of what it shows besides them


class PredictedWalks:
    """Finds ways over what events are known to do. Learns transitions after the components."""

    def __init__(self, graph: Graph, components: Components, reset_cost: float) -> None:
        self._graph = graph
        self._components = components
        self._reset_cost = reset_cost
        self._leads: dict[Task, frozenset[Offer]] = {}
        self._sources: dict[Offer, dict[Offer, None]] = defaultdict(dict)  # offer -> offers with tasks that lead to it
        self._revision = 0
        self._learnt = 0  # transitions since all links were computed
        self._vain: Counter[Task] = Counter()
        self._closest: dict[Task, float] = {}
        self._expected: dict[Pair, Offer] = {}  # what tasks were chosen for
        self._share = 1.0  # of them that led there

    def explored(self, state: int, position: int, target: int) -> None:
        """Learn what an event did."""
        self._learnt += 1
        expected = self._expected.pop((state, position), None)
        if expected is not None:
            self._share += LATEST * ((expected in self._components.offers(target)) - self._share)
        task = self._components.task((state, position))
        if task is not None and task not in self._leads:
            self._link(task)

    def nearest(
        self,
        position: int | None,
        below: float,
        goals: Goals,
        choices: Choices,
    ) -> Prospect | None:
        """Return the best way to one of these tasks; None if none is better than `below`."""
        self._catch_up()
        below *= max(self._share, LATEST)
        wanted = self._wanted(goals, below, choices)
        if not wanted:
            return None
        starts = [self._start(INITIAL, self._reset_cost, reset=True)]
        if position is not None:
            starts.insert(0, self._start(position, 0.0, reset=False))
        onward: dict[Offer, Offer] = {}
        for worth, offer, start, goal in self._approaches(wanted, starts, below, onward):
            prospect = self._walk(start, offer, onward, choices)
            if prospect is not None:
                self._expect(goal, worth)
                return prospect
        return None

    # -- search --

    def _wanted(self, goals: Goals, below: float, choices: Choices) -> dict[Offer, tuple[float, Task]]:
        """Return the offers of goals that can be chosen, each with the best penalty; a limited number of them."""
        wanted: dict[Offer, tuple[float, Task]] = {}
        for worth, name in sorted((choices.penalty(name), name) for name in goals):
            if worth >= below or len(wanted) >= MOST_GOALS:
                break
            for task in islice(goals[name], MOST_ALIKE):
                if self._vain[task] < MOST_VAIN and any(map(choices.is_free, self._components.record(task).left)):
                    wanted.setdefault(offer_of(task), (worth, task))
        return wanted

    def _approaches(
        self,
        wanted: dict[Offer, tuple[float, Task]],
        starts: list[_Start],
        below: float,
        onward: dict[Offer, Offer],
    ) -> Iterator[tuple[float, Offer, _Start, Task]]:
        """Yield starts with an offer that leads to a goal, the best ones first. Fills `onward`: the next offer."""
        queue: list[tuple[float, int, Offer, Offer | None, _Start | None, Task]] = []
        for number, (offer, (worth, task)) in enumerate(wanted.items()):
            queue.append((worth, number, offer, None, None, task))
        heapq.heapify(queue)
        number = len(queue)
        while queue and len(onward) < MOST_SETTLED:
            worth, _, offer, after, start, goal = heapq.heappop(queue)
            if worth >= below:
                return
            if start is not None:
                yield worth, offer, start, goal
                continue
            if offer in onward:
                continue
            onward[offer] = offer if after is None else after
            for start in starts:
                is_hidden = offer in start.hidden
                if is_hidden or (after is not None and offer in start.offers):
                    number += 1
                    heapq.heappush(queue, (worth + start.cost + is_hidden, number, offer, None, start, goal))
            for source in self._sources.get(offer, ()):
                if source not in onward:
                    number += 1
                    heapq.heappush(queue, (worth + 1, number, source, offer, None, goal))

    def _start(self, state: int, cost: float, *, reset: bool) -> _Start:
        offers = self._components.offers(state)
        return _Start(state, reset, cost, offers, self._components.shown_offers(state) - offers)

    def _walk(self, start: _Start, offer: Offer, onward: dict[Offer, Offer], choices: Choices) -> Prospect | None:
        """Follow explored links up to the first unexplored event; None if a predicted event is missing."""
        states = [start.state]
        is_hidden = offer in start.hidden
        while len(states) <= MOST_LINKS:
            state = states[-1]
            after = onward[offer]
            position = (
                self._uncovering(state, offer, choices) if is_hidden else self._leading(state, offer, after, choices)
            )
            if position is None:
                return None
            target = self._graph.targets[state][position]
            if target == UNEXPLORED:
                cost = len(states) - 1 + start.cost
                self._expected[state, position] = offer if is_hidden else after
                return Prospect(CheapestRoute(start.reset, states, cost), position)
            states.append(target)
            offer, is_hidden = (offer, False) if is_hidden else (after, False)
            if offer not in self._components.offers(target) or onward[offer] == offer:
                return None
        return None

    def _leading(self, state: int, offer: Offer, after: Offer, choices: Choices) -> int | None:
        """Return an event of this offer that leads to the other one; an explored one if possible."""
        unexplored = None
        for position, task in self._components.tasks(state).items():
            if offer_of(task) == offer and after in self._leads.get(task, ()):
                target = self._graph.targets[state][position]
                if target == UNEXPLORED:
                    if unexplored is None and self._is_usable((state, position), choices):
                        unexplored = position
                elif self._is_link(state, target) and after in self._components.offers(target):
                    return position
        return unexplored

    def _uncovering(self, state: int, offer: Offer, choices: Choices) -> int | None:
        """Return an event after which the unit of this offer has events again."""
        units = self._components.active_units
        for position, task in self._components.tasks(state).items():
            outcomes = self._components.record(task).outcomes
            if not outcomes or offer[0] not in units(outcomes[0][1]) or offer[0] in units(outcomes[0][0]):
                continue
            if self._is_usable((state, position), choices):
                return position
        return None

    def _is_usable(self, pair: Pair, choices: Choices) -> bool:
        """Whether it is known what an event will do, and it was fired or can be."""
        state, position = pair
        target = self._graph.targets[state][position]
        can_be = choices.is_available(pair) if target == UNEXPLORED else self._is_link(state, target)
        return can_be and self._components.is_predicted(pair)

    def _is_link(self, state: int, target: int) -> bool:
        return target in self._graph.links.successors[state] and not self._graph.is_doubtful(state, target)

    def _expect(self, goal: Task, worth: float) -> None:
        """Remember how close to a goal a task is to lead."""
        if worth < self._closest.get(goal, worth + 1):
            self._closest[goal] = worth
        else:
            self._vain[goal] += 1

    # -- links --

    def _catch_up(self) -> None:
        """Compute all links again if values or tasks have changed, and not too often."""
        if self._revision != self._components.revisions and self._learnt >= PER_REVISION:
            self._revision, self._learnt = self._components.revisions, 0
            self._leads.clear()
            self._sources.clear()
            for task in self._components.fired():
                self._link(task)

    def _link(self, task: Task) -> None:
        outcomes = self._components.record(task).outcomes
        if not outcomes:
            return
        before, after = outcomes[0]
        offers = self._components.offers
        leads = self._leads[task] = frozenset() if before == after else offers(after) - offers(before)
        source, changed = offer_of(task), self._components.changed_units(before, after)
        changed |= self._components.active_units(before)  # a button, if a field of its form has changed
        for offer in leads:
            if offer[0] in changed and offer != source:
                self._sources[offer][source] = None


def offer_of(task: Task) -> Offer:
    """Return the unit of a task with its value; of a row, its look as well."""
    return task[:2]
