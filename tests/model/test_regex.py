"""Regular expressions of users: common syntax, and linear time for any text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.model.regex import check, found, matched

USUAL = [
    r"/admin",
    r"^https?://[^/]+/(?:a|b)/\d+$",
    r"\bsign\s*out\b",
    r"[?&]page=[0-9]{1,3}",
    r"\.(?:pdf|zip)(?:$|[?#])",
    r"[^\]]x",
    r"\u0041b",
    r"(?P<word>\w+)-\d",
]


@pytest.mark.parametrize("expression", USUAL)
@given(
    text=st.text(st.characters(codec="ascii"))
    | st.sampled_from(["http://h/a/7", "Please sign  out.", "Ab", "a-1", "/x.pdf?1"])
)
def test_the_same_as_elsewhere_for_plain_texts(expression: str, text: str) -> None:
    there = re.search(expression, text, re.ASCII)
    assert found(expression, text) == (there and there[0])
    begins = re.match(expression, text, re.ASCII)
    assert matched(expression, text) == (begins.end() if begins else -1)


@pytest.mark.parametrize(
    ("expression", "text"),
    [(r"\bвыйти\b", "Нажмите выйти"), (r"\w+\s\d", "ключ\u00a0٣"), ("é", "ÉTÉ été"), (r"[\w]+", "ñ")],
)
def test_other_alphabets(expression: str, text: str) -> None:
    assert found(expression, text) is not None


def test_case() -> None:
    assert found("log out", "LOG OUT") is None
    assert found("log out", "LOG OUT", ignores_case=True) == "LOG OUT"


@pytest.mark.parametrize("expression", ["(", "a{5000}", r"(?!x)", r"(?<=x)y", r"(a)\1", "[z-a]"])
def test_what_cannot_be_matched_in_linear_time_is_told(expression: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        check(expression)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("expression", ["(a+)+$", "(a|a)*b", "a.*b.*c", r"(\w+\s?)*!", "(.*)(.*)(.*)x"])
@pytest.mark.parametrize("letters", ["a", "aé ", "\ud800"])
def test_a_megabyte_takes_no_time(expression: str, letters: str) -> None:
    found(expression, letters * (1_000_000 // len(letters)) + "?")
