"""The graph grows by facts, loses nothing, and does not use unreliable transitions in paths."""

import pytest

from statecrawl.model.event import Event
from statecrawl.model.graph import DOUBTFUL_DIVERGENCES, INITIAL, MAX_DIVERGENCES, UNEXPLORED, Graph, Statistics


def events(*names: str) -> list[Event]:
    return [Event.named(name) for name in names]


@pytest.fixture
def graph() -> Graph:
    """A leads to B by go and by jump; B leads back, and to nowhere yet by leap."""
    graph = Graph()
    graph.add_state("A", events("go", "jump", "stay"))
    graph.add_state("B", events("return", "leap"))
    graph.explore(0, 0, 1)
    graph.explore(0, 1, 1)
    graph.explore(1, 0, 0)
    return graph


def test_an_empty_graph_is_not_complete() -> None:
    assert not Graph().statistics().complete
    assert len(Graph()) == 0


def test_states_are_numbered_as_they_are_found() -> None:
    graph = Graph()
    assert [graph.add_state(name, ()) for name in ("x", "y", "x", "z")] == [INITIAL, 1, 0, 2]
    assert graph.ids == ["x", "y", "z"]
    assert graph.statistics().complete


def test_a_known_state_keeps_the_events_it_was_found_with(graph: Graph) -> None:
    graph.add_state("A", events("other"))
    assert graph.event(0, 0) == Event.named("go")
    assert len(graph.events[0]) == 3


def test_an_event_may_show_itself_late(graph: Graph) -> None:
    assert graph.add_event(0, Event("open", "go")) == 3
    assert graph.add_event(1, Event.named("wake")) == 2
    assert graph.event(0, 3) == Event("open", "go")
    assert graph.logical(0, 3) == graph.logical(0, 0)
    assert graph.position(1, "wake") == 2
    assert graph.pending(0) == [2, 3]
    assert graph.remaining == [2, 2]
    assert graph.statistics() == Statistics(states=2, transitions=3, unexplored=4, logical_events=6, diverged=0)
    assert graph.explore(1, 2, 1) is False
    assert graph.explore(0, 3, 0) is False
    assert graph.facts()["B"][Event.named("wake")] == "B"


def test_an_event_that_the_state_has_already_stays_where_it_is(graph: Graph) -> None:
    before = (graph.facts(), graph.statistics(), len(graph.vocabulary))
    assert graph.add_event(0, Event.named("jump")) == 1
    assert graph.add_event(0, Event("jump", "another")) == 1
    assert (graph.facts(), graph.statistics(), len(graph.vocabulary)) == before


def test_a_state_of_a_shared_vocabulary_grows_alone() -> None:
    graph = Graph()
    for name in ("A", "B"):
        graph.add_state(name, events("go"))
    graph.add_event(0, Event.named("late"))
    assert graph.events == [(0, 1), (0,)]
    assert graph.add_event(1, Event.named("late")) == 1
    assert graph.events == [(0, 1), (0, 1)]


def test_a_state_that_lists_an_event_twice_is_refused() -> None:
    graph = Graph()
    with pytest.raises(ValueError, match="lists an event twice"):
        graph.add_state("A", events("go", "go"))
    assert len(graph) == 0


def test_a_state_that_lists_a_local_id_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        Graph().add_state("A", [Event("go", "one"), Event("go", "other")])


def test_numbers_of_a_graph(graph: Graph) -> None:
    assert graph.statistics() == Statistics(states=2, transitions=3, unexplored=2, logical_events=5, diverged=0)
    assert graph.remaining == [1, 1]
    assert graph.pending(0) == [2]
    assert list(graph.transitions()) == [(0, 0, 1), (0, 1, 1), (1, 0, 0)]


def test_only_the_first_transition_between_two_states_links_them() -> None:
    graph = Graph()
    graph.add_state("A", events("go", "jump", "stay"))
    graph.add_state("B", ())
    assert graph.explore(0, 1, 1)
    assert not graph.explore(0, 0, 1)
    assert not graph.explore(0, 2, 0)
    assert graph.links.successors[0] == {1: 1}
    assert graph.statistics().complete


def test_exploring_the_same_again_changes_nothing(graph: Graph) -> None:
    before = graph.statistics()
    assert not graph.explore(0, 0, 1)
    assert graph.statistics() == before


