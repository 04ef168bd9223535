"""Components: one member is responsible for each; all agree which, or the first claim decides."""

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.coordination.components import open_places, place_here, place_to_claim, responsible
from statecrawl.model.components import Components
from statecrawl.model.event import Event
from statecrawl.model.graph import Graph
from statecrawl.model.regions import Region

MEMBERS = [f"node{number}" for number in range(6)]


@given(place=st.text())
def test_all_members_agree_on_who_is_responsible(place: str) -> None:
    assert responsible(place, MEMBERS) in MEMBERS
    assert responsible(place, MEMBERS) == responsible(place, tuple(MEMBERS))


@given(st.text())
def test_the_departure_of_another_member_changes_nothing(place: str) -> None:
    owner = responsible(place, MEMBERS)
    assert responsible(place, [name for name in MEMBERS if name in (owner, MEMBERS[0])]) in (owner, MEMBERS[0])
    for leaver in MEMBERS:
        if leaver != owner:
            assert responsible(place, [name for name in MEMBERS if name != leaver]) == owner


def found(graph: Graph, components: Components, state: str, *places: str) -> int:
    """Add a state with these places, each of which has one event."""
    number = graph.add_state(state, [Event.named(f"click {place}") for place in places])
    components.found(number, [Region(place, "s", state, state, (at,)) for at, place in enumerate(places)])
    return number


def test_the_nearest_place_that_nobody_has_claimed_is_claimed() -> None:
    graph = Graph()
    components = Components(graph)
    home = found(graph, components, "home", "menu")
    near, far = found(graph, components, "near", "tabs"), found(graph, components, "far", "dialog")
    graph.explore(home, 0, near)
    components.explored(home, 0, near)
    graph.explore(near, 0, far)
    components.explored(near, 0, far)
    lost = found(graph, components, "lost", "chat", "tabs")
    assert open_places(components, {}) == {"dialog", "chat", "tabs"}  # nobody has fired what "tabs" offers in "lost"
    assert open_places(components, {"chat": "a"}) == {"dialog", "tabs"}
    assert place_to_claim(graph, components, {"dialog", "chat"}, home, 2.0) == "dialog"
    assert place_to_claim(graph, components, {"chat"}, home, 2.0) == "chat"  # a way to it may be found
    assert place_to_claim(graph, components, frozenset(), home, 2.0) is None
    assert place_here(components, {"dialog", "chat"}, lost) == "chat"
    assert place_here(components, {"dialog", "tabs"}, home) is None
    assert place_here(components, {"menu"}, home) is None  # its task was fired
