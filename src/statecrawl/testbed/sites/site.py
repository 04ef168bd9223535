"""Site of the testbed: a folder of files, and the routes of its server."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aiohttp import web

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class SiteRoute:
    """One path of the server, in aiohttp's notation: "/rows/{page}"."""

    method: str
    path: str
    handler: Handler


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A web application. The path "/" is `index.html` of the folder."""

    folder: str  # under `testbed/sites/static`
    routes: tuple[SiteRoute, ...] = ()
