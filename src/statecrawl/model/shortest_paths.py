"""Ways: the shortest sequence of events from the first page to each state.

All ways together are a tree, so each state needs only to know the one before it and the event between them. Events that
are known to be unreliable are used only where nothing else leads to a state.
"""

from collections import deque
from dataclasses import dataclass

from statecrawl.model.graph import INITIAL, UNEXPLORED, Graph

NOWHERE = -1


@dataclass(frozen=True, slots=True)
class ShortestPaths:
    """By state; -1 where there is none."""

    before: list[int]  # the state before it
    by: list[int]  # the position of the event there that leads to it
    depths: list[int]  # how many events it takes

    def to(self, state: int) -> list[tuple[int, int]]:
        """The pairs (state, position) to be fired, in order."""
        pairs = []
        while self.before[state] != NOWHERE:
            pairs.append((self.before[state], self.by[state]))
            state = self.before[state]
        return pairs[::-1]


def shortest_paths_of(graph: Graph) -> ShortestPaths:
    """The shortest ways to all states that can be reached."""
    size = len(graph)
    ways = ShortestPaths([NOWHERE] * size, [NOWHERE] * size, [NOWHERE] * size)
    if size:
        ways.depths[INITIAL] = 0
        _search(graph, ways, reliable=True)
        _search(graph, ways, reliable=False)
    return ways


def _search(graph: Graph, ways: ShortestPaths, *, reliable: bool) -> None:
    """Breadth first from all that is reached already."""
    reached = sorted((depth, state) for state, depth in enumerate(ways.depths) if depth != NOWHERE)
    edge = deque(state for _, state in reached)
    while edge:
        state = edge.popleft()
        for position, target in enumerate(graph.targets[state]):
            if target == UNEXPLORED or ways.depths[target] != NOWHERE:
                continue
            if not reliable or graph.travels(state, position):
                ways.before[target], ways.by[target] = state, position
                ways.depths[target] = ways.depths[state] + 1
                edge.append(target)
