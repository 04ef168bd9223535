"""Awake clock: time without the periods during which this process was suspended.

Theory of operation
    A laptop that sleeps or a container that is paused suspends this process and its browsers together. When they
    resume, every time-out of the operating system's clock has expired, although no process had time to answer. So time
    is counted in short ticks. A tick that comes much too late means that the process was suspended. It counts as one
    that is as late as a busy machine makes it.

    Timers of the event loop run in the order in which they were due. A tick is always due before the time-out whose
    time it counts, so a time-out never fires before the gap is known.
"""

import asyncio
import time
from types import TracebackType

TICK_SECONDS = 0.5
GRACE_SECONDS = 2.0  # added to the agent's own cap before a page counts as stuck
MOST_LATE = 1.0  # seconds by which a tick may be late on a busy machine; beyond that, the process was suspended


class AwakeTimeout:
    """Context manager that raises TimeoutError when its body takes longer, without the time the process was suspended.

    It wraps almost every call of a browser, where a class costs much less than a generator.
    """

    def __init__(self, seconds: float) -> None:
        self._left = seconds
        self._last = 0.0
        self._loop = asyncio.get_running_loop()
        self._timeout = asyncio.timeout(None)
        self._timer: asyncio.TimerHandle

    async def __aenter__(self) -> None:
        await self._timeout.__aenter__()
        self._last = self._loop.time()
        self._timer = self._loop.call_later(min(self._left, TICK_SECONDS), self._tick)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        await self._timeout.__aexit__(kind, error, trace)

    def _tick(self) -> None:
        now = self._loop.time()
        self._left -= min(now - self._last, TICK_SECONDS + MOST_LATE)
        self._last = now
        if self._left <= 0:
            self._timeout.reschedule(now)
        else:
            self._timer = self._loop.call_later(min(self._left, TICK_SECONDS), self._tick)


class PageStuck(Exception):
    """The page did not answer in time."""


class within(AwakeTimeout):  # noqa: N801 — it reads as a preposition
    """Context manager that raises PageStuck when its body takes longer, without the time the process was suspended."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds + GRACE_SECONDS)
        self._seconds = seconds

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await super().__aexit__(kind, error, trace)
        except TimeoutError as late:
            raise self._stuck() from late
        if isinstance(error, TimeoutError):
            raise self._stuck() from error

    def _stuck(self) -> PageStuck:
        return PageStuck(f"no answer within {max(self._seconds, GRACE_SECONDS):g} s")


class AwakeClock:
    """Clock of the time in which this process was awake, once it was started in an event loop."""

    def __init__(self) -> None:
        self.missed = 0.0  # seconds in which the process was suspended
        self._last = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def now(self) -> float:
        """Return seconds since an arbitrary start."""
        return time.monotonic() - self.missed

    def start(self) -> None:
        """Start ticking; do nothing when it ticks already."""
        if self._timer is None:
            self._last = time.monotonic()
            self._tick()

    def stop(self) -> None:
        """Stop ticking."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _tick(self) -> None:
        now = time.monotonic()
        late = now - self._last - TICK_SECONDS
        if late > MOST_LATE:
            self.missed += late
        self._last = now
        self._timer = asyncio.get_running_loop().call_later(TICK_SECONDS, self._tick)
