"""Where a page is, and what it did since its last reset."""

from collections import deque
from dataclasses import dataclass, field

from statecrawl.crawler.trail import Trail

MOST_RECENT = 300  # states that are remembered


@dataclass(slots=True)
class PageHistory:
    """History of the page of one walker."""

    position: str | None = None  # the state that the page is in; None when the page must be reset
    first: str = ""  # the state in which the application started last
    trail: Trail = field(default_factory=Trail)  # the events fired since the last reset
    recent: deque[str] = field(default_factory=lambda: deque(maxlen=MOST_RECENT))  # states since the last reset
    has_only_opened: bool = False  # nothing but URLs was opened since the last reset
    can_go_back: bool = False  # the last event added an entry to the browser's history

    def start(self, state: str) -> None:
        """The application was opened and is in this state."""
        self.position = self.first = state
        self.has_only_opened = True
        self.recent.clear()
        self.recent.append(state)
