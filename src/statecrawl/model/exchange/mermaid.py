"""Mermaid, for Markdown pages. Written for drawing; reads only files written by statecrawl (see `notation`).

An event whose logical id differs is labelled `local ≡ logical`; the sign is escaped in ids.
Mermaid draws a few hundred events at most.
"""

import re
from collections.abc import Iterator

from statecrawl.model.event import Event
from statecrawl.model.exchange.draft import NAME, VERSION
from statecrawl.model.exchange.escapes import LABEL_UNSAFE, Escapes
from statecrawl.model.exchange.notation import UNEXPLORED_NODE, TextNotation
from statecrawl.model.graph import UNEXPLORED, Graph

OPENING = "flowchart LR"
OPEN_END = f'{UNEXPLORED_NODE}["?"]'  # target of unexplored events
SAME = " ≡ "

NOTATION = TextNotation(
    name="Mermaid",
    header=re.compile(rf"%% {NAME} (?P<version>[0-9]{{1,9}})"),
    layout=frozenset([OPENING, OPEN_END]),
    state=re.compile(r'(?P<key>s[0-9]+)\["(?P<id>[^"]*)"\]'),
    event=re.compile(
        rf'(?P<source>s[0-9]+) -\.?->\|"(?P<local>[^"≡]*?)(?:{SAME}(?P<logical>[^"]*))?"\| '
        rf"(?P<target>s[0-9]+|{UNEXPLORED_NODE})"
    ),
    escapes=Escapes("#", LABEL_UNSAFE),
)
loads = NOTATION.loads


def dumps(graph: Graph) -> str:
    """Write a model as a Mermaid flow chart."""
    return "".join(f"{line}\n" for line in _lines(graph))


def _lines(graph: Graph) -> Iterator[str]:
    yield f"%% {NAME} {VERSION}"
    yield OPENING
    for state, state_id in enumerate(graph.ids):
        yield f'  s{state}["{NOTATION.escapes.write(state_id)}"]'
    if graph.unexplored:
        yield f"  {OPEN_END}"
    for state, targets in enumerate(graph.targets):
        for position, target in enumerate(targets):
            arrow, reached = ("-.->", UNEXPLORED_NODE) if target == UNEXPLORED else ("-->", f"s{target}")
            yield f'  s{state} {arrow}|"{_label(graph.event(state, position))}"| {reached}'


def _label(event: Event) -> str:
    local = NOTATION.escapes.write(event.local)
    return local if event.logical == event.local else local + SAME + NOTATION.escapes.write(event.logical)
