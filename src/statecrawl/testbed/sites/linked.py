"""The linked widgets as a row of cards; see `statecrawl.testbed.linked`."""

from aiohttp import web

from statecrawl.testbed.sites.site import Site, SiteRoute


def site(k: int, m: int) -> Site:
    """k widgets with m values each."""

    async def plan(_request: web.Request) -> web.Response:
        return web.json_response({"widgets": k, "values": m})

    return Site(folder="linked", routes=(SiteRoute("GET", "/plan", plan),))
