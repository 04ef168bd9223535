"""A report is new, known, or a surprise."""

from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.errors import DamagedJournal
from statecrawl.journal.facts import (
    CostMeasured,
    EquivalenceRevised,
    EventHung,
    ExternalTransition,
    Fact,
    StateFound,
    TransitionDiverged,
    TransitionExplored,
)
from statecrawl.journal.fold import FoldedCrawl, fold
from statecrawl.journal.novelty import is_redundant, new_fact
from tests.journal.test_fold import FOUND, journals, known, later

A, B = StateFound(state="A", events=("a", "b")), StateFound(state="B", events=("c",))
LED = TransitionExplored(state="A", event="a", target="B")


def crawl(*facts: Fact) -> FoldedCrawl:
    return fold([A, B, *facts])


@pytest.mark.parametrize("fact", [StateFound(state="C", events=()), LED, EventHung(state="A", event="a", reason="x")])
def test_what_nobody_knew_is_a_fact_as_it_is(fact: Fact) -> None:
    assert new_fact(crawl(), fact) is fact


def test_what_is_known_is_none() -> None:
    assert new_fact(crawl(), A) is None
    assert new_fact(crawl(LED), TransitionExplored(state="A", event="a", target="B", fired=9)) is None


def test_an_event_that_led_elsewhere_before_is_a_surprise_each_time() -> None:
    knows = crawl(LED)
    for incident in (1, 2, 3):
        fact = new_fact(knows, TransitionExplored(state="A", event="a", target="A"))
        assert fact == TransitionDiverged(state="A", event="a", expected="B", landed="A", incident=incident)
        knows.apply(fact)


def test_whoever_reports_does_not_know_how_often_it_happened() -> None:
    knows = crawl(LED)
    diverged = TransitionDiverged(state="A", event="a", expected="?", landed="A", incident=1)
    moved = ExternalTransition(state="A", target="B", incident=1)
    for incident in (1, 2):
        for report in (diverged, moved):
            fact = new_fact(knows, report)
            assert isinstance(fact, TransitionDiverged | ExternalTransition)
            assert fact.incident == incident
            knows.apply(fact)
    assert knows.external == {(0, 1): 2}


@pytest.mark.parametrize(
    "report",
    [
        TransitionExplored(state="A", event="nothing", target="B"),
        TransitionExplored(state="A", event="a", target="nowhere"),
        TransitionDiverged(state="A", event="a", expected="B", landed="nowhere", incident=1),
        ExternalTransition(state="A", target="nowhere", incident=1),
        ExternalTransition(state="nowhere", target="A", incident=1),
    ],
)
def test_what_is_not_there_is_not_believed(report: Fact) -> None:
    with pytest.raises(DamagedJournal):
        new_fact(crawl(), report)


@given(journals, later)
def test_a_fact_is_told_already_when_it_changes_nothing(journal: list[Fact], fact: Fact) -> None:
    """Except for the cost, which every transition updates."""
    before, after = fold(journal), fold([*journal, fact])
    content = [{name: value for name, value in known(crawl).items() if name != "cost"} for crawl in (before, after)]
    if is_redundant(before, fact):
        assert content[0] == content[1]
    assert is_redundant(after, fact)


@given(st.lists(later, max_size=20))
def test_what_was_never_said_is_not_known(facts: list[Fact]) -> None:
    crawl = fold(FOUND)
    for fact in facts:
        if not is_redundant(crawl, fact):
            before = deepcopy(known(crawl))
            crawl.apply(fact)
            assert known(crawl) != before


@pytest.mark.parametrize("fact", [CostMeasured(reset_cost=3.0), EquivalenceRevised(revision=2, rules=(("a", "b"),))])
def test_of_the_crawl_as_a_whole_the_same_is_told(fact: Fact) -> None:
    assert not is_redundant(crawl(CostMeasured(reset_cost=2.0), EquivalenceRevised(revision=1, rules=())), fact)
    assert is_redundant(crawl(fact), fact)


@pytest.mark.parametrize(
    "fact",
    [
        TransitionExplored(state="u", event="x", target="A"),
        TransitionExplored(state="A", event="a", target="u"),
        TransitionDiverged(state="A", event="a", expected="u", landed="B", incident=1),
        ExternalTransition(state="A", target="u", incident=1),
    ],
)
def test_what_can_not_be_is_neither_known_nor_new(fact: Fact) -> None:
    with pytest.raises(DamagedJournal):
        is_redundant(crawl(), fact)
