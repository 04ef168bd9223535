"""Durations of events and resets, from which the cost of a reset is measured."""

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass, field

TIMES = 1000  # that are remembered


@dataclass(slots=True)
class EventTimes:
    """Recent durations of events and resets, in seconds."""

    events: deque[float] = field(default_factory=lambda: deque(maxlen=TIMES))
    resets: deque[float] = field(default_factory=lambda: deque(maxlen=TIMES))

    def reset_cost(self) -> float:
        """Return how many events take as long as one reset; 0 while nothing was timed."""
        if not self.resets or not self.events:
            return 0.0
        return _mean(self.resets) / max(_mean(self.events), 1e-6)


def _mean(times: Collection[float]) -> float:
    """The mean of the middle half, so that the first load and outliers do not count."""
    ordered = sorted(times)
    middle = ordered[len(ordered) // 4 : len(ordered) - len(ordered) // 4] or ordered
    return sum(middle) / len(middle)
