"""The time budget of learning: a share of the time since the crawl started.

The comparison of states takes loads and walks that find nothing new. So do the resets after a page was put to rest or
the rules have changed. All of that counts. Where pages load fast, some of it may be done at once, before much time has
passed; where a load takes seconds, it waits.
"""

import contextlib
import time
from collections.abc import Iterator

SHARE = 0.15  # of the time that has passed
FREE_SECONDS = 1.5  # that may be spent at once: the share of a crawl of ten seconds


class LearningBudget:
    """The budget of one crawl."""

    def __init__(self, started: float, limit: float | None = None, share: float = SHARE) -> None:
        """`started` is when the crawl started, by `time.perf_counter`; `limit` is how many seconds it may take."""
        self.spent = 0.0  # seconds so far
        self.lasts = 0.0  # seconds that the next load is expected to take
        self._started = started
        self._share = share
        self._free = FREE_SECONDS if limit is None else min(FREE_SECONDS, share * limit)

    def took(self, seconds: float) -> None:
        """A load took so many seconds; the next one is expected to take as long."""
        self.spent += seconds
        self.lasts = seconds

    @contextlib.contextmanager
    def load(self) -> Iterator[None]:
        """Count the duration of a load; while it runs, its expected duration counts."""
        started, expected = time.perf_counter(), self.lasts
        self.spent += expected
        try:
            yield
        finally:  # also when new rules interrupt it
            self.spent -= expected
            self.took(time.perf_counter() - started)

    @contextlib.contextmanager
    def timed(self) -> Iterator[None]:
        """Count the duration of something other than a load."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.spent += time.perf_counter() - started

    @property
    def missing(self) -> float:
        """Seconds that have to pass until the next step fits into the share; 0 when it may start."""
        total = self.spent + self.lasts
        if total <= self._free:
            return 0.0
        return max(total / self._share - self.lasts - (time.perf_counter() - self._started), 0.0)
