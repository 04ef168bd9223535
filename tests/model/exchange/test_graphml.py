"""GraphML: valid XML, files of other tools, and no entity bombs."""

from xml.etree import ElementTree as ET

import pytest

from statecrawl.errors import BadInput, NewerFormat
from statecrawl.model.event import Event
from statecrawl.model.exchange.graphml import dumps, loads
from statecrawl.model.graph import Graph
from statecrawl.testbed.generated import tiny

NAMESPACE = "{http://graphml.graphdrawing.org/xmlns}"
BOMB = """<?xml version="1.0"?>
<!DOCTYPE graphml [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
<graphml><graph edgedefault="directed"><node id="&b;"/></graph></graphml>"""


def test_the_layout() -> None:
    graph = Graph()
    graph.add_state("ho\x01me", [Event("a", "b"), Event.named("later")])
    graph.explore(0, 0, 0)
    root = ET.fromstring(dumps(graph))  # noqa: S314 - our own text
    assert root.tag == f"{NAMESPACE}graphml"
    nodes, edges = root.findall(f".//{NAMESPACE}node"), root.findall(f".//{NAMESPACE}edge")
    assert [node.get("id") for node in nodes] == ["s0", "unexplored"]
    assert [(edge.get("source"), edge.get("target")) for edge in edges] == [("s0", "s0"), ("s0", "unexplored")]
    assert [data.text for node in nodes for data in node] == ["ho\\1;me"]
    assert [data.text for edge in edges for data in edge] == ["a", "b", "later"]
    declared = {key.get("id") for key in root.iterfind(f"{NAMESPACE}key")}
    assert {data.get("key") for data in root.iter(f"{NAMESPACE}data")} <= declared


def test_a_model_without_open_events_has_no_extra_node() -> None:
    assert "unexplored" not in dumps(tiny().truth)


def test_what_another_tool_made_is_read() -> None:
    graph = loads(
        """<graphml>
        <key id="d7" for="node" attr.name="label"/><key id="d8" for="edge" attr.name="label"/>
        <graph edgedefault="directed">
          <node id="n1"><data key="d7">home</data><data key="unknown">?</data></node><node id="n2"/>
          <edge source="n1" target="n2"><data key="d8">open</data></edge>
          <edge source="n2" target="n1"/>
        </graph></graphml>"""
    )
    assert graph.facts() == {
        "home": {Event.named("open"): "n2"},
        "n2": {Event.named("event 1"): "home"},
    }


def test_a_document_type_is_refused() -> None:
    with pytest.raises(BadInput, match="document type"):
        loads(BOMB)


@pytest.mark.parametrize("version", ["2", "99999999999999999999"])
def test_a_newer_version_is_refused(version: str) -> None:
    text = dumps(tiny().truth).replace('key="version">1<', f'key="version">{version}<')
    with pytest.raises(NewerFormat, match="update"):
        loads(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<graphml>", "not XML"),
        ("<graphml/>", "no <graph>"),
        ('<graphml><graph edgedefault="undirected"/></graphml>', "not directed"),
        (
            '<graphml><graph edgedefault="directed"><node id="a"/><node id="a"/></graph></graphml>',
            "node 'a' describes state 'a' a second time",
        ),
        (
            '<graphml><graph edgedefault="directed"><edge source="a" target="a"/></graph></graphml>',
            "edge 1 starts at 'a'",
        ),
        (
            '<graphml><graph edgedefault="directed"><node id="a"/><edge source="a" target="b"/></graph></graphml>',
            "edge 1 leads to 'b'",
        ),
    ],
)
def test_what_is_wrong_and_where(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        loads(text)
