"""The time that learning may take: a share of what has passed since the crawl began.

Comparing states takes loads and walks that find nothing new, and so do the resets that follow when a state was put to
rest or the rules have changed. All of that counts. Where pages load quickly, some of it may be done at once, before
much time has passed; where one load takes seconds, it waits.
"""

import contextlib
import time
from collections.abc import Iterator

SHARE = 0.15  # of the time that has passed
FREE_SECONDS = 1.5  # that may be spent before they are a share of what has passed: of a crawl of ten seconds they are


class LearningBudget:
    """Of one crawl."""

    def __init__(self, begun: float, limit: float | None = None, share: float = SHARE) -> None:
        """`begun` is when the crawl began, by `time.perf_counter`; `limit` is how many seconds it may take."""
        self.spent = 0.0  # seconds so far
        self.lasts = 0.0  # seconds that the next load is expected to take
        self._begun = begun
        self._share = share
        self._free = FREE_SECONDS if limit is None else min(FREE_SECONDS, share * limit)

    def took(self, seconds: float) -> None:
        """A load took so long, whatever came of it; the next will, too."""
        self.spent += seconds
        self.lasts = seconds

    @contextlib.contextmanager
    def load(self) -> Iterator[None]:
        """Count how long a load takes; from its beginning, as long as it is expected to."""
        begun, expected = time.perf_counter(), self.lasts
        self.spent += expected
        try:
            yield
        finally:  # also when new rules break it off
            self.spent -= expected
            self.took(time.perf_counter() - begun)

    @contextlib.contextmanager
    def timed(self) -> Iterator[None]:
        """Count how long something takes that is no load."""
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.spent += time.perf_counter() - begun

    @property
    def missing(self) -> float:
        """Seconds that have to pass until another step stays within the share; 0 when it may begin."""
        total = self.spent + self.lasts
        if total <= self._free:
            return 0.0
        return max(total / self._share - self.lasts - (time.perf_counter() - self._begun), 0.0)
