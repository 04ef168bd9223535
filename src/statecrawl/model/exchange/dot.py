"""DOT, for Graphviz. Written for drawing; reads only files written by statecrawl (see `notation`)."""

import re
from collections.abc import Iterator

from statecrawl.model.exchange.draft import NAME, VERSION
from statecrawl.model.exchange.escapes import LABEL_UNSAFE, Escapes
from statecrawl.model.exchange.notation import UNEXPLORED_NODE, TextNotation
from statecrawl.model.graph import UNEXPLORED, Graph

OPENING = "digraph model {"
CLOSING = "}"
OPEN_END = f'{UNEXPLORED_NODE} [label="?", style=dashed];'  # target of unexplored events

NOTATION = TextNotation(
    name="DOT",
    header=re.compile(rf"// {NAME} (?P<version>[0-9]{{1,9}})"),
    layout=frozenset([OPENING, CLOSING, OPEN_END]),
    state=re.compile(r'(?P<key>s[0-9]+) \[label="(?P<id>[^"]*)"\];'),
    event=re.compile(
        rf"(?P<source>s[0-9]+) -> (?P<target>s[0-9]+|{UNEXPLORED_NODE}) "
        r'\[label="(?P<local>[^"]*)"(?:, logical="(?P<logical>[^"]*)")?(?:, style=dashed)?\];'
    ),
    escapes=Escapes("&#", LABEL_UNSAFE),
)
loads = NOTATION.loads


def dumps(graph: Graph) -> str:
    """Write a model as DOT."""
    return "".join(f"{line}\n" for line in _lines(graph))


def _lines(graph: Graph) -> Iterator[str]:
    write = NOTATION.escapes.write
    yield f"// {NAME} {VERSION}"
    yield OPENING
    for state, state_id in enumerate(graph.ids):
        yield f'  s{state} [label="{write(state_id)}"];'
    if graph.unexplored:
        yield f"  {OPEN_END}"
    for state, targets in enumerate(graph.targets):
        for position, target in enumerate(targets):
            event = graph.event(state, position)
            logical = "" if event.logical == event.local else f', logical="{write(event.logical)}"'
            reached, style = (UNEXPLORED_NODE, ", style=dashed") if target == UNEXPLORED else (f"s{target}", "")
            yield f'  s{state} -> {reached} [label="{write(event.local)}"{logical}{style}];'
    yield CLOSING
