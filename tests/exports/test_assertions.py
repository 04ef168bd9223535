"""Marks: what can be counted in a page, and which of it tells a state from all others."""

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.exports.assertions import CLASS, FIELD, TEXT, chosen, kind_of, marks_of
from statecrawl.privacy.redaction import MARKER
from tests.crawler.crawl_folder import element, joined, text

counts = st.dictionaries(st.sampled_from(['"one', '"two', "<p>", "input @checked=", "p .on"]), st.just(1))


def test_marks_of_a_page() -> None:
    normal = joined(
        [
            *element("/title", "title", text("/title", "Nobody looks here")),
            *element(
                "/p", "p", text("/p", "Hello \n world"), **{"class": "a b b-hover", "style": "display: none; top: 1px"}
            ),
            *element(
                "/p2",
                "p",
                text("/p2", "Hello world"),
                **{"aria-expanded": "true", "data-x": "1", "id": "p2", "aria-controls": "k1"},
            ),
            *element("/input", "input", checked="", value=f"{MARKER}-1"),
            *element("/a", "a", href="*"),
            *element("/ring", "md-focus-ring", visible=""),
        ]
    )
    assert marks_of(normal) == {
        "<title>": 1,
        "<p>": 2,
        "<input>": 1,
        "<a>": 1,
        "<md-focus-ring>": 1,
        '"Hello world': 2,
        "p .a": 1,
        "p .b": 1,
        "p display: none": 1,
        "p @aria-expanded=true": 1,
        "p @data-x=1": 1,
        "input @checked=": 1,
        "input filled": 1,
    }


def test_a_shadow_root_is_no_element() -> None:
    normal = joined([("/x/~", "<", "shadow root"), *element("/x/~/b", "b", text("/x/~/b", "deep")), ("/x/~", ">", "")])
    assert marks_of(normal) == {"<b>": 1, '"deep': 1}


def test_where_no_values_were_kept_only_tags_count() -> None:
    assert marks_of(joined(element("/p", "p", text("/p", ""), href="")), values=False) == {"<p>": 1}


def test_the_best_mark_is_taken() -> None:
    off = {'"Menu': 1, "input .on": 1, "<input>": 1}
    on = {'"Menu': 1, "input @checked=": 1, "<input>": 1}
    first, second = chosen([off, on])
    assert first == {'"Menu': 1, "<input>": 1, "input @checked=": 0}
    assert second == {'"Menu': 1, "<input>": 1, "input @checked=": 1}
    assert kind_of('"Menu') == TEXT < kind_of("input @checked=") == FIELD < kind_of("input .on") == CLASS


def test_how_many_there_are_counts() -> None:
    assert chosen([{'"item': 1}, {'"item': 2}]) == [{'"item': 1}, {'"item': 2}]


@given(st.lists(counts, min_size=1, max_size=12))
def test_no_two_states_that_differ_share_all_marks(states: list[dict[str, int]]) -> None:
    for number, (own, told) in enumerate(zip(states, chosen(states), strict=True)):
        assert all(own.get(mark, 0) == count for mark, count in told.items())
        for place, other in enumerate(states):
            if place != number and other != own:
                assert any(other.get(mark, 0) != count for mark, count in told.items())
