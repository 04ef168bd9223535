"""The deadline of a node: work in progress is cancelled, and a node that joins late has less time."""

import asyncio
import time
from pathlib import Path

import pytest

from statecrawl.config.plan import CrawlLimits, CrawlPlan
from statecrawl.crawler.deadline import GRACE_SECONDS, Deadline, time_left

HOUR = 3600.0


def test_what_is_under_way_at_the_deadline_is_broken_off() -> None:
    async def run() -> None:
        deadline = Deadline(0.05)
        assert await deadline.within(asyncio.sleep(0, "done")) == "done"
        assert await deadline.within(asyncio.sleep(HOUR, "done")) is None
        assert (deadline.is_over, deadline.left, deadline.is_long_over) == (True, 0.0, False)
        await deadline.closed(asyncio.sleep(HOUR))
        deadline.at = time.monotonic() - GRACE_SECONDS
        assert deadline.is_long_over

    asyncio.run(run())


def test_another_timeout_is_not_taken_for_the_deadline() -> None:
    async def late() -> None:
        raise TimeoutError

    async def run() -> None:
        for deadline in (Deadline(), Deadline(HOUR)):
            with pytest.raises(TimeoutError):
                await deadline.within(late())
            assert not deadline.is_over

    asyncio.run(run())


def test_without_a_limit_there_is_no_deadline() -> None:
    deadline = Deadline()
    assert (deadline.at, deadline.left, deadline.is_over, deadline.is_long_over) == (None, None, False, False)


def test_a_node_that_joins_late_has_less_time() -> None:
    plan = CrawlPlan(url="http://127.0.0.1/", out=Path("crawl"), limits=CrawlLimits(seconds=60, events=7))
    assert time_left(plan, 45.0).limits == CrawlLimits(seconds=15, events=7)
    assert 0 < (time_left(plan, 90.0).limits.seconds or 0) < 0.1
    unlimited = CrawlPlan(url="http://127.0.0.1/", out=Path("crawl"))
    assert time_left(unlimited, 90.0) is unlimited
