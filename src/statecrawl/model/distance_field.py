"""Distance field: the path from every state to the nearest target, maintained while graph and targets change.

Theory of operation
    A strategy asks for the nearest state with unexplored events after every event. Searching the whole graph each time
    would be too slow. Instead, each state has a value: the minimum, over all targets, of

        STEP × (links to walk to the target) + (rank of the target)

    and a hop: the next state on that path. Ranks are smaller than STEP, so they only decide between targets at the same
    distance; ranks from TIER upwards overrule any distance. Following the hops yields the path.

    Possible changes and their costs:
    * A link or target appears. Values can only fall. They fall in a wave that stops where nothing improves.
    * A target or link disappears. Values can only rise, and only for states whose hops led through it. States with
      another path of the same length get a new hop at once; the others are relabeled from their border.
    Each state loses its last unexplored event once, and with K targets left this affects about N/K of N states. So a
    whole crawl relabels about N·ln N states, and the mean cost of a task grows with the logarithm of the model.

    All links have the same weight, so a first-in-first-out wave from one state settles states in order of value.
    The dynamic part follows G. Ramalingam and T. Reps, "An incremental algorithm for a generalization of the
    shortest-path problem", 1996, simplified for equal weights.
"""

import heapq
from collections.abc import Iterable

from statecrawl.model.successors import Successors

STEP = 1 << 20  # one link; greater than every rank, so a rank never outweighs a step
TIER = 1 << 40  # a target this much worse is chosen only if no better one can be reached
FAR = 1 << 60  # no target can be reached
NOWHERE = -1


class DistanceField:
    """Distances to the nearest of a changing set of targets, over `links`. Changes of the links must be reported."""

    __slots__ = ("_hops", "_links", "_ranks", "_values")

    def __init__(self, links: Successors) -> None:
        self._links = links
        self._values: list[int] = []
        self._hops: list[int] = []
        self._ranks: list[int] = []  # FAR if the state is not a target
        for _ in links.successors:
            self.add_vertex()

    def add_vertex(self) -> None:
        self._values.append(FAR)
        self._hops.append(NOWHERE)
        self._ranks.append(FAR)

    def value(self, state: int) -> int:
        """Return STEP × distance + rank of the best target; FAR if no target can be reached."""
        return self._values[state]

    def rank(self, state: int) -> int | None:
        """Return the rank of a target; None for other states."""
        rank = self._ranks[state]
        return None if rank == FAR else rank

    def path(self, state: int) -> list[int]:
        """Return the states from this one to the best target, both included. Requires that a target can be reached."""
        hops = self._hops
        states = [state]
        while (state := hops[state]) != NOWHERE:
            states.append(state)
        return states

    def open(self, state: int, rank: int = 0) -> None:
        """Make a state a target, or change its rank."""
        before = self._ranks[state]
        if before == rank:
            return
        self._ranks[state] = rank
        if rank < self._values[state]:
            self._lower(state, rank, NOWHERE)
        elif self._hops[state] == NOWHERE and before != FAR:
            self._raise([state])

    def close(self, state: int) -> None:
        """Remove a state from the targets."""
        if self._ranks[state] == FAR:
            return
        self._ranks[state] = FAR
        if self._hops[state] == NOWHERE:
            self._raise([state])

    def retarget(self, state: int) -> None:
        """Make this state the only target. Cheaper than closing one target and opening another."""
        size = len(self._values)
        self._values = [FAR] * size
        self._hops = [NOWHERE] * size
        self._ranks = [FAR] * size
        self._ranks[state] = 0
        self._lower(state, 0, NOWHERE)

    def link_added(self, source: int, target: int) -> None:
        value = self._values[target] + STEP
        if value < self._values[source]:
            self._lower(source, value, target)

    def links_removed(self, links: Iterable[tuple[int, int]]) -> None:
        """Report links that were removed from `links`. Several at once cost less than one by one."""
        lost = [source for source, target in links if self._hops[source] == target]
        if lost:
            self._raise(lost)

    def _lower(self, state: int, value: int, hop: int) -> None:
        values, hops, predecessors = self._values, self._hops, self._links.predecessors
        values[state] = value
        hops[state] = hop
        wave = [state]
        for reached in wave:
            value = values[reached] + STEP
            for source in predecessors[reached]:
                if value < values[source]:
                    values[source] = value
                    hops[source] = reached
                    wave.append(source)

    def _raise(self, lost: list[int]) -> None:
        """Relabel the states that lost their path and all states that depended on them."""
        cut = self._cut_off(lost)
        if cut:
            self._relabel(cut)

    def _cut_off(self, lost: list[int]) -> list[int]:
        """Give states with another path of the same length a new hop. Return the others, which are now FAR."""
        values, hops, ranks = self._values, self._hops, self._ranks
        successors, predecessors = self._links.successors, self._links.predecessors
        cut: list[int] = []
        queue = [(values[state], state) for state in lost]
        heapq.heapify(queue)  # by value: the possible next hops of a state are decided before the state
        while queue:
            old, state = heapq.heappop(queue)
            if values[state] != old:
                continue  # cut off already
            if ranks[state] == old:
                hops[state] = NOWHERE
                continue
            wanted = old - STEP
            for target in successors[state]:
                if values[target] == wanted:
                    hops[state] = target
                    break
            else:
                values[state] = FAR
                hops[state] = NOWHERE
                cut.append(state)
                for source in predecessors[state]:
                    if hops[source] == state:
                        heapq.heappush(queue, (values[source], source))
        return cut

    def _relabel(self, cut: list[int]) -> None:
        """Compute the values of states that are FAR, starting at the border to the others."""
        values, hops, predecessors = self._values, self._hops, self._links.predecessors
        border: list[tuple[int, int]] = []
        for state in cut:
            best, hop = self._ranks[state], NOWHERE
            for target in self._links.successors[state]:
                value = values[target] + STEP
                if value < best:
                    best, hop = value, target
            if best < FAR:
                values[state] = best
                hops[state] = hop
                border.append((best, state))
        heapq.heapify(border)
        while border:
            value, state = heapq.heappop(border)
            if value > values[state]:
                continue  # reached at a lower cost in the meantime
            value += STEP
            for source in predecessors[state]:
                if value < values[source]:
                    values[source] = value
                    hops[source] = state
                    heapq.heappush(border, (value, source))
