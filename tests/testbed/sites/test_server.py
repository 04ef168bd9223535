"""The server: files, routes, and nothing else."""

import asyncio
import time
from pathlib import Path

import pytest
from aiohttp import ClientConnectionError, ClientSession, web

from statecrawl.errors import BadInput
from statecrawl.testbed.sites.server import CONTENT_TYPES, STATIC, start
from statecrawl.testbed.sites.site import Site, SiteRoute
from tests.testbed.sites.asking import asked, sent


async def echo(request: web.Request) -> web.Response:
    return web.json_response({"word": request.match_info["word"]})


ECHO = Site(folder="echo", routes=(SiteRoute("GET", "/echo/{word}", echo),))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of the site, beside a file that is none of its business."""
    monkeypatch.setattr("statecrawl.testbed.sites.server.STATIC", tmp_path)
    (tmp_path / "secret.txt").write_text("secret")
    made = tmp_path / "echo"
    (made / "deep").mkdir(parents=True)
    (made / "index.html").write_text("<p>Grüße</p>", encoding="utf-8")
    (made / "deep" / "picture.png").write_bytes(b"\x89PNG")
    (made / "deep" / "unheard.of").write_bytes(b"\xff")
    return made


@pytest.mark.usefixtures("folder")
def test_the_start_page_is_the_index() -> None:
    start_page, index = asked(ECHO, "/", "/index.html")
    assert start_page.text == index.text == "<p>Grüße</p>"
    assert start_page.headers["Content-Type"] == "text/html; charset=utf-8"


@pytest.mark.usefixtures("folder")
def test_files_are_of_the_type_that_their_name_says() -> None:
    picture, other = asked(ECHO, "/deep/picture.png", "/deep/unheard.of")
    assert (picture.body, picture.headers["Content-Type"]) == (b"\x89PNG", "image/png")
    assert other.headers["Content-Type"] == "application/octet-stream"


@pytest.mark.usefixtures("folder")
def test_routes_stand_beside_the_files() -> None:
    (answer,) = asked(ECHO, "/echo/hello")
    assert answer.json == {"word": "hello"}


@pytest.mark.usefixtures("folder")
def test_what_is_not_a_file_of_the_site_does_not_exist() -> None:
    for answer in asked(ECHO, "/none.html", "/deep", "/deep/", "/echo", "/%2e%2e/secret.txt", "/..%2fsecret.txt"):
        assert answer.status == 404
        assert "secret" not in answer.text.replace("secret.txt", "")
    assert sent(ECHO, "/", {}).status == 405


@pytest.mark.usefixtures("folder")
def test_nothing_is_cached() -> None:
    for answer in asked(ECHO, "/", "/deep/picture.png", "/echo/hello", "/none.html"):
        assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.usefixtures("folder")
def test_only_routes_take_their_time() -> None:
    began = time.monotonic()
    asked(ECHO, "/", "/", "/", latency=5.0)
    assert time.monotonic() - began < 5.0
    began = time.monotonic()
    asked(ECHO, "/echo/a", "/echo/b", latency=0.1)
    assert time.monotonic() - began >= 0.2


@pytest.mark.usefixtures("folder")
def test_a_taken_port_is_said_to_be_taken() -> None:
    async def twice() -> None:
        running = await start(ECHO)
        port = int(running.url.rstrip("/").rpartition(":")[2])
        try:
            with pytest.raises(BadInput, match=f"port {port}: it is taken, choose another with --port."):
                await start(ECHO, port=port)
        finally:
            await running.close()
        again = await start(ECHO, port=port)  # a port that was closed can be had at once
        await again.close()

    asyncio.run(twice())


@pytest.mark.usefixtures("folder")
def test_a_port_that_no_machine_has() -> None:
    with pytest.raises(BadInput, match="ports end at 65535"):
        asyncio.run(start(ECHO, port=70_000))


@pytest.mark.usefixtures("folder")
def test_who_closes_does_not_wait_for_slow_answers() -> None:
    async def closing() -> float:
        running = await start(ECHO, latency=30.0)
        async with ClientSession() as session:
            waiting = asyncio.create_task(session.get(f"{running.url}echo/hello"))
            await asyncio.sleep(0.05)
            began = time.monotonic()
            await running.close()
            with pytest.raises(ClientConnectionError):
                await waiting
        return time.monotonic() - began

    assert asyncio.run(closing()) < 10.0


@pytest.mark.usefixtures("folder")
def test_what_is_no_http_is_not_complained_about(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> bytes:
        running = await start(ECHO)
        try:
            port = int(running.url.rsplit(":", 1)[1].strip("/"))
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET / HTTP/1.1\r\nNo Header\x01: x\r\n\r\n")
            answer = await reader.read(100)
            writer.close()
            return answer
        finally:
            await running.close()

    assert b" 400 " in asyncio.run(run())
    assert caplog.records == []


def test_every_file_that_is_shipped_has_a_known_type() -> None:
    assert {path.suffix for path in STATIC.rglob("*") if path.is_file()} <= set(CONTENT_TYPES)
