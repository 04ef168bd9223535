"""The page as people build them; see `statecrawl.testbed.desk`. Its server has the folders of the tree."""

from aiohttp import web

from statecrawl.testbed.sites.site import Site, SiteRoute

FOLDERS: dict[str, tuple[tuple[str, str], ...]] = {  # folder -> what is in it: name, and the folder that it is or ""
    "root": (("Letters", "letters"), ("Pictures", "pictures")),
    "letters": (("Answered", "answered"), ("To the landlord", "")),
    "answered": (("From Ada", ""), ("From Emil", "")),
    "pictures": (("Garden", ""), ("Harbour", "")),
}


def site() -> Site:
    return Site(folder="desk", routes=(SiteRoute("GET", "/folders/{folder}", _folder),))


async def _folder(request: web.Request) -> web.Response:
    folder = request.match_info["folder"]
    if folder not in FOLDERS:
        raise web.HTTPNotFound(text=f"There is no folder {folder}.\n")
    return web.json_response([{"name": name, "folder": inner} for name, inner in FOLDERS[folder]])
