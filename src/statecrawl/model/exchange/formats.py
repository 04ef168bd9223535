"""Registry of exchange formats by name."""

from collections.abc import Callable
from dataclasses import dataclass

from statecrawl.errors import UnknownName
from statecrawl.model.exchange import dot, graphml, json_format, mermaid
from statecrawl.model.graph import Graph


@dataclass(frozen=True, slots=True)
class Format:
    """Exchange format. `dumps` and `loads` preserve states, events, targets and their order."""

    name: str
    suffix: str  # of file names
    title: str  # one-line description
    dumps: Callable[[Graph], str]
    loads: Callable[[str], Graph]


_ALL = (
    Format("json", ".json", "complete and versioned, for programs", json_format.dumps, json_format.loads),
    Format("graphml", ".graphml", "for Gephi, networkx and yEd", graphml.dumps, graphml.loads),
    Format("dot", ".dot", "for Graphviz", dot.dumps, dot.loads),
    Format("mermaid", ".mmd", "for Markdown pages", mermaid.dumps, mermaid.loads),
)
FORMATS: dict[str, Format] = {known.name: known for known in _ALL}


def format_named(name: str) -> Format:
    """Look up a format by name. Raises UnknownName."""
    if name not in FORMATS:
        raise UnknownName("format", name, FORMATS)
    return FORMATS[name]


def format_of_file(file_name: str) -> Format:
    """Look up a format by the suffix of a file name. Raises UnknownName."""
    for known in FORMATS.values():
        if file_name.lower().endswith(known.suffix):
            return known
    raise UnknownName("format of file", file_name, [f"*{known.suffix}" for known in FORMATS.values()])
