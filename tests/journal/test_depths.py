"""Depths of states, and events that are refused because their state lies too deep."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.journal.depths import Depths, cut_off, depths
from statecrawl.journal.facts import (
    EventHung,
    EventRefused,
    ExternalTransition,
    Fact,
    StateFound,
    TransitionDiverged,
    TransitionExplored,
)
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.model.event import Event
from statecrawl.model.graph import INITIAL, Graph

LINKS = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=24)


@given(LINKS)
def test_the_depth_of_a_state_is_its_distance_from_the_first_page(links: list[tuple[int, int]]) -> None:
    graph = Graph()
    for number in range(8):
        own = [Event.named(f"{place}") for place, (source, _) in enumerate(links) if source == number]
        graph.add_state(f"{number}", own)
    for place, (source, target) in enumerate(links):
        graph.explore(source, graph.position(source, f"{place}"), target)
    found = depths(graph)
    reached = {INITIAL}
    for depth in range(9):
        assert all(found[state] <= depth for state in reached)
        assert all(found[state] == 0 or found[state] > depth for state in set(range(8)) - reached)
        reached |= {target for source, target in links if source in reached}


def test_nothing_is_as_deep_as_anything() -> None:
    assert depths(Graph()) == []


def found(state: str, *events: str) -> StateFound:
    return StateFound(state=state, events=events)


def explored(state: str, event: str, target: str) -> TransitionExplored:
    return TransitionExplored(state=state, event=event, target=target)


def refused(most: int | None, *facts: Fact) -> list[str]:
    """Return the states that these facts close, one per event."""
    crawl = FoldedCrawl()
    limit = Depths(most, crawl)
    closed: list[EventRefused] = []
    for fact in facts:
        crawl.apply(fact)
        for refusal in limit.refusals_after(fact):
            crawl.apply(refusal)
            closed.append(refusal)
    assert len(cut_off(crawl)) == len({refusal.state for refusal in closed})
    return [refusal.state for refusal in closed]


CHAIN = (
    *(found("A", "a"), found("B", "b", "c"), explored("A", "a", "B")),
    *(found("C", "d"), explored("B", "b", "C"), explored("B", "c", "A")),
)


@pytest.mark.parametrize(("most", "closed"), [(None, ""), (1, "BBC"), (2, "C"), (3, "")])
def test_states_that_lie_as_deep_as_one_may_go_are_not_expanded(most: int | None, closed: str) -> None:
    assert refused(most, *CHAIN) == list(closed)


def test_a_page_that_moves_by_itself_goes_no_deeper() -> None:
    moved = ExternalTransition(state="B", target="C", incident=1)
    assert refused(2, *CHAIN[:3], found("C", "d"), moved) == []
    assert refused(1, *CHAIN[:3], found("C", "d"), moved) == ["B", "B", "C"]


def test_a_state_that_a_surprise_led_to_lies_behind_it() -> None:
    surprise = TransitionDiverged(state="B", event="b", expected="C", landed="Z", incident=1)
    assert refused(2, *CHAIN[:3], *CHAIN[3:5], found("Z", "z"), surprise) == ["C", "Z"]


def test_a_first_page_that_is_another_one_now_lies_at_the_beginning() -> None:
    assert refused(
        1, *CHAIN[:3], found("X", "x"), EventHung(state="A", event="a", reason="slow"), explored("B", "b", "X")
    ) == ["B", "B"]


def test_a_shorter_way_that_is_found_later_opens_nothing() -> None:
    """What was refused is in the journal."""
    late = (found("Z", "z"), explored("B", "b", "Z"), explored("A", "x", "Z"))
    assert refused(2, found("A", "a", "x"), found("B", "b"), explored("A", "a", "B"), *late) == ["Z"]
