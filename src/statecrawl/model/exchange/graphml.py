"""GraphML, for Gephi, networkx, yEd and others. Also reads files written by these tools.

Nodes are `s0`, `s1`, … in order, the first one being the initial state, with the state id as `label`. Edges are in the
order of the events of their state; `label` is the local id and `logical` the logical id. Unexplored events lead to one
extra node, `unexplored`. Characters that XML cannot represent are escaped (see `escapes`).

Reading is lenient, because tools rename keys: data is found by `attr.name`, a node without a label gets its id as
label, an edge without one gets its number, and a missing logical id defaults to the local one.

A document type declaration is rejected unread: it allows XML to expand without limit, and no model needs one.
"""

from collections.abc import Iterator
from xml.etree import ElementTree as ET

from statecrawl.errors import BadInput
from statecrawl.model.event import Event
from statecrawl.model.exchange.draft import NAME, VERSION, ModelDraft, check_version
from statecrawl.model.exchange.escapes import XML_UNSAFE, Escapes
from statecrawl.model.graph import UNEXPLORED, Graph

HEAD = f"""\
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="version" for="graph" attr.name="{NAME}" attr.type="int"/>
<key id="state" for="node" attr.name="label" attr.type="string"/>
<key id="event" for="edge" attr.name="label" attr.type="string"/>
<key id="logical" for="edge" attr.name="logical" attr.type="string"/>
<graph id="model" edgedefault="directed">
<data key="version">{VERSION}</data>
"""
UNEXPLORED_NODE = "unexplored"
ESCAPES = Escapes("\\", XML_UNSAFE)


class _NoDoctype(ET.TreeBuilder):
    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        raise BadInput("this GraphML declares a document type, which is not allowed: remove its <!DOCTYPE …> line.")


def dumps(graph: Graph) -> str:
    """Write a model as GraphML."""
    return HEAD + "".join(_lines(graph)) + "</graph>\n</graphml>\n"


def loads(text: str) -> Graph:
    """Read a model. Raises BadInput or NewerFormat."""
    parser = ET.XMLParser(target=_NoDoctype())  # noqa: S314 - document types are refused
    try:
        parser.feed(text)
        root: ET.Element = parser.close()
    except ET.ParseError as error:
        raise BadInput(f"this is not XML: {error}.") from None
    except UnicodeEncodeError:
        raise BadInput("this is not XML: it contains half of a surrogate pair.") from None
    return _read(root)


def _lines(graph: Graph) -> Iterator[str]:
    for state, state_id in enumerate(graph.ids):
        yield f'<node id="s{state}"><data key="state">{_text(state_id)}</data></node>\n'
    if graph.unexplored:
        yield f'<node id="{UNEXPLORED_NODE}"/>\n'
    number = 0
    for state, targets in enumerate(graph.targets):
        for position, target in enumerate(targets):
            event = graph.event(state, position)
            reached = UNEXPLORED_NODE if target == UNEXPLORED else f"s{target}"
            yield f'<edge id="e{number}" source="s{state}" target="{reached}">'
            yield f'<data key="event">{_text(event.local)}</data>'
            if event.logical != event.local:
                yield f'<data key="logical">{_text(event.logical)}</data>'
            yield "</edge>\n"
            number += 1


def _text(text: str) -> str:
    return ESCAPES.write(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _read(root: ET.Element) -> Graph:
    graph = root.find("{*}graph")
    if graph is None:
        raise BadInput("this XML is not GraphML: it has no <graph>.")
    if graph.get("edgedefault") != "directed":
        raise BadInput('this GraphML is not directed: a model needs edgedefault="directed".')
    names = {key.get("id", ""): key.get("attr.name", "") for key in root.iterfind("{*}key")}
    _check_version(_data(graph, names).get(NAME))
    draft = ModelDraft()
    for node in graph.iterfind("{*}node"):
        key = node.get("id", "")
        if key != UNEXPLORED_NODE:
            draft.add_state(key, _data(node, names).get("label", key), f"node {key!r}")
    for number, edge in enumerate(graph.iterfind("{*}edge")):
        data = _data(edge, names)
        local = data.get("label", f"event {number}")
        target = edge.get("target", "")
        reached = None if target == UNEXPLORED_NODE else target
        event = Event(local, data.get("logical", local))
        draft.add_event(edge.get("source", ""), event, reached, f"edge {number + 1}")
    return draft.graph()


def _data(element: ET.Element, names: dict[str, str]) -> dict[str, str]:
    """Return the data of an element by key name."""
    return {names.get(data.get("key", ""), ""): ESCAPES.read(data.text or "") for data in element.iterfind("{*}data")}


def _check_version(version: str | None) -> None:
    if version is not None and version.isdecimal():
        check_version(int(version[:9]))  # more digits mean a newer version in any case
