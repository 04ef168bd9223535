"""A model that was found is the true one, whatever it calls its parts, or the first difference is told."""

from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.model.event import Event
from statecrawl.model.graph import UNEXPLORED, Graph
from statecrawl.testbed.application import machine
from statecrawl.testbed.model_match import mismatch

Row = list[tuple[str, str]]
TRUTH: dict[str, Row] = {
    "home": [("about", "about"), ("shop", "shop")],
    "about": [("back", "home")],
    "shop": [("back", "home"), ("about", "about")],
}


def changed(**rows: Row) -> Graph:
    return machine(TRUTH | rows)


def renamed(graph: Graph, order: Sequence[int]) -> Graph:
    """The same model with other names, its states (but the first) found in another order."""
    found = Graph()
    for state in order:
        names = [graph.event(state, position) for position in range(len(graph.events[state]))]
        found.add_state(f"hash of {state}", [Event(f"{name.local}!", f"{name.logical}?") for name in names])
    for state, position, target in graph.transitions():
        found.explore(order.index(state), position, order.index(target))
    return found


@st.composite
def graphs(draw: st.DrawFn, most: int = 4) -> Graph:
    """Small machines, some of whose states may be out of reach, and some transitions unexplored."""
    size = draw(st.integers(1, most))
    states = range(size)
    rows = {state: draw(st.lists(st.integers(-1, size - 1), max_size=3)) for state in states}
    names = st.sampled_from("abc")
    graph = Graph()
    for state in states:
        logical = [draw(names) for _ in rows[state]]
        graph.add_state(str(state), [Event(f"{n}", name) for n, name in enumerate(logical)])
    for state in states:
        for position, target in enumerate(rows[state]):
            if target != UNEXPLORED:
                graph.explore(state, position, target)
    return graph


def is_complete(graph: Graph) -> bool:
    """Whether all is explored and can be reached."""
    reached = [0]
    for state in reached:
        reached += {target for target in graph.targets[state] if target not in (UNEXPLORED, *reached)}
    return graph.unexplored == 0 and len(reached) == len(graph)


def are_the_same(one: Graph, other: Graph) -> bool:
    """By trying every way to match states; slow and plain."""
    if len(one) != len(other):
        return False
    return any(_fits(one, other, (0, *rest)) for rest in permutations(range(1, len(other))))


def _fits(one: Graph, other: Graph, match: Sequence[int]) -> bool:
    names: set[tuple[str, str]] = set()
    for state, there in enumerate(match):
        if [match[target] for target in one.targets[state]] != list(other.targets[there]):
            return False
        for position in range(len(one.events[state])):
            names.add((one.event(state, position).logical, other.event(there, position).logical))
    return len({here for here, _ in names}) == len({there for _, there in names}) == len(names)


def test_the_same_is_the_same() -> None:
    assert mismatch(machine(TRUTH), machine(TRUTH)) is None


def test_names_and_the_order_of_finding_do_not_matter() -> None:
    assert mismatch(renamed(machine(TRUTH), [0, 2, 1]), machine(TRUTH)) is None


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (
            changed(about=[("back", "home"), ("print", "about")]),
            "about has 2 events and should have 1",
        ),
        (changed(shop=[("back", "home")]), "shop has 1 events and should have 2"),
        (
            changed(shop=[("back", "home"), ("about", "home")]),
            "'about' of shop leads to home and should lead to about",
        ),
        (
            changed(about=[("back", "other")], other=[("about", "about"), ("shop", "shop")]),
            "'back' of about leads to a state of its own and should lead to home",
        ),
        (
            changed(home=[("about", "about"), ("shop", "about")]),
            "'shop' of home leads to about and should lead to shop",
        ),
        (
            changed(shop=[("home", "home"), ("about", "about")]),
            "in shop, 'home' is called 'back' in the truth, and elsewhere it is not",
        ),
        (
            changed(shop=[("about", "home"), ("back", "about")]),
            "in shop, 'about' is called 'back' in the truth, and elsewhere it is not",
        ),
        (changed(lost=[("back", "home")]), "4 states were found, 3 of them are right, and there are 3"),
    ],
)
def test_the_first_difference_is_told_in_the_names_of_the_truth(found: Graph, said: str) -> None:
    assert mismatch(found, machine(TRUTH)) == said


def test_a_crawl_that_did_not_come_to_its_end() -> None:
    found = Graph()
    found.add_state("x", [Event.named("about"), Event.named("shop")])
    assert mismatch(found, machine(TRUTH)) == "'about' of home was not explored"
    assert mismatch(Graph(), machine(TRUTH)) == "0 states were found, and there are 3"
    assert mismatch(machine(TRUTH), Graph()) == "3 states were found, and there are 0"
    assert mismatch(Graph(), Graph()) is None


@settings(deadline=None)
@given(graphs().filter(is_complete), st.data())
def test_a_model_under_other_names_is_always_recognised(truth: Graph, data: st.DataObject) -> None:
    order = [0, *data.draw(st.permutations(range(1, len(truth))))]
    assert mismatch(renamed(truth, order), truth) is None


@settings(deadline=None, max_examples=400)
@given(graphs(3), graphs(3).filter(is_complete), st.data())
def test_it_says_the_same_as_trying_everything(found: Graph, truth: Graph, data: st.DataObject) -> None:
    """On machines drawn at random, and on those that differ from the truth in one transition."""
    pairs = [(state, position) for state, position, _ in truth.transitions()]
    is_near: bool = data.draw(st.booleans())
    if pairs and is_near:
        pair, target = data.draw(st.sampled_from(pairs)), data.draw(st.integers(0, len(truth) - 1))
        found = renamed(truth, range(len(truth)))
        found.targets[pair[0]][pair[1]] = target
    assert (mismatch(found, truth) is None) == (found.unexplored == 0 and are_the_same(found, truth))
