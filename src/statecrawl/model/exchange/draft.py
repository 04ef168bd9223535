"""Draft of a model while a file is being read: transitions may lead to states that are read later.

States are identified by the keys of the file (ids in JSON, `s0`, `s1`, … elsewhere). Every element stores its place in
the file for error messages.
"""

from statecrawl.errors import BadInput, NewerFormat
from statecrawl.model.event import Event
from statecrawl.model.graph import Graph

NAME = "statecrawl-model"
VERSION = 1

Edge = tuple[Event, str | None, str]  # event, key of its target or None where unexplored, where it was read


class ModelDraft:
    """Collects states and events in order, then becomes a graph."""

    def __init__(self) -> None:
        self._ids: dict[str, str] = {}  # key -> state id
        self._edges: dict[str, list[Edge]] = {}
        self._seen: set[str] = set()

    def add_state(self, key: str, state_id: str, where: str) -> None:
        if key in self._ids or state_id in self._seen:
            raise BadInput(f"{where} describes state {state_id!r} a second time.")
        self._seen.add(state_id)
        self._ids[key] = state_id
        self._edges[key] = []

    def add_event(self, source: str, event: Event, target: str | None, where: str) -> None:
        """Append an event to a state that was added before."""
        if source not in self._edges:
            raise BadInput(f"{where} starts at {source!r}, which is not a state of this model.")
        self._edges[source].append((event, target, where))

    def graph(self) -> Graph:
        """Return the finished model. Raises BadInput if an event is listed twice or its target is missing."""
        graph = Graph()
        for key, state_id in self._ids.items():
            self._refuse_repeated(key)
            graph.add_state(state_id, [event for event, _, _ in self._edges[key]])
        for state, edges in enumerate(self._edges.values()):
            for position, (_, target, where) in enumerate(edges):
                if target is None:
                    continue
                if target not in self._ids:
                    raise BadInput(f"{where} leads to {target!r}, which is not a state of this model.")
                graph.explore(state, position, graph.numbers[self._ids[target]])
        return graph

    def _refuse_repeated(self, key: str) -> None:
        seen: set[str] = set()
        for event, _, where in self._edges[key]:
            if event.local in seen:
                raise BadInput(f"{where} lists event {event.local!r} of state {self._ids[key]!r} a second time.")
            seen.add(event.local)


def check_version(version: int) -> None:
    """Reject a file of a newer release, which may contain data that this release would lose."""
    if version > VERSION:
        raise NewerFormat(
            f"this model has version {version}, and this statecrawl reads up to {VERSION}: update statecrawl."
        )
