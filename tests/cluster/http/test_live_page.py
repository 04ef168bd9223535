"""Live page over HTTP: only for this machine or with a token, and a stuck browser delays no one."""

import asyncio
import base64
import contextlib
import json
import time
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from statecrawl.cluster.http import live_page
from statecrawl.cluster.http.live_page import serve_live
from statecrawl.cluster.http.server import RunningServer
from statecrawl.report.live.files import assets
from tests.cli.command import ENVIRONMENT, arguments
from tests.cluster.redis_server import redis_server

LARGE = "x" * (256 << 10)


class Page:
    """Page with an update at any time."""

    def __init__(self, picture: Path | None = None, news: str = "") -> None:
        self.asked: list[str] = []
        self._picture = picture
        self._news = news

    def since(self, last: str) -> tuple[str, str]:
        self.asked.append(last)
        return f"v-{len(self.asked)}", json.dumps({"news": self._news})

    def picture(self, state: str) -> Path | None:
        return self._picture if state == "ab12" else None


@asynccontextmanager
async def served(page: Page, host: str = "127.0.0.1", token: str = "") -> AsyncIterator[tuple[RunningServer, str]]:
    serving = await serve_live(page, assets(), host, 0, token)
    try:
        yield serving, f"http://127.0.0.1:{serving.port}"
    finally:
        await serving.close()


async def heard(answer: aiohttp.ClientResponse) -> str:
    """The id of the next event."""
    while not (line := (await answer.content.readline()).decode()).startswith("id: "):
        assert line, "it has ended"
    return line.removeprefix("id: ").strip()


async def test_files_pictures_and_nothing_else(tmp_path: Path) -> None:
    picture = tmp_path / "ab12.jpg"
    picture.write_bytes(b"\xff\xd8\xff")
    async with served(Page(picture)) as (_, url), aiohttp.ClientSession(url) as client:
        async with client.get("/") as answer:
            assert answer.url.path == "/live/"
            assert answer.content_type == "text/html"
            policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        for name in assets():
            async with client.get(f"/live/{name}") as answer:
                assert answer.status == 200
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
        async with client.get("/states/ab12.jpg") as answer:
            assert (answer.status, await answer.read()) == (200, b"\xff\xd8\xff")
        for nothing in (
            "/states/00.jpg",
            "/states/..%2fab12.jpg",
            "/live/no.js",
            "/live/..%2f..%2fpalette.css",
            "/status",
        ):
            async with client.get(nothing) as answer:
                assert answer.status == 404


async def test_only_local_host_names_are_accepted() -> None:
    async with served(Page()) as (serving, url), aiohttp.ClientSession(url) as client:
        for name, status in (
            (f"localhost:{serving.port}", 200),
            ("evil.test", 403),
            (f"evil.test:{serving.port}", 403),
        ):
            async with client.get("/live/", headers={"Host": name}) as answer:
                assert answer.status == status


async def test_other_addresses_need_a_token() -> None:
    async with served(Page(), "0.0.0.0", "the token") as (_, url), aiohttp.ClientSession(url) as client:  # noqa: S104
        for password, status in (("wrong", 401), ("the token", 200)):
            told = base64.b64encode(f"anybody:{password}".encode()).decode()
            async with client.get("/live/events", headers={"Authorization": f"Basic {told}"}) as answer:
                assert answer.status == status
        async with client.get("/live/main.js") as answer:
            assert answer.status == 401


async def test_a_reconnecting_browser_gets_the_rest() -> None:
    page = Page()
    async with served(page) as (_, url), aiohttp.ClientSession(url) as client:
        async with client.get("/live/events") as answer:
            assert answer.content_type == "text/event-stream"
            first = await heard(answer)
            assert await heard(answer) != first
        async with client.get("/live/events", headers={"Last-Event-ID": "v-2"}) as answer:
            await heard(answer)
    assert page.asked[:2] == ["", "v-1"]
    assert "v-2" in page.asked


async def test_a_stuck_browser_delays_no_other_and_is_disconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_page, "STUCK_SECONDS", 1.0)
    monkeypatch.setattr(live_page, "UPDATE_SECONDS", 0.01)
    async with served(Page(news=LARGE)) as (serving, url), aiohttp.ClientSession(url) as client:
        reader, writer = await asyncio.open_connection("127.0.0.1", serving.port, limit=1 << 10)
        writer.write(b"GET /live/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        await asyncio.sleep(0.5)  # it is full by now
        async with client.get("/live/events") as answer:
            begun = time.monotonic()
            for _ in range(20):
                await asyncio.wait_for(heard(answer), 5)
            assert time.monotonic() - begun < 5
            await asyncio.sleep(1.5)
        with contextlib.suppress(ConnectionError):
            await asyncio.wait_for(reader.read(), 5)  # to its end, which has come
        writer.close()


async def test_the_last_update_is_sent_at_the_end() -> None:
    page = Page()
    serving = await serve_live(page, assets(), "127.0.0.1", 0, "")
    async with aiohttp.ClientSession() as client, client.get(f"http://127.0.0.1:{serving.port}/live/events") as answer:
        await heard(answer)
        closing = asyncio.create_task(serving.close())
        rest = (await asyncio.wait_for(answer.content.read(), 5)).decode()
        await closing
    assert rest.count("data: ") >= 1
    assert rest.strip().endswith('{"news": ""}')


async def test_too_many_browsers_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_page, "MAX_BROWSERS", 1)
    async with (
        served(Page()) as (_, url),
        aiohttp.ClientSession(url) as client,
        client.get("/live/events") as one,
        client.get("/live/events") as two,
    ):
        assert (one.status, two.status) == (200, 503)


async def test_a_crawl_in_a_redis_is_watched_to_its_end(tmp_path: Path) -> None:
    with redis_server(tmp_path / "redis") as server:
        options = ["--out", str(tmp_path / "crawl"), "--learn-states", "0", "--no-report", "--no-screenshots"]
        command = arguments("crawl", "tiny", *options, "--engine", server.url, "--live-at", "0")
        crawl = await asyncio.create_subprocess_exec(*command, stderr=PIPE, stdout=DEVNULL, env=ENVIRONMENT)
        try:
            assert crawl.stderr is not None
            address = (await crawl.stderr.readline()).decode().removeprefix("live: ").strip()
            async with aiohttp.ClientSession() as client, client.get(f"{address}live/events") as answer:
                lines = [line async for line in answer.content if line.startswith(b"data: ")]
            await crawl.communicate()
        finally:
            if crawl.returncode is None:
                crawl.kill()
                await crawl.wait()
    told = [json.loads(line.removeprefix(b"data: "))["figures"] or {} for line in lines]
    last = told[-1]
    assert (last["states"], last["transitions"], last["ended"]) == (4, 13, "complete")
    assert {node["name"][:7] for figures in told for node in figures.get("nodes", ())} == {"node-1-"}
