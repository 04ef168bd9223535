"""Diversity: states unlike any found before come first, and everything is explored in the end."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.model.distance_field import TIER
from statecrawl.model.event import Event
from statecrawl.model.graph import Graph
from statecrawl.strategies.diversity import ALIKE, Diversity
from statecrawl.strategies.registry import STRATEGIES, make_strategy
from statecrawl.strategies.settings import SearchMethod, StatePreference, StrategySettings
from tests.strategies.machines import Expedition, built

ITEMS = 30
KINDS = 6


def shop() -> Graph:
    """A list of items, all with the same five events and on to the next; and, from the start, pages of other kinds."""
    common = ["buy", "rate", "share", "zoom", "print"]
    rows = [[("item", 1), ("help", ITEMS + 1)]]
    rows += [[*((name, item) for name in common), ("item", item % ITEMS + 1)] for item in range(1, ITEMS + 1)]
    for kind in range(KINDS):
        page = ITEMS + 1 + kind
        onward = [("more", page + 1)] if kind < KINDS - 1 else []
        rows.append([(f"tool {kind}.{tool}", page) for tool in range(4)] + onward)
    return built(rows)


def kinds_seen(name: str, prefer: StatePreference, search: SearchMethod, events: int) -> tuple[int, Graph]:
    """Return the number of different event sets found within a number of events, and the final graph."""
    strategy = make_strategy(name, Graph(), StrategySettings(prefer=prefer, search=search))
    trip = Expedition(shop(), strategy)
    seen = 0

    def before(_: int) -> None:
        nonlocal seen
        if trip.cost[0] <= events:
            seen = len({frozenset(offered) for offered in trip.graph.events})

    trip.crawl(before)
    return seen, trip.graph


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("search", SearchMethod)
@pytest.mark.parametrize("events", [20, 40, 80])
def test_as_many_kinds_of_pages_are_seen_or_more(name: str, search: SearchMethod, events: int) -> None:
    plain, whole = kinds_seen(name, StatePreference.NONE, search, events)
    diverse, same = kinds_seen(name, StatePreference.DIVERSE, search, events)
    assert diverse >= plain
    assert whole.same_as(same)


@pytest.mark.parametrize("name", ["breadth-first", "depth-first", "greedy", "menu", "probability", "hypercube"])
def test_all_kinds_are_seen_before_the_list_is_worked_off(name: str) -> None:
    seen, _ = kinds_seen(name, StatePreference.DIVERSE, SearchMethod.INDEXED, 70)
    assert seen == KINDS + 2


def ranks_of(*offers: str) -> list[int]:
    graph = Graph()
    diversity = Diversity(graph)
    for state, names in enumerate(offers):
        graph.add_state(str(state), [Event.named(name) for name in names])
        diversity.found(state)
    return [diversity.rank(state) for state in range(len(offers))]


def test_a_state_like_an_earlier_one_comes_later() -> None:
    assert ranks_of("abcde", "abcde", "vwxyz", "abcd", "") == [0, TIER, 0, TIER, 0]


def test_likeness_is_to_leaders_only() -> None:
    """Each state has one event less than the one before; the third is similar to the second but not to the first."""
    assert ranks_of("abcdefghij", "abcdefgh", "abcdefg") == [0, TIER, 0]


def test_states_without_events_are_alike() -> None:
    assert ranks_of("", "", "a") == [0, TIER, 0]


@given(st.lists(st.sets(st.sampled_from("abcdefgh")), min_size=1, max_size=12))
@settings(max_examples=60, deadline=None)
def test_ranks_are_those_of_comparing_with_every_leader(offers: list[set[str]]) -> None:
    leaders: list[set[str]] = []
    expected = []
    for offer in offers:
        like = any((len(offer & other) / len(offer | other) if offer | other else 1) >= ALIKE for other in leaders)
        expected.append(TIER if like else 0)
        if not like:
            leaders.append(offer)
    assert ranks_of(*("".join(sorted(offer)) for offer in offers)) == expected


def test_events_explored_least_often_are_freshest() -> None:
    graph = Graph()
    graph.add_state("0", [Event.named(name) for name in "abc"])
    diversity = Diversity(graph)
    diversity.found(0)
    for logical in (0, 0, 1):
        diversity.explored(logical)
    assert diversity.freshest(0, [0, 1, 2]) == [2]
    assert diversity.freshest(0, [0, 1]) == [1]
    diversity.explored(2)
    assert diversity.freshest(0, [0, 1, 2]) == [1, 2]
