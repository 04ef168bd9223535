"""DOT: the layout, valid tokens, and rejected files."""

import re

import pytest

from statecrawl.errors import BadInput, NewerFormat
from statecrawl.model.event import Event
from statecrawl.model.exchange.dot import dumps, loads
from statecrawl.model.graph import Graph

TOKENS = re.compile(r'\s+|//[^\n]*|"[^"\\\n]*"|[A-Za-z_][A-Za-z_0-9]*|->|[{}\[\];,=]')


def hostile() -> Graph:
    graph = Graph()
    graph.add_state('a"b\\', [Event('"];', "x\ny"), Event.named("</script> & more")])
    graph.explore(0, 0, 0)
    return graph


def test_the_layout() -> None:
    assert dumps(hostile()).splitlines() == [
        "// statecrawl-model 1",
        "digraph model {",
        '  s0 [label="a&#34;b&#92;"];',
        '  unexplored [label="?", style=dashed];',
        '  s0 -> s0 [label="&#34;&#93;&#59;", logical="x&#10;y"];',
        '  s0 -> unexplored [label="&#60;/script&#62; &#38; more", style=dashed];',
        "}",
    ]


def test_it_is_made_of_tokens_of_the_language() -> None:
    text = dumps(hostile())
    place = 0
    while place < len(text):
        token = TOKENS.match(text, place)
        assert token, text[place:]
        place = token.end()


def test_a_newer_version_is_refused() -> None:
    with pytest.raises(NewerFormat, match="version 2"):
        loads("// statecrawl-model 2\n")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a -> b;", "line 4 of this DOT was not written by statecrawl"),
        ('s0 [label="b"];', "line 4 describes state 'b' a second time"),
        ('s1 [label="a"];', "line 4 describes state 'a' a second time"),
        ('s1 -> s0 [label="e"];', "line 4 starts at 's1'"),
        ('s0 -> s1 [label="e"];', "line 4 leads to 's1'"),
    ],
)
def test_what_is_wrong_and_where(line: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        loads(f'// statecrawl-model 1\ndigraph model {{\n  s0 [label="a"];\n  {line}\n}}\n')


def test_an_escape_that_names_no_character_is_left_alone() -> None:
    assert loads('// statecrawl-model 1\ns0 [label="&#9999999;"];').ids == ["&#9999999;"]
