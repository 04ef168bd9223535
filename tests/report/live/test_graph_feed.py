"""Following: whoever makes a graph grow, and however fast, all of it is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.journal.facts import EquivalenceRevised, EventAdded, Fact, StateFound, TransitionExplored
from statecrawl.journal.fold import FoldedCrawl, fold
from statecrawl.model.graph import Graph
from statecrawl.report.live import graph_feed
from statecrawl.report.live.graph_feed import PATIENCE, GraphFeed, address_of
from statecrawl.report.live.scene import Scene
from tests.report.crawl.crawls import crawls


def assert_told(scene: Scene, graph: Graph) -> None:
    vertices = scene.vertices.values()
    assert sum(vertex.states for vertex in vertices) == len(graph)
    assert sum(vertex.explored for vertex in vertices) == graph.explored
    assert sum(vertex.enabled for vertex in vertices) == graph.explored + graph.unexplored
    between = {key: edge.count for key, edge in scene.edges.items()}
    if scene.level == 0:
        told: dict[tuple[int, int], int] = {}
        for state, _, target in graph.transitions():
            if state != target:
                told[state, target] = told.get((state, target), 0) + 1
        assert between == told
    assert sum(between.values()) + sum(vertex.loops for vertex in vertices) == graph.explored


@given(crawls(most=12), st.integers(1, 7), st.integers(3, 200))
def test_all_is_told_in_the_end(facts: list[Fact], step: int, most: int) -> None:
    crawl, scene = FoldedCrawl(), Scene(most)
    follower = GraphFeed(scene)
    for at in range(0, len(facts), step):
        crawl.extend(facts[at : at + step])
        follower.follow(crawl)
    for _ in range(PATIENCE + 2):
        follower.follow(crawl)
    assert_told(scene, crawl.graph)


def test_one_look_does_not_do_everything_and_many_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_feed, "MOST_NEWS", 5)
    events = tuple(f"e{number}" for number in range(4))
    facts: list[Fact] = [StateFound(state=f"{state:02x}", events=events) for state in range(30)]
    facts += [
        TransitionExplored(state=f"{state:02x}", event=event, target=f"{(state + 1) % 30:02x}")
        for state in reversed(range(30))
        for event in events
    ]
    crawl, scene = fold(facts), Scene()
    follower, looks = GraphFeed(scene), 1
    while not follower.follow(crawl):
        looks += 1
        assert sum(vertex.explored for vertex in scene.vertices.values()) <= 8 * looks
    assert looks >= 15
    assert_told(scene, crawl.graph)


def test_events_that_show_themselves_later_count_and_another_graph_begins_again() -> None:
    crawl = fold([StateFound(state="aa", events=("x",)), TransitionExplored(state="aa", event="x", target="aa")])
    scene = Scene()
    follower = GraphFeed(scene)
    follower.follow(crawl)
    crawl.apply(EventAdded(state="aa", event="y"))
    follower.follow(crawl)
    assert_told(scene, crawl.graph)
    epoch = scene.epoch
    crawl.extend([EquivalenceRevised(revision=1, rules=()), StateFound(state="bb", events=())])
    follower.follow(crawl)
    assert scene.epoch > epoch
    assert_told(scene, crawl.graph)


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://a.test/b?c#d", "/b"),
        ("http://a.test/#/users/1", "/#/users/1"),
        ("http://[::1/", ""),
        ("", ""),
        ("javascript:alert(1)", "alert(1)"),
    ],
)
def test_addresses(url: str, address: str) -> None:
    assert address_of(url) == address


def test_a_state_is_labelled_with_its_url_if_that_is_new_and_else_with_what_changed_it() -> None:
    facts: list[Fact] = [
        StateFound(state="aa", events=("open http://app.test/b?x", "click c"), url="http://app.test/a"),
        StateFound(state="bb", events=(), url="http://app.test/b?x"),
        StateFound(state="cc", events=(), url="http://app.test/a"),
        TransitionExplored(state="aa", event="open http://app.test/b?x", target="bb"),
        TransitionExplored(state="aa", event="click c", target="cc"),
    ]
    follower = GraphFeed(Scene())
    follower.follow(fold(facts))
    assert follower.labels == {0: "the first page", 1: "/b", 2: "click c"}
