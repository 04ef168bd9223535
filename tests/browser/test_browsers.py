"""The browsers of a crawl: one at a time, another when it died or grew too large, and none in the end."""

import asyncio
import contextlib
import os
import signal
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from statecrawl.browser.browsers import Browsers
from statecrawl.browser.chromium import find_browser
from statecrawl.browser.devtools import Connection
from statecrawl.browser.page import BrowserPage
from tests.browser.stage import ENOUGH, Stage
from tests.browser.test_chromium import is_running, wait_until_gone


@contextlib.asynccontextmanager
async def browsers_of(most_bytes: int) -> AsyncIterator[Browsers]:
    browsers = Browsers(find_browser(), most_bytes)
    try:
        yield browsers
    finally:
        await browsers.close()


async def test_all_pages_share_one_browser() -> None:
    async with browsers_of(ENOUGH) as browsers:
        one, other = await asyncio.gather(browsers.borrow(), browsers.borrow())
        assert one is other
        assert browsers.started == 1
        assert not browsers.is_stale(one)
        await browsers.give_back(one)
        await browsers.give_back(other)
        assert one.is_alive  # it waits for the next page
        assert browsers.resident_bytes() > 10 << 20
    assert await wait_until_gone(one.pid)


async def test_a_browser_that_grew_too_large_is_left_by_one_page_after_the_other() -> None:
    async with browsers_of(1) as browsers:
        old = await browsers.borrow()
        assert await browsers.borrow() is old
        assert browsers.is_stale(old)
        await browsers.give_back(old)
        new = await browsers.borrow()
        assert (new is old, browsers.started) == (False, 2)
        assert is_running(old.pid)  # one page is still there
        await browsers.give_back(old)
        assert not old.is_alive
        assert await wait_until_gone(old.pid)
        assert new.is_alive


async def test_the_last_page_may_leave_while_the_next_browser_starts() -> None:
    async with browsers_of(1) as browsers:
        old = await browsers.borrow()
        assert await browsers.borrow() is old
        assert browsers.is_stale(old)

        async def move() -> None:
            await browsers.give_back(old)
            await browsers.borrow()

        await asyncio.gather(move(), move())
        assert browsers.started == 2
        assert await wait_until_gone(old.pid)


async def test_pages_move_at_their_next_reset(stage: Stage) -> None:
    stage.serve("/", "<p>x</p>")
    async with browsers_of(1) as browsers:
        page = BrowserPage(browsers, stage.settings())
        first = await page.reset()
        old = await browsers.borrow()
        await browsers.give_back(old)
        assert (await page.reset()).state == first.state
        assert browsers.started == 2
        assert await wait_until_gone(old.pid)
        await page.close()


async def test_a_browser_that_died_is_replaced(stage: Stage) -> None:
    stage.serve("/", "<p>x</p>")
    async with browsers_of(ENOUGH) as browsers:
        pages = [BrowserPage(browsers, stage.settings()) for _ in range(2)]
        first = [(await page.reset()).state for page in pages]
        old = await browsers.borrow()
        await browsers.give_back(old)
        os.killpg(old.pid, signal.SIGKILL)
        assert await wait_until_lost(old.connection)
        assert [(await page.reset()).state for page in pages] == first
        assert browsers.started == 2
        for page in pages:
            await page.close()
    assert await wait_until_gone(old.pid)


async def wait_until_lost(connection: Connection) -> bool:
    for _ in range(500):
        if connection.lost is not None:
            return True
        await asyncio.sleep(0.01)
    return False


@pytest.mark.parametrize("seconds", [0.0, 0.02, 0.1])
async def test_a_start_that_is_cancelled_leaves_nothing(
    seconds: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    async with browsers_of(ENOUGH) as browsers:
        borrowing = asyncio.create_task(browsers.borrow())
        await asyncio.sleep(seconds)
        borrowing.cancel()
        await asyncio.gather(borrowing, return_exceptions=True)
    assert list(tmp_path.iterdir()) == []
