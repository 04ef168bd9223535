"""Categories of logical events: what an event did so far says what it will do elsewhere.

From S. Choudhary et al., "Building rich Internet applications models: Example of a better strategy", 2013, as told
in Dincturk et al., "A Model-Based Approach for Crawling Rich Internet Applications", 2014, §5.5. Each exploration
of a logical event is from another state, so the second one classifies it.
"""

from enum import IntEnum

UNKNOWN = -1


class EventCategory(IntEnum):
    """In order of priority: what is most likely to lead to a new state comes first."""

    NEW = 0  # never explored
    ONCE = 1  # explored once: presumed to lead to the same state again, or to itself again
    OTHER = 2  # explored from several states, with no common result
    MENU = 3  # leads to one state, from wherever
    SELF = 4  # changes nothing, wherever


class EventHistory:
    """What is known of one logical event."""

    __slots__ = ("_everywhere", "_idle", "category", "times")

    def __init__(self) -> None:
        self.category = EventCategory.NEW
        self.times = 0
        self._everywhere = UNKNOWN  # the one target so far
        self._idle = True  # every target was its own source

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
        """The state it is presumed to lead to from anywhere, UNKNOWN when there is no such state."""
        if self.category is EventCategory.MENU or (self.category is EventCategory.ONCE and not self._idle):
            return self._everywhere
        return UNKNOWN

    def predict(self, source: int) -> int:
        """Where it is presumed to lead from this state, UNKNOWN when nothing is presumed."""
        if self.category is EventCategory.SELF or (self.category is EventCategory.ONCE and self._idle):
            return source
        return self.destination
