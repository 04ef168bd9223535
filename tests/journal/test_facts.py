"""Facts are values: immutable, equal by content, valid once they exist."""

import pytest

from statecrawl.journal.facts import (
    VERSION,
    ComponentClaimed,
    CostMeasured,
    CrawlStarted,
    EventAdded,
    EventsDealt,
    MemberJoined,
    StateFound,
    TransitionExplored,
)
from statecrawl.model.event import Event


def test_a_fact_can_not_be_changed() -> None:
    fact = TransitionExplored(state="a", event="e", target="b")
    with pytest.raises(AttributeError):
        fact.target = "c"  # type: ignore[misc]


def test_facts_are_equal_by_content_and_bear_the_version_of_their_kind() -> None:
    fact = TransitionExplored(state="a", event="e", target="b")
    assert fact == TransitionExplored(state="a", event="e", target="b")
    assert fact != TransitionExplored(state="a", event="e", target="c")
    assert fact.version == 1
    assert EventAdded(state="a", event="e").version == 2
    assert MemberJoined(member="n", epoch=1).version == 3
    assert EventsDealt(state="a", first=0, shares=(("n", 1),)).version == 4
    assert ComponentClaimed(place="ul", member="n", epoch=1).version == VERSION == 5


def test_a_state_names_its_events_in_the_shortest_way() -> None:
    fact = StateFound.of("s", [Event.named("next"), Event("li:1", "li")], title="List")
    assert fact == StateFound(state="s", events=("next", ("li:1", "li")), title="List")


@pytest.mark.parametrize(("event", "name"), [(Event.named("next"), "next"), (Event("li:1", "li"), ("li:1", "li"))])
def test_so_does_an_event_that_shows_itself_late(event: Event, name: str | tuple[str, str]) -> None:
    assert EventAdded.of("s", event) == EventAdded(state="s", event=name)


@pytest.mark.parametrize("events", [("a", "b", "a"), ("a", ("a", "x")), (("a", "x"), ("a", "y"))])
def test_a_state_does_not_list_a_local_id_twice(events: tuple[str | tuple[str, str], ...]) -> None:
    with pytest.raises(ValueError, match="state 's' lists an event twice"):
        StateFound(state="s", events=events)


def test_two_events_may_share_their_logical_id() -> None:
    assert len(StateFound(state="s", events=(("a", "x"), ("b", "x"))).events) == 2


@pytest.mark.parametrize("shares", [(), (("n", 0),), (("n", 2), ("m", -1))])
def test_a_deal_gives_everybody_something(shares: tuple[tuple[str, int], ...]) -> None:
    with pytest.raises(ValueError, match="an assignment of state 's'"):
        EventsDealt(state="s", first=0, shares=shares)


@pytest.mark.parametrize("cost", [float("inf"), float("nan")])
def test_a_reset_has_a_finite_cost(cost: float) -> None:
    with pytest.raises(ValueError, match="a reset cannot cost"):
        CrawlStarted(application="a", configuration={}, reset_cost=cost)
    with pytest.raises(ValueError, match="a reset cannot cost"):
        CostMeasured(reset_cost=cost)


@pytest.mark.parametrize("value", [float("nan"), {"deep": [float("inf")]}, {1, 2}, b"bytes"])
def test_a_configuration_is_json_throughout(value: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        CrawlStarted(application="a", configuration={"x": value}, reset_cost=2.0)
