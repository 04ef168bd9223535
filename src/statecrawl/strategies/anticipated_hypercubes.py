"""Anticipated hypercubes: which states are assumed to be which vertices, and what contradicted that.

A cube is anchored at a base state; the vertex (base, mask) is the state after executing the events in the mask, in
any order. The cube is never built: a vertex exists here only once a state was identified with it (Dincturk et al.,
2014, §5 and §6.3).

An event added to a state after the state was identified with a vertex is not part of the cube, unless the base has it
too. The state keeps its vertex, because everything else about it was predicted correctly. The target of the event is
as unpredicted as the event.
"""

from dataclasses import dataclass
from enum import StrEnum

from statecrawl.model.graph import Graph

Vertex = tuple[int, int]  # (base state, mask of executed events)


class CubeViolation(StrEnum):
    """Way in which an exploration contradicts the cube. Several may apply at once."""

    SPLIT = "split"  # a known state was expected, a new one found
    MERGE = "merge"  # a known state was found where a different or new one was expected
    APPEARING = "appearing"  # events are enabled that should not be
    DISAPPEARING = "disappearing"  # events are missing that should be enabled


@dataclass(frozen=True, slots=True)
class CubeSurprise:
    """Exploration that contradicted the cube."""

    state: int
    position: int
    target: int
    kinds: tuple[CubeViolation, ...]


class AnticipatedHypercubes:
    """Maps states to vertices, given all explorations."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self.homes: dict[int, Vertex] = {}  # state -> its vertex
        self.states: dict[Vertex, int] = {}  # vertex -> the state identified with it
        self.surprises: list[CubeSurprise] = []
        self._events: dict[int, list[int]] = {}  # base -> logical numbers of its events, in enabled order
        self._bits: dict[int, dict[int, int]] = {}  # base -> logical number -> bit

    def anchor(self, state: int) -> None:
        """Assume a new cube with this state as its base."""
        self.homes[state] = (state, 0)
        self.states[state, 0] = state
        self._events[state] = [self._graph.logical_of[number] for number in self._graph.events[state]]
        self._bits[state] = {logical: bit for bit, logical in enumerate(self._events[state])}

    def size(self, base: int) -> int:
        return len(self._events[base])

    def ahead(self, state: int, position: int) -> Vertex | None:
        """Return the vertex this pair is assumed to lead to; None if its event is not part of the cube."""
        base, mask = self.homes[state]
        bit = self._bits[base].get(self._graph.logical(state, position))
        return None if bit is None else (base, mask | 1 << bit)

    def event(self, base: int, bit: int) -> int:
        """Return the logical number of an event of the base."""
        return self._events[base][bit]

    def explored(self, state: int, position: int, target: int, *, is_new: bool) -> bool:
        """Learn from an exploration. Return False if it contradicted the cube."""
        vertex = self.ahead(state, position)
        kinds = self._violations(vertex, target, is_new=is_new)
        if not kinds:
            if vertex is not None and vertex not in self.states:
                self.homes[target] = vertex
                self.states[vertex] = target
            return True
        self.surprises.append(CubeSurprise(state, position, target, tuple(kinds)))
        if is_new:
            self.anchor(target)
        return False

    def _violations(self, vertex: Vertex | None, target: int, *, is_new: bool) -> list[CubeViolation]:
        if vertex is None:
            return [CubeViolation.APPEARING]
        expected = self.states.get(vertex)
        if expected == target:
            return []
        kinds = []
        if expected is not None and is_new:
            kinds.append(CubeViolation.SPLIT)
        elif not is_new:
            kinds.append(CubeViolation.MERGE)
        base, mask = vertex
        should = {logical for bit, logical in enumerate(self._events[base]) if not mask >> bit & 1}
        enabled = {self._graph.logical_of[number] for number in self._graph.events[target]}
        if enabled - should:
            kinds.append(CubeViolation.APPEARING)
        if should - enabled:
            kinds.append(CubeViolation.DISAPPEARING)
        return kinds
