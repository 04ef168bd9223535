"""Documents read from normal forms, whatever a page has made of them."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.report.crawl.document import (
    LONGEST_TEXT,
    MOST_DEEP,
    read_document,
    shown_elements,
    texts_of,
    tidied,
    words_of,
)
from tests.report.crawl.documents import normal_of

DEEP = 20_000  # elements in each other, many more than Python calls


def test_what_can_be_seen_is_read_in_order() -> None:
    root = read_document(
        normal_of(
            "<h1>One <b>two</b></h1><script>no</script><p style='display:none'>no</p><p hidden>no</p><p>three</p>"
        )
    )
    assert list(texts_of(root)) == ["One", "two", "three"]
    assert [element.tag for element in shown_elements(root)] == ["#document", "html", "body", "h1", "b", "p"]


def test_words_leave_out_icons_and_fields() -> None:
    root = read_document(
        normal_of(
            "<label>Size <svg><text>x</text></svg><i aria-hidden='true'>icon</i><select><option>S</select></label>"
        )
    )
    assert words_of(root) == "Size"


@pytest.mark.parametrize(
    "form", ["", "no lines", "/x\x1f>\x1f\x1e" * 3 + '/x\x1f"\x1fhello\x1e', "\x1e\x1f\x1e\x1f\x1f"]
)
def test_what_is_no_normal_form_is_a_document_too(form: str) -> None:
    assert list(texts_of(read_document(form))) in ([], ["hello"])


def test_a_document_may_be_deep_and_is_read_as_deep_as_a_parser_would() -> None:
    open_, close, text = "/x\x1f<\x1f{}\x1e", "/x\x1f>\x1f\x1e", '/x\x1f"\x1f{}\x1e'
    deep = open_.format("div") * DEEP + text.format("deep") + close * DEEP
    root = read_document(text.format("before") + deep + open_.format("p") + text.format("after") + close)
    assert list(texts_of(root)) == ["before", "after"]
    assert len(list(shown_elements(root))) == MOST_DEEP + 2
    few = open_.format("div") * (MOST_DEEP - 1) + open_.format("p") + text.format("deep") + close * MOST_DEEP
    assert list(texts_of(read_document(few + text.format("after")))) == ["deep", "after"]


@given(st.text(max_size=200))
def test_tidied_text_is_short_and_has_no_control_characters(text: str) -> None:
    tidy = tidied(text)
    assert len(tidy) <= LONGEST_TEXT
    assert not [letter for letter in tidy if unicodedata.category(letter)[0] == "C"]


def test_tidied_text_keeps_its_words() -> None:
    assert tidied(" two\n  words\u202e\x00 ") == "two words"
    assert tidied("x" * 100) == "x" * (LONGEST_TEXT - 1) + "…"