def test_exploring_something_else_is_a_divergence(graph: Graph) -> None:
    graph.explore(0, 0, 0)
    assert graph.divergences == {(0, 0): [0]}
    assert graph.targets[0][0] == 1
    assert graph.statistics().diverged == 1


def test_events_that_share_a_logical_id_share_its_number() -> None:
    graph = Graph()
    graph.add_state("A", [Event("1", "open"), Event("2", "open"), Event("3", "close")])
    graph.add_state("B", [Event("9", "close"), Event("1", "open")])
    assert [graph.logical(0, position) for position in range(3)] == [0, 0, 1]
    assert [graph.logical(1, position) for position in range(2)] == [1, 0]
    assert graph.logical_ids == ["open", "close"]
    assert len(graph.vocabulary) == 4


def test_an_event_is_found_by_its_local_id(graph: Graph) -> None:
    assert graph.position(0, "jump") == 1
    with pytest.raises(KeyError, match="leap"):
        graph.position(0, "leap")


def test_a_few_surprises_are_borne(graph: Graph) -> None:
    assert [graph.diverge(1, 0, 1) for _ in range(MAX_DIVERGENCES - 1)] == [False] * (MAX_DIVERGENCES - 1)
    assert graph.travels(1, 0)
    assert 0 in graph.links.successors[1]


def test_the_second_surprise_makes_the_link_doubtful(graph: Graph) -> None:
    assert not graph.is_doubtful(1, 0)
    for _ in range(DOUBTFUL_DIVERGENCES):
        graph.diverge(1, 0, 1)
    assert graph.is_doubtful(1, 0)
    assert not graph.is_doubtful(0, 1)


def test_too_many_surprises_take_the_link_away(graph: Graph) -> None:
    removed = [graph.diverge(1, 0, 1) for _ in range(MAX_DIVERGENCES + 2)]
    assert removed == [surprise == MAX_DIVERGENCES for surprise in range(1, MAX_DIVERGENCES + 3)]
    assert not graph.travels(1, 0)
    assert graph.links.successors[1] == {}
    assert graph.links.predecessors[0] == {}
    assert graph.targets[1][0] == 0, "it stays in every report"


def test_another_event_with_the_same_target_takes_over(graph: Graph) -> None:
    assert sum(graph.diverge(0, 0, 0) for _ in range(MAX_DIVERGENCES)) == 0
    assert graph.links.successors[0] == {1: 1}
    assert [graph.diverge(0, 1, 0) for _ in range(MAX_DIVERGENCES)][-2:] == [False, True]
    assert graph.links.successors[0] == {}


def test_losing_an_event_that_no_link_uses_loses_no_link(graph: Graph) -> None:
    assert sum(graph.diverge(0, 1, 0) for _ in range(MAX_DIVERGENCES)) == 0
    assert graph.links.successors[0] == {1: 0}
    assert [graph.diverge(0, 0, 0) for _ in range(MAX_DIVERGENCES)][-2:] == [False, True]


def test_a_self_loop_that_diverges_loses_no_link(graph: Graph) -> None:
    graph.explore(0, 2, 0)
    assert sum(graph.diverge(0, 2, 1) for _ in range(MAX_DIVERGENCES + 1)) == 0


def test_a_lost_link_comes_back_by_another_event() -> None:
    graph = Graph()
    graph.add_state("A", events("go", "jump"))
    graph.add_state("B", ())
    graph.explore(0, 0, 1)
    for _ in range(MAX_DIVERGENCES):
        graph.diverge(0, 0, 0)
    assert graph.explore(0, 1, 1)
    assert graph.links.successors[0] == {1: 1}


def test_unexplored_pairs_are_not_travelled(graph: Graph) -> None:
    assert graph.targets[0][2] == UNEXPLORED
    assert not graph.travels(0, 2)


def test_sameness_does_not_depend_on_order() -> None:
    one, other = Graph(), Graph()
    one.add_state("A", events("go", "stay"))
    one.add_state("B", events("return"))
    one.explore(0, 0, 1)
    other.add_state("B", events("return"))
    other.add_state("A", events("stay", "go"))
    other.explore(1, 1, 0)
    assert one.same_as(other)
    other.explore(0, 0, 1)
    assert not one.same_as(other)


def test_facts_name_everything_by_id(graph: Graph) -> None:
    assert graph.facts() == {
        "A": {Event.named("go"): "B", Event.named("jump"): "B", Event.named("stay"): None},
        "B": {Event.named("return"): "A", Event.named("leap"): None},
    }
