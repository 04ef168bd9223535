"""The scene: a graph of any size as a drawing of a few vertices, and what has changed in it since somebody looked.

Theory of operation
    A state is placed once, under the state that it was first reached from: so states form a tree, and places never
    change. As long as there are few, each state is a vertex. When there would be more than MOST_VERTICES, the level of
    the drawing rises and vertices are merged: first states that were found from the same state and have the same
    address; then those at the same depth of the same branch (a branch begins behind the first page) with the same
    address; then without regard to the address; then two branches and two depths, four, eight. What is one vertex at a
    level is one at all levels above it, so merging needs the vertices only, however many states they hold, and the
    level never falls. A vertex that others are merged into keeps its number, so whoever draws it knows its place. It
    hangs under the vertex that led to the shallowest of its states, which is never itself: vertices form a tree, too.

    Transitions are counted between vertices, and inside of them. Nothing is left out of a count: the states of all
    vertices are all states placed, and the counts of edges and loops all transitions told.

    Each change is stamped with the version of the scene. What changed last stands last, so what somebody does not know
    who knows a version is found from the end, without a look at the rest. Whoever knows another `epoch` (the scene was
    merged, or begun again) knows nothing.
"""

from dataclasses import dataclass
from itertools import takewhile

MOST_VERTICES = 120
ROOT = 0
STATES, SIBLINGS, ADDRESSES, BRANCHES = range(4)  # levels; above, k more of them: 2^k branches and depths together


@dataclass(frozen=True, slots=True)
class ScenePlace:
    """Where a state stands."""

    state: int
    parent: int
    depth: int
    branch: int  # how many branches there were before this one
    address: str

    def key(self, level: int) -> tuple[int | str, ...]:
        """What it has in common with the states that are drawn as one with it."""
        if level == STATES or self.depth == 0:
            return (self.state,)
        if level == SIBLINGS:
            return (self.branch, self.parent, self.address, "siblings")
        if level == ADDRESSES:
            return (self.branch, self.depth, self.address)
        together = level - BRANCHES
        return (self.branch >> together, (self.depth - 1) >> together)


@dataclass(slots=True)
class Vertex:
    """States that are drawn as one."""

    number: int
    top: ScenePlace  # of the first of its shallowest states
    parent: int  # the vertex that holds the parent of that
    label: str
    states: int = 0
    enabled: int = 0  # events of its states
    explored: int = 0  # of those
    loops: int = 0  # of those: that lead to a state of the same vertex
    version: int = 0


@dataclass(slots=True)
class Edge:
    """Transitions from one vertex to another."""

    count: int = 0
    version: int = 0


@dataclass(frozen=True, slots=True)
class Change:
    """What somebody does not know."""

    vertices: list[Vertex]
    edges: list[tuple[int, int, int]]  # from, to, count


