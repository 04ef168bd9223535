"""Facts about states are repeated under new ids: what remains valid is kept, the rest is left open."""

from statecrawl.journal.facts import (
    BoundarySeen,
    CrawlStarted,
    EventAdded,
    EventCrashed,
    EventHung,
    EventRefused,
    ExternalTransition,
    Fact,
    StateFound,
    TransitionDiverged,
    TransitionExplored,
)
from statecrawl.journal.fold import fold
from statecrawl.journal.renamed_states import NOT_THERE, renamed_facts

HOUSE: list[Fact] = [
    CrawlStarted(application="house", configuration={}, reset_cost=2.0),
    StateFound(state="a1", events=("go", "stay")),
    StateFound(state="b1", events=("go",)),
    StateFound(state="a2", events=("go", "stay")),
]


def test_states_that_became_one_keep_what_both_are_known_for() -> None:
    facts = [
        *HOUSE,
        EventAdded(state="a2", event="open http://x/"),
        TransitionExplored(state="a1", event="go", target="b1", fired=1),
        TransitionExplored(state="b1", event="go", target="a2", fired=2),
        TransitionExplored(state="a2", event="go", target="b1", fired=3),
        TransitionExplored(state="a2", event="stay", target="a1", fired=4),
        EventRefused(state="a2", event="open http://x/", reason="denied"),
        BoundarySeen(state="b1", event="go", what="scope", url="http://y/"),
        EventHung(state="b1", event="go", reason="slow"),
        EventCrashed(state="b1", event="go", reason="gone"),
        EventRefused(state="b1", event="go", reason=NOT_THERE),
    ]
    known = renamed_facts(facts, {"a1": "A", "a2": "A", "b1": "b1"})
    assert known == [
        StateFound(state="A", events=("go", "stay")),
        StateFound(state="b1", events=("go",)),
        EventAdded(state="A", event="open http://x/"),
        TransitionExplored(state="A", event="go", target="b1", fired=1),
        TransitionExplored(state="b1", event="go", target="A", fired=2),
        TransitionExplored(state="A", event="stay", target="A", fired=4),
        EventRefused(state="A", event="open http://x/", reason="denied"),
        BoundarySeen(state="b1", event="go", what="scope", url="http://y/"),
    ]
    assert fold(known).progress().complete


def test_a_state_without_a_new_id_is_left_out_with_all_that_leads_there() -> None:
    facts = [
        *HOUSE,
        TransitionExplored(state="a1", event="go", target="b1"),
        TransitionExplored(state="a1", event="stay", target="a2"),
        TransitionExplored(state="b1", event="go", target="a1"),
    ]
    assert renamed_facts(facts, {"a1": "A", "a2": "A"}) == [
        StateFound(state="A", events=("go", "stay")),
        TransitionExplored(state="A", event="stay", target="A"),
    ]


def test_an_event_that_led_to_two_states_is_left_open() -> None:
    facts = [
        *HOUSE,
        TransitionExplored(state="a1", event="go", target="b1"),
        TransitionExplored(state="a2", event="go", target="a2"),
    ]
    known = fold(renamed_facts(facts, {"a1": "A", "a2": "A", "b1": "B"}))
    assert (known.graph.explored, len(known.graph)) == (0, 2)


def test_going_back_may_lead_anywhere() -> None:
    facts = [
        *HOUSE,
        *(EventAdded(state=state, event="back") for state in ("a1", "a2")),
        TransitionExplored(state="a1", event="back", target="b1"),
        TransitionExplored(state="a2", event="back", target="a2"),
    ]
    known = fold(renamed_facts(facts, {"a1": "A", "a2": "A", "b1": "B"}))
    assert (known.graph.explored, known.graph.divergences) == (1, {})


def test_what_must_not_be_fired_in_one_of_the_states_is_fired_in_none() -> None:
    facts = [
        *HOUSE,
        TransitionExplored(state="a1", event="go", target="b1"),
        TransitionDiverged(state="a1", event="go", expected="b1", landed="a2", incident=1),
        EventRefused(state="a2", event="go", reason="dangerous: it deletes: it says 'delete'"),
    ]
    known = fold(renamed_facts(facts, {"a1": "A", "a2": "A", "b1": "B"}))
    assert known.closed == {(0, 0)}
    assert not known.graph.travels(0, 0)


def test_surprises_between_states_that_became_one_are_none() -> None:
    diverged = TransitionDiverged(state="a1", event="go", expected="a1", landed="a2", incident=1)
    facts = [
        *HOUSE,
        TransitionExplored(state="a1", event="go", target="a1"),
        diverged,
        ExternalTransition(state="a1", target="a2", incident=1),
        ExternalTransition(state="a1", target="b1", incident=1),
    ]
    known = renamed_facts(facts, {"a1": "A", "a2": "A", "b1": "B"})
    assert not any(isinstance(fact, TransitionDiverged) for fact in known)
    assert [fact for fact in known if isinstance(fact, ExternalTransition)] == [
        ExternalTransition(state="A", target="B", incident=1)
    ]


def test_how_a_state_was_reached_is_kept_if_the_state_before_it_is() -> None:
    facts = [
        StateFound(state="a", events=(), walk="w"),
        StateFound(state="b", events=(), walk="w", after="a", steps=("go",)),
        StateFound(state="c", events=(), walk="w", after="x", steps=("go",)),
    ]
    assert renamed_facts(facts, {"a": "A", "b": "B", "c": "C"}) == [
        StateFound(state="A", events=(), walk="w"),
        StateFound(state="B", events=(), walk="w", after="A", steps=("go",)),
        StateFound(state="C", events=()),
    ]
