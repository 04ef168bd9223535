"""The generated applications have the sizes, the order of events and the shapes that they promise."""

from collections.abc import Callable
from math import comb

import pytest

from statecrawl.errors import BadInput
from statecrawl.model.graph import INITIAL, Graph
from statecrawl.testbed.application import Application
from statecrawl.testbed.generated import hypercube, linked, menusite, pager, synthetic, tiny, viol8, widgets

SIZES: list[tuple[Application, str, int, int, float]] = [
    (hypercube(1), "hypercube:1", 2, 1, 3),
    (hypercube(3), "hypercube:3", 8, 12, 3),
    (hypercube(4), "hypercube:4", 16, 32, 3),
    (hypercube(8), "hypercube:8", 256, 1024, 3),
    (hypercube(10), "hypercube:10", 1024, 5120, 3),
    (tiny(), "tiny", 4, 13, 2),
    (viol8(), "viol8", 8, 12, 2),
    (menusite(5, 3), "menusite:5,3", 21, 141, 2),
    (menusite(10, 10), "menusite:10,10", 111, 1321, 2),
    (menusite(2, 0), "menusite:2,0", 3, 9, 2),
    (pager(1), "pager:1", 1, 1, 2),
    (pager(20), "pager:20", 20, 58, 2),
    (widgets(1, 1), "widgets:1,1", 1, 0, 2),
    (widgets(3, 3), "widgets:3,3", 27, 162, 2),
    (widgets(2, 6), "widgets:2,6", 36, 360, 2),
    (widgets(4, 4), "widgets:4,4", 256, 3072, 2),
    (linked(2, 2), "linked:2,2", 4, 8, 2),
    (linked(4, 4), "linked:4,4", 256, 3072, 2),
    (synthetic(1_000), "synthetic:1000", 12, 1_000, 2),
    (synthetic(100_000), "synthetic:100000", 1_250, 100_000, 2),
]


def reachable(graph: Graph) -> set[int]:
    found = {INITIAL}
    queue = [INITIAL]
    for state in queue:
        for target in graph.links.successors[state]:
            if target not in found:
                found.add(target)
                queue.append(target)
    return found


def row(graph: Graph, state: str) -> list[tuple[str, str]]:
    number = graph.numbers[state]
    return [
        (graph.event(number, position).local, graph.ids[target])
        for position, target in enumerate(graph.targets[number])
    ]


@pytest.mark.parametrize(("app", "name", "states", "transitions", "reset_cost"), SIZES, ids=[s[1] for s in SIZES])
def test_name_size_and_completeness(
    app: Application, name: str, states: int, transitions: int, reset_cost: float
) -> None:
    numbers = app.truth.statistics()
    assert (app.name, app.reset_cost) == (name, reset_cost)
    assert (numbers.states, numbers.transitions) == (states, transitions)
    assert numbers.complete
    assert app.title
    assert len(reachable(app.truth)) == states


def test_hypercube_offers_the_unpressed_buttons_in_ascending_order() -> None:
    graph = hypercube(4).truth
    assert graph.ids[INITIAL] == "0000"
    assert row(graph, "0000") == [
        ("press 1", "1000"),
        ("press 2", "0100"),
        ("press 3", "0010"),
        ("press 4", "0001"),
    ]
    assert row(graph, "0100") == [("press 1", "1100"), ("press 3", "0110"), ("press 4", "0101")]
    assert row(graph, "1111") == []
    assert [sum(state.count("1") == level for state in graph.ids) for level in range(5)] == [
        comb(4, level) for level in range(5)
    ]


def test_tiny_row_by_row() -> None:
    graph = tiny().truth
    assert graph.ids == ["H", "A", "B", "C"]
    assert row(graph, "H") == [("a", "A"), ("b", "B"), ("x", "H")]
    assert row(graph, "B") == [("a", "A"), ("b", "B"), ("x", "B"), ("c", "C")]


def test_viol8_starts_like_a_cube_of_three() -> None:
    graph = viol8().truth
    assert graph.ids[INITIAL] == "s1"
    assert row(graph, "s1") == [("e1", "s2"), ("e2", "s3"), ("e3", "s5")]
    assert row(graph, "s7") == [("e4", "s4"), ("e5", "s4")]


def test_menusite_lists_menu_then_self_loop_then_details() -> None:
    graph = menusite(2, 2).truth
    assert row(graph, "home") == [("menu 1", "page 1"), ("menu 2", "page 2"), ("x", "home")]
    assert row(graph, "page 2") == [
        ("menu 1", "page 1"),
        ("menu 2", "page 2"),
        ("x", "page 2"),
        ("open 2.1", "detail 2.1"),
        ("open 2.2", "detail 2.2"),
    ]
    assert row(graph, "detail 2.1") == [("menu 1", "page 1"), ("menu 2", "page 2"), ("x", "detail 2.1")]


def test_pager_lists_next_prev_first() -> None:
    graph = pager(3).truth
    assert row(graph, "page 1") == [("next", "page 2"), ("first", "page 1")]
    assert row(graph, "page 2") == [("next", "page 3"), ("prev", "page 1"), ("first", "page 1")]
    assert row(graph, "page 3") == [("prev", "page 2"), ("first", "page 1")]


def test_widgets_are_ordered_by_widget_then_value() -> None:
    graph = widgets(2, 3).truth
    assert graph.ids[INITIAL] == "0.0"
    assert row(graph, "1.0") == [
        ("widget 1 = 0", "0.0"),
        ("widget 1 = 2", "2.0"),
        ("widget 2 = 1", "1.1"),
        ("widget 2 = 2", "1.2"),
    ]


def test_synthetic_looks_like_a_site() -> None:
    graph = synthetic(20_000).truth
    menu = {target for state in range(len(graph)) for target in graph.targets[state][:5]}
    assert menu == {0, 50, 100, 150, 200}  # the menu leads to the same five sections from everywhere
    places = dict.fromkeys(range(len(graph.vocabulary)), 0)
    for events in graph.events:
        for event in events:
            places[event] += 1
    assert sum(count == 1 for count in places.values()) > len(places) / 2  # most events are details of one page
    loops = sum(target == state for state, _, target in graph.transitions())
    assert 4 * len(graph) <= loops < 12 * len(graph)


def test_synthetic_is_the_same_every_time_and_holds_any_count() -> None:
    assert synthetic(1_234).truth.facts() == synthetic(1_234).truth.facts()
    assert synthetic(1_234).truth.explored == 1_234


@pytest.mark.parametrize(
    "build",
    [
        lambda: hypercube(0),
        lambda: hypercube(10**9),
        lambda: menusite(0, 3),
        lambda: menusite(5, -1),
        lambda: menusite(1_000, 1_000),
        lambda: pager(0),
        lambda: pager(10**7),
        lambda: widgets(0, 2),
        lambda: widgets(16, 1_000),
        lambda: synthetic(999),
        lambda: synthetic(10**8),
    ],
)
def test_parameters_out_of_range_are_refused_at_once(build: Callable[[], Application]) -> None:
    with pytest.raises(BadInput, match=r"\d"):
        build()
