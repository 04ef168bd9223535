"""Time in which this process was awake: the time during which it was stopped does not count.

Theory of operation
    A laptop that sleeps or a container that is paused stops this process and its browsers together. When they go on,
    every time-out of the operating system's clock has expired, although nobody had time to answer. So time is counted
    in short ticks. A tick that comes much later than it should means that nobody was awake, and counts as one that was
    as late as a busy machine makes it.

    Timers of the event loop run in the order in which they were due. A tick is always due before the time-out whose
    time it counts, so a time-out never fires before the gap is known.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator

TICK_SECONDS = 0.5
MOST_LATE = 1.0  # seconds by which a tick may be late on a busy machine; later, the process was stopped


@contextlib.asynccontextmanager
async def awake_timeout(seconds: float) -> AsyncIterator[None]:
    """Raises TimeoutError when what is done inside takes longer, apart from the time in which nobody was awake."""
    loop = asyncio.get_running_loop()
    left, last = seconds, loop.time()
    timer: asyncio.TimerHandle

    def tick() -> None:
        nonlocal left, last, timer
        now = loop.time()
        left -= min(now - last, TICK_SECONDS + MOST_LATE)
        last = now
        if left <= 0:
            timeout.reschedule(now)
        else:
            timer = loop.call_later(min(left, TICK_SECONDS), tick)

    timer = loop.call_later(min(left, TICK_SECONDS), tick)
    try:
        async with asyncio.timeout(None) as timeout:
            yield
    finally:
        timer.cancel()


class AwakeClock:
    """Tells the time in which this process was awake, once it was started in an event loop."""

    def __init__(self) -> None:
        self.missed = 0.0  # seconds in which nobody was awake
        self._last = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def now(self) -> float:
        """Seconds, from an arbitrary beginning."""
        return time.monotonic() - self.missed

    def start(self) -> None:
        """Begin to tick; does nothing when it ticks already."""
        if self._timer is None:
            self._last = time.monotonic()
            self._tick()

    def stop(self) -> None:
        """Tick no more."""
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
