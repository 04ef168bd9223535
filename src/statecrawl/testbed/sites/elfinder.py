"""Elfinder as a web application: the server knows the folders and files, and describes what is previewed.

GET /folder?path=home/music            files (name and size), number of thumbnails, folders to jump to
GET /preview?path=home/music/file-3    title and lines of the preview of a folder or file
"""

from dataclasses import dataclass, field

from aiohttp import web

from statecrawl.testbed.elfinder import THUMBNAILS, THUMBNAILS_IN, TOP, elfinder
from statecrawl.testbed.sites.site import Site, SiteRoute

SMALLEST = 3  # kilobytes; each file is larger than the one before it, so that both ways to sort agree
PREVIEW_LINES = 4  # of a file


@dataclass(slots=True)
class Folder:
    """Content of a folder, as paths."""

    folders: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)


def site() -> Site:
    """The file manager over 104 folders."""
    disk = Disk(_disk())
    return Site(
        folder="elfinder", routes=(SiteRoute("GET", "/folder", disk.folder), SiteRoute("GET", "/preview", disk.preview))
    )


class Disk:
    """Responds from folders that never change."""

    def __init__(self, folders: dict[str, Folder]) -> None:
        self._folders = folders

    async def folder(self, request: web.Request) -> web.Response:
        path = request.query.get("path", TOP)
        if path not in self._folders:
            raise _missing(path)
        return web.json_response(
            {
                "path": path,
                "files": [{"path": file, "name": _name(file), "size": _size(file)} for file in self._files(path)],
                "jumps": [{"path": jump, "name": _name(jump)} for jump in self._jumps(path)],
                "thumbnails": THUMBNAILS if path == THUMBNAILS_IN else 0,
            }
        )

    async def preview(self, request: web.Request) -> web.Response:
        path = request.query.get("path", TOP)
        if path in self._folders:
            inside = self._folders[path]
            lines = [f"{len(inside.folders)} folders", f"{len(inside.files)} files"]
        elif path in self._files(_parent(path)):
            lines = [f"{_size(path)} kB", *(f"{_name(path)}, line {line + 1}" for line in range(PREVIEW_LINES))]
        else:
            raise _missing(path)
        return web.json_response({"title": path, "lines": lines})

    def _files(self, path: str) -> list[str]:
        return self._folders[path].files if path in self._folders else []

    def _jumps(self, path: str) -> list[str]:
        """Return the subfolders, then the siblings, and so on up to the root."""
        jumps = list(self._folders[path].folders)
        while path != TOP:
            path = _parent(path)
            jumps += self._folders[path].folders
        return [*jumps, TOP]


def _disk() -> dict[str, Folder]:
    """Path of a folder -> what is in it. The states of the model are named by folder or by previewed file."""
    states = elfinder().truth.ids
    disk = {state.removeprefix("/"): Folder() for state in states if state.startswith("/")}
    for path in disk:
        if path != TOP:
            disk[_parent(path)].folders.append(path)
    for shown in (state.removeprefix("preview/") for state in states if state.startswith("preview/")):
        if shown not in disk:
            disk[_parent(shown)].files.append(shown)
    return disk


def _parent(path: str) -> str:
    return path.rpartition("/")[0]


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _size(file: str) -> int:
    """Return the size in kilobytes, derived from the number at the end of the file name."""
    return SMALLEST * int(file.rpartition("-")[2])


def _missing(path: str) -> web.HTTPNotFound:
    return web.HTTPNotFound(text=f"There is no {path}.\n")
