"""Events in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.report.crawl.event_text import in_words, kind_of, way_in_words


@pytest.mark.parametrize(
    ("event", "words"),
    [
        ('click a "Products" #products in nav#menu', "click “Products”"),
        ("click button#save in form", "click button#save"),
        ('click button "Sign in" in form#sign-in = guest', "click “Sign in”, with “guest”"),
        ("input input in li#j1_73 = test", "write into input, “test”"),
        ("select select#view = week", "choose in select#view, “week”"),
        ("key Enter input checkbox in ul#list #35", "press Enter in input checkbox"),
        ('dblclick label "test" in ul#todo-list #158', "double-click “test”"),
        ('click button "Go" in main (accepted)', "click “Go”, and answer its question with yes"),
        ('click button "Go" in main (dismissed)', "click “Go”, and answer its question with no"),
        ("back", "go back"),
        ("scroll page", "scroll page"),
        ("menu 3", "menu 3"),
        ("", ""),
    ],
)
def test_what_somebody_would_do(event: str, words: str) -> None:
    assert in_words(event) == words


@given(st.text())
def test_any_name_has_words(name: str) -> None:
    assert isinstance(in_words(name), str)
    assert kind_of(name)
    assert way_in_words([name]) == ["open the application", in_words(name)]


def test_kinds() -> None:
    assert [kind_of(name) for name in ("click a", "back", "menu 3", "backwards")] == ["click", "back", "other", "other"]
