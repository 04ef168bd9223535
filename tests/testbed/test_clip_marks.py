"""The clips: pop-ups over lists, a chain of profiles, mostly idle events, and two pages without return."""

import pytest

from statecrawl.model.graph import INITIAL, Graph
from statecrawl.testbed.clip_marks import USERS, clip_marks


@pytest.fixture(scope="module")
def graph() -> Graph:
    return clip_marks().truth


def target(graph: Graph, state: str, event: str) -> str:
    number = graph.numbers[state]
    return graph.ids[graph.targets[number][graph.position(number, event)]]


def test_pages_have_69_events_and_pop_ups_more(graph: Graph) -> None:
    for state, events in zip(graph.ids, graph.events, strict=True):
        assert (len(events) == 69) == ("/clip" not in state), state
    assert len(graph.events[graph.numbers["popular/clip 1"]]) == 129


def test_most_events_change_nothing(graph: Graph) -> None:
    idle = sum(state == landed for state, _, landed in graph.transitions())
    assert idle == 8_432


def test_what_leads_where(graph: Graph) -> None:
    assert target(graph, "popular/list", "voters popular 3") == "popular/clip 3"
    assert target(graph, "popular/clip 3", "voters popular 4") == "popular/clip 4"
    assert target(graph, "popular/clip 3", "close") == "popular/list"
    assert target(graph, "latest/clip 3", "show popular") == "popular/list"
    assert target(graph, "ann/clip 3", "show popular") == "ann/clip 3"
    assert target(graph, "ann/clip 3", "all clips") == "popular/list"
    assert target(graph, "popular/list", "author popular 2") == "ann/list"
    assert target(graph, "hana/list", "voters hana 12") == "hana/list"
    assert target(graph, "ann/clip 3", "voter ben") == "ben/list"
    assert target(graph, "ann/clip 3", "voter 1") == "ann/clip 3"


def test_profiles_form_a_chain(graph: Graph) -> None:
    """A profile is first reached from the one before it."""
    for place, user in enumerate(USERS[2:], start=2):
        known_by = {
            graph.ids[source].partition("/")[0] for source in graph.links.predecessors[graph.numbers[f"{user}/list"]]
        }
        assert known_by <= {*USERS[place - 1 :]}


def test_only_the_tab_bar_joins_the_welcome_pages(graph: Graph) -> None:
    first, second = INITIAL, graph.numbers["latest/welcome"]
    assert graph.ids[first] == "popular/welcome"
    assert list(graph.links.predecessors[first]) == [second]
    assert list(graph.links.predecessors[second]) == [first]
    ways_out = [landed for landed in graph.targets[first] if landed != first]
    assert (ways_out.index(second), len(ways_out)) == (7, 26)
