"""HTTP servers of a crawl: malformed or compressed requests cause neither log messages nor memory use."""

import asyncio
import gzip
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from statecrawl.cluster.http.runner import runner_of
from statecrawl.cluster.http.server import require_token

TOKEN = "known to few"  # noqa: S105
KNOWN = {"Authorization": f"Bearer {TOKEN}"}
PACKED = {"Content-Encoding": "gzip"}
BOMB = gzip.compress(b"\0" * (1 << 20))


async def echo(request: web.Request) -> web.StreamResponse:
    return web.Response(text=str(len(await request.read())))


async def broken(_: web.Request) -> web.StreamResponse:
    raise RuntimeError("a mistake of ours")


@asynccontextmanager
async def serving(*middlewares: Any) -> AsyncIterator[int]:
    application = web.Application(middlewares=middlewares)
    application.router.add_post("/echo", echo)
    application.router.add_post("/broken", broken)
    runner = runner_of(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield int(runner.addresses[0][1])
    await runner.cleanup()


async def post(port: int, path: str, headers: dict[str, str], data: bytes = b"") -> tuple[int, str]:
    async with aiohttp.ClientSession(headers=headers) as client:  # noqa: SIM117
        async with client.post(f"http://127.0.0.1:{port}{path}", data=data) as answer:
            return answer.status, await answer.text()


@pytest.mark.parametrize(
    "said",
    [
        b"GET / HTTP/1.1\r\nHost: a\r\nA\x00B: c\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: many\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nA: " + b"b" * 10_000 + b"\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01",  # TLS, where there is none
    ],
    ids=["header", "length", "too long", "TLS"],
)
async def test_malformed_requests_are_answered_and_not_logged(said: bytes, caplog: pytest.LogCaptureFixture) -> None:
    async with serving() as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(said)
        assert b" 400 " in await reader.readline()
        writer.close()
    assert caplog.records == []


async def test_an_internal_error_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    async with serving() as port:
        assert (await post(port, "/broken", {}))[0] == 500
    assert [record.levelno for record in caplog.records] == [logging.ERROR]


@pytest.mark.parametrize(("headers", "status"), [(KNOWN, 415), ({}, 401)], ids=["known", "unknown"])
async def test_compressed_requests_are_refused(headers: dict[str, str], status: int) -> None:
    async with serving(require_token(TOKEN)) as port:
        assert (await post(port, "/echo", {**headers, **PACKED}, BOMB))[0] == status


async def test_request_bodies_are_not_decompressed() -> None:
    async with serving() as port:
        assert await post(port, "/echo", PACKED, BOMB) == (200, str(len(BOMB)))
