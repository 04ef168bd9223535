"""Tasks: what a strategy hands to a walker."""

from dataclasses import dataclass
from enum import Enum

Pair = tuple[int, int]  # (state, position of the event in it)


class NoTask(Enum):
    """What a strategy says when it has no task."""

    WAIT = "wait"  # everything left is in other walkers' hands: ask again after the next observation
    DONE = "done"  # nothing is left that can be reached


@dataclass(frozen=True, slots=True)
class Task:
    """Walk a known path, then fire one unexplored event."""

    walker: int
    start: int | None  # the state the walker was in; None when it had no page yet
    reset: bool
    path: tuple[Pair, ...]  # explored pairs, in walking order
    pair: Pair  # the unexplored one

    @property
    def events(self) -> int:
        """How many events the task fires when nothing surprises it."""
        return len(self.path) + 1
