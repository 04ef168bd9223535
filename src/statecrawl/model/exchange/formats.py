"""Registry of exchange formats by name."""

from collections.abc import Callable
from dataclasses import dataclass

from statecrawl.errors import UnknownName
from statecrawl.model.exchange import dot, graphml, json_format, mermaid
from statecrawl.model.graph import Graph


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """Exchange format. `dumps` and `loads` preserve states, events, targets and their order."""

    name: str
    suffix: str  # of file names
    title: str  # one-line description
    dumps: Callable[[Graph], str]
    loads: Callable[[str], Graph]


FORMATS: dict[str, Format] = {
    "json": Format(
        name="json",
        suffix=".json",
        title="complete and versioned, for programs",
        dumps=json_format.dumps,
        loads=json_format.loads,
    ),
    "graphml": Format(
        name="graphml",
        suffix=".graphml",
        title="for Gephi, networkx and yEd",
        dumps=graphml.dumps,
        loads=graphml.loads,
    ),
    "dot": Format(name="dot", suffix=".dot", title="for Graphviz", dumps=dot.dumps, loads=dot.loads),
    "mermaid": Format(
        name="mermaid",
        suffix=".mmd",
        title="for Markdown pages",
        dumps=mermaid.dumps,
        loads=mermaid.loads,
    ),
}


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
