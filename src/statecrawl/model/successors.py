"""Links: which state leads to which, by distinct successor.

A page with a hundred events often leads to a handful of places, so everything that searches the graph walks links,
not transitions. Each link remembers the event (its position in the source state) that was explored first.
"""


class Successors:
    """A growing directed graph over the numbers 0, 1, 2, …"""

    __slots__ = ("predecessors", "successors")

    def __init__(self) -> None:
        self.successors: list[dict[int, int]] = []  # source -> {target: event position}, in order of exploration
        self.predecessors: list[dict[int, None]] = []  # target -> sources, an ordered set

    def add_vertex(self) -> None:
        self.successors.append({})
        self.predecessors.append({})

    def add(self, source: int, target: int, event: int) -> bool:
        """Link two states; True when they were not linked before. A self-loop is no link: it leads nowhere."""
        if source == target or target in self.successors[source]:
            return False
        self.successors[source][target] = event
        self.predecessors[target][source] = None
        return True

    def remove(self, source: int, target: int) -> None:
        del self.successors[source][target]
        del self.predecessors[target][source]
