"""Vertices of states in their assumed cubes, and contradictions."""

from statecrawl.model.event import Event
from statecrawl.model.graph import Graph
from statecrawl.strategies.anticipated_hypercubes import AnticipatedHypercubes, CubeSurprise, CubeViolation


def world(*rows: str) -> tuple[Graph, AnticipatedHypercubes]:
    """States named 0, 1, … with these one-letter events; the first anchors a cube."""
    graph = Graph()
    for state, names in enumerate(rows):
        graph.add_state(str(state), [Event.named(name) for name in names])
    cubes = AnticipatedHypercubes(graph)
    cubes.anchor(0)
    return graph, cubes


def test_a_base_is_the_empty_vertex() -> None:
    _, cubes = world("abc")
    assert cubes.homes == {0: (0, 0)}
    assert cubes.states == {(0, 0): 0}
    assert cubes.size(0) == 3


def test_each_event_of_the_base_is_a_bit() -> None:
    graph, cubes = world("abc", "ac")
    assert [cubes.ahead(0, position) for position in range(3)] == [(0, 0b001), (0, 0b010), (0, 0b100)]
    assert [graph.logical_ids[cubes.event(0, bit)] for bit in range(3)] == ["a", "b", "c"]
    assert cubes.explored(0, 1, 1, is_new=True)
    assert cubes.homes[1] == (0, 0b010)
    assert [cubes.ahead(1, position) for position in range(2)] == [(0, 0b011), (0, 0b110)]


def test_two_ways_to_one_vertex_agree() -> None:
    _, cubes = world("ab", "b", "a", "")
    assert cubes.explored(0, 0, 1, is_new=True)
    assert cubes.explored(0, 1, 2, is_new=True)
    assert cubes.explored(1, 0, 3, is_new=True)
    assert cubes.explored(2, 0, 3, is_new=False)
    assert cubes.surprises == []


def test_a_split_becomes_a_cube_of_its_own() -> None:
    _, cubes = world("ab", "b", "a", "", "")
    cubes.explored(0, 0, 1, is_new=True)
    cubes.explored(0, 1, 2, is_new=True)
    cubes.explored(1, 0, 3, is_new=True)
    assert not cubes.explored(2, 0, 4, is_new=True)
    assert cubes.surprises == [CubeSurprise(2, 0, 4, (CubeViolation.SPLIT,))]
    assert cubes.homes[4] == (4, 0)


def test_a_merge_leaves_the_known_state_where_it_is() -> None:
    _, cubes = world("ab", "b")
    cubes.explored(0, 0, 1, is_new=True)
    assert not cubes.explored(0, 1, 1, is_new=False)
    kinds = (CubeViolation.MERGE, CubeViolation.APPEARING, CubeViolation.DISAPPEARING)
    assert cubes.surprises == [CubeSurprise(0, 1, 1, kinds)]
    assert cubes.homes[1] == (0, 0b01)


def test_a_self_loop_merges() -> None:
    _, cubes = world("ab")
    assert not cubes.explored(0, 0, 0, is_new=False)
    assert cubes.surprises[0].kinds == (CubeViolation.MERGE, CubeViolation.APPEARING)


def test_events_that_appear_or_disappear() -> None:
    _, cubes = world("abc", "bcd", "a")
    assert not cubes.explored(0, 0, 1, is_new=True)
    assert cubes.surprises[-1].kinds == (CubeViolation.APPEARING,)
    assert not cubes.explored(0, 1, 2, is_new=True)
    assert cubes.surprises[-1].kinds == (CubeViolation.DISAPPEARING,)
    assert cubes.homes == {0: (0, 0), 1: (1, 0), 2: (2, 0)}


def test_an_event_that_shows_itself_late_is_no_part_of_the_cube() -> None:
    graph, cubes = world("ab", "b", "c")
    assert cubes.explored(0, 0, 1, is_new=True)
    late = graph.add_event(1, Event.named("c"))
    assert cubes.ahead(1, late) is None
    assert not cubes.explored(1, late, 2, is_new=True)
    assert cubes.surprises == [CubeSurprise(1, late, 2, (CubeViolation.APPEARING,))]
    assert cubes.homes == {0: (0, 0), 1: (0, 0b01), 2: (2, 0)}


def test_a_late_event_that_the_cube_expects_leads_where_its_like_would() -> None:
    graph, cubes = world("ab", "b", "")
    assert cubes.explored(0, 0, 1, is_new=True)
    late = graph.add_event(1, Event("other", "b"))
    assert cubes.ahead(1, late) == cubes.ahead(1, 0) == (0, 0b11)
    used = graph.add_event(1, Event("again", "a"))
    assert cubes.ahead(1, used) == (0, 0b01)
    assert not cubes.explored(1, used, 2, is_new=True)
    assert cubes.homes[2] == (2, 0)
