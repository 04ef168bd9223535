"""The periodic table: two modes alike, windows that turn into each other, and two pages without return."""

import pytest

from statecrawl.model.graph import INITIAL, Graph
from statecrawl.testbed.periodic_table import ELEMENTS, SOUNDING, periodic_table


@pytest.fixture(scope="module")
def graph() -> Graph:
    return periodic_table().truth


def target(graph: Graph, state: str, event: str) -> str:
    number = graph.numbers[state]
    return graph.ids[graph.targets[number][graph.position(number, event)]]


def test_there_are_118_elements() -> None:
    assert len(set(ELEMENTS)) == len(ELEMENTS) == 118
    assert (ELEMENTS[25], ELEMENTS[78], ELEMENTS[117]) == ("iron", "gold", "oganesson")


def test_events_per_page_by_window(graph: Graph) -> None:
    for mode in ("small", "large"):
        sizes = {
            window: len(graph.events[graph.numbers[f"{mode}/{window}"]])
            for window in ("untouched", "closed", *ELEMENTS)
        }
        assert (sizes["untouched"], sizes["closed"]) == (119, 120)
        assert {sizes[element] for element in ELEMENTS if element not in SOUNDING} == {121}
        assert {sizes[element] for element in SOUNDING} == {122}


def test_cells_turn_the_window_and_the_button_changes_the_mode(graph: Graph) -> None:
    assert graph.ids[INITIAL] == "small/untouched"
    assert target(graph, "small/untouched", "small cell iron") == "small/iron"
    assert target(graph, "large/gold", "large cell iron") == "large/iron"
    assert target(graph, "large/iron", "large cell iron") == "large/iron"
    assert target(graph, "large/iron", "change to small") == "small/iron"
    assert target(graph, "small/closed", "change to large") == "large/closed"
    assert target(graph, "small/iron", "close") == target(graph, "small/closed", "close") == "small/closed"
    assert target(graph, "large/iron", "zoom picture") == target(graph, "large/iron", "play sound") == "large/iron"


def test_only_the_mode_button_joins_the_untouched_pages(graph: Graph) -> None:
    first, second = INITIAL, graph.numbers["large/untouched"]
    assert list(graph.links.predecessors[first]) == [second]
    assert list(graph.links.predecessors[second]) == [first]
    assert graph.position(first, "change to large") == 6
