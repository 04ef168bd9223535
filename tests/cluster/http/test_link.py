"""Link over HTTP: a request is retried while its coordinator fails, and given up in the end."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from statecrawl.cluster import messages
from statecrawl.cluster.http.link import HttpLink
from statecrawl.coordination.client_server_messages import Heartbeat
from statecrawl.errors import CoordinatorLost
from statecrawl.fleet.invitation import VERSION
from statecrawl.ports.page import Note

TOKEN = "a token of this crawl"  # noqa: S105


async def test_a_dead_link_is_given_up() -> None:
    line = HttpLink("http://127.0.0.1:9", TOKEN, patience=0.3)
    with pytest.raises(
        CoordinatorLost, match=r"the coordinator at http://127.0.0.1:9 cannot be reached: .*start the node"
    ):
        await line.hello(messages.NodeIntroduction(VERSION))
    await line.beat(messages.decode_message(b'{"type":"beat","node":"n","number":1}'))  # type: ignore[arg-type]
    await line.close()


@asynccontextmanager
async def answering(answer: Callable[[], web.Response]) -> AsyncIterator[str]:
    """A server that is no coordinator."""

    async def handle(_: web.Request) -> web.Response:
        return answer()

    application = web.Application()
    application.router.add_route("*", "/{path:.*}", handle)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda: web.Response(status=404), "status 404"),
        (lambda: web.Response(status=302, headers={"Location": "/"}), "status 302"),
        (lambda: web.Response(text="<h1>welcome</h1>"), "unexpected content"),
    ],
    ids=["404", "302", "a page"],
)
async def test_a_server_that_is_not_a_coordinator_is_not_retried(answer: Callable[[], web.Response], said: str) -> None:
    async with answering(answer) as url:
        line = HttpLink(url, TOKEN, patience=60.0)
        with pytest.raises(CoordinatorLost, match=f"{url} is not a coordinator, it responded with {said}: use the URL"):
            await asyncio.wait_for(line.hello(messages.NodeIntroduction(VERSION)), 5.0)
        await line.close()


async def test_a_failing_server_is_retried_for_a_limited_time() -> None:
    tries: list[None] = []

    def answer() -> web.Response:
        tries.append(None)
        return web.Response(status=502)

    async with answering(answer) as url:
        line = HttpLink(url, TOKEN, patience=0.5)
        with pytest.raises(CoordinatorLost, match="failed: it responded with status 502; start the node again"):
            await asyncio.wait_for(line.hello(messages.NodeIntroduction(VERSION)), 5.0)
        await line.close()
    assert len(tries) > 1


async def test_heartbeats_do_not_prolong_a_request_that_always_fails() -> None:
    """Heartbeats get through, but the coordinator always fails on one parcel."""
    said: list[str] = []
    application = web.Application()

    async def fails(_: web.Request) -> web.Response:
        return web.Response(status=500)

    async def lives(_: web.Request) -> web.Response:
        return web.Response(status=204)

    application.router.add_post("/v1/parcel", fails)
    application.router.add_post("/v1/beat", lives)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    line = HttpLink(f"http://127.0.0.1:{runner.addresses[0][1]}", TOKEN, patience=3.0, on_message=said.append)
    sending = asyncio.create_task(line.send([], [(Note("console", "hello"), "state", None)]))
    async with asyncio.timeout(20.0):
        while not sending.done():
            await line.beat(Heartbeat("n", 1))
            await asyncio.sleep(0.1)
    with pytest.raises(
        CoordinatorLost, match="failed: it responded with status 500; start the node again when it is back"
    ):
        sending.result()
    await line.close()
    await runner.cleanup()
    assert len(said) == 1
    assert said[0].endswith("failed: it responded with status 500; retrying for 3 s")