class Scene:
    """Grows by `place`, `enable` and `explore`; `tick` begins another version."""

    def __init__(self, most: int = MOST_VERTICES) -> None:
        self._most = most
        self.epoch = 0
        self.version = 1
        self.begin_again()

    def begin_again(self) -> None:
        """Nothing is known any more."""
        self.epoch += 1
        self.level = STATES
        self.vertices: dict[int, Vertex] = {}  # by number; what changed last stands last
        self.edges: dict[tuple[int, int], Edge] = {}  # likewise
        self._places: list[ScenePlace | None] = []
        self._vertex_of: dict[tuple[int | str, ...], Vertex] = {}  # by what its states have in common
        self._branches = 0

    def tick(self) -> None:
        """What changes from now on is news also for whoever has just looked."""
        self.version += 1

    def vertex(self, state: int) -> Vertex:
        """The one that a placed state is drawn as."""
        place = self._places[state]
        if place is None:
            raise KeyError(state)
        return self._vertex_of[place.key(self.level)]

    def place(self, state: int, parent: int, *, address: str, label: str, enabled: int) -> None:
        """Place a state under one that is placed; the first, under itself."""
        place = self._placed(state, parent, address)
        if not self._has_room(place):
            self._merge_for(place)
        key = place.key(self.level)
        vertex = self._vertex_of.get(key)
        if vertex is None:
            above = state if parent == state else self.vertex(parent).number
            vertex = self._vertex_of[key] = Vertex(state, place, above, label)
        vertex.states += 1
        vertex.enabled += enabled
        self._touch(vertex)

    def enable(self, state: int, more: int) -> None:
        """A placed state has more events than was said."""
        vertex = self.vertex(state)
        vertex.enabled += more
        self._touch(vertex)

    def explore(self, state: int, target: int, count: int = 1) -> None:
        """So many more transitions lead from one placed state to another."""
        source, end = self.vertex(state), self.vertex(target)
        source.explored += count
        self._touch(source)
        if source is end:
            source.loops += count
            return
        key = source.number, end.number
        edge = self.edges.pop(key, None) or Edge()
        edge.count += count
        edge.version = self.version
        self.edges[key] = edge

    def since(self, version: int) -> Change:
        """What somebody does not know who knows a version; 0 is nothing."""
        vertices = takewhile(lambda vertex: vertex.version > version, reversed(self.vertices.values()))
        edges = takewhile(lambda item: item[1].version > version, reversed(self.edges.items()))
        return Change(
            sorted(vertices, key=lambda vertex: vertex.number),
            [(start, end, edge.count) for (start, end), edge in edges],
        )

    def _placed(self, state: int, parent: int, address: str) -> ScenePlace:
        above = None if parent == state else self._places[parent]
        if above is None:
            place = ScenePlace(state, state, 0, 0, address)
        elif above.depth == 0:
            place = ScenePlace(state, parent, 1, self._branches, address)
            self._branches += 1
        else:
            place = ScenePlace(state, parent, above.depth + 1, above.branch, address)
        self._places += [None] * (state + 1 - len(self._places))
        self._places[state] = place
        return place

    def _touch(self, vertex: Vertex) -> None:
        self.vertices.pop(vertex.number, None)
        vertex.version = self.version
        self.vertices[vertex.number] = vertex

    def _has_room(self, place: ScenePlace) -> bool:
        """Whether a state can be drawn, as a vertex of its own or with others."""
        return len(self.vertices) < self._most or place.key(self.level) in self._vertex_of

    def _merge_for(self, place: ScenePlace) -> None:
        """Raise the level until there is room for one more."""
        before, edges = sorted(self.vertices.values(), key=lambda vertex: vertex.number), self.edges
        while not self._has_room(place):
            self.level += 1
            self._vertex_of = {}
            into: dict[int, Vertex] = {}
            for vertex in before:
                key = vertex.top.key(self.level)
                into[vertex.number] = self._vertex_of.setdefault(key, vertex)
            self.vertices = {vertex.number: vertex for vertex in self._vertex_of.values()}
        self.epoch += 1
        self.tick()
        self.edges = {}
        parents = {vertex.number: into[vertex.parent].number for vertex in before}
        for vertex in before:
            self._merge(vertex, into[vertex.number], parents[vertex.number])
        for (start, end), edge in edges.items():
            self._merge_edge(into[start], into[end], edge.count)

    def _merge(self, vertex: Vertex, into: Vertex, parent: int) -> None:
        if into is vertex:
            vertex.parent = parent
        else:
            if vertex.top.depth < into.top.depth:
                into.top, into.parent = vertex.top, parent
            into.states += vertex.states
            into.enabled += vertex.enabled
            into.explored += vertex.explored
            into.loops += vertex.loops
        into.version = self.version

    def _merge_edge(self, start: Vertex, end: Vertex, count: int) -> None:
        if start is end:
            start.loops += count
            return
        edge = self.edges.setdefault((start.number, end.number), Edge())
        edge.count += count
        edge.version = self.version
