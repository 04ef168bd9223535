"""Files of the live page, which are the same for every crawl."""

from functools import cache
from importlib.resources import files

INDEX = "index.html"
STYLE = "live.css"
SHARED = ("elements.js", "layout.js")  # shared with the report
OWN = ("model.js", "drawing.js", "curve.js", "thumbnail.js", "panels.js", "main.js")
TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript"}


@cache
def assets() -> dict[str, tuple[bytes, str]]:
    """Return name -> (content, media type)."""
    folder = files("statecrawl.report") / "assets"
    contents = {name: (folder / "crawl" / name).read_bytes() for name in SHARED}
    contents |= {name: (folder / "live" / name).read_bytes() for name in (INDEX, *OWN)}
    contents[STYLE] = (folder / "palette.css").read_bytes() + (folder / "live" / STYLE).read_bytes()
    return {name: (content, TYPES[name.rpartition(".")[2]]) for name, content in contents.items()}
