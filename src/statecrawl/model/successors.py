"""Links between states, by distinct successor.

A page with a hundred events often leads to a handful of states, so all graph searches follow links, not transitions.
Each link stores the event (its position in the source state) that was explored first.
"""


class Successors:
    """Growing directed graph over the numbers 0, 1, 2, …"""

    __slots__ = ("predecessors", "successors")

    def __init__(self) -> None:
        self.successors: list[dict[int, int]] = []  # source -> {target: event position}, in order of exploration
        self.predecessors: list[dict[int, None]] = []  # target -> sources, an ordered set

    def add_vertex(self) -> None:
        self.successors.append({})
        self.predecessors.append({})

    def add(self, source: int, target: int, event: int) -> bool:
        """Link two states. Return whether they were not linked before. Self-loops are ignored: they lead nowhere."""
        if source == target or target in self.successors[source]:
            return False
        self.successors[source][target] = event
        self.predecessors[target][source] = None
        return True

    def remove(self, source: int, target: int) -> None:
        del self.successors[source][target]
        del self.predecessors[target][source]
