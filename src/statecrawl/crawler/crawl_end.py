"""The end of a run: when it comes, and why."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable

from statecrawl.config.plan import CrawlLimits
from statecrawl.crawler.deadline import CLOSING_SECONDS
from statecrawl.crawler.politeness import Politeness

MAX_STATES = "max-states"  # why a crawl ended that found enough states


class CrawlEnd:
    """Decides that a run ends, and records the first reason for it."""

    def __init__(
        self, limits: CrawlLimits, politeness: Politeness, started: float, on_end: Callable[[], None] = lambda: None
    ) -> None:
        """`started` is when the time of the crawl started, by `time.perf_counter`."""
        self.reason = ""  # none yet
        self.started = started
        self._limits = limits
        self._politeness = politeness
        self._on_end = on_end

    def stop(self, reason: str) -> None:
        """End the run as soon as each page has done what it is doing now; walkers wait for no server any more."""
        self.end(reason)
        self._politeness.hurry()

    def end(self, reason: str) -> None:
        """End the run without a hurry, because no walker is at work."""
        self.reason = self.reason or reason
        self._on_end()

    @property
    def seconds(self) -> float:
        """Since the start."""
        return time.perf_counter() - self.started

    @property
    def seconds_left(self) -> float | None:
        """Until the time of the crawl is over; None when it is not limited."""
        limit = self._limits.seconds
        return None if limit is None else max(limit - self.seconds, 0.0)

    @property
    def is_out_of_time(self) -> bool:
        return self.seconds_left == 0

    @property
    def is_stopping(self) -> bool:
        """Whether nothing new should be started."""
        return bool(self.reason) or self.is_out_of_time

    def limit_reached(self, states: int, events: int) -> str | None:
        """The limit that is reached with so many states and events, if one is."""
        return self._limits.reached(states, events, self.seconds, self._politeness.requests())

    async def close(self, *closing: Awaitable[None]) -> None:
        """Wait until several things are closed at the same time; once the time is over, only for a moment."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSING_SECONDS if self.is_out_of_time else None):
                await asyncio.gather(*closing)
