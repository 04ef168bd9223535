"""Stored HTML becomes a tree, in which selectors find what they would find in a browser."""

import pytest

from statecrawl.testbed.stored_html import Element, parsed_html

PAGE = """<html><head><title>not shown</title><script>var unseen = "<p>";</script></head><body>
<main id="top" class="wide calm"><p>One &amp; two<br>three</p><img src="x"><p class="last">four</p>
<div hidden=""><b class="last">five</b></div><dialog><i>six</i></dialog><dialog open=""><i>seven</i></dialog></main>
<ul><li>a</li><!-- a comment --><li aria-checked="true">b</li><li>c</li></ul></body></html>"""


def found(selector: str) -> list[str]:
    return [element.text for element in parsed_html(PAGE).select(selector)]


def only(selector: str) -> Element:
    (element,) = parsed_html(PAGE).select(selector)
    return element


@pytest.mark.parametrize(
    ("selector", "texts"),
    [
        ("p", ["One & two three", "four"]),
        (".last", ["four", "five"]),
        ("p.last", ["four"]),
        ("#top .last", ["four", "five"]),
        ("#top.calm > p", None),
        ("main i", ["six", "seven"]),
        ("dialog[open] i", ["seven"]),
        ("li + li", ["b", "c"]),
        ("li + li + li", ["c"]),
        ('li[aria-checked="true"] + li', ["c"]),
        ("img + p", ["four"]),
        ("ul p", []),
        ("html body main.wide.calm#top div b", ["five"]),
    ],
)
def test_selectors(selector: str, texts: list[str] | None) -> None:
    if texts is None:
        with pytest.raises(ValueError, match="is not a selector"):
            found(selector)
    else:
        assert found(selector) == texts


@pytest.mark.parametrize("selector", ["", "p,", "p:first-child", "> p", "p + ", "[", "p "])
def test_other_selectors_are_refused(selector: str) -> None:
    with pytest.raises(ValueError, match="is not a selector"):
        found(selector)


def test_text_is_what_a_person_sees() -> None:
    assert only("body").text == "One & two three four seven a b c"
    assert parsed_html("").text == ""


def test_what_is_hidden_hides_what_is_inside() -> None:
    assert only("p.last").is_visible
    assert not only("b").is_visible
    assert [element.is_visible for element in parsed_html(PAGE).select("dialog i")] == [False, True]
    assert not only("title").is_visible
