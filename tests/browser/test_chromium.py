"""Chromium: found wherever it is, and gone without a trace when it is not needed any more."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from statecrawl.browser.chromium import VARIABLE, Chromium, find_browser
from statecrawl.browser.context_targets import open_page
from statecrawl.errors import BrowserLost, BrowserMissing, PageLost
from tests.browser.stage import Stage

GONE_SECONDS = 10.0


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Profiles of other tests, which may run at the same time, are elsewhere."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def profiles() -> list[str]:
    return [path.name for path in Path(tempfile.gettempdir()).glob("statecrawl-chromium-*")]


def descriptors() -> int:
    """How many files this process has open."""
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def is_running(group: int) -> bool:
    """Whether any process of the group still does something."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


async def wait_until_gone(group: int) -> bool:
    end = time.monotonic() + GONE_SECONDS
    while is_running(group) and time.monotonic() < end:
        await asyncio.sleep(0.02)
    return not is_running(group)


@contextlib.asynccontextmanager
async def started() -> AsyncIterator[Chromium]:
    """A browser, after which there must be nothing left of it."""
    before = descriptors()
    browser = await Chromium.start()
    assert len(profiles()) == 1
    try:
        yield browser
    finally:
        await browser.close()
    assert await wait_until_gone(browser.pid)
    assert (profiles(), descriptors()) == ([], before)


async def test_a_browser_starts_works_and_is_gone() -> None:
    async with started() as browser:
        assert (await browser.version()).startswith(("Chrome/", "HeadlessChrome/"))
        assert browser.sandboxed == (os.geteuid() != 0)
        family = browser.processes()
        assert family[0] == browser.pid
        assert len(family) > 2
        assert 10 << 20 < browser.resident_bytes() < 4 << 30
    assert not browser.is_alive
    with pytest.raises(BrowserLost):
        await browser.version()
    await browser.close()  # once more is fine


async def test_what_a_crawl_that_was_killed_left_behind_is_removed(tmp_path: Path) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    left, mine, other = (
        tmp_path / f"statecrawl-chromium-{owner}-x" for owner in (ended.pid, os.getpid(), "of-somebody")
    )
    for folder in (left, mine, other):
        (folder / "Default").mkdir(parents=True)
    await (await Chromium.start()).close()
    assert [folder.exists() for folder in (left, mine, other)] == [False, True, True]


async def test_a_browser_that_is_killed_tells_everybody_who_waits() -> None:
    async with started() as browser:
        page = await open_page(browser.connection)
        waiting = [
            asyncio.ensure_future(page.call("Runtime.evaluate", expression="new Promise(() => {})", awaitPromise=True))
            for _ in range(3)
        ]
        await page.call("Runtime.evaluate", expression="1")
        os.killpg(browser.pid, signal.SIGKILL)
        for asked in waiting:
            with pytest.raises(BrowserLost, match="ended unexpectedly"):
                await asyncio.wait_for(asked, 5)
        assert not browser.is_alive
        with pytest.raises(BrowserLost):
            await browser.version()


async def test_a_page_survives_the_death_of_its_browser(stage: Stage) -> None:
    """It kills the browser that all tests share: the next test gets another."""
    view = await stage.show("<button id=b onclick='new Promise(() => {}); log(1)'>b</button>")
    browser = await stage.browsers.borrow()
    await stage.browsers.give_back(browser)
    os.killpg(browser.pid, signal.SIGKILL)
    with pytest.raises((BrowserLost, PageLost)):
        await view.look()
    assert (await view.reset()).state == view.landing.state
    assert await view.log("click button#b") == ["1"]


async def test_what_is_no_browser_says_what_it_said(tmp_path: Path) -> None:
    program = tmp_path / "chromium"
    program.write_text("#!/bin/sh\necho 'no display for you' >&2\nexit 3\n")
    program.chmod(0o755)
    with pytest.raises(BrowserLost, match=r"did not start \(no display for you\): is it a Chromium"):
        await Chromium.start(program)
    assert profiles() == []


async def test_what_cannot_be_started(tmp_path: Path) -> None:
    program = tmp_path / "chromium"
    program.write_text("words, not a program")
    before = descriptors()
    with pytest.raises(BrowserMissing, match="cannot start"):
        await Chromium.start(program)
    assert (profiles(), descriptors()) == ([], before)


async def test_the_browser_ends_when_its_parent_is_killed() -> None:
    script = (
        "import asyncio\nfrom statecrawl.browser.chromium import Chromium\n"
        "async def main():\n    print((await Chromium.start()).pid, flush=True)\n    await asyncio.sleep(60)\n"
        "asyncio.run(main())"
    )
    process = await asyncio.to_thread(
        subprocess.Popen, [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    with process:
        assert process.stdout is not None
        group = int(await asyncio.to_thread(process.stdout.readline))
        assert is_running(group)
        process.kill()
    assert await wait_until_gone(group)


def program(folder: Path, name: str) -> Path:
    made = folder / name
    made.parent.mkdir(parents=True, exist_ok=True)
    made.write_text("#!/bin/sh\n")
    made.chmod(0o755)
    return made


def test_a_browser_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    chrome = program(tmp_path, "google-chrome")
    assert find_browser() == chrome
    assert find_browser() == chrome
    chromium = program(tmp_path, "chromium")
    assert find_browser() == chromium
    shell = program(tmp_path, "chromium-headless-shell")
    assert find_browser() == shell, "the faster one"
    other = program(tmp_path, "other/browser")
    monkeypatch.setenv(VARIABLE, str(other))
    assert find_browser() == other
    assert find_browser("google-chrome") == chrome


def test_a_browser_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("statecrawl.browser.chromium.PLACES", ())
    monkeypatch.delenv(VARIABLE, raising=False)
    with pytest.raises(BrowserMissing, match=rf"no Chrome or Chromium is installed: run .* or set {VARIABLE}"):
        find_browser()
    with pytest.raises(BrowserMissing, match="there is no program /none/such"):
        find_browser("/none/such")
    monkeypatch.setenv(VARIABLE, "mistyped")
    with pytest.raises(BrowserMissing, match="there is no program mistyped"):
        find_browser()
