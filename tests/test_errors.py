"""Exit codes of errors, and suggestions of similar names."""

import inspect
import re

import pytest

from statecrawl import errors
from statecrawl.errors import (
    BadInput,
    BrowserError,
    BrowserLost,
    BrowserMissing,
    CallRefused,
    CoordinatorLost,
    DamagedJournal,
    Disagreement,
    Interrupted,
    JournalInUse,
    NewerFormat,
    NodeRefused,
    PageLost,
    SiteUnreachable,
    StatecrawlError,
    StoreError,
    StoreUnavailable,
    UnknownName,
    UserError,
    WorkerLost,
    printable,
)

CODES: dict[type[StatecrawlError], int] = {
    StatecrawlError: 1,
    UserError: 2,
    UnknownName: 2,
    BadInput: 2,
    NodeRefused: 2,
    StoreError: 3,
    StoreUnavailable: 6,
    DamagedJournal: 3,
    NewerFormat: 3,
    JournalInUse: 3,
    BrowserError: 4,
    BrowserMissing: 4,
    BrowserLost: 4,
    PageLost: 4,
    CallRefused: 4,
    SiteUnreachable: 5,
    CoordinatorLost: 6,
    Disagreement: 7,
    WorkerLost: 1,
    Interrupted: 130,
}


def test_every_error_has_its_exit_code_and_a_place_in_the_tree() -> None:
    defined = {
        value for value in vars(errors).values() if inspect.isclass(value) and value.__module__ == errors.__name__
    }
    assert defined == set(CODES)
    assert {kind: kind.exit_code for kind in CODES} == CODES
    tree = re.findall(r"^    (?:│   )?(?:[├└]── )?(\w+) {2,}", errors.__doc__ or "", flags=re.MULTILINE)
    assert sorted(tree) == sorted(kind.__name__ for kind in CODES)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("gredy", "unknown strategy 'gredy': did you mean greedy?"),
        ("depth", "unknown strategy 'depth': did you mean depth-first?"),
        ("zzz", "unknown strategy 'zzz': known: depth-first, depth-first-default, greedy, menu."),
        ("", "unknown strategy '': known: depth-first, depth-first-default, greedy, menu."),
    ],
)
def test_the_nearest_names_are_suggested(name: str, hint: str) -> None:
    known = iter(("menu", "greedy", "depth-first-default", "depth-first"))
    assert str(UnknownName("strategy", name, known)) == hint


def test_at_most_three_names_are_suggested() -> None:
    assert str(UnknownName("x", "aa", [f"aa{digit}" for digit in range(9)])).count(" or ") == 2


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[2Jb\x07\x00\x7f", "a\\x1b[2Jb\\x07\\x00\\x7f"),
        ("two\r\nlines\t", "two\\r\\nlines\\t"),
        ("\x9b31m\x85", "\\x9b31m\\x85"),  # C1: one character that begins an order to the terminal
        ("\u202egnp.\u2066\u200f\u2028", "\\u202egnp.\\u2066\\u200f\\u2028"),
        ("caf\udce9", "caf\\udce9"),
        ("Zürich – 東京 \\ [red] שלום \xa0👍", "Zürich – 東京 \\ [red] שלום \xa0👍"),
    ],
)
def test_control_characters_are_escaped(text: str, shown: str) -> None:
    assert printable(text) == shown
