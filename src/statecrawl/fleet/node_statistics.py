"""Figures of one node."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeStatistics:
    """Figures of one node and of its process."""

    name: str
    tasks: int
    events: int
    resets: int
    waited: float  # seconds, for replies or news
    works: bool  # it is not waiting
    coordinator_seen: float  # when a coordinator was last heard of, by the monotonic clock
    browsers: int  # started so far by its process
    browser_bytes: int

    def metrics(self) -> dict[str, Any]:
        """Return the figures of this node alone."""
        return {
            "name": self.name,
            "tasks": self.tasks,
            "events": self.events,
            "resets": self.resets,
            "waited_seconds": round(self.waited, 1),
            "works": int(self.works),
        }
