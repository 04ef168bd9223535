"""The normal form of a state can be split again."""

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.ports.page import lines_of
from tests.crawler.crawl_folder import Line, joined

words = st.text(st.characters(exclude_characters="\x1e\x1f"))
lines = st.tuples(words, words, words) | st.tuples(words, words, words, st.just(1))


@given(st.lists(lines))
def test_what_was_joined_comes_apart(lines: list[Line]) -> None:
    assert lines_of(joined(lines)) == tuple(lines)


@given(st.text(st.sampled_from("a\x1e\x1f")))
def test_every_line_has_a_place_and_says_what_and_which(normal: str) -> None:
    assert {len(line) for line in lines_of(normal)} <= {3, 4}
