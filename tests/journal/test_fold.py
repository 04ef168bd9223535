"""The fold: facts become the model; repetition changes nothing, divergence is counted, nonsense is damage."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.errors import DamagedJournal
from statecrawl.journal.facts import (
    BoundarySeen,
    CostMeasured,
    CrawlEnded,
    CrawlStarted,
    EquivalenceRevised,
    EventAdded,
    EventCrashed,
    EventHung,
    EventRefused,
    EventsDealt,
    ExternalTransition,
    Fact,
    MemberJoined,
    MemberLeft,
    StateFound,
    TransitionDiverged,
    TransitionExplored,
)
from statecrawl.journal.fold import FoldedCrawl, fold
from statecrawl.model.cost import Cost
from statecrawl.model.event import Event
from statecrawl.model.graph import MAX_DIVERGENCES

STATES = ("s0", "s1", "s2")
EVENTS = ("e0", ("e1", "x"), ("e2", "x"))
LATE = ("e3", ("e4", "x"), ("e5", "y"))
LOCALS = ("e0", "e1", "e2")
FOUND = [StateFound(state=state, events=EVENTS) for state in STATES]
STARTED = CrawlStarted(application="a", configuration={}, reset_cost=2.0)

states, local_ids = st.sampled_from(STATES), st.sampled_from(LOCALS)
pairs = {"state": states, "event": local_ids}
counts = st.none() | st.integers(0, 9)
later: st.SearchStrategy[Fact] = st.one_of(
    st.sampled_from(FOUND),
    st.builds(TransitionExplored, **pairs, target=states, fired=counts, resets=counts),
    st.builds(TransitionDiverged, **pairs, expected=states, landed=states, incident=st.integers(1, 4)),
    st.builds(EventRefused, **pairs, reason=st.sampled_from(["gone", "covered"])),
    st.builds(EventHung, **pairs, reason=st.just("slow")),
    st.builds(EventCrashed, **pairs, reason=st.just("down")),
    st.builds(
        CrawlStarted,
        application=st.just("a"),
        configuration=st.just({}),
        reset_cost=st.just(2.0),
        run=st.integers(1, 3),
    ),
    st.builds(
        CrawlEnded, reason=st.sampled_from(["complete", "limit"]), run=st.integers(1, 3), fired=counts, resets=counts
    ),
    st.builds(EventAdded, state=states, event=st.sampled_from((*EVENTS, *LATE))),
    st.builds(MemberJoined, member=st.sampled_from("mn"), epoch=st.integers(1, 6)),
    st.builds(MemberLeft, member=st.sampled_from("mn"), epoch=st.integers(1, 6)),
    st.builds(
        EventsDealt,
        state=states,
        first=st.just(0),
        shares=st.lists(st.tuples(st.sampled_from("mn"), st.just(1)), min_size=1, max_size=1).map(tuple),
    ),
    st.builds(ExternalTransition, state=states, target=states, incident=st.integers(1, 3)),
    st.builds(
        BoundarySeen,
        state=states,
        event=st.none() | local_ids,
        what=st.sampled_from(["scope", "window"]),
        url=st.sampled_from(["https://example.org/", "about:blank"]),
    ),
)
journals: st.SearchStrategy[list[Fact]] = st.lists(later, max_size=40).map(lambda facts: [*FOUND, *facts])


def known(crawl: FoldedCrawl) -> dict[str, Any]:
    """Return everything a crawl knows, except the number of facts."""
    graph = crawl.graph
    return {
        "facts": graph.facts(),
        "order": graph.ids,
        "links": graph.links.successors,
        "remaining": (graph.remaining, graph.unexplored, graph.explored),
        "divergences": graph.divergences,
        "failures": crawl.failures,
        "closed": crawl.closed,
        "external": crawl.external,
        "boundaries": crawl.boundaries,
        "rules": (crawl.revision, crawl.rules),
        "members": (crawl.epoch, crawl.members),
        "dealt": (crawl.dealt, [crawl.found_with(state) for state in range(len(graph))]),
        "reset cost": crawl.reset_cost,
        "runs": (crawl.started, crawl.ended),
        "cost": (crawl.fired, crawl.resets),
    }


def without(what: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in what.items() if name not in names}


def explored(state: str, event: str, target: str) -> TransitionExplored:
    return TransitionExplored(state=state, event=event, target=target)


@given(journals, st.data())
def test_saying_a_fact_again_changes_nothing(journal: list[Fact], data: st.DataObject) -> None:
    echoing = []
    for place, fact in enumerate(journal):
        echoing.append(fact)
        echoing += data.draw(st.lists(st.sampled_from(journal[: place + 1]), max_size=2))
    assert known(fold(echoing)) == known(fold(journal)) == known(fold(journal + journal))


@given(journals, st.data())
def test_a_crawl_can_be_resumed_at_any_position(journal: list[Fact], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(journal)))
    resumed = fold(journal[:cut]).extend(journal[cut:])
    assert known(resumed) == known(fold(journal))
    assert resumed.position == len(journal)


@given(journals)
def test_later_facts_never_take_back_what_was_found(journal: list[Fact]) -> None:
    crawl = FoldedCrawl()
    before: dict[str, dict[Event, str | None]] = {}
    for fact in journal:
        crawl.apply(fact)
        after = crawl.graph.facts()
        assert before.keys() <= after.keys()
        for state, targets in before.items():
            assert all(target in (None, after[state][event]) for event, target in targets.items())
        before = after


@given(journals)
def test_the_numbers_add_up(journal: list[Fact]) -> None:
    crawl = fold(journal)
    progress = crawl.progress()
    pending = {(state, position) for state in range(3) for position in crawl.graph.pending(state)}
    assert crawl.closed == pending & crawl.failures.keys()
    assert progress.complete == (pending == crawl.closed)
    assert progress.facts == len(journal)


def test_the_model_is_what_the_facts_say() -> None:
    crawl = fold([*FOUND, explored("s0", "e1", "s2"), explored("s2", "e0", "s0")])
    assert crawl.graph.facts()["s0"] == {Event.named("e0"): None, Event("e1", "x"): "s2", Event("e2", "x"): None}
    assert crawl.graph.facts()["s2"][Event.named("e0")] == "s0"
    assert crawl.graph.statistics().logical_events == 2


def test_another_target_is_a_divergence_counted_once() -> None:
    again = [explored("s0", "e0", "s2"), explored("s0", "e0", "s1"), explored("s0", "e0", "s2")]
    crawl = fold([*FOUND, explored("s0", "e0", "s1"), *again])
    assert crawl.graph.facts()["s0"][Event.named("e0")] == "s1"
    assert crawl.graph.divergences == {(0, 0): [2]}


def test_surprises_are_told_apart_by_their_incident() -> None:
    def surprise(incident: int) -> Fact:
        return TransitionDiverged(state="s0", event="e0", expected="s1", landed="s2", incident=incident)

    surprises = [surprise(incident) for incident in range(1, MAX_DIVERGENCES + 1)]
    base: list[Fact] = [*FOUND, explored("s0", "e0", "s1")]
    assert fold(base + surprises[:1] * 9).graph.travels(0, 0)
    assert not fold(base + surprises).graph.travels(0, 0)


@pytest.mark.parametrize("kind", [EventRefused, EventHung, EventCrashed])
def test_a_failed_event_is_closed_so_that_a_crawl_can_complete(
    kind: type[EventRefused] | type[EventHung] | type[EventCrashed],
) -> None:
    failed = kind(state="s", event="e", reason="why")
    crawl = fold([StateFound(state="s", events=("e",)), failed, kind(state="s", event="e", reason="other")])
    assert crawl.closed == {(0, 0)}
    assert crawl.failures == {(0, 0): [failed]}
    assert crawl.progress().complete
    assert crawl.progress().failures == 1
    assert crawl.graph.unexplored == 1


def test_what_was_explored_is_not_closed_whatever_came_first() -> None:
    failed = EventHung(state="s0", event="e0", reason="slow")
    orders: list[list[Fact]] = [[failed, explored("s0", "e0", "s1")], [explored("s0", "e0", "s1"), failed]]
    for facts in orders:
        crawl = fold([*FOUND, *facts])
        assert not crawl.closed
        assert crawl.failures == {(0, 0): [failed]}


def test_an_empty_journal_is_an_incomplete_crawl() -> None:
    progress = fold([]).progress()
    assert not progress.complete
    assert progress.ended is None
    assert progress.cost == Cost()


def test_cost_is_the_highest_told() -> None:
    facts = [
        TransitionExplored(state="s0", event="e0", target="s1", fired=7, resets=1),
        TransitionExplored(state="s0", event="e1", target="s1", fired=5, resets=2),
    ]
    assert fold([*FOUND, *facts]).progress().cost == Cost(7, 2)
    ended = CrawlEnded(reason="complete", fired=9, resets=4)  # what led to nothing new costs, too
    assert fold([*FOUND, *facts, ended]).progress().cost == Cost(9, 4)


def test_a_new_run_reopens_a_crawl_that_ended() -> None:
    again = CrawlStarted(application="a", configuration={"limit": 2}, reset_cost=2.0, run=2)
    facts: list[Fact] = [STARTED, CrawlEnded(reason="limit")]
    assert fold(facts).ended == "limit"
    assert fold([*facts, STARTED]).ended == "limit"
    crawl = fold([*facts, again, *facts])
    assert crawl.started == again
    assert crawl.ended is None
    assert crawl.extend([CrawlEnded(reason="complete", run=2)]).ended == "complete"


def test_late_facts_about_a_finished_state_are_understood() -> None:
    done: list[Fact] = [StateFound(state="s", events=("a", "b")), explored("s", "a", "s"), explored("s", "b", "s")]
    late = TransitionDiverged(state="s", event="b", expected="s", landed="s", incident=1)
    assert fold([*done, late, done[1]]).graph.divergences == {(0, 1): [0]}


def test_an_event_that_shows_itself_late_is_the_last_of_its_state_and_like_the_others() -> None:
    late: list[Fact] = [EventAdded(state="s0", event="e3"), EventAdded(state="s0", event=("e4", "x"))]
    crawl = fold([*FOUND, explored("s0", "e0", "s1"), *late, EventAdded(state="s0", event=("e3", "other"))])
    assert [crawl.graph.event(0, position).local for position in range(5)] == ["e0", "e1", "e2", "e3", "e4"]
    assert crawl.graph.remaining[0] == 4
    crawl.extend([explored("s0", "e3", "s2"), EventHung(state="s0", event="e4", reason="slow"), *late])
    assert crawl.graph.targets[0].tolist() == [1, -1, -1, 2, -1]
    assert crawl.closed == {(0, 4)}


def test_a_late_event_reopens_a_finished_state() -> None:
    crawl = fold([StateFound(state="s", events=("a",)), explored("s", "a", "s")])
    assert crawl.progress().complete
    crawl.apply(EventAdded(state="s", event="b"))
    assert not crawl.progress().complete
    assert crawl.extend([explored("s", "b", "s")]).progress().complete


def test_what_the_page_did_by_itself_is_counted_and_is_no_transition() -> None:
    def moved(target: str, incident: int) -> Fact:
        return ExternalTransition(state="s0", target=target, incident=incident)

    crawl = fold([*FOUND, moved("s1", 1), moved("s1", 2), moved("s1", 1), moved("s2", 1)])
    assert crawl.external == {(0, 1): 2, (0, 2): 1}
    assert crawl.graph.explored == 0
    assert crawl.graph.links.successors[0] == {}


def test_boundaries_are_kept_once_each_in_the_order_in_which_they_were_seen() -> None:
    window = BoundarySeen(state="s1", event="e1", what="window", url="https://example.org/")
    frame = BoundarySeen(state="s0", what="frame", url="https://example.org/")
    crawl = fold([*FOUND, window, frame, window, frame])
    assert list(crawl.boundaries.values()) == [window, frame]
    assert list(crawl.boundaries) == [
        (1, 1, "window", "https://example.org/"),
        (0, None, "frame", "https://example.org/"),
    ]


def test_what_a_reset_costs_is_what_was_measured_last() -> None:
    crawl = FoldedCrawl()
    assert crawl.reset_cost is None
    assert crawl.extend([STARTED]).reset_cost == 2.0
    assert crawl.extend([CostMeasured(reset_cost=3.5), CostMeasured(reset_cost=0.0)]).reset_cost == 0.0
    again = CrawlStarted(application="a", configuration={}, reset_cost=9.0, run=2)
    assert crawl.extend([again]).reset_cost == 0.0


@given(journals, journals, st.integers(1, 3))
@settings(deadline=None)
def test_a_revision_makes_void_what_was_found_and_keeps_what_was_spent(
    before: list[Fact], after: list[Fact], revision: int
) -> None:
    revised = EquivalenceRevised(revision=revision, rules=(("ignore", "#clock"),))
    crawl = fold([*before, CostMeasured(reset_cost=4.0), revised])
    found = ("facts", "order", "links", "remaining", "divergences", "failures", "closed", "external", "boundaries")
    empty, whole = known(FoldedCrawl()), known(fold(before))
    assert {name: known(crawl)[name] for name in found} == {name: empty[name] for name in found}
    assert (crawl.fired, crawl.resets) == whole["cost"]
    assert (crawl.started, crawl.ended) == whole["runs"]
    assert (crawl.epoch, crawl.members) == whole["members"]
    assert (crawl.revision, crawl.rules, crawl.reset_cost) == (revision, revised.rules, 4.0)
    crawl.extend([*after, revised, EquivalenceRevised(revision=revision - 1, rules=())])
    alone = known(fold([*after, CostMeasured(reset_cost=4.0)]))
    lasting = ("cost", "runs", "rules", "members")
    assert without(known(crawl), *lasting) == without(alone, *lasting)
    assert (crawl.revision, crawl.rules) == (revision, revised.rules)
    assert crawl.position == len(before) + len(after) + 4


def test_what_was_found_before_a_revision_is_not_there_after_it() -> None:
    revised = EquivalenceRevised(revision=1, rules=())
    crawl = fold([*FOUND, revised])
    with pytest.raises(DamagedJournal, match="fact 5 of the journal refers to state 's0', which was never found"):
        crawl.apply(explored("s0", "e0", "s1"))


def test_whoever_works_over_an_empty_graph_goes_on_with_it_after_a_revision() -> None:
    crawl = FoldedCrawl()
    graph = crawl.graph
    crawl.apply(EquivalenceRevised(revision=1, rules=()))
    assert crawl.graph is graph
    crawl.extend([*FOUND, EquivalenceRevised(revision=2, rules=())])
    assert crawl.graph is not graph
    assert len(graph) == len(FOUND)


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ([explored("s9", "e0", "s0")], "fact 4 of the journal refers to state 's9', which was never found"),
        ([explored("s0", "e0", "s9")], "fact 4 of the journal refers to state 's9', which was never found"),
        ([explored("s0", "e0", "s1"), explored("s0", "e9", "s0")], "fact 5 .* event 'e9', which state 's0' does not"),
        ([TransitionDiverged(state="s0", event="e0", expected="s9", landed="s0", incident=1)], "state 's9'"),
        ([TransitionDiverged(state="s0", event="e0", expected="s0", landed="s9", incident=1)], "state 's9'"),
        ([EventHung(state="s0", event="e9", reason="")], "event 'e9', which state 's0' does not have"),
        ([EventAdded(state="s9", event="e9")], "state 's9'"),
        ([EventAdded(state="s0", event="e9"), explored("s1", "e9", "s0")], "event 'e9', which state 's1' does not"),
        ([ExternalTransition(state="s9", target="s0", incident=1)], "state 's9'"),
        ([ExternalTransition(state="s0", target="s9", incident=1)], "state 's9'"),
        ([BoundarySeen(state="s9", what="scope", url="")], "state 's9'"),
        ([EventsDealt(state="s9", first=0, shares=(("a", 1),))], "state 's9'"),
        ([EventsDealt(state="s0", first=1, shares=(("a", 1),))], "assigns events of state 's0' and skips some"),
        ([EventsDealt(state="s0", first=0, shares=(("a", 2), ("b", 2)))], "more events than state 's0' has"),
        ([BoundarySeen(state="s0", event="e9", what="scope", url="")], "event 'e9', which state 's0' does not have"),
    ],
)
def test_nonsense_is_damage_and_leaves_no_trace(facts: Iterable[Fact], message: str) -> None:
    *sound, bad = facts
    crawl = fold([*FOUND, *sound])
    before = known(fold([*FOUND, *sound]))
    with pytest.raises(DamagedJournal, match=message):
        crawl.apply(bad)
    assert known(crawl) == before


def test_a_deal_counts_where_it_begins_where_the_one_before_ended() -> None:
    first, second = (EventsDealt(state="s0", first=at, shares=(("a", 1), ("", 1))) for at in (0, 2))
    late = EventAdded(state="s0", event="e9")
    crawl = fold([*FOUND, first, first, late, second, first, second])
    assert crawl.dealt == {0: [("a", 1), ("", 1), ("a", 1), ("", 1)]}
    assert [crawl.found_with(state) for state in range(2)] == [3, 3]


@pytest.mark.parametrize(
    ("facts", "epoch", "members"),
    [
        ([], 0, ()),
        ([MemberJoined(member="b", epoch=1), MemberJoined(member="a", epoch=2)], 2, ("b", "a")),
        ([MemberJoined(member="b", epoch=1), MemberJoined(member="a", epoch=1)], 1, ("b",)),
        ([MemberJoined(member="b", epoch=2), MemberLeft(member="b", epoch=1)], 2, ("b",)),
        ([MemberJoined(member="b", epoch=1), MemberLeft(member="b", epoch=3)], 3, ()),
        ([MemberLeft(member="b", epoch=1)], 1, ()),
        (
            [MemberJoined(member=name, epoch=epoch) for epoch, name in enumerate("abcb", 1)],
            4,
            ("a", "c", "b"),
        ),
    ],
)
def test_members_are_those_of_the_greatest_epoch_in_the_order_in_which_they_joined(
    facts: list[Fact], epoch: int, members: tuple[str, ...]
) -> None:
    crawl = fold([*facts, *facts])
    assert (crawl.epoch, crawl.members) == (epoch, members)


def test_a_revision_leaves_the_members() -> None:
    crawl = fold([MemberJoined(member="a", epoch=1), *FOUND, EquivalenceRevised(revision=1, rules=())])
    assert (crawl.members, crawl.epoch, len(crawl.graph)) == (("a",), 1, 0)
