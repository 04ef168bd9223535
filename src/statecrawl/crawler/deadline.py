"""The deadline of a node: when the time of its crawl is over, by the node's own clock.

Theory of operation
    Only whoever coordinates knows when a crawl began. Who joins is told how much time is left (`time_left`), and counts
    for itself from then on: no event starts later, also where nobody can be reached. What is being done at the deadline
    is broken off. The node tells what it has seen and waits to hear that the crawl is over.

    The coordinator's clock may be behind, because its machine was paused, or there may be nobody who ends the crawl. A
    node that hears nothing for GRACE_SECONDS leaves.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable
from dataclasses import replace
from typing import TypeVar

from statecrawl.config.plan import CrawlPlan

LEAST_SECONDS = 0.001  # who joins too late has next to no time, which is no limit of zero
CLOSING_SECONDS = 0.5  # for pages to be closed when the time is over
GRACE_SECONDS = 10.0  # to hear that the crawl is over

T = TypeVar("T")


def time_left(plan: CrawlPlan, spent: float) -> CrawlPlan:
    """The plan for whoever joins when this many seconds have passed: its limit is what is left of them."""
    limits = plan.limits
    if limits.seconds is None:
        return plan
    return replace(plan, limits=replace(limits, seconds=max(limits.seconds - spent, LEAST_SECONDS)))


class Deadline:
    """Of one process; never, where there is no limit."""

    def __init__(self, seconds: float | None = None) -> None:
        """In so many seconds."""
        self.begun = time.perf_counter()
        self.at = None if seconds is None else time.monotonic() + seconds

    @property
    def left(self) -> float | None:
        """Seconds; None where there is no limit."""
        return None if self.at is None else max(self.at - time.monotonic(), 0.0)

    @property
    def is_over(self) -> bool:
        return self.left == 0

    @property
    def is_long_over(self) -> bool:
        """Whether nobody will say any more that the crawl is over."""
        return self.at is not None and time.monotonic() - self.at > GRACE_SECONDS

    async def within(self, doing: Awaitable[T]) -> T | None:
        """What comes of something; None when the deadline breaks it off."""
        try:
            async with asyncio.timeout(self.left) as limit:
                return await doing
        except TimeoutError:
            if not limit.expired():
                raise  # it is somebody else's
            return None

    async def closed(self, closing: Awaitable[None]) -> None:
        """Close something, in a moment when the time is over."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSING_SECONDS if self.is_over else None):
                await closing
