"""Live page of a crawl over HTTP.

    GET /                  redirects to /live/
    GET /live/             the page; its files are beside it
    GET /live/events       server-sent events: first everything, then the changes
    GET /states/ID.jpg     screenshot of a state

Each connected browser has its own task, which fetches an update when the previous one was sent: a slow or stuck tab
delays no one and needs no buffer. A browser that accepts nothing for a while is disconnected; it reconnects by itself,
sends the id of the last update it received, and gets the rest.

On a loopback address no token is required. But a page on the web may make a browser on this machine request the live
page under a host name of its own (DNS rebinding), so only the local host names are accepted. On any other address the
token of the crawl is required.
"""

import asyncio
import contextlib
import ipaddress
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from aiohttp import web

from statecrawl.cluster.http.runner import runner_of
from statecrawl.cluster.http.server import Handler, RunningServer, listen, require_token

UPDATE_SECONDS = 0.25  # between two updates
STUCK_SECONDS = 20.0  # after which a browser that accepts nothing is disconnected
KEEPALIVE_SECONDS = 10.0  # after which an update is sent although nothing has changed
MAX_BROWSERS = 16  # connected browsers
LOCAL_NAMES = {"localhost", "127.0.0.1", "[::1]"}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class LiveSource(Protocol):
    """Content of the live page."""

    def since(self, last: str) -> tuple[str, str]:
        """Return what has changed since the update `last`, as one line, and the id of this update."""

    def picture(self, state: str) -> Path | None:
        """Return the screenshot file of a state; None for an unknown state."""


Files = Mapping[str, tuple[bytes, str]]  # name -> content and type; one is index.html


def add_live_page(application: web.Application, page: LiveSource, files: Files) -> None:
    """Add the routes of the live page to an application."""
    routes = _LiveRoutes(page, files)
    application.router.add_get("/", routes.lead)
    application.router.add_get("/live", routes.lead)
    application.router.add_get("/live/events", routes.events)
    application.router.add_get("/live/{name:[a-z.]*}", routes.file)
    application.router.add_get("/states/{state:[0-9a-f]+}.jpg", routes.picture)
    application.on_shutdown.append(routes.end)


async def serve_live(page: LiveSource, files: Files, host: str, port: int, token: str) -> RunningServer:
    """Serve the live page on its own port until closed; without a token, to this machine only.

    Raises BadInput when the address is not available.
    """
    application = web.Application(middlewares=[require_token(token) if token else _only_here])
    add_live_page(application, page, files)
    at = listen(host, port, "--live-at")
    runner = runner_of(application)
    await runner.setup()
    await web.SockSite(runner, at).start()
    return RunningServer(host, at.getsockname()[1], token, runner)


def is_loopback(host: str) -> bool:
    """Whether a host is a loopback address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@web.middleware
async def _only_here(request: web.Request, handler: Handler) -> web.StreamResponse:
    name, _, port = request.host.rpartition(":")
    if (name if port.isdecimal() and name else request.host) not in LOCAL_NAMES:
        return web.Response(status=403, text="this page is available on this machine only.", headers=HEADERS)
    return await handler(request)


class _LiveRoutes:
    def __init__(self, page: LiveSource, files: Files) -> None:
        self._page = page
        self._files = files
        self._watching = 0
        self._ending = asyncio.Event()

    async def lead(self, _: web.Request) -> web.StreamResponse:
        return web.Response(status=302, headers={"Location": "/live/", **HEADERS})

    async def file(self, request: web.Request) -> web.StreamResponse:
        found = self._files.get(request.match_info["name"] or "index.html")
        if found is None:
            return web.Response(status=404, headers=HEADERS)
        content, kind = found
        return web.Response(body=content, content_type=kind, charset="utf-8", headers=HEADERS)

    async def picture(self, request: web.Request) -> web.StreamResponse:
        path = self._page.picture(request.match_info["state"])
        if path is None:
            return web.Response(status=404, headers=HEADERS)
        return web.FileResponse(path, headers={**HEADERS, "Cache-Control": "private, max-age=86400"})

    async def events(self, request: web.Request) -> web.StreamResponse:
        if self._watching >= MAX_BROWSERS:
            return web.Response(status=503, text="too many browsers are connected.", headers=HEADERS)
        answer = web.StreamResponse(headers={"Content-Type": "text/event-stream", **HEADERS})
        self._watching += 1
        try:
            await answer.prepare(request)
            await self._send_updates(answer, request.headers.get("Last-Event-ID", ""))
        except TimeoutError:
            if request.transport is not None:
                request.transport.abort()  # discards pending output
        except ConnectionError:
            pass  # the browser has disconnected
        finally:
            self._watching -= 1
        return answer

    async def end(self, _: Any) -> None:
        """Send the last update to all browsers."""
        self._ending.set()
        await asyncio.sleep(0)

    async def _send_updates(self, answer: web.StreamResponse, last: str) -> None:
        silent, is_over = 0.0, False
        while not is_over:
            is_over = self._ending.is_set()
            name, update = self._page.since(last)
            silent = 0.0 if name != last else silent + UPDATE_SECONDS
            if name != last or silent >= KEEPALIVE_SECONDS:
                async with asyncio.timeout(STUCK_SECONDS):
                    await answer.write(f"id: {name}\ndata: {update}\n\n".encode())
                last, silent = name, 0.0
            if not is_over:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(UPDATE_SECONDS):
                        await self._ending.wait()
