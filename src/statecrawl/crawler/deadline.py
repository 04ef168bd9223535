"""The deadline of a node: when the time of its crawl is over, by the node's own clock.

Theory of operation
    Only the coordinator knows when a crawl started. A node that joins receives the time that is left (`time_left`), and
    measures it by its own clock from then on: no event starts after that, even when the coordinator cannot be reached.
    A walk in progress at the deadline is cancelled. The node reports what it has found and waits for the message that
    the crawl is over.

    The coordinator's clock may be behind, because its machine was paused, or the coordinator may be gone. A node that
    gets no message for GRACE_SECONDS leaves.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable
from dataclasses import replace
from typing import TypeVar

from statecrawl.config.plan import CrawlPlan

LEAST_SECONDS = 0.001  # for a node that joins too late: a limit of 0 would mean none
CLOSING_SECONDS = 0.5  # for pages to be closed when the time is over
GRACE_SECONDS = 10.0  # to receive the message that the crawl is over

T = TypeVar("T")


def time_left(plan: CrawlPlan, spent: float) -> CrawlPlan:
    """Return the plan for a node that joins after so many seconds: its time limit is what is left."""
    limits = plan.limits
    if limits.seconds is None:
        return plan
    return replace(plan, limits=replace(limits, seconds=max(limits.seconds - spent, LEAST_SECONDS)))


class Deadline:
    """The deadline of one process, which never comes if there is no limit."""

    def __init__(self, seconds: float | None = None) -> None:
        """`seconds` from now."""
        self.started = time.perf_counter()
        self.at = None if seconds is None else time.monotonic() + seconds

    @property
    def left(self) -> float | None:
        """Seconds left; None if there is no limit."""
        return None if self.at is None else max(self.at - time.monotonic(), 0.0)

    @property
    def is_over(self) -> bool:
        return self.left == 0

    @property
    def is_long_over(self) -> bool:
        """Whether no message is expected any more that the crawl is over."""
        return self.at is not None and time.monotonic() - self.at > GRACE_SECONDS

    async def within(self, doing: Awaitable[T]) -> T | None:
        """Return the result of an awaitable; None when the deadline cancels it."""
        try:
            async with asyncio.timeout(self.left) as limit:
                return await doing
        except TimeoutError:
            if not limit.expired():
                raise  # a timeout of the awaitable itself
            return None

    async def closed(self, closing: Awaitable[None]) -> None:
        """Wait until something is closed; after the deadline, only for a moment."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSING_SECONDS if self.is_over else None):
                await closing
