"""A machine that is paused, and events that hang once: neither becomes a fact about the application."""

import asyncio
import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from statecrawl.browser.awake_clock import GRACE_SECONDS
from tests.browser.slow_server import never
from tests.cli.command import arguments
from tests.cli.deaths import browsers_of
from tests.crawler.house import ROOMS, HouseServer, crawled, crawled_house

pytestmark = pytest.mark.browser

EVENT_SECONDS = 0.5
PAUSED = 1.5 * (EVENT_SECONDS + GRACE_SECONDS)  # longer than anybody waits for the answer to an event
ALL = ROOMS * (ROOMS + 1) + 1  # transitions of the house


def test_a_machine_that_is_paused_blames_no_event(tmp_path: Path) -> None:
    house, pauses, crawler = HouseServer(), 0, 0

    async def tiring(request: web.Request) -> web.StreamResponse:
        nonlocal pauses
        if pauses < 2:
            pauses += 1
            await pause(crawler)
        return await house.answer(request)

    async def run() -> dict[str, Any]:
        nonlocal crawler
        house.stand.routes["/room/3"] = tiring
        await house.stand.open()
        times = ("--event-timeout", f"{EVENT_SECONDS}s", "--load-timeout", "2s")
        process = await asyncio.create_subprocess_exec(
            *arguments(
                "crawl", house.stand.url, "--out", tmp_path / "crawl", "--strategy", "greedy", "--learn-states", "0"
            ),
            *("--reset-cost", "5", "--no-report", "--no-screenshots", "--json", "-q", *times),
            stdout=asyncio.subprocess.PIPE,
        )
        crawler = process.pid
        said, _ = await process.communicate()
        await house.stand.close()
        return dict(json.loads(said.splitlines()[-1]))

    told = asyncio.run(run())
    assert pauses == 2
    assert (told["complete"], told["hung"], told["crashed"], told["diverged"]) == (True, 0, 0, 0)
    assert told["transitions"] == ALL


async def pause(process: int) -> None:
    """Stop a process and its browsers for a while."""
    groups = {os.getpgid(browser) for browser in browsers_of(process)}
    for number in (signal.SIGSTOP, signal.SIGCONT):
        os.kill(process, number)
        for group in groups:
            os.killpg(group, number)
        await asyncio.sleep(PAUSED if number == signal.SIGSTOP else 0)


def test_an_event_that_hangs_once_is_fired_again(tmp_path: Path) -> None:
    """Only the first page that is opened hangs; it shares nothing with the next but the server."""
    house, hung = HouseServer(), 0

    async def answer(request: web.Request) -> web.StreamResponse:
        nonlocal hung
        if request.path == "/room/3" and not hung:
            hung += 1
            return web.Response(text="<", headers={"X-Hang": "yes"})
        return await house.answer(request)

    house.stand.routes["/room/3"] = answer
    script = "if (answer && answer.headers.get('X-Hang')) for (;;);"
    page = house.page.replace("if (answer", f"{script} if (answer", 1)
    house.page = page
    outcome = crawled_house(house, tmp_path / "crawl", event_seconds=EVENT_SECONDS).outcome()
    assert (hung, outcome.complete, outcome.hung, outcome.transitions) == (1, True, 0, ALL)


def test_events_that_always_hang_are_believed_sooner_and_sooner(tmp_path: Path) -> None:
    """Each costs its time-out: after some that hung twice, the others are fired once."""
    found = crawled(tmp_path, "if (door !== room) for (;;);", event_seconds=0.2)
    assert (found.outcome.states, found.outcome.hung) == (1, ROOMS - 1)
    assert found.outcome.resets < 2 * (ROOMS - 1) + 1


def test_a_page_that_is_not_quiet_once_is_not_called_hung(tmp_path: Path) -> None:
    house, held = HouseServer(), 0

    async def answer(request: web.Request) -> web.StreamResponse:
        nonlocal held
        held += 1
        return await (never(request) if held == 1 else house.answer(request))

    house.stand.routes["/room/3"] = answer
    outcome = crawled_house(house, tmp_path / "crawl", event_seconds=EVENT_SECONDS).outcome()
    assert (outcome.complete, outcome.hung, outcome.transitions) == (True, 0, ALL)
