"""Shortest paths: as short as a search finds them, along explored events."""

from hypothesis import given

from statecrawl.journal.depths import depths
from statecrawl.journal.facts import Fact
from statecrawl.journal.fold import fold
from statecrawl.model.event import Event
from statecrawl.model.graph import MAX_DIVERGENCES, Graph
from statecrawl.model.shortest_paths import shortest_paths_of
from tests.report.crawl.crawls import crawls


@given(crawls())
def test_a_way_is_a_walk_and_none_is_shorter(facts: list[Fact]) -> None:
    graph = fold(facts).graph
    ways, known = shortest_paths_of(graph), depths(graph)
    for state in range(len(graph)):
        at = 0
        for before, position in ways.to(state):
            assert before == at
            at = graph.targets[before][position]
        if ways.depths[state] >= 0:
            assert at == state
            assert len(ways.to(state)) == ways.depths[state] == known[state]
        else:
            assert known[state] == 0


def test_what_is_unreliable_is_used_only_where_nothing_else_leads() -> None:
    graph = Graph()
    for state in ("a", "b", "c", "d"):
        graph.add_state(state, [Event.named("x"), Event.named("y")])
    graph.explore(0, 0, 1)  # unreliable
    graph.explore(0, 1, 2)
    graph.explore(2, 0, 1)
    graph.explore(1, 0, 3)  # unreliable
    for number in (0, 1):
        for _ in range(MAX_DIVERGENCES):
            graph.diverge(number, 0, 0)
    ways = shortest_paths_of(graph)
    assert ways.to(1) == [(0, 1), (2, 0)]
    assert ways.to(3) == [(0, 1), (2, 0), (1, 0)]
