"""Novelty: events that were never tried come first, and events that only repeat themselves come last.

Theory of operation
    The events of all states are grouped by name (`Components.name`: without numbers, and in rows without texts). A
    group that was never tried is in tier 0, whatever state it is in. Each time one of its events leads to a page of a
    shape that the group has led to before, the group has one *repetition* more:

        tier 0   never tried
        tier 1   fewer than FEW repetitions of one shape
        tier 2   fewer than MANY
        tier 3   more

    A state is in the tier of its best free event. States of tier 1 and 2 count as if they were farther away: by NEARBY
    links and half a reset for each tier. So a reset and a short walk to an untried event is worth its cost, and a long
    walk is not. No state of tier 3 is chosen while another one can be reached. So every event is tried once before any
    event is repeated for the tenth time with a result of the same shape. Without regions, every state has a shape of
    its own. In simulated crawls of seven applications of the testbed, strict tiers cost up to 47 % more than penalties
    of two and four links for the complete model.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable
from typing import ClassVar

from statecrawl.model.components import Components
from statecrawl.model.distance_field import STEP, TIER
from statecrawl.model.graph import Graph
from statecrawl.model.regions import Regions
from statecrawl.strategies.greedy import Greedy
from statecrawl.strategies.settings import StrategySettings
from statecrawl.strategies.task import Pair

FEW, MANY = 3, 9  # repetitions of one shape
NEARBY = 2  # links that a walk to an untried event may be longer for each tier, besides half a reset


class EventGroups:
    """Tiers of events. Learns states and transitions after the graph and the components."""

    def __init__(self, graph: Graph, components: Components | None, reset_cost: float) -> None:
        step = round(NEARBY + reset_cost / 2) * STEP
        self._penalties = (0, step, 2 * step, TIER)  # by tier
        self._graph = graph
        self._components = components
        self._tried: Counter[str] = Counter()
        self._results: dict[str, Counter[Hashable]] = defaultdict(Counter)  # group -> shape of its results -> times
        self._tiers: dict[str, int] = {}
        self._states: dict[str, dict[int, None]] = defaultdict(dict)  # group -> states that have it
        self._groups: list[list[str]] = []  # state -> group of each position

    def found(self, state: int) -> None:
        self._groups.append([])
        for position in range(len(self._graph.events[state])):
            self.event_added(state, position)

    def event_added(self, state: int, position: int) -> None:
        group = self._group(state, position)
        self._groups[state].append(group)
        self._states[group][state] = None

    def explored(self, state: int, position: int, target: int) -> Iterable[int]:
        """Learn a transition. Return the states whose rank may have changed."""
        group = self._groups[state][position]
        before = self._tiers.get(group, 0)
        self._tried[group] += 1
        shapes = self._results[group]
        shapes[self._shape(target)] += 1
        most = max(shapes.values())
        self._tiers[group] = max(before, 1 + (most > FEW) + (most >= MANY))
        return self._states[group] if self._tiers[group] != before else ()

    def tier(self, state: int, positions: Iterable[int]) -> int:
        """Return the rank of a state with these free events."""
        groups, tiers = self._groups[state], self._tiers
        best = len(self._penalties) - 1
        for position in positions:
            tier = tiers.get(groups[position], 0)
            if tier == 0:
                return 0
            best = min(best, tier)
        return self._penalties[best]

    def penalty(self, group: str) -> int:
        """Return the rank of the events of a group."""
        return self._penalties[self._tiers.get(group, 0)]

    def freshest(self, state: int, positions: list[int]) -> list[int]:
        """Return the positions of the best tier whose groups were tried least often."""
        groups = self._groups[state]
        ranks = [(self._tiers.get(groups[position], 0), self._tried[groups[position]]) for position in positions]
        best = min(ranks)
        return [position for position, rank in zip(positions, ranks, strict=True) if rank == best]

    def _group(self, state: int, position: int) -> str:
        if self._components is None:
            return self._graph.event(state, position).logical
        return self._components.name((state, position))

    def _shape(self, state: int) -> Hashable:
        return state if self._components is None else self._components.shape(state) or state


class Novelty(Greedy):
    """Fires events of the earliest tier first, in the nearest state that has one."""

    name: ClassVar[str] = "novelty"

    def __init__(self, graph: Graph, settings: StrategySettings) -> None:
        super().__init__(graph, settings)
        frontier = self.component_frontier
        self._groups = EventGroups(graph, None if frontier is None else frontier.components, settings.reset_cost)

    def found(
        self,
        state: int,
        *,
        url: str = "",
        links: Collection[int] = (),
        forms: Collection[int] = (),
        regions: Regions = (),
    ) -> None:
        super().found(state, url=url, links=links, forms=forms, regions=regions)
        self._groups.found(state)

    def event_added(self, state: int, position: int) -> None:
        super().event_added(state, position)
        self._groups.event_added(state, position)

    def explored(self, state: int, position: int, target: int, *, is_new: bool, fired: int | None = None) -> None:
        super().explored(state, position, target, is_new=is_new, fired=fired)
        self._mark_stale(self._groups.explored(state, position, target))

    def _tier(self, state: int) -> int:
        return self._groups.tier(state, self.free[state])

    def _penalty(self, name: str) -> float:
        return self._groups.penalty(name) / STEP

    def _pick(self, positions: list[int], state: int) -> int:
        return super()._pick(self._groups.freshest(state, positions), state)

    def _would_choose(self, state: int) -> Pair | None:
        """Only an event that was never tried is chosen whatever is explored until then."""
        free = self.free[state]
        return (state, self._pick(free, state)) if free and self._tier(state) == 0 else None
