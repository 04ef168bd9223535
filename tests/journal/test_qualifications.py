"""Why a crawl is not complete: every kind of qualification, from facts and notes."""

from typing import Any

import pytest

from statecrawl.journal.facts import (
    BoundarySeen,
    CrawlEnded,
    EventCrashed,
    EventHung,
    EventRefused,
    Fact,
    StateFound,
    TransitionDiverged,
    TransitionExplored,
)
from statecrawl.journal.fold import fold
from statecrawl.journal.idle_containers import IDLE
from statecrawl.journal.qualifications import (
    MOST_EXAMPLES,
    MOST_REASONS,
    PlainNote,
    Qualification,
    completeness_of,
    is_complete,
    qualifications_of,
)
from statecrawl.journal.refusal_reasons import OUT_OF_SCOPE

HOME, AWAY = "aa", "bb"
FOUND: list[Fact] = [
    StateFound(state=HOME, events=("go", "stay"), url="http://host/"),
    StateFound(state=AWAY, events=(), url="http://host/away"),
    TransitionExplored(state=HOME, event="go", target=AWAY),
]
WELL: list[Fact] = [*FOUND, TransitionExplored(state=HOME, event="stay", target=HOME)]


def qualified(facts: list[Fact], *notes: PlainNote, ended: str | None = "complete") -> tuple[Qualification, ...]:
    return qualifications_of(fold(facts), ended=ended, in_scope=lambda url: url.startswith("http://host/"), notes=notes)


def kinds(facts: list[Fact], *notes: PlainNote, ended: str | None = "complete") -> list[tuple[str, int]]:
    return [(each.kind, each.count) for each in qualified(facts, *notes, ended=ended)]


def test_a_crawl_without_any_is_complete() -> None:
    assert qualified(WELL) == ()
    assert is_complete("complete", ())


@pytest.mark.parametrize("ended", ["max-time", None, "complete"])
def test_a_crawl_that_did_not_get_to_the_end_is_not(ended: str | None) -> None:
    assert kinds(FOUND, ended=ended) == [("unfinished", 1)]
    assert not is_complete(ended, qualified(FOUND, ended=ended))
    assert "1 event left" in qualified(FOUND, ended=ended)[0].text


def test_events_that_were_left_out_are_not_left() -> None:
    (found,) = qualifications_of(fold(FOUND), ended="max-time", in_scope=bool, spare=1)
    assert found.text == "--max-time stopped the crawl; 1 was fired in another context already"


def test_events_that_were_not_fired_are_told_by_reason() -> None:
    facts = [*FOUND, EventRefused(state=HOME, event="stay", reason="denied: it says 'Delete'")]
    (found,) = qualified(facts)
    assert (found.kind, found.text) == ("refused", "1 event was not fired: denied: it says 'Delete'")
    assert not is_complete("complete", (found,))


def test_a_reason_is_told_once_however_often_an_event_was_tried() -> None:
    facts: list[Fact] = [StateFound(state=HOME, events=("a", "b"))]
    facts += [EventRefused(state=HOME, event="a", reason=f"{IDLE} in 3 states")]
    facts += [EventRefused(state=HOME, event="b", reason=f"{IDLE} in 1 state")]
    (found,) = qualified(facts)
    assert found.text == f"2 events were not fired: {IDLE}"


def test_many_reasons_are_added_up() -> None:
    names = tuple(f"e{number}" for number in range(MOST_REASONS + 5))
    facts: list[Fact] = [StateFound(state=HOME, events=names)]
    facts += [EventRefused(state=HOME, event=name, reason=f"reason {name}") for name in names]
    found = qualified(facts)
    assert sum(each.count for each in found) == len(names)
    assert found[-1].text == "5 events were not fired, for other reasons"


def test_an_event_that_was_fired_and_left_the_scope_does_not_qualify() -> None:
    refused = EventRefused(state=HOME, event="stay", reason="it led to http://other/")
    left = BoundarySeen(state=HOME, event="stay", what="scope", url="http://other/")
    assert qualified([*FOUND, refused, left]) == ()
    assert qualified([*FOUND, EventRefused(state=HOME, event="stay", reason=OUT_OF_SCOPE)]) == ()


@pytest.mark.parametrize(
    ("fact", "kind"),
    [
        (EventHung(state=HOME, event="stay", reason="no answer"), "hung"),
        (EventCrashed(state=HOME, event="stay", reason="the page crashed"), "crashed"),
    ],
)
def test_lost_pages(fact: Fact, kind: str) -> None:
    assert kinds([*FOUND, fact]) == [(kind, 1)]
    assert kinds([*WELL, fact]) == [(kind, 1)], "also where the event got through another time"
    assert qualified([*FOUND, fact])[0].examples == ("stay",)


