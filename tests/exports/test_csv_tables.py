"""Tables: what spreadsheets get, and never a formula."""

import csv
from io import StringIO

from hypothesis import example, given
from hypothesis import strategies as st

from statecrawl.errors import printable
from statecrawl.exports.csv_tables import STATES, TRANSITIONS, defused, states, transitions
from statecrawl.journal.facts import EventHung, EventRefused, Fact, StateFound, TransitionExplored
from tests.exports.made_up import AWAY, HOME, crawled

EVIL = '=HYPERLINK("http://evil/","click")'
FACTS: list[Fact] = [
    StateFound(state=HOME, events=("go", "@sum", "hang", "later"), url="http://host/", title=EVIL),
    StateFound(state=AWAY, events=(), url=None),
    TransitionExplored(state=HOME, event="go", target=AWAY),
    EventRefused(state=HOME, event="@sum", reason="-denied"),
    EventHung(state=HOME, event="hang", reason="no answer"),
]


def test_states_and_transitions() -> None:
    found = crawled(facts=FACTS)
    rows = list(csv.reader(StringIO(b"".join(states(found)).decode())))
    assert rows == [
        list(STATES),
        ["0", HOME, "http://host/", f"'{EVIL}", "4", "1"],
        ["1", AWAY, "", "", "0", "0"],
    ]
    rows = list(csv.reader(StringIO(b"".join(transitions(found)).decode())))
    assert rows == [
        list(TRANSITIONS),
        ["0", "go", "1", "explored", "", HOME, AWAY],
        ["0", "'@sum", "", "refused", "'-denied", HOME, ""],
        ["0", "hang", "", "hung", "no answer", HOME, ""],
        ["0", "later", "", "unexplored", "", HOME, ""],
    ]


@given(st.text())
@example("\x1b]0;owned\x07=1+1")
def test_no_cell_begins_like_a_formula_or_tells_a_terminal_what_to_do(text: str) -> None:
    assert not defused(text).lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r"))
    assert defused(text).removeprefix("'") == printable(text).removeprefix("'")
    assert not any(ord(letter) < 32 or 127 <= ord(letter) < 160 for letter in defused(text))
