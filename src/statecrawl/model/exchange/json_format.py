"""JSON: the canonical form of a model. Complete, versioned, one event per line so that two models can be compared.

    {"format": "statecrawl-model", "version": 1, "states": [
    {"id": "H", "events": [
    {"event": "a", "target": "A"},
    …

The first state is the initial one. `event` is the local id; `logical` follows it where it differs. `target` is the
id of a state, or null where the event was not explored yet. Fields that are not known are ignored.
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
    """The model as JSON, in plain ASCII."""
    states = ",\n".join(_state(graph, state) for state in range(len(graph)))
    return f'{{"format": "{NAME}", "version": {VERSION}, "states": [\n{states}\n]}}\n'


def loads(text: str) -> Graph:
    """The model that the text describes; BadInput or NewerFormat when it cannot be read."""
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
    """A JSON string that may stand inside a page's script, too: no id can end it."""
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
