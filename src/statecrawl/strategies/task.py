"""Tasks that a strategy assigns to walkers."""

from dataclasses import dataclass
from enum import Enum

Pair = tuple[int, int]  # (state, position of the event in it)


class NoTask(Enum):
    """Reply of a strategy that has no task."""

    WAIT = "wait"  # other walkers hold everything that is left: ask again after the next observation
    DONE = "done"  # no reachable pair is left


@dataclass(frozen=True, slots=True)
class Task:
    """Walk a known path, then fire one unexplored event."""

    walker: int
    start: int | None  # state of the walker; None if it has no page yet
    reset: bool
    path: tuple[Pair, ...]  # explored pairs, in walking order
    pair: Pair  # the unexplored one

    @property
    def events(self) -> int:
        """Number of events the task fires unless there is a surprise."""
        return len(self.path) + 1