def test_events_that_led_here_and_there() -> None:
    surprise = TransitionDiverged(state=HOME, event="stay", expected=HOME, landed=AWAY, incident=1)
    assert kinds([*WELL, surprise]) == [("diverged", 1)]


def test_windows_that_nobody_opened() -> None:
    def window(url: str) -> Fact:
        return BoundarySeen(state=HOME, event="go", what="window", url=url)

    assert kinds([*WELL, window("http://host/help")]) == [("window", 1)]
    assert qualified([*WELL, window("")])[0].examples == ("about:blank",)
    assert qualified([*WELL, window("http://host/away")]) == (), "it is known as a state"
    assert qualified([*WELL, window("HTTP://host:80/./away#top")]) == (), "it is the same page"
    assert qualified([*WELL, window("http://other/")]) == (), "it is out of scope"
    assert qualified([*WELL, window("mailto:a@b")]) == (), "it is no window"


def test_a_page_without_events() -> None:
    assert kinds([StateFound(state=HOME, events=())]) == [("no-events", 1)]
    assert qualified([], ended="complete") == (), "nothing was seen, so there is nothing to say"


@pytest.mark.parametrize(
    ("note", "kind"),
    [
        (("start", "the start page is empty"), "start"),
        (("script", "http://host/app.js (404)"), "script"),
        (("error", "Uncaught SyntaxError: Unexpected token (http://host/app.js:1)"), "script"),
        (("error", "Uncaught TypeError: x is not a function"), "error"),
        (("read-only", ["POST", "http://host/save"]), "read-only"),
        (("unrevealed", "click button 'Archive'"), "unrevealed"),
        (("cut", "http://host/ (state aa)"), "cut"),
    ],
)
def test_notes(note: tuple[str, Any], kind: str) -> None:
    assert kinds(WELL, note) == [(kind, 1)]
    assert kinds(WELL, note, note) == [(kind, 1)], "the same thing counts once"


@pytest.mark.parametrize(
    "note",
    [
        ("console", "an error that the application only wrote down"),
        ("dialog", ["alert", "hello", True]),
        ("error", "ResizeObserver loop completed with undelivered notifications."),
    ],
)
def test_notes_that_qualify_nothing(note: tuple[str, Any]) -> None:
    assert qualified(WELL, note) == ()


def test_a_control_that_some_state_shows_is_revealed() -> None:
    assert qualified(WELL, ("unrevealed", "go")) == ()


def test_a_crawl_that_was_ended_early_does_not_know_what_cannot_be_revealed() -> None:
    assert kinds(FOUND, ("unrevealed", "click button 'Archive'"), ended="max-time") == [("unfinished", 1)]


def test_only_a_few_examples_are_told() -> None:
    (found,) = qualified(WELL, *(("error", f"error {number}") for number in range(9)))
    assert (found.count, len(found.examples)) == (9, MOST_EXAMPLES)
    assert found.text == "the application threw 9 uncaught errors"


def test_the_end_of_a_run_is_what_counts() -> None:
    facts = [*WELL, CrawlEnded(reason="complete")]
    crawl = fold(facts)
    assert is_complete(crawl.ended, qualified(facts, ended=crawl.ended))


def test_an_interrupted_crawl_is_not_ended_by_anything() -> None:
    assert [each.text for each in qualified(FOUND, ended="interrupted")] == [
        "the crawl was interrupted with 1 event left"
    ]


@pytest.mark.parametrize(
    ("ended", "text"),
    [
        ("complete", "the crawl ended with 1 event left"),
        ("unreachable", "no reliable path reaches 1 event any more"),
        ("max-events", "--max-events stopped the crawl with 1 event left"),
    ],
)
def test_what_is_left_is_told_as_it_is(ended: str, text: str) -> None:
    assert [each.text for each in qualified(FOUND, ended=ended)] == [text]


@pytest.mark.parametrize(
    ("ended", "kinds", "grade"),
    [
        ("complete", [], "exact"),
        ("complete", ["diverged", "error"], "exact"),
        ("complete", ["idle"], "partial"),
        ("components", ["components", "diverged", "idle"], "components"),
        ("bounded", ["bounded", "error"], "bounded"),
        ("bounded", ["bounded", "refused"], "partial"),
        ("bounded", ["bounded", "unrevealed"], "partial"),
        ("bounded", ["bounded", "start"], "partial"),
        ("max-time", ["unfinished"], "partial"),
        ("max-time", [], "partial"),
    ],
)
def test_the_grade_says_what_was_fired(ended: str, kinds: list[str], grade: str) -> None:
    found = tuple(Qualification(kind=kind, count=1, text="") for kind in kinds)
    assert completeness_of(ended, found) == grade
