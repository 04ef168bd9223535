"""Redaction of facts: texts for people are redacted, ids are not."""

from statecrawl.journal.fact_redaction import redacted
from statecrawl.journal.facts import BoundarySeen, EventRefused, Fact, StateFound, TransitionExplored
from statecrawl.privacy.redaction import Redactor

REDACTOR = Redactor(literals=["hunter2"])


def test_addresses_titles_and_reasons() -> None:
    cases: list[tuple[Fact, Fact]] = [
        (
            StateFound(state="a", events=("token=x",), url="http://h/?sid=1x", title="hi hunter2"),
            StateFound(state="a", events=("token=x",), url="http://h/?sid=REDACTED", title="hi REDACTED"),
        ),
        (
            BoundarySeen(state="a", event=None, what="scope", url="http://u:p@h/"),
            BoundarySeen(state="a", event=None, what="scope", url="http://u:REDACTED@h/"),
        ),
        (
            EventRefused(state="a", event="e", reason="it led to http://h/?token=x"),
            EventRefused(state="a", event="e", reason="it led to http://h/?token=REDACTED"),
        ),
    ]
    for before, after in cases:
        assert redacted(before, REDACTOR) == after
        assert redacted(after, REDACTOR) is after


def test_where_there_is_nothing_to_hide_it_is_the_same_fact() -> None:
    facts: list[Fact] = [
        StateFound(state="a", events=("e",)),
        TransitionExplored(state="a", event="password=x", target="b"),
    ]
    assert all(redacted(fact, REDACTOR) is fact for fact in facts)
