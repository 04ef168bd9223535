"""Discrete-event kernel: a virtual clock and an agenda.

Ties are broken by (time, counter), so the order of scheduling decides, and a run is a function of its inputs alone.
Nothing here reads a real clock or uses randomness.
"""

import heapq
from collections.abc import Callable

Action = Callable[[], None]


class Kernel:
    """Runs actions in the order of their virtual times."""

    def __init__(self) -> None:
        self.now = 0.0  # virtual seconds
        self._agenda: list[tuple[float, int, Action]] = []
        self._counter = 0

    def time(self) -> float:
        return self.now

    def after(self, delay: float, action: Action) -> None:
        """Schedule an action `delay` virtual seconds from now."""
        self._counter += 1
        heapq.heappush(self._agenda, (self.now + delay, self._counter, action))

    def run(self, until: Callable[[], bool] = lambda: False) -> None:
        """Run until the agenda is empty, or `until` returns True between two actions."""
        while self._agenda and not until():
            self.now, _, action = heapq.heappop(self._agenda)
            action()
