"""The hypercube as a web page: a board of buttons, each of which is gone once it was pressed.

The server says how many buttons there are, the script puts them up and gives each a listener of its own.
"""

from aiohttp import web

from statecrawl.testbed.sites.site import Site, SiteRoute


def site(n: int) -> Site:
    """A board of n buttons."""

    async def board(_request: web.Request) -> web.Response:
        return web.json_response({"buttons": n})

    return Site(folder="hypercube", routes=(SiteRoute("GET", "/board", board),))
