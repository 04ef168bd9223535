"""Inspection: a node fires no new event in a state that it has not inspected."""

from statecrawl.coordination.inspection import Inspection
from statecrawl.journal.facts import EventRefused
from statecrawl.strategies.orders import Order

# From s0 over s1 to s2, where `c` is new; then `d` if that leads to s3, and `e` if that leads to s4.
ORDER = Order(True, "s0", (("a", "s1"), ("b", "s2"), ("c", "s3"), ("d", "s4"), ("e", None)), 2)


def refused(state: str, event: str) -> EventRefused:
    return EventRefused(state=state, event=event, reason="denied: it says 'delete'")


def judged(*states: str) -> Inspection:
    judgement = Inspection()
    for state in states:
        judgement.judge(state, [])
    return judgement


def test_a_state_is_known_once_this_node_has_inspected_it() -> None:
    judgement = judged("s2")
    assert (judgement.knows("s2"), judgement.knows("s3")) == (True, False)


def test_predicted_steps_end_before_the_first_uninspected_state() -> None:
    assert judged("s2").permitted(ORDER).steps == ORDER.steps[:3]
    assert judged("s2", "s3").permitted(ORDER).steps == ORDER.steps[:4]
    assert judged("s2", "s3", "s4").permitted(ORDER) == ORDER


def test_predicted_steps_end_before_a_refused_event() -> None:
    judgement = judged("s2", "s3", "s4")
    judgement.refuse([refused("s4", "e")])
    assert judgement.permitted(ORDER).steps == ORDER.steps[:4]
    assert judgement.permitted(ORDER).goal == ORDER.goal


def test_a_refusal_holds_in_its_state_only() -> None:
    judgement = judged("s2", "s3")
    judgement.judge("s1", [refused("s1", "c")])
    assert judgement.refusal(("s1", "c")) == refused("s1", "c")
    assert judgement.refusal(("s2", "c")) is None


def test_a_dialog_that_would_be_dismissed_does_not_make_an_event_harmless() -> None:
    judgement = Inspection()
    judgement.judge("s1", [refused("s1", "c")])
    assert judgement.refusal(("s1", "c (dismissed)")) == refused("s1", "c (dismissed)")


def test_a_known_path_with_a_refused_event_is_blocked() -> None:
    judgement = judged("s2")
    assert judgement.blocked(ORDER) is None
    judgement.judge("s1", [refused("s1", "b")])
    assert judgement.blocked(ORDER) == refused("s1", "b")
    assert judgement.blocked(Order(False, "s2", ORDER.steps[2:], 0)) is None
