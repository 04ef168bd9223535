"""How a node is, in numbers."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeStatistics:
    """How a node is."""

    name: str
    tasks: int
    events: int
    resets: int
    waited: float  # seconds, for answers
    works: bool  # and does not wait for an answer
    heard: float  # when there was a coordinator last
    browsers: int  # started so far by its process
    browser_bytes: int

    def told(self) -> dict[str, Any]:
        """What there is to say of this node alone."""
        return {
            "name": self.name,
            "tasks": self.tasks,
            "events": self.events,
            "resets": self.resets,
            "waited_seconds": round(self.waited, 1),
            "works": int(self.works),
        }
