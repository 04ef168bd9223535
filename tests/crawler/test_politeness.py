"""Crawls of a server with a robots.txt and limits, in a real Chromium."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

import statecrawl
from statecrawl.api import Result
from statecrawl.errors import BadInput, SiteUnreachable

pytestmark = pytest.mark.product

QUICK: dict[str, Any] = {"learn": 0, "no_screenshots": True, "reset_cost": 3.0, "no_report": True}
FIRST = (
    "<!doctype html><link rel=icon href='data:,'><a href=/open>open</a> <a href=/private/x>private</a><p id=p></p>"
    "<button onclick=\"fetch('/data').then((a) => a.text()).then((t) => { p.textContent = t; })\">ask</button>"
)
Answer = Callable[[web.Request], Awaitable[web.Response]]


class Server:
    """What it was asked for and when, how many at a time, and what it answers."""

    def __init__(self, robots: str = "", **special: Answer) -> None:
        self.asked: list[tuple[str, float]] = []
        self.agents: set[str] = set()
        self.now = self.most = 0
        self.robots = robots
        self._special = special
        self.first = FIRST

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]

    async def answer(self, request: web.Request) -> web.Response:
        name = request.path.strip("/")
        self.asked.append((request.path, time.monotonic()))
        self.agents.add(request.headers["User-Agent"])
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            if name in self._special:
                return await self._special[name](request)
        finally:
            self.now -= 1
        if name == "robots.txt":
            return web.Response(text=self.robots, status=200 if self.robots else 404)
        text = self.first if not name else f"<!doctype html><link rel=icon href='data:,'>this is {name}"
        return web.Response(text=text, content_type="text/html", headers={"Cache-Control": "no-store"})

    async def _crawl(self, out: Path, **settings: Any) -> Result:
        application = web.Application()
        application.router.add_route("*", "/{path:.*}", self.answer)
        runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        try:
            url = f"http://127.0.0.1:{runner.addresses[0][1]}/"
            return await statecrawl.crawl(url, out=out, **QUICK, **settings)
        finally:
            await runner.cleanup()

    def crawl(self, out: Path, **settings: Any) -> Result:
        return asyncio.run(self._crawl(out, **settings))


PRIVATE = "User-agent: *\nDisallow: /private/\n"


def test_what_robots_leave_alone_is_refused_with_the_reason(tmp_path: Path) -> None:
    server = Server(PRIVATE)
    outcome = server.crawl(tmp_path / "crawl", site=True).outcome
    assert outcome.ended_because == "complete"
    assert server.paths.count("/robots.txt") == 1
    assert "/open" in server.paths
    assert "/private/x" not in server.paths
    assert "robots.txt" in str(outcome.refusals)
    assert any("--ignore-robots" in warning for warning in outcome.warnings)
    assert all("statecrawl/" in agent for agent in server.agents), server.agents


def test_ones_own_site_may_be_opened_all_the_same(tmp_path: Path) -> None:
    server = Server(PRIVATE)
    assert not server.crawl(tmp_path / "crawl", site=True, ignore_robots=True).outcome.warnings
    assert "/private/x" in server.paths


def test_a_site_that_wants_no_crawler_is_not_opened(tmp_path: Path) -> None:
    server = Server("User-agent: statecrawl\nDisallow: /\n")
    with pytest.raises(BadInput, match="use --ignore-robots"):
        server.crawl(tmp_path / "crawl")
    assert server.paths == ["/robots.txt"]


def test_a_delay_is_kept_for_each_request_of_the_page(tmp_path: Path) -> None:
    server = Server("User-agent: *\nCrawl-delay: 0.1\n")
    outcome = server.crawl(tmp_path / "crawl", site=True, delay="150ms").outcome
    assert outcome.ended_because == "complete"
    times = [at for path, at in server.asked if path != "/robots.txt"]
    assert len(times) > 4
    assert times[-1] - times[0] >= 0.15 * (len(times) - 2)  # what one event asks for may come at once


def test_robots_may_ask_for_a_delay(tmp_path: Path) -> None:
    server = Server("User-agent: *\nCrawl-delay: 0.2\n")
    outcome = server.crawl(tmp_path / "crawl").outcome
    assert any("0.2 s between requests" in warning for warning in outcome.warnings)
    times = [at for path, at in server.asked if path != "/robots.txt"]
    assert times[-1] - times[0] >= 0.2 * (len(times) - 2)


@pytest.mark.parametrize(("most", "seen"), [(None, 4), (2, 2)])
def test_how_many_are_under_way_at_a_time(tmp_path: Path, most: int | None, seen: int) -> None:
    async def slow(_: web.Request) -> web.Response:
        await asyncio.sleep(0.1)
        return web.Response(text="x")

    server = Server(slow=slow)
    server.first = (
        "<!doctype html><link rel=icon href='data:,'><script>for (let n = 0; n < 4; n++) fetch('/slow?' + n)</script>"
    )
    outcome = server.crawl(tmp_path / "crawl", max_concurrent=most).outcome
    assert (outcome.states, outcome.ended_because) == (1, "complete")
    assert server.most == seen


def test_requests_are_a_budget(tmp_path: Path) -> None:
    server = Server()
    outcome = server.crawl(tmp_path / "crawl", max_requests=2).outcome
    assert outcome.ended_because == "max-requests"
    assert 2 <= len(server.asked) - 1 <= 4


def test_what_a_busy_server_says_is_no_fact(tmp_path: Path) -> None:
    refusals = iter([429, 503, 429])
    waited: list[float] = []

    async def data(_: web.Request) -> web.Response:
        waited.append(time.monotonic())
        status = next(refusals, 200)
        headers = {"Retry-After": "1"} if status != 200 else {}
        return web.Response(text=f"it is {status}", status=status, headers=headers)

    result = Server(data=data).crawl(tmp_path / "crawl")
    shown = [state.html for state in result.states]
    assert result.outcome.complete
    assert any("it is 200" in html for html in shown)
    assert not any("it is 429" in html or "it is 503" in html for html in shown)
    assert all(later - sooner >= 1 for sooner, later in pairwise(waited[:4]))


def test_a_first_page_that_is_busy_is_waited_for(tmp_path: Path) -> None:
    server = Server()
    usual, times = server.answer, iter(range(2))

    async def busy(request: web.Request) -> web.Response:
        if request.path == "/" and next(times, None) is not None:
            return web.Response(status=503, text="busy", headers={"Retry-After": "1"})
        return await usual(request)

    server.answer = busy  # type: ignore[method-assign]
    assert server.crawl(tmp_path / "crawl").outcome.complete


def test_who_wants_to_be_left_alone_for_long_is(tmp_path: Path) -> None:
    async def busy(_: web.Request) -> web.Response:
        return web.Response(status=429, text="busy", headers={"Retry-After": "3600"})

    server = Server(data=busy)
    with pytest.raises(SiteUnreachable, match="left alone for 3"):
        server.crawl(tmp_path / "crawl")
    assert (tmp_path / "crawl" / "crawl.journal").exists()
