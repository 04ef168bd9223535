"""Answers of the agent are believed only in the shape that an agent gives them."""

from typing import Any

import pytest

from statecrawl.browser.answers import checked
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
LOOKS = {
    "state": STATE,
    "events": ["click button"],
    "labels": [""],
    "selectors": ["#go"],
    "given": [[["#name", "Ann"], ["#password", None]]],
    "url": "",
    "title": "",
    "html": "",
    "lines": "/html\x1f<\x1fhtml\x1e/html/body\x1f<\x1fbody\x1f1\x1e",
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


@pytest.mark.parametrize(
    ("verb", "answer"),
    [
        ("arrive", WHERE),
        ("arrive", None),
        ("walk", WAY),
        ("describe", LOOKS),
        ("describe", {**LOOKS, "lines": None}),
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
        ("describe", {**LOOKS, "events": [1]}),
        ("describe", {**LOOKS, "html": None}),
        ("describe", {**LOOKS, "selectors": [None]}),
        ("describe", {**LOOKS, "controls": []}),
        ("describe", {**LOOKS, "controls": [{"words": "Go"}]}),
        ("describe", {**LOOKS, "events": ["click a", "click b"]}),
        ("place", {"kind": "click"}),
    ],
)
def test_anything_else_is_refused(verb: str, answer: Any) -> None:
    with pytest.raises(CallRefused, match="makes no sense"):
        checked(verb, answer)
