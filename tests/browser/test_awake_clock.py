"""Time-outs do not count the time in which the process was stopped, which looks to it as if a tick came late."""

import asyncio
import time

import pytest

from statecrawl.browser.awake_clock import AwakeClock, AwakeTimeout

STOPPED = 0.5  # seconds


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("statecrawl.browser.awake_clock.TICK_SECONDS", 0.05)
    monkeypatch.setattr("statecrawl.browser.awake_clock.MOST_LATE", 0.05)


def test_a_timeout_does_not_expire_while_nobody_is_awake() -> None:
    async def run() -> None:
        async with AwakeTimeout(STOPPED / 2):
            time.sleep(STOPPED)  # the event loop cannot tell this from being stopped
            await asyncio.sleep(0.01)

    asyncio.run(run())


def test_a_timeout_expires_otherwise() -> None:
    async def run() -> None:
        with pytest.raises(TimeoutError):
            async with AwakeTimeout(0.12):
                await asyncio.sleep(60)
        async with AwakeTimeout(0.01):
            pass
        await asyncio.sleep(0.02)  # a time-out that is over has no effect on what comes after it

    asyncio.run(run())


def test_the_clock_stands_still_while_nobody_is_awake() -> None:
    async def run() -> None:
        clock = AwakeClock()
        clock.start()
        clock.start()
        await asyncio.sleep(0.12)
        before, missed = clock.now(), clock.missed
        time.sleep(STOPPED)  # as above
        await asyncio.sleep(0.01)
        assert clock.missed - missed > STOPPED - 0.11
        assert clock.now() - before < time.monotonic() - before
        clock.stop()
        clock.stop()
        missed = clock.missed
        time.sleep(0.2)  # nobody looks any more
        await asyncio.sleep(0)
        assert clock.missed == missed

    asyncio.run(run())
