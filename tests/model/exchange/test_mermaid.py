"""Mermaid: the layout, and rejected files."""

import pytest

from statecrawl.errors import BadInput, NewerFormat
from statecrawl.model.event import Event
from statecrawl.model.exchange.mermaid import dumps, loads
from statecrawl.model.graph import Graph


def test_the_layout() -> None:
    graph = Graph()
    graph.add_state('a --> "b"', [Event("save #2", "save"), Event.named("a ≡ b")])
    graph.explore(0, 0, 0)
    assert dumps(graph).splitlines() == [
        "%% statecrawl-model 1",
        "flowchart LR",
        '  s0["a --#62; #34;b#34;"]',
        '  unexplored["?"]',
        '  s0 -->|"save #35;2 ≡ save"| s0',
        '  s0 -.->|"a #8801; b"| unexplored',
    ]


def test_a_newer_version_is_refused() -> None:
    with pytest.raises(NewerFormat, match="version 3"):
        loads("%% statecrawl-model 3\nflowchart TD\n")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("s0 --> s1", "line 3 of this Mermaid was not written by statecrawl"),
        ('s0 -->|"e"| s1', "line 3 starts at 's0'"),
        ("subgraph x", "line 3"),
    ],
)
def test_what_is_wrong_and_where(line: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        loads(f"%% statecrawl-model 1\nflowchart LR\n  {line}\n")
