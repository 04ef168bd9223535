"""One thing to try for every kind of event. The texts behind them come from the server, so no script gives them away.

Folder `vendor` holds libraries as their authors publish them, and the two small programs that had to be compiled; their
sources and how they were compiled are in folder `sources`.
"""

from aiohttp import web

from statecrawl.testbed.event_kinds import ALONE, FOREIGN, FOREIGN_TEXT, HIDDEN
from statecrawl.testbed.sites.site import Site, SiteRoute

TEXTS = HIDDEN | ALONE | {FOREIGN: FOREIGN_TEXT}


def site() -> Site:
    return Site(folder="kinds", routes=(SiteRoute("GET", "/found/{kind}", _found),))


async def _found(request: web.Request) -> web.StreamResponse:
    kind = request.match_info["kind"]
    if kind not in TEXTS:
        raise web.HTTPNotFound(text=f"Nothing is hidden behind {kind}.\n")
    return web.Response(text=TEXTS[kind])
