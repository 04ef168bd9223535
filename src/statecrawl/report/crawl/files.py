"""Files of a report: pages, scripts, and data as scripts, because a browser lets a local page load nothing else.

Theory of operation
    Text from crawled pages is only in the data: the HTML and the scripts are the same for every crawl. The data is JSON
    in a JavaScript string, in which everything that is not printable ASCII or could end a script is escaped.
    `JSON.parse` makes values of it, never code. The scripts insert them as text (`assets/crawl/elements.js`), and the
    content security policy of the page forbids all scripts except the report's own files.
"""

import base64
import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import msgspec

from statecrawl.report.crawl.content import Content, Detail

INDEX = "index.html"
STYLE = "crawl.css"
SCRIPTS = (
    *(
        "elements.js",
        "chart.js",
        "table.js",
        "model.js",
        "overview.js",
        "clusters.js",
        "layout.js",
        "labels.js",
        "graph.js",
    ),
    *("screens.js", "parts.js", "states.js", "state.js", "problems.js", "urls.js", "coverage.js", "main.js"),
)
GRAPH_LIBRARY = "cytoscape.min.js"
_ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


def assets() -> Iterator[tuple[str, bytes]]:
    """Yield the files that are the same in every report."""
    folder = files("statecrawl.report") / "assets"
    own = folder / "crawl"
    yield INDEX, (own / INDEX).read_bytes()
    yield f"assets/{STYLE}", (folder / "palette.css").read_bytes() + (own / STYLE).read_bytes()
    for name in SCRIPTS:
        yield f"assets/{name}", (own / name).read_bytes()
    yield f"assets/{GRAPH_LIBRARY}", (folder / "vendor" / GRAPH_LIBRARY).read_bytes()


def data_file(content: Content, *, made: str, program: str) -> tuple[str, bytes]:
    """Return the file with the content of a report."""
    return "data.js", called("statecrawl.data", {"made": made, "program": program, **msgspec.to_builtins(content)})


def detail_file(state: str, detail: Detail) -> tuple[str, bytes]:
    """Return the file with the details of a state. `state` must be a valid id."""
    data = msgspec.to_builtins(detail, builtin_types=(bytes,))
    data["dom"] = None if detail.dom is None else base64.b64encode(detail.dom).decode()
    return f"states/{state}.js", called("statecrawl.detail", data)


def called(function: str, data: Any) -> bytes:
    """Return a script that calls a function with data."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return f"{function}(JSON.parse({json.dumps(text)}));\n".translate(_ESCAPES).encode("ascii")
