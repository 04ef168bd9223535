"""Categories of logical events: the results of an event so far predict its result in other states.

From S. Choudhary et al., "Building rich Internet applications models: Example of a better strategy", 2013, as described
in Dincturk et al., "A Model-Based Approach for Crawling Rich Internet Applications", 2014, §5.5. Each exploration
of a logical event is from another state, so the second one classifies it.
"""

from enum import IntEnum

UNKNOWN = -1


class EventCategory(IntEnum):
    """Category of an event, in order of priority: the most likely to lead to a new state comes first."""

    NEW = 0  # never explored
    ONCE = 1  # explored once: assumed to lead to the same state again, or to change nothing again
    OTHER = 2  # explored from several states, with no common result
    MENU = 3  # leads to the same state from everywhere
    SELF = 4  # changes nothing in any state


class EventHistory:
    """Explorations of one logical event, summarized."""

    __slots__ = ("_everywhere", "_idle", "category", "times")

    def __init__(self) -> None:
        self.category = EventCategory.NEW
        self.times = 0
        self._everywhere = UNKNOWN  # the only target so far
        self._idle = True  # every target was the source

    def add(self, source: int, target: int) -> None:
        """Learn from one exploration."""
        self._idle = self._idle and source == target
        self._everywhere = target if self.times == 0 or target == self._everywhere else UNKNOWN
        self.times += 1
        if self.times == 1:
            self.category = EventCategory.ONCE
        elif self._everywhere != UNKNOWN:
            self.category = EventCategory.MENU
        elif self._idle:
            self.category = EventCategory.SELF
        else:
            self.category = EventCategory.OTHER

    @property
    def destination(self) -> int:
        """The state it is assumed to lead to from everywhere; UNKNOWN if there is none."""
        if self.category is EventCategory.MENU or (self.category is EventCategory.ONCE and not self._idle):
            return self._everywhere
        return UNKNOWN

    def predict(self, source: int) -> int:
        """Predict the target from this state; UNKNOWN if there is no prediction."""
        if self.category is EventCategory.SELF or (self.category is EventCategory.ONCE and self._idle):
            return source
        return self.destination
