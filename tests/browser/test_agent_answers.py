"""Answers of the agent are accepted only in the expected shape, and are typed."""

import json
from typing import Any

import pytest

from statecrawl.browser.agent_answers import (
    ARRIVE,
    DESCRIBE,
    HOW_FAR,
    IS_LOST,
    PLACE,
    WALK,
    AgentLocation,
    InputPlace,
    Question,
    StateAnswer,
    WalkAnswer,
    checked,
)
from statecrawl.errors import CallRefused
from statecrawl.ports.page import Note

STATE = "0123456789abcdef01234567"
WHERE = {
    "state": STATE,
    "url": "http://localhost/",
    "quiet": True,
    "notes": [["error", "oh"], "no note", ["too", "long", 1]],
    "scripts": "0" * 24,
    "dialogs": 0,
    "back": False,
    "lost": False,
    "status": 200,
    "draws": False,
    "leaving": False,
    "born": 1.5,
    "before": None,
}
WAY = {**WHERE, "done": 1, "states": [STATE], "fired": [], "why": "end"}
LOOKS: dict[str, Any] = {
    "state": STATE,
    "events": ["click button"],
    "labels": [""],
    "selectors": ["#go"],
    "given": [[["#name", "Ann"], ["#password", None]]],
    "url": "",
    "title": "",
    "links": [],
    "addresses": [["http://host/about", "About"]],
    "linked": [0],
    "submits": [],
    "strings": ["/about"],
    "controls": [{"kind": "click", "tag": "button", "words": ["Go"], "is_plain": False}],
    "denied": [],
    "forms": [{}],
    "cut": False,
    "hidden": [],
    "containers": [],
    "regions": [["#menu", "shape", "look", "content", [0]]],
}
TEXTS = {"html": "<p>", "lines": "/html\x1f<\x1fhtml\x1e/html/body\x1f<\x1fbody\x1f1\x1e"}


def packed(texts: dict[str, Any] | None = None, **others: Any) -> dict[str, Any]:
    return {**TEXTS, **(texts or {}), "details": json.dumps({**LOOKS, **others})}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (ARRIVE, AgentLocation),
        (WALK, WalkAnswer),
    ],
)
def test_answers_are_typed(question: Question[Any], answer: type[AgentLocation]) -> None:
    typed = checked(question, WAY)
    assert type(typed) is answer
    assert (typed.state, typed.url, typed.status, typed.born) == (STATE, "http://localhost/", 200, 1.5)
    assert typed.notes == [Note("error", "oh")]


def test_a_place_is_typed() -> None:
    assert checked(PLACE, {"kind": "click", "x": 1, "y": 2.5, "extra": None}) == InputPlace(1, 2.5, "click", None)


@pytest.mark.parametrize(("question", "answer"), [(ARRIVE, None), (PLACE, None), (IS_LOST, True), (HOW_FAR, 3)])
def test_plain_answers_stay_as_they_are(question: Question[Any], answer: Any) -> None:
    assert checked(question, answer) is answer


def test_a_walk_continues_elsewhere() -> None:
    walk = checked(WALK, WAY)
    place = checked(ARRIVE, {**WHERE, "url": "http://localhost/next"})
    assert place is not None
    moved = walk.at(place, done=0)
    assert (moved.url, moved.why, moved.done, moved.states) == ("http://localhost/next", "end", 0, [STATE])


@pytest.mark.parametrize(
    ("before", "states"),
    [
        (None, None),
        ({"states": [STATE], "notes": [], "dialogs": 0}, [STATE]),
        ({"states": [STATE], "dialogs": 0}, None),
        ({"states": 1, "notes": [], "dialogs": 0}, None),
        ({"states": [], "notes": [], "dialogs": "many"}, None),
    ],
)
def test_the_report_of_the_document_before_is_taken_in_the_right_shape_only(before: Any, states: Any) -> None:
    location = checked(ARRIVE, {**WHERE, "before": before})
    assert location is not None
    departure = location.departure
    assert (None if departure is None else departure.states) == states


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (ARRIVE, "lies"),
        (ARRIVE, {**WHERE, "state": "../../etc/passwd"}),
        (ARRIVE, {**WHERE, "state": STATE + "\n"}),
        (ARRIVE, {**WHERE, "dialogs": "many"}),
        (ARRIVE, {**WHERE, "dialogs": -1}),
        (ARRIVE, {**WHERE, "notes": {"lies": True}}),
        (ARRIVE, {"state": STATE}),
        (WALK, None),
        (WALK, WHERE),
        (WALK, {**WAY, "states": STATE}),
        (WALK, {**WAY, "why": "because"}),
        (DESCRIBE, None),
        (DESCRIBE, LOOKS),
        (DESCRIBE, {**TEXTS, "details": LOOKS}),
        (DESCRIBE, {**TEXTS, "details": "lies"}),
        (DESCRIBE, packed({"html": None})),
        (DESCRIBE, packed(events=[1])),
        (DESCRIBE, packed(selectors=[None])),
        (DESCRIBE, packed(controls=[])),
        (DESCRIBE, packed(controls=[{"words": "Go"}])),
        (DESCRIBE, packed(events=["click a", "click b"])),
        (PLACE, {"kind": "click"}),
    ],
)
def test_anything_else_is_refused(question: Question[Any], answer: Any) -> None:
    with pytest.raises(CallRefused, match="makes no sense"):
        checked(question, answer)


@pytest.mark.parametrize("lines", [TEXTS["lines"], None])
def test_a_state_in_full_is_unpacked(lines: str | None) -> None:
    looks = checked(DESCRIBE, packed({"lines": lines}, title="half \ud800 of a pair"))
    assert isinstance(looks, StateAnswer)
    assert (looks.html, looks.lines, looks.title) == ("<p>", lines, "half \ufffd of a pair")
    assert looks.given == ((("#name", "Ann"), ("#password", None)),)
    assert looks.controls[0].words == ("Go",)


def test_a_page_cannot_report_that_it_was_held_when_it_has_left() -> None:
    """Every walk that it ends would be repeated."""
    before = {"states": [], "dialogs": 0, "notes": [["held", "/next"], ["error", "oh"]]}
    location = checked(ARRIVE, {**WHERE, "before": before})
    assert location is not None
    assert location.departure is not None
    assert location.departure.notes == [Note("error", "oh")]
    assert location.departure.fits([("click a", None)])
