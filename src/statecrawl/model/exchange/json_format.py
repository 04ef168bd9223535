"""JSON, the canonical format of a model: complete, versioned, with one event per line so that models can be diffed.

    {"format": "statecrawl-model", "version": 1, "states": [
    {"id": "H", "events": [
    {"event": "a", "target": "A"},
    …

The first state is the initial one. `event` is the local id; `logical` follows if it differs. `target` is the id of a
state, or null if the event is unexplored. Unknown fields are ignored.
"""

import json
from collections.abc import Iterator

import msgspec

from statecrawl.errors import BadInput
from statecrawl.model.event import Event
from statecrawl.model.exchange.draft import NAME, VERSION, ModelDraft, check_version
from statecrawl.model.graph import UNEXPLORED, Graph


class _Event(msgspec.Struct):
    event: str
    target: str | None
    logical: str | None = None


class _State(msgspec.Struct):
    id: str
    events: list[_Event]


class _Model(msgspec.Struct):
    states: list[_State]


def dumps(graph: Graph) -> str:
    """Write a model as JSON, in ASCII."""
    states = ",\n".join(_state(graph, state) for state in range(len(graph)))
    return f'{{"format": "{NAME}", "version": {VERSION}, "states": [\n{states}\n]}}\n'


def loads(text: str) -> Graph:
    """Read a model. Raises BadInput or NewerFormat."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"this is not JSON: {error}.") from None
    _check_header(content)
    try:
        model = msgspec.convert(content, _Model)
    except msgspec.ValidationError as error:
        raise BadInput(f"this is not a statecrawl model: {error}.") from None
    draft = ModelDraft()
    for number, state in enumerate(model.states):
        draft.add_state(state.id, state.id, f"states[{number}]")
        for position, entry in enumerate(state.events):
            event = Event(entry.event, entry.event if entry.logical is None else entry.logical)
            draft.add_event(state.id, event, entry.target, f"states[{number}].events[{position}]")
    return draft.graph()


def _check_header(content: object) -> None:
    if not isinstance(content, dict) or content.get("format") != NAME:
        raise BadInput(f'this JSON is not a statecrawl model: it has no "format": "{NAME}".')
    version = content.get("version")
    if type(version) is not int or version < 1:
        raise BadInput('this statecrawl model has no "version" that is a whole number from 1 on.')
    check_version(version)


def _quoted(text: str) -> str:
    """Encode a JSON string that is also safe inside a <script> element."""
    return json.dumps(text).replace("<", "\\u003c")


def _state(graph: Graph, state: int) -> str:
    events = ",\n".join(_events(graph, state))
    return f'{{"id": {_quoted(graph.ids[state])}, "events": [\n{events}\n]}}'


def _events(graph: Graph, state: int) -> Iterator[str]:
    for position, target in enumerate(graph.targets[state]):
        event = graph.event(state, position)
        logical = "" if event.logical == event.local else f', "logical": {_quoted(event.logical)}'
        reached = "null" if target == UNEXPLORED else _quoted(graph.ids[target])
        yield f'{{"event": {_quoted(event.local)}{logical}, "target": {reached}}}'
