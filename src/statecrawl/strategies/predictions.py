"""Presumed links beside the explored ones: states that an unexplored event is expected to lead to.

Both kinds are merged in `links`, over which the menu strategy searches; this module keeps count, so that a link
goes when nothing supports it any more.
"""

from statecrawl.model.graph import Graph
from statecrawl.model.successors import Successors


class Predictions:
    """Which free events are presumed to lead from one state to another."""

    def __init__(self, graph: Graph) -> None:
        self.links = Successors()  # explored and presumed
        self._explored = graph.links
        self._positions: list[dict[int, list[int]]] = []  # source -> target -> free positions presumed to lead there

    def add_vertex(self) -> None:
        self.links.add_vertex()
        self._positions.append({})

    def explore(self, source: int, target: int) -> bool:
        """An event was seen to lead there; True when nothing was known or presumed to do so before."""
        return self.links.add(source, target, 0)

    def add(self, source: int, position: int, target: int) -> bool:
        """True when the two states were not linked before."""
        if source == target:
            return False
        self._positions[source].setdefault(target, []).append(position)
        return self.links.add(source, target, 0)

    def remove(self, source: int, position: int, target: int) -> bool:
        """True when the two states are linked no longer."""
        if source == target:
            return False
        positions = self._positions[source][target]
        positions.remove(position)
        if positions:
            return False
        del self._positions[source][target]
        return self.lose(source, target)

    def lose(self, source: int, target: int) -> bool:
        """Drop the link unless something still supports it; True when it is gone."""
        if self.supported(source, target) or target not in self.links.successors[source]:
            return False
        self.links.remove(source, target)
        return True

    def supported(self, source: int, target: int) -> bool:
        return target in self._explored.successors[source] or target in self._positions[source]

    def position(self, source: int, target: int) -> int:
        """The first event of the source that is presumed to lead to the target."""
        return min(self._positions[source][target])

    def targets(self, source: int) -> list[int]:
        """Where free events are presumed to lead, in enabled order."""
        presumed = self._positions[source]
        return sorted(presumed, key=lambda target: min(presumed[target]))
