"""Answers of the agent are believed only in the shape that an agent gives them."""

import json
from typing import Any

import pytest

from statecrawl.browser.agent_answers import StateAnswer, checked
from statecrawl.errors import CallRefused

STATE = "0123456789abcdef01234567"
WHERE = {
    "state": STATE,
    "url": "http://localhost/",
    "quiet": True,
    "notes": [],
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
}
TEXTS = {"html": "<p>", "lines": "/html\x1f<\x1fhtml\x1e/html/body\x1f<\x1fbody\x1f1\x1e"}


def packed(texts: dict[str, Any] | None = None, **others: Any) -> dict[str, Any]:
    return {**TEXTS, **(texts or {}), "told": json.dumps({**LOOKS, **others})}


@pytest.mark.parametrize(
    ("verb", "answer"),
    [
        ("arrive", WHERE),
        ("arrive", None),
        ("walk", WAY),
        ("place", {"kind": "click", "x": 1, "y": 2.5, "extra": None}),
        ("place", None),
        ("isLost", True),
        ("howFar", 3),
    ],
)
def test_what_an_agent_says_is_taken_as_it_is(verb: str, answer: Any) -> None:
    assert checked(verb, answer) is answer


@pytest.mark.parametrize(
    ("verb", "answer"),
    [
        ("arrive", "lies"),
        ("arrive", {**WHERE, "state": "../../etc/passwd"}),
        ("arrive", {**WHERE, "state": STATE + "\n"}),
        ("arrive", {**WHERE, "dialogs": "many"}),
        ("arrive", {**WHERE, "dialogs": -1}),
        ("arrive", {**WHERE, "notes": {"lies": True}}),
        ("arrive", {"state": STATE}),
        ("walk", None),
        ("walk", WHERE),
        ("walk", {**WAY, "states": STATE}),
        ("walk", {**WAY, "why": "because"}),
        ("describe", None),
        ("describe", LOOKS),
        ("describe", {**TEXTS, "told": LOOKS}),
        ("describe", {**TEXTS, "told": "lies"}),
        ("describe", packed({"html": None})),
        ("describe", packed(events=[1])),
        ("describe", packed(selectors=[None])),
        ("describe", packed(controls=[])),
        ("describe", packed(controls=[{"words": "Go"}])),
        ("describe", packed(events=["click a", "click b"])),
        ("place", {"kind": "click"}),
    ],
)
def test_anything_else_is_refused(verb: str, answer: Any) -> None:
    with pytest.raises(CallRefused, match="makes no sense"):
        checked(verb, answer)


@pytest.mark.parametrize("lines", [TEXTS["lines"], None])
def test_a_state_in_full_is_unpacked(lines: str | None) -> None:
    looks = checked("describe", packed({"lines": lines}, title="half \ud800 of a pair"))
    assert isinstance(looks, StateAnswer)
    assert (looks.html, looks.lines, looks.title) == ("<p>", lines, "half \ufffd of a pair")
    assert looks.given == ((("#name", "Ann"), ("#password", None)),)
    assert looks.controls[0].words == ("Go",)
