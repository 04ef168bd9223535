"""FileTree as a web application: the server knows the folders, the page asks for one listing at a time.

GET /list?path=lib/core    names of the folders in this one, in their order; the path "" is the top
"""

from aiohttp import web

from statecrawl.testbed.file_tree import START, file_tree
from statecrawl.testbed.sites.site import Handler, Site, SiteRoute


def site(preset: str = "default") -> Site:
    """Return the file browser of a preset. Raises UnknownName."""
    return Site(folder="file-tree", routes=(SiteRoute("GET", "/list", _lister(_contents(preset))),))


def _contents(preset: str) -> dict[str, list[str]]:
    """Path of a folder -> names of the folders in it. The states of the model are named by paths, so they list them."""
    folders = [path for path in file_tree(preset).truth.ids if path != START]
    contents: dict[str, list[str]] = {path: [] for path in ("", *folders)}
    for path in sorted(folders):
        parent, _, name = path.rpartition("/")
        contents[parent].append(name)
    return contents


def _lister(contents: dict[str, list[str]]) -> Handler:
    async def listing(request: web.Request) -> web.Response:
        path = request.query.get("path", "")
        if path not in contents:
            raise web.HTTPNotFound(text=f"There is no folder {path}.\n")
        return web.json_response(contents[path])

    return listing
