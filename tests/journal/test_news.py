"""What somebody reports is new, known, or a surprise."""

import pytest

from statecrawl.errors import DamagedJournal
from statecrawl.journal.facts import (
    EventHung,
    ExternalTransition,
    Fact,
    StateFound,
    TransitionDiverged,
    TransitionExplored,
)
from statecrawl.journal.fold import Crawl, fold
from statecrawl.journal.news import news

A, B = StateFound(state="A", events=("a", "b")), StateFound(state="B", events=("c",))
LED = TransitionExplored(state="A", event="a", target="B")


def crawl(*facts: Fact) -> Crawl:
    return fold([A, B, *facts])


@pytest.mark.parametrize("fact", [StateFound(state="C", events=()), LED, EventHung(state="A", event="a", reason="x")])
def test_what_nobody_knew_is_a_fact_as_it_is(fact: Fact) -> None:
    assert news(crawl(), fact) is fact


def test_what_is_known_is_none() -> None:
    assert news(crawl(), A) is None
    assert news(crawl(LED), TransitionExplored(state="A", event="a", target="B", fired=9)) is None


def test_an_event_that_led_elsewhere_before_is_a_surprise_each_time() -> None:
    knows = crawl(LED)
    for incident in (1, 2, 3):
        fact = news(knows, TransitionExplored(state="A", event="a", target="A"))
        assert fact == TransitionDiverged(state="A", event="a", expected="B", landed="A", incident=incident)
        knows.apply(fact)


def test_whoever_reports_does_not_know_how_often_it_happened() -> None:
    knows = crawl(LED)
    told = TransitionDiverged(state="A", event="a", expected="?", landed="A", incident=1)
    moved = ExternalTransition(state="A", target="B", incident=1)
    for incident in (1, 2):
        for report in (told, moved):
            fact = news(knows, report)
            assert isinstance(fact, TransitionDiverged | ExternalTransition)
            assert fact.incident == incident
            knows.apply(fact)
    assert knows.external == {(0, 1): 2}


def test_what_is_not_there_is_not_believed() -> None:
    with pytest.raises(DamagedJournal):
        news(crawl(), TransitionExplored(state="A", event="nothing", target="B"))
