"""Shortest paths: the shortest sequence of events from the first page to each state.

All paths together form a tree, so each state stores only its predecessor and the event between them. Unreliable events
are used only for states that no other path reaches.
"""

from collections import deque
from dataclasses import dataclass

from statecrawl.model.graph import INITIAL, UNEXPLORED, Graph

NOWHERE = -1


@dataclass(frozen=True, slots=True)
class ShortestPaths:
    """Tree of shortest paths, by state; -1 for states that no path reaches."""

    before: list[int]  # predecessor
    by: list[int]  # position of the event in the predecessor
    depths: list[int]  # number of events

    def to(self, state: int) -> list[tuple[int, int]]:
        """Return the pairs (state, position) to fire, in order."""
        pairs = []
        while self.before[state] != NOWHERE:
            pairs.append((self.before[state], self.by[state]))
            state = self.before[state]
        return pairs[::-1]


def shortest_paths_of(graph: Graph) -> ShortestPaths:
    """Compute the shortest paths to all reachable states."""
    size = len(graph)
    paths = ShortestPaths([NOWHERE] * size, [NOWHERE] * size, [NOWHERE] * size)
    if size:
        paths.depths[INITIAL] = 0
        _search(graph, paths, reliable=True)
        _search(graph, paths, reliable=False)
    return paths


def _search(graph: Graph, paths: ShortestPaths, *, reliable: bool) -> None:
    """Search breadth-first from all states reached so far."""
    reached = sorted((depth, state) for state, depth in enumerate(paths.depths) if depth != NOWHERE)
    edge = deque(state for _, state in reached)
    while edge:
        state = edge.popleft()
        for position, target in enumerate(graph.targets[state]):
            if target == UNEXPLORED or paths.depths[target] != NOWHERE:
                continue
            if not reliable or graph.travels(state, position):
                paths.before[target], paths.by[target] = state, position
                paths.depths[target] = paths.depths[state] + 1
                edge.append(target)
