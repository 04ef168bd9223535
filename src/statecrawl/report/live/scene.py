"""The scene: a graph of any size, drawn with few vertices, and its changes since a given version.

Theory of operation
    A state is placed once, under the state from which it was first reached. So states form a tree, and places never
    change. While there are few states, each is a vertex. Before there are more than MOST_VERTICES, the level of the
    drawing rises and vertices are merged: first states that were found from the same state and have the same URL path;
    then those at the same depth of the same branch (a branch starts below the first page) with the same path; then
    regardless of the path; then two branches and two depths, four, eight. States that share a vertex at one level share
    one at all higher levels, so merging only needs the vertices, however many states they hold, and the level never
    falls. A vertex into which others are merged keeps its number, so its place in the drawing is known. Its parent is
    the vertex that led to the shallowest of its states, which is never itself: vertices form a tree, too.

    Transitions are counted between vertices and inside of them. Counts are complete: the states of all vertices are all
    placed states, and the counts of edges and loops are all transitions passed on.

    Each change has the version of the scene. The newest changes are last, so the changes since a version are found from
    the end, without inspecting the rest. A client with another `epoch` (the scene was merged or restarted) receives
    everything.
"""

from dataclasses import dataclass
from itertools import takewhile

MOST_VERTICES = 120
ROOT = 0
STATES, SIBLINGS, ADDRESSES, BRANCHES = range(4)  # levels; above, k more of them: 2^k branches and depths together


@dataclass(frozen=True, slots=True)
class ScenePlace:
    """The place of a state in the tree."""

    state: int
    parent: int
    depth: int
    branch: int  # number of branches before this one
    address: str

    def key(self, level: int) -> tuple[int | str, ...]:
        """Return what all states of one vertex have in common at this level."""
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
    """States that are drawn as one vertex."""

    number: int
    top: ScenePlace  # of the first of its shallowest states
    parent: int  # the vertex that contains its parent
    label: str
    states: int = 0
    enabled: int = 0  # events of its states
    explored: int = 0  # events that are explored
    loops: int = 0  # explored events that lead to a state of the same vertex
    version: int = 0


@dataclass(slots=True)
class Edge:
    """Transitions from one vertex to another."""

    count: int = 0
    version: int = 0


@dataclass(frozen=True, slots=True)
class Change:
    """Changes since a version."""

    vertices: list[Vertex]
    edges: list[tuple[int, int, int]]  # from, to, count


class Scene:
    """Grows by `place`, `enable` and `explore`; `tick` starts a new version."""

    def __init__(self, most: int = MOST_VERTICES) -> None:
        self._most = most
        self.epoch = 0
        self.version = 1
        self.begin_again()

    def begin_again(self) -> None:
        """Forget everything and start a new epoch."""
        self.epoch += 1
        self.level = STATES
        self.vertices: dict[int, Vertex] = {}  # by number; the newest changes are last
        self.edges: dict[tuple[int, int], Edge] = {}  # likewise
        self._places: list[ScenePlace | None] = []
        self._vertex_of: dict[tuple[int | str, ...], Vertex] = {}  # by the key of its states
        self._branches = 0

    def tick(self) -> None:
        """Start a new version: later changes are new for clients with the present one."""
        self.version += 1

    def vertex(self, state: int) -> Vertex:
        """Return the vertex of a placed state."""
        place = self._places[state]
        if place is None:
            raise KeyError(state)
        return self._vertex_of[place.key(self.level)]

    def place(self, state: int, parent: int, *, address: str, label: str, enabled: int) -> None:
        """Place a state under one that is placed; the first one under itself."""
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
        """Add events to a placed state."""
        vertex = self.vertex(state)
        vertex.enabled += more
        self._touch(vertex)

    def explore(self, state: int, target: int, count: int = 1) -> None:
        """Add explored transitions from one placed state to another."""
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
        """Return the changes since a version; since 0, everything."""
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
        """Whether a state can be drawn, as its own vertex or as part of one."""
        return len(self.vertices) < self._most or place.key(self.level) in self._vertex_of

    def _merge_for(self, place: ScenePlace) -> None:
        """Raise the level until there is room for another state."""
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
