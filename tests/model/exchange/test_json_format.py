"""JSON: the layout, and every kind of invalid file."""

import json

import pytest

from statecrawl.errors import BadInput, NewerFormat
from statecrawl.model.event import Event
from statecrawl.model.exchange.json_format import dumps, loads
from statecrawl.model.graph import Graph

HEADER = '"format": "statecrawl-model", "version": 1'
EVENT = '{"event": "e", "target": null}'


def test_the_layout() -> None:
    graph = Graph()
    graph.add_state("home", [Event.named("open"), Event("button 2", "save")])
    graph.explore(0, 0, 0)
    text = dumps(graph)
    assert json.loads(text) == {
        "format": "statecrawl-model",
        "version": 1,
        "states": [
            {
                "id": "home",
                "events": [
                    {"event": "open", "target": "home"},
                    {"event": "button 2", "logical": "save", "target": None},
                ],
            }
        ],
    }
    assert text.isascii()
    assert len(text.splitlines()) == 6  # one event per line


def test_fields_of_others_are_ignored() -> None:
    text = f'{{{HEADER}, "note": 1, "states": [{{"id": "a", "colour": "red", "events": []}}]}}'
    assert loads(text).ids == ["a"]


def test_a_newer_version_is_refused_before_anything_else() -> None:
    with pytest.raises(NewerFormat, match="version 2"):
        loads('{"format": "statecrawl-model", "version": 2, "states": "whatever"}')


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("9" * 10_000, "not JSON"),
        ('{"format": "other", "version": 1}', "no .format."),
        ('{"format": "statecrawl-model"}', "version"),
        ('{"format": "statecrawl-model", "version": true}', "version"),
        ('{"format": "statecrawl-model", "version": 0}', "version"),
        (f"{{{HEADER}}}", "states"),
        (f'{{{HEADER}, "states": [{{"id": 7, "events": []}}]}}', r"states\[0\]\.id"),
        (f'{{{HEADER}, "states": [{{"id": "a", "events": [{{"event": "e"}}]}}]}}', r"events\[0\]"),
        (
            f'{{{HEADER}, "states": [{{"id": "a", "events": []}}, {{"id": "a", "events": []}}]}}',
            r"states\[1\] describes state 'a' a second time",
        ),
        (
            f'{{{HEADER}, "states": [{{"id": "a", "events": [{{"event": "e", "target": "b"}}]}}]}}',
            r"states\[0\]\.events\[0\] leads to 'b'",
        ),
        (
            f'{{{HEADER}, "states": [{{"id": "a", "events": [{EVENT}, {EVENT}]}}]}}',
            r"states\[0\]\.events\[1\] lists event 'e' of state 'a' a second time",
        ),
    ],
)
def test_what_is_wrong_and_where(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        loads(text)
