"""Predicted links beside the explored ones: states that an unexplored event is expected to lead to.

Both kinds are merged in `links`, which the menu strategy searches. This module counts the support of each link and
removes a link that has none left.
"""

from statecrawl.model.graph import Graph
from statecrawl.model.successors import Successors


class Predictions:
    """Free events that are predicted to lead from one state to another."""

    def __init__(self, graph: Graph) -> None:
        self.links = Successors()  # explored and predicted
        self._explored = graph.links
        self._positions: list[dict[int, list[int]]] = []  # source -> target -> free positions predicted to lead there

    def add_vertex(self) -> None:
        self.links.add_vertex()
        self._positions.append({})

    def explore(self, source: int, target: int) -> bool:
        """Add an explored link. Return whether the link is new."""
        return self.links.add(source, target, 0)

    def add(self, source: int, position: int, target: int) -> bool:
        """Add a predicted link. Return whether the two states were not linked before."""
        if source == target:
            return False
        self._positions[source].setdefault(target, []).append(position)
        return self.links.add(source, target, 0)

    def remove(self, source: int, position: int, target: int) -> bool:
        """Remove a prediction. Return whether the two states are no longer linked."""
        if source == target:
            return False
        positions = self._positions[source][target]
        positions.remove(position)
        if positions:
            return False
        del self._positions[source][target]
        return self.lose(source, target)

    def lose(self, source: int, target: int) -> bool:
        """Remove a link unless it is still supported. Return whether it was removed."""
        if self.supported(source, target) or target not in self.links.successors[source]:
            return False
        self.links.remove(source, target)
        return True

    def supported(self, source: int, target: int) -> bool:
        return target in self._explored.successors[source] or target in self._positions[source]

    def position(self, source: int, target: int) -> int:
        """Return the first event of the source that is predicted to lead to the target."""
        return min(self._positions[source][target])

    def targets(self, source: int) -> list[int]:
        """Return the predicted targets of free events, in enabled order."""
        predicted = self._positions[source]
        return sorted(predicted, key=lambda target: min(predicted[target]))
