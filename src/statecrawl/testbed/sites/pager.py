"""The list of pages, fed by a server: a page of rows at a time, turned by one listener for the whole document."""

from aiohttp import web

from statecrawl.testbed.sites.site import Site, SiteRoute

ROWS_PER_PAGE = 5


def site(n: int) -> Site:
    """A list of n pages."""

    async def rows(request: web.Request) -> web.Response:
        page = int(request.match_info["page"])
        if not 1 <= page <= n:
            raise web.HTTPNotFound(text=f"The list has {n} pages.\n")
        first = (page - 1) * ROWS_PER_PAGE + 1
        listed = [f"Entry {number:,}" for number in range(first, first + ROWS_PER_PAGE)]
        return web.json_response({"page": page, "pages": n, "rows": listed})

    return Site(folder="pager", routes=(SiteRoute("GET", r"/rows/{page:\d{1,6}}", rows),))
