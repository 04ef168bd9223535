"""The independent widgets as a mixing desk: custom elements, each with its buttons in a shadow root of its own.

Channels with odd numbers keep their shadow root open, the others closed: from outside, a script sees nothing of what
is in those. Whatever is set is said by the attribute `level` of the element.
"""

from aiohttp import web

from statecrawl.testbed.sites.site import Site, SiteRoute


def site(k: int, m: int) -> Site:
    """k channels with m levels each."""

    async def desk(_request: web.Request) -> web.Response:
        return web.json_response({"channels": k, "levels": m})

    return Site(folder="widgets", routes=(SiteRoute("GET", "/desk", desk),))
