"""Shared facts: the others can reach every reachable state, and receive everything when members change."""

import math
from collections import deque
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.coordination.shared_facts import SharingExtent, SharingFilter, SharingRules
from statecrawl.journal.facts import (
    BoundarySeen,
    CrawlEnded,
    EventAdded,
    EventCrashed,
    EventHung,
    EventRefused,
    EventsDealt,
    Fact,
    MemberJoined,
    MemberLeft,
    StateFound,
    TransitionDiverged,
    TransitionExplored,
)

EVENTS = ("a", "b", "c")
NAMES = tuple(f"s{number}" for number in range(7))
FIRST = StateFound(state="s0", events=EVENTS)


def explored(state: str, event: str, target: str) -> TransitionExplored:
    return TransitionExplored(state=state, event=event, target=target)


links = st.builds(explored, st.sampled_from(NAMES), st.sampled_from(EVENTS), st.sampled_from(NAMES))


@st.composite
def records(draw: st.DrawFn, *, always_the_same: bool = False) -> list[Fact]:
    """Transitions in any order; each state is found before anything speaks of it, however it is reached."""
    found: dict[str, None] = {"s0": None}
    facts: list[Fact] = [FIRST]
    key = (lambda link: (link.state, link.event)) if always_the_same else None
    for link in draw(st.lists(links, max_size=25, unique_by=key)):
        for state in (link.state, link.target):
            if state not in found:
                found[state] = None
                facts.append(StateFound(state=state, events=EVENTS))
        facts.append(link)
    return facts


def distances(facts: Iterable[Fact]) -> dict[str, int]:
    ways = [(fact.state, fact.target) for fact in facts if isinstance(fact, TransitionExplored)]
    reached, fresh = {"s0": 0}, deque(["s0"])
    while fresh:
        state = fresh.popleft()
        for source, target in ways:
            if source == state and target not in reached:
                reached[target] = reached[state] + 1
                fresh.append(target)
    return reached


@pytest.mark.parametrize("extent", SharingExtent)
@given(record=records())
def test_reachable_states_are_reachable_over_the_shared_facts(extent: SharingExtent, record: list[Fact]) -> None:
    sieve = SharingFilter(extent)
    passed: list[Fact] = []
    for place, fact in enumerate(record, 1):
        passed += sieve.share([fact])
        over_passed, over_all = distances(passed), distances(record[:place])
        assert over_passed.keys() == over_all.keys()
        if extent is not SharingExtent.STATES:
            assert over_passed == over_all
    assert [fact for fact in passed if isinstance(fact, StateFound)] == [
        fact for fact in record if isinstance(fact, StateFound)
    ]


@pytest.mark.parametrize("extent", SharingExtent)
@given(record=records(), cut=st.integers(0, 40))
def test_a_change_of_members_releases_held_back_facts(extent: SharingExtent, record: list[Fact], cut: int) -> None:
    sieve = SharingFilter(extent)
    before = sieve.share(record[:cut])
    joined = MemberJoined(member="n", epoch=1)
    with_it = sieve.share([joined])
    assert with_it[-1] == joined
    assert all(fact in before + with_it for fact in record[:cut])
    assert sieve.release() == []


@given(record=records(always_the_same=True))
def test_one_path_to_each_state_is_shared(record: list[Fact]) -> None:
    passed = SharingFilter(SharingExtent.STATES).share(record)
    targets = [fact.target for fact in passed if isinstance(fact, TransitionExplored)]
    assert len(targets) == len(set(targets))
    assert "s0" not in targets


@pytest.mark.parametrize(
    ("fact", "extents"),
    [
        (EventAdded(state="s0", event="d"), set(SharingExtent)),
        (CrawlEnded(reason="complete"), set(SharingExtent)),
        (MemberLeft(member="n", epoch=1), set(SharingExtent)),
        (EventsDealt(state="s0", first=0, shares=(("n", 1),)), set(SharingExtent)),
        (explored("s0", "a", "s0"), {SharingExtent.ALL}),
        (explored("s0", "a", "s1"), set(SharingExtent)),
        (explored("s1", "a", "s2"), {SharingExtent.ALL}),  # nobody can get to s1
        (EventHung(state="s0", event="a", reason=""), set(SharingExtent)),
        (EventCrashed(state="s0", event="a", reason=""), set(SharingExtent)),
        (BoundarySeen(state="s0", event="a", what="window", url="http://b.test/"), {SharingExtent.ALL}),
        (TransitionDiverged(state="s0", event="a", expected="s0", landed="s1", incident=1), set(SharingExtent)),
        (EventRefused(state="s0", event="a", reason="it says 'delete'"), set(SharingExtent)),
        (EventRefused(state="s0", event="a", reason="beyond 2 events from the first page"), set(SharingExtent)),
    ],
)
def test_which_facts_are_shared(fact: Fact, extents: set[SharingExtent]) -> None:
    known = [StateFound(state=state, events=EVENTS) for state in ("s0", "s1", "s2")]
    for extent in SharingExtent:
        sieve = SharingFilter(extent)
        sieve.share(known)
        assert (sieve.share([fact]) == [fact]) == (extent in extents)


def test_a_shorter_path_is_shared_only_with_extent_shorter() -> None:
    known = [StateFound(state=state, events=EVENTS) for state in ("s0", "s1", "s2")]
    ways = [explored("s0", "a", "s1"), explored("s1", "a", "s2")]
    short = explored("s0", "b", "s2")
    for extent, passes in ((SharingExtent.STATES, False), (SharingExtent.SHORTER, True), (SharingExtent.ALL, True)):
        sieve = SharingFilter(extent)
        sieve.share([*known, *ways])
        assert sieve.share([short]) == [short] * passes


@pytest.mark.parametrize(
    "surprise",
    [explored("s0", "a", "s2"), TransitionDiverged(state="s0", event="a", expected="s1", landed="s2", incident=1)],
)
def test_after_the_first_surprise_everything_is_shared(surprise: Fact) -> None:
    known = [StateFound(state=state, events=EVENTS) for state in ("s0", "s1", "s2")]
    sieve = SharingFilter(SharingExtent.STATES)
    sieve.share([*known, explored("s0", "a", "s1")])
    back = explored("s1", "a", "s0")
    assert sieve.share([back]) == []
    assert sieve.share([surprise]) == [back, surprise]
    assert sieve.share([explored("s1", "b", "s0")]) == [explored("s1", "b", "s0")]


@pytest.mark.parametrize(
    ("sharing", "waiting", "seconds", "due"),
    [
        (SharingRules(), 0, 99.0, False),
        (SharingRules(), 1, 0.0, True),
        (SharingRules(count=3), 2, 99.0, False),
        (SharingRules(count=3), 3, 0.0, True),
        (SharingRules(count=1000, seconds=2.0), 1, 1.9, False),
        (SharingRules(count=1000, seconds=2.0), 1, 2.0, True),
        (SharingRules(count=1000, seconds=2.0), 0, 2.0, False),
    ],
)
def test_when_sharing_is_due(sharing: SharingRules, waiting: int, seconds: float, due: bool) -> None:
    assert sharing.is_due(waiting, seconds) is due


@pytest.mark.parametrize(("count", "seconds"), [(0, math.inf), (1, -1.0)])
def test_invalid_rules_are_refused(count: int, seconds: float) -> None:
    with pytest.raises(ValueError, match="facts cannot be shared"):
        SharingRules(count=count, seconds=seconds)
