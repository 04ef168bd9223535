"""The live page of a crawl over HTTP.

    GET /                  leads to /live/
    GET /live/             the page, and its files beside it
    GET /live/events       server-sent events: at first everything, then what has changed
    GET /states/ID.jpg     what a state looked like

Each browser that watches has a task of its own, which asks for news when the last were taken: nobody waits for a tab
that is slow or stuck, and nothing is kept for it. Who has taken nothing for a while is cut off; a browser then comes
again by itself, says what it heard last, and is told the rest.

On this machine alone no token is asked for; but a page on the web may have this machine's browser look for it under a
name of its own (DNS rebinding), so only our own names are answered. Anywhere else the token of the crawl is needed.
"""

import asyncio
import contextlib
import ipaddress
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from aiohttp import web

from statecrawl.cluster.http.runner import runner_of
from statecrawl.cluster.http.server import Handler, RunningServer, guard, listen

LOOK_SECONDS = 0.25  # between two events
STUCK_SECONDS = 20.0  # after which a browser that takes nothing is cut off
ALIVE_SECONDS = 10.0  # after which something is said though there are no news
MOST_WATCHING = 16  # browsers at a time
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
    """What is shown."""

    def since(self, last: str) -> tuple[str, str]:
        """What whoever heard `last` last does not know, in one line, and what that is called."""

    def picture(self, state: str) -> Path | None:
        """What a state looked like, as a file; None for what is no state."""


Files = Mapping[str, tuple[bytes, str]]  # name -> content and type; one is index.html


def add_live_page(application: web.Application, page: LiveSource, files: Files) -> None:
    """Have a server show it."""
    routes = _LiveRoutes(page, files)
    application.router.add_get("/", routes.lead)
    application.router.add_get("/live", routes.lead)
    application.router.add_get("/live/events", routes.events)
    application.router.add_get("/live/{name:[a-z.]*}", routes.file)
    application.router.add_get("/states/{state:[0-9a-f]+}.jpg", routes.picture)
    application.on_shutdown.append(routes.end)


async def serve_live(page: LiveSource, files: Files, host: str, port: int, token: str) -> RunningServer:
    """Show it at an address of its own until it is closed; without a token, to this machine only.

    Raises BadInput when the address cannot be had.
    """
    application = web.Application(middlewares=[guard(token) if token else _only_here])
    add_live_page(application, page, files)
    at = listen(host, port, "--live-at")
    runner = runner_of(application)
    await runner.setup()
    await web.SockSite(runner, at).start()
    return RunningServer(host, at.getsockname()[1], token, runner)


def is_here(host: str) -> bool:
    """Whether an address is for this machine only."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@web.middleware
async def _only_here(request: web.Request, handler: Handler) -> web.StreamResponse:
    name, _, port = request.host.rpartition(":")
    if (name if port.isdecimal() and name else request.host) not in LOCAL_NAMES:
        return web.Response(status=403, text="this page is for this machine only.", headers=HEADERS)
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
        if self._watching >= MOST_WATCHING:
            return web.Response(status=503, text="too many are watching.", headers=HEADERS)
        answer = web.StreamResponse(headers={"Content-Type": "text/event-stream", **HEADERS})
        self._watching += 1
        try:
            await answer.prepare(request)
            await self._tell(answer, request.headers.get("Last-Event-ID", ""))
        except TimeoutError:
            if request.transport is not None:
                request.transport.abort()  # what is still to be sent is sent to nobody
        except ConnectionError:
            pass  # it has gone
        finally:
            self._watching -= 1
        return answer

    async def end(self, _: Any) -> None:
        """Everybody is told the last news."""
        self._ending.set()
        await asyncio.sleep(0)

    async def _tell(self, answer: web.StreamResponse, last: str) -> None:
        silent, is_over = 0.0, False
        while not is_over:
            is_over = self._ending.is_set()
            name, told = self._page.since(last)
            silent = 0.0 if name != last else silent + LOOK_SECONDS
            if name != last or silent >= ALIVE_SECONDS:
                async with asyncio.timeout(STUCK_SECONDS):
                    await answer.write(f"id: {name}\ndata: {told}\n\n".encode())
                last, silent = name, 0.0
            if not is_over:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_SECONDS):
                        await self._ending.wait()
