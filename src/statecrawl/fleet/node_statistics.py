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
    coordinator_seen: float  # when a coordinator last answered, by the monotonic clock
    browsers: int  # started so far by its process
    browser_bytes: int

    def metrics(self) -> dict[str, Any]:
        """Return the figures of this node alone."""
        counts = {name: getattr(self, name) for name in ("name", "tasks", "events", "resets")}
        return {**counts, "waited_seconds": round(self.waited, 1), "works": int(self.works)}
