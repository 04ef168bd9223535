"""Ctrl-C ends a crawl at once, also while it leaves a server alone."""

import time
from pathlib import Path
from threading import Event

import pytest
from aiohttp import web

from tests.cli.command import Running
from tests.cli.serving import serving

pytestmark = pytest.mark.product

LONG = 100  # seconds that the server wants to be left alone, which is not too long to wait for
AT_ONCE = 8.0  # seconds for a browser to be closed, on a machine with other things to do


@pytest.mark.parametrize("asked", [(), ("--delay", "100s")])
def test_a_crawl_that_waits_for_a_server_is_ended(asked: tuple[str, ...], tmp_path: Path) -> None:
    waits = Event()

    async def first(_: web.Request) -> web.StreamResponse:
        waits.set()
        if asked:
            return web.Response(text="<button onclick='this.remove()'>x</button>", content_type="text/html")
        return web.Response(status=503, text="busy", headers={"Retry-After": str(LONG)})

    application = web.Application()
    application.add_routes([web.get("/", first)])
    with serving(application) as port:
        url = f"http://127.0.0.1:{port}/"
        running = Running("crawl", url, "--out", "out", "-q", "--learn-states", "0", *asked, cwd=tmp_path)
        try:
            assert waits.wait(30)
            time.sleep(2)  # it has heard that, and waits
            assert running.is_there()
            begun = time.monotonic()
            done = running.press_ctrl_c()
            assert time.monotonic() - begun < AT_ONCE
            assert done.code == 130, done
        finally:
            running.end()
