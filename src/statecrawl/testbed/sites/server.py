"""Serves a site on this machine: the files of its folder and its routes.

Nothing is ever cached by the browser, so a page that is loaded anew is loaded as it is now. The files are read once,
when the server starts: what is not among them does not exist, whatever the address says.
"""

import asyncio
import errno
import logging
import socket
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from statecrawl.errors import BadInput
from statecrawl.testbed.sites.site import Handler, Site, SiteRoute

HOST = "127.0.0.1"
STATIC = Path(__file__).parent / "static"
CLOSING_SECONDS = 0.5  # for answers under way; nobody waits for them once a crawl is over

CONTENT_TYPES = {  # fixed here, because the tables of operating systems differ
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".gif": "image/gif",
    ".jpg": "image/jpeg",
    ".ico": "image/x-icon",
    ".txt": "text/plain",
    ".xml": "application/xml",
    ".woff2": "font/woff2",
    ".jsx": "text/plain",  # what a script was compiled from, for people to read
    ".svelte": "text/plain",
}
WRITTEN = ("text/", "application/json", "application/xml", "image/svg")  # beginnings of types that are text: UTF-8


@dataclass(frozen=True, slots=True)
class Running:
    """A running server."""

    url: str  # of the start page: "http://127.0.0.1:8000/"
    _runner: web.AppRunner

    async def close(self) -> None:
        await self._runner.cleanup()


async def start(site: Site, *, host: str = HOST, port: int = 0, latency: float = 0.0) -> Running:
    """Serve the site; port 0 is any free port. Routes wait `latency` seconds, files are sent immediately.

    Raises BadInput when the address cannot be had.
    """
    application = _application(site, latency)
    runner = web.AppRunner(application, access_log=None, logger=_LOGGER, shutdown_timeout=CLOSING_SECONDS)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
    except (OSError, OverflowError) as trouble:
        await runner.cleanup()
        where = f"port {port}" if host == HOST else f"{host}:{port}"
        raise BadInput(f"cannot serve at {where}: {_reason(trouble)}.") from trouble
    return Running(f"http://{_named(host)}:{runner.addresses[0][1]}/", runner)


def _named(host: str) -> str:
    """Return the name by which other machines reach this one."""
    if host in ("0.0.0.0", "::"):  # noqa: S104 — only compared
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host


def _application(site: Site, latency: float) -> web.Application:
    application = web.Application()
    application.on_response_prepare.append(_forbid_caching)
    for route in site.routes:
        application.router.add_route(route.method, route.path, _delayed(route, latency))
    application.router.add_get("/{path:.*}", _file_handler(STATIC / site.folder))
    return application


async def _forbid_caching(_request: web.Request, response: web.StreamResponse) -> None:
    response.headers["Cache-Control"] = "no-store"


def _delayed(route: SiteRoute, latency: float) -> Handler:
    if not latency:
        return route.handler

    async def answer(request: web.Request) -> web.StreamResponse:
        await asyncio.sleep(latency)
        return await route.handler(request)

    return answer


def _file_handler(folder: Path) -> Handler:
    contents = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    async def answer(request: web.Request) -> web.StreamResponse:
        name = request.match_info["path"] or "index.html"
        if name not in contents:
            raise web.HTTPNotFound(text=f"There is no {request.path} here.\n")
        kind = CONTENT_TYPES.get(PurePosixPath(name).suffix, "application/octet-stream")
        charset = "utf-8" if kind.startswith(WRITTEN) else None
        return web.Response(body=contents[name], content_type=kind, charset=charset)

    return answer


def _reason(trouble: OSError | OverflowError) -> str:
    if isinstance(trouble, OverflowError):
        return "ports end at 65535"
    if trouble.errno == errno.EADDRINUSE:
        return "it is taken, choose another with --port"
    return f"{trouble.strerror or trouble}"


_LOGGER = logging.getLogger("statecrawl.testbed")  # who sends what is no HTTP is answered 400, and that is all
_LOGGER.addFilter(lambda record: record.exc_info is None or not isinstance(record.exc_info[1], HttpProcessingError))
