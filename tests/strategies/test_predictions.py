"""Predicted links exist beside explored ones, and disappear without support."""

import pytest

from statecrawl.model.event import Event
from statecrawl.model.graph import MAX_DIVERGENCES, Graph
from statecrawl.strategies.predictions import Predictions


@pytest.fixture
def world() -> tuple[Graph, Predictions]:
    graph = Graph()
    predictions = Predictions(graph)
    for state in range(3):
        graph.add_state(str(state), [Event.named(name) for name in "abc"])
        predictions.add_vertex()
    return graph, predictions


def test_a_presumed_link_comes_and_goes(world: tuple[Graph, Predictions]) -> None:
    _, predictions = world
    assert predictions.add(0, 2, 1)
    assert not predictions.add(0, 1, 1), "linked already"
    assert predictions.position(0, 1) == 1
    assert not predictions.remove(0, 1, 1), "still supported"
    assert predictions.supported(0, 1)
    assert predictions.remove(0, 2, 1)
    assert not predictions.supported(0, 1)
    assert predictions.links.successors[0] == {}


def test_an_explored_link_outlives_the_presumption(world: tuple[Graph, Predictions]) -> None:
    graph, predictions = world
    predictions.add(0, 0, 1)
    predictions.add(0, 1, 1)
    graph.explore(0, 0, 1)
    assert not predictions.remove(0, 0, 1)
    assert not predictions.explore(0, 1)
    assert not predictions.remove(0, 1, 1)
    assert list(predictions.links.successors[0]) == [1]


def test_an_unpredicted_link_is_new(world: tuple[Graph, Predictions]) -> None:
    graph, predictions = world
    graph.explore(0, 0, 2)
    assert predictions.explore(0, 2)
    assert predictions.supported(0, 2)


def test_a_lost_link_stays_while_it_is_presumed(world: tuple[Graph, Predictions]) -> None:
    graph, predictions = world
    graph.explore(0, 0, 1)
    predictions.explore(0, 1)
    predictions.add(0, 1, 1)
    assert [graph.diverge(0, 0, 2) for _ in range(MAX_DIVERGENCES)][-2:] == [False, True]
    assert not predictions.lose(0, 1)
    assert predictions.remove(0, 1, 1)
    assert not predictions.lose(0, 1), "gone already"


def test_nothing_is_presumed_to_lead_to_itself(world: tuple[Graph, Predictions]) -> None:
    _, predictions = world
    assert not predictions.add(1, 0, 1)
    assert not predictions.remove(1, 0, 1)
    assert predictions.targets(1) == []


def test_targets_stand_in_the_order_of_their_events(world: tuple[Graph, Predictions]) -> None:
    _, predictions = world
    predictions.add(0, 2, 1)
    predictions.add(0, 1, 2)
    assert predictions.targets(0) == [2, 1]
