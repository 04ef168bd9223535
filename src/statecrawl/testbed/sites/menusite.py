"""The site of pages and details, written by the server: every step is a whole new page, as the web began.

The menu leads to the pages from everywhere, each page lists its details. The only script is that of the reload button.
"""

from html import escape
from string import Template

from aiohttp import web

from statecrawl.testbed.sites.server import STATIC
from statecrawl.testbed.sites.site import Site, SiteRoute

FOLDER = "menusite"


def site(m: int, k: int) -> Site:
    """A home page, m pages in a menu shown everywhere, k details behind each page."""
    layout = Template((STATIC / FOLDER / "layout.html").read_text(encoding="utf-8"))
    menu = _links({f"/page/{page}": f"Page {page}" for page in range(1, m + 1)})

    def written(title: str, text: str, details: str = "") -> web.Response:
        shown = layout.substitute(menu=menu, title=escape(title), text=escape(text), details=details)
        return web.Response(text=shown, content_type="text/html")

    async def home(_request: web.Request) -> web.Response:
        return written("Home", f"This site has {m} pages, with {k} details each.")

    async def page(request: web.Request) -> web.Response:
        number = _number(request, "page", m)
        details = {f"/page/{number}/detail/{detail}": f"Detail {number}.{detail}" for detail in range(1, k + 1)}
        return written(f"Page {number}", f"The details of page {number} are listed below.", _links(details))

    async def detail(request: web.Request) -> web.Response:
        place = f"{_number(request, 'page', m)}.{_number(request, 'detail', k)}"
        return written(f"Detail {place}", f"There is nothing behind detail {place}.")

    return Site(
        folder=FOLDER,
        routes=(
            SiteRoute("GET", "/", home),
            SiteRoute("GET", r"/page/{page:\d{1,6}}", page),
            SiteRoute("GET", r"/page/{page:\d{1,6}}/detail/{detail:\d{1,6}}", detail),
        ),
    )


def _links(leading: dict[str, str]) -> str:
    return "\n".join(f'<li><a href="{address}">{escape(text)}</a></li>' for address, text in leading.items())


def _number(request: web.Request, name: str, most: int) -> int:
    number = int(request.match_info[name])
    if not 1 <= number <= most:
        raise web.HTTPNotFound(text=f"There is no {name} {number} here.\n")
    return number
