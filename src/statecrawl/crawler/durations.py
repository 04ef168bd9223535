"""How long events and resets take, so that planning knows what a reset costs."""

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass, field

TIMES = 1000  # that are remembered


@dataclass(slots=True)
class EventTimes:
    """How long events and resets took lately."""

    events: deque[float] = field(default_factory=lambda: deque(maxlen=TIMES))
    resets: deque[float] = field(default_factory=lambda: deque(maxlen=TIMES))

    def reset_cost(self) -> float:
        """How many events take as long as a reset; 0 while nothing was timed."""
        if not self.resets or not self.events:
            return 0.0
        return _mean(self.resets) / max(_mean(self.events), 1e-6)


def _mean(times: Collection[float]) -> float:
    """The mean of the middle half: the first load and the odd hiccup do not count."""
    ordered = sorted(times)
    middle = ordered[len(ordered) // 4 : len(ordered) - len(ordered) // 4] or ordered
    return sum(middle) / len(middle)
