"""The scene: however large the graph is, a few vertices, nothing left out, and changes that add up."""

from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.report.live.scene import Change, Scene, Vertex

ADDRESSES = ("", "/a", "/b")


@dataclass
class Watcher:
    """Knows a scene only by its changes."""

    epoch: int = 0
    version: int = 0
    vertices: dict[int, tuple[int, ...]] = field(default_factory=dict)
    edges: dict[tuple[int, int], int] = field(default_factory=dict)

    def look(self, scene: Scene) -> None:
        if self.epoch != scene.epoch:
            self.__init__(epoch=scene.epoch)  # type: ignore[misc]
        change = scene.since(self.version)
        self.vertices |= {vertex.number: drawn(vertex) for vertex in change.vertices}
        self.edges |= {(start, end): count for start, end, count in change.edges}
        self.version = scene.version
        scene.tick()


def drawn(vertex: Vertex) -> tuple[int, ...]:
    return vertex.parent, vertex.states, vertex.enabled, vertex.explored, vertex.loops


def is_tree(scene: Scene) -> bool:
    """Whether every vertex leads up to the first."""
    for vertex in scene.vertices.values():
        seen: set[int] = set()
        while vertex.parent != vertex.number:
            if vertex.number in seen:
                return False
            seen.add(vertex.number)
            vertex = scene.vertices[vertex.parent]
        if vertex.number != 0:
            return False
    return True


@settings(max_examples=150)
@given(st.data(), st.integers(3, 12), st.integers(1, 60))
def test_nothing_is_left_out_and_changes_add_up_to_the_whole(data: st.DataObject, most: int, size: int) -> None:
    scene, often, seldom = Scene(most), Watcher(), Watcher()
    order = [0, *data.draw(st.permutations(range(1, size)))]  # states are not placed in the order of their numbers
    told = enabled = 0
    for at, state in enumerate(order):
        parent = order[data.draw(st.integers(0, max(at - 1, 0)))]
        events = data.draw(st.integers(0, 5))
        address = data.draw(st.sampled_from(ADDRESSES))
        scene.place(state, state if at == 0 else parent, address=address, label="x", enabled=events)
        enabled += events
        for _ in range(data.draw(st.integers(0, 3))):
            start, end = (order[data.draw(st.integers(0, at))] for _ in range(2))
            scene.explore(start, end)
            told += 1
        if data.draw(st.booleans()):
            scene.enable(state, 2)
            enabled += 2
        often.look(scene)
        if data.draw(st.integers(0, 4)) == 0:
            seldom.look(scene)
        vertices, edges = scene.vertices.values(), scene.edges.values()
        assert len(vertices) <= most
        assert is_tree(scene)
        assert sum(vertex.states for vertex in vertices) == at + 1
        assert sum(vertex.enabled for vertex in vertices) == enabled
        assert sum(vertex.explored for vertex in vertices) == told
        assert sum(edge.count for edge in edges) + sum(vertex.loops for vertex in vertices) == told
        assert all(scene.vertex(each).number in scene.vertices for each in order[: at + 1])
    late = Watcher()
    for watcher in (often, seldom, late):
        watcher.look(scene)
        assert watcher.vertices == {number: drawn(vertex) for number, vertex in scene.vertices.items()}
        assert watcher.edges == {key: edge.count for key, edge in scene.edges.items()}


def test_whoever_knows_everything_is_told_nothing() -> None:
    scene, watcher = Scene(), Watcher()
    scene.place(0, 0, address="", label="first", enabled=2)
    scene.place(1, 0, address="", label="second", enabled=2)
    scene.explore(0, 1)
    watcher.look(scene)
    assert scene.since(watcher.version) == Change([], [])
    scene.explore(1, 0)
    change = scene.since(watcher.version)
    assert ([vertex.number for vertex in change.vertices], change.edges) == ([1], [(1, 0, 1)])


def test_vertices_keep_their_numbers_when_others_are_merged_into_them() -> None:
    scene = Scene(5)
    scene.place(0, 0, address="", label="first", enabled=1)
    for state in range(1, 4):
        scene.place(state, 0, address="", label="", enabled=1)
    for state in range(4, 20):
        scene.place(state, 1, address="/x", label="", enabled=1)
    assert {number: vertex.states for number, vertex in scene.vertices.items()} == {0: 1, 1: 1, 2: 1, 3: 1, 4: 16}
