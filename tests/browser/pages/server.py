"""Serves pages that attack the crawler which looks at them, and the answers their attacks need.

Each page has a button "safe", which writes "still here", and a button "attack", which does what the page is named
after. A crawl of it has to come to an end and has to go on with other pages.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from aiohttp import WSMsgType, web

HOST = "127.0.0.1"
FOLDER = Path(__file__).parent
CONTENT_TYPES = {".html": "text/html", ".js": "text/javascript"}

HUGE_BYTES = 200_000_000
CHUNK_BYTES = 1_000_000
NEWS = 5  # what the socket pushes, one after the other
NEWS_SECONDS = 0.2
TICK_SECONDS = 0.1
CLOSING_SECONDS = 0.1  # for answers under way, some of which never end

HEADERS = {  # of single pages
    "strict-csp.html": {
        "Content-Security-Policy": (
            "default-src 'none'; script-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
            "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
        ),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Embedder-Policy": "require-corp",
        "X-Frame-Options": "DENY",
        "X-Content-Type-Options": "nosniff",
    },
    "sandboxed.html": {"Content-Security-Policy": "sandbox allow-scripts"},
}

PARTS = {"nest.html", "popup.html"}  # pages that others open
PAGES: tuple[str, ...] = tuple(sorted(path.name for path in FOLDER.glob("*.html") if path.name not in PARTS))
TAMPERINGS: tuple[str, ...] = (  # "tampered.html?only=json"; the groups of `tampering.js`
    *("array", "setters", "promise", "json", "collections", "string", "function", "object"),
    *("listeners", "nodes", "elements", "document", "time", "network", "errors", "shadows"),
    *("indices", "chain", "traps", "words", "dictionaries", "descriptors", "thenables", "species"),
    *("lists", "layout", "relatives", "records"),
)

FILLERS = {  # kind of huge answer -> content type, beginning, one chunk
    "bytes": ("application/octet-stream", b"", bytes(CHUNK_BYTES)),
    "image": ("image/png", b"\x89PNG\r\n\x1a\n", bytes(CHUNK_BYTES)),
    "page": ("text/html", b"<!DOCTYPE html><title>Huge</title>", b"<p>" + b"much " * (CHUNK_BYTES // 5) + b"</p>"),
}

ONCE = "<!DOCTYPE html><title>Welcome</title><p id=out></p>" + "".join(
    f"<button onclick=\"document.body.textContent = '{word}'\">{word}</button>" for word in ("one", "two")
)

CLOSING = web.AppKey("closing", asyncio.Event)
VISITED = web.AppKey("visited", asyncio.Event)


@dataclass(frozen=True, slots=True)
class Running:
    """A server that answers until it is closed."""

    url: str  # "http://127.0.0.1:8000/"
    _runner: web.AppRunner

    async def close(self) -> None:
        await self._runner.cleanup()


async def start(port: int = 0) -> Running:
    """Serve all pages; port 0 is any that is free."""
    runner = web.AppRunner(_application(), access_log=None, shutdown_timeout=CLOSING_SECONDS)
    await runner.setup()
    await web.TCPSite(runner, HOST, port).start()
    return Running(f"http://{HOST}:{runner.addresses[0][1]}/", runner)


def _application() -> web.Application:
    application = web.Application()
    application[CLOSING] = asyncio.Event()
    application[VISITED] = asyncio.Event()
    application.on_response_prepare.append(_forbid_caching)
    application.on_shutdown.append(_end_endless_answers)
    application.router.add_get("/huge/{kind}", _huge)
    application.router.add_get("/loop", _loop)
    application.router.add_get("/pong", _pong)
    application.router.add_get("/never", _never)
    application.router.add_get("/events", _events)
    application.router.add_get("/socket", _socket)
    application.router.add_get("/attachment", _attachment)
    application.router.add_get("/once", _once)
    application.router.add_get("/", _list)
    application.router.add_get("/{name}", _file)
    return application


async def _forbid_caching(_request: web.Request, response: web.StreamResponse) -> None:
    response.headers["Cache-Control"] = "no-store"


async def _end_endless_answers(application: web.Application) -> None:
    application[CLOSING].set()


async def _list(_request: web.Request) -> web.StreamResponse:
    links = "".join(f'<li><a href="/{name}">{name}</a></li>' for name in PAGES)
    return web.Response(text=f"<!DOCTYPE html><title>Attacks</title><ul>{links}</ul>", content_type="text/html")


async def _file(request: web.Request) -> web.StreamResponse:
    path = FOLDER / request.match_info["name"]
    if path.parent != FOLDER or path.suffix not in CONTENT_TYPES or not path.is_file():
        raise web.HTTPNotFound
    return web.Response(
        body=path.read_bytes(),
        content_type=CONTENT_TYPES[path.suffix],
        charset="utf-8",
        headers=HEADERS.get(path.name),
    )


async def _huge(request: web.Request) -> web.StreamResponse:
    if request.match_info["kind"] not in FILLERS:
        raise web.HTTPNotFound
    content_type, beginning, chunk = FILLERS[request.match_info["kind"]]
    response = web.StreamResponse(headers={"Content-Type": content_type})
    await response.prepare(request)
    with contextlib.suppress(ConnectionError):  # whoever has had enough goes away
        await response.write(beginning)
        for _ in range(HUGE_BYTES // CHUNK_BYTES):
            await response.write(chunk)
    return response


async def _loop(_request: web.Request) -> web.StreamResponse:
    raise web.HTTPFound("/loop")


async def _pong(_request: web.Request) -> web.StreamResponse:
    return web.Response(text="pong")


async def _never(request: web.Request) -> web.StreamResponse:
    await request.app[CLOSING].wait()
    return web.Response(text="at last")


async def _once(request: web.Request) -> web.StreamResponse:
    """A page with two ways on, for the first visitor alone."""
    text = "<!DOCTYPE html><title>Again</title><p>again</p>" if request.app[VISITED].is_set() else ONCE
    request.app[VISITED].set()
    return web.Response(text=text, content_type="text/html")


async def _attachment(_request: web.Request) -> web.StreamResponse:
    headers = {"Content-Disposition": 'attachment; filename="attachment.bin"'}
    return web.Response(body=bytes(1000), headers=headers)


async def _events(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    with contextlib.suppress(ConnectionError):
        async for number in _beats(request.app[CLOSING], TICK_SECONDS):
            await response.write(f"data: event {number}\n\n".encode())
    return response


async def _socket(request: web.Request) -> web.StreamResponse:
    socket = web.WebSocketResponse()
    await socket.prepare(request)
    pushing = asyncio.create_task(_push(socket, request.app[CLOSING]))
    try:
        async for message in socket:
            if message.type is WSMsgType.TEXT:
                await socket.send_str(f"echo {message.data}")
    finally:
        pushing.cancel()
    return socket


async def _push(socket: web.WebSocketResponse, closing: asyncio.Event) -> None:
    with contextlib.suppress(ConnectionError):
        async for number in _beats(closing, NEWS_SECONDS):
            if number <= NEWS:
                await socket.send_str(f"news {number}")
        await socket.close()


async def _beats(closing: asyncio.Event, seconds: float) -> AsyncIterator[int]:
    """1, 2, 3 … in steps of so many seconds, until the server closes."""
    number = 0
    while not closing.is_set():
        number += 1
        yield number
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(closing.wait(), seconds)
