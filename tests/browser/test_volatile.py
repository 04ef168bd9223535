"""What is volatile: whatever differs between loads of one state, and nothing of the application."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.browser.volatile import Line, Rule, differences, tree, volatile_rules


@dataclass(frozen=True)
class Part:
    """A part of a page, from which its normal form is made."""

    tag: str
    text: str = ""
    event: bool = False
    attributes: dict[str, str] = field(default_factory=dict)
    inside: tuple["Part", ...] = ()

    def lines(self, above: str = "") -> list[Line]:
        place = f"{above}/{self.tag}"
        first: Line = (place, "<", self.tag, 1) if self.event else (place, "<", self.tag)
        told: list[Line] = [first]
        told += [(place, f"@{name}", value) for name, value in self.attributes.items()]
        if self.event:
            told.append(("", "!", f"click {self.tag}"))
        if self.text:
            told.append((place, '"', self.text))
        for part in self.inside:
            told += part.lines(place)
        return [*told, (place, ">", "")]


FILLING = tuple(Part("p", "the same") for _ in range(20))  # so that what differs is a small part of the page


def page(*parts: Part) -> list[Line]:
    return Part("body", inside=(*parts, *FILLING)).lines()


def rules(*loads: Iterable[Part]) -> set[Rule]:
    return volatile_rules([page(*load) for load in loads])


def test_a_page_that_is_always_the_same_has_no_rules() -> None:
    load = [Part("h1", "title"), Part("a", "link", event=True, attributes={"href": "/x"})]
    assert rules(load, load, load) == set()


def test_texts() -> None:
    assert rules(*([Part("i", f"it is {time}")] for time in (1, 2, 3))) == {("/body/i", "text")}
    assert rules([Part("i", "a")], [Part("i", "a")], [Part("i", "b")]) == {("/body/i", "text")}
    assert rules([Part("i")], [Part("i", "a")], [Part("i", "b")]) == {("/body/i", "text")}


def test_attributes() -> None:
    loads = [[Part("img", attributes={"src": f"/{n}.png", "alt": "picture"})] for n in range(3)]
    assert rules(*loads) == {("/body/img", "@src")}
    assert rules([Part("img")], [Part("img", attributes={"x": "1"})], [Part("img")]) == {("/body/img", "@x")}


def test_parts_that_come_and_go() -> None:
    ad = Part("div", inside=(Part("img", attributes={"src": "/ad.png"}), Part("b", "buy")))
    assert rules([ad], [], [ad, ad]) == {("/body/div", "node")}
    assert rules([], [], [ad]) == {("/body/div", "node")}


def test_only_what_differs_is_left_out_of_what_is_always_there() -> None:
    loads = [[Part("div", inside=(Part("b", "always"), Part("i", str(n))))] for n in range(3)]
    assert rules(*loads) == {("/body/div/i", "text")}


def test_nothing_with_an_event_in_it_is_left_out() -> None:
    """A list of links whose number differs from load to load is part of the application."""
    link = Part("div", inside=(Part("a", "go", event=True),))
    assert rules([link], [link, link], []) == set()


def test_the_words_of_what_carries_an_event_are_kept() -> None:
    assert rules(*([Part("button", f"vote {n}", event=True)] for n in range(3))) == set()
    loads = [[Part("button", "vote", event=True, attributes={"data-n": str(n)})] for n in range(3)]
    assert rules(*loads) == {("/body/button", "@data-n")}


def test_a_rule_is_about_what_it_says() -> None:
    """Two of ten rows differ: whatever that is, it is not that the text of rows is volatile."""

    def rows(differing: int, load: int) -> list[Part]:
        return [Part("li", f"{n} {load}" if n < differing else str(n)) for n in range(10)]

    assert rules(*(rows(2, load) for load in range(3))) == set()
    volatile = [[*rows(6, load), *(Part("hr") for _ in range(20))] for load in range(3)]
    assert rules(*volatile) == {("/body/li", "text")}


def test_a_page_that_differs_as_a_whole_has_no_rules() -> None:
    """Otherwise everything would be one state."""
    loads = [Part("body", inside=tuple(Part(f"p{n}", f"{n} {load}") for n in range(10))).lines() for load in range(3)]
    assert volatile_rules(loads) == set()


def test_what_came_in_another_order_is_aligned() -> None:
    """A banner before everything else does not make everything after it different."""
    banner = Part("aside", "news")
    rest = [Part("h1", "title"), Part("div", "text"), Part("ul", inside=(Part("li", "row"),))]
    assert rules([banner, *rest], rest, rest) == {("/body/aside", "node")}


TAGS = st.sampled_from(["p", "div", "b", "ul", "li"])
WORDS = st.sampled_from(["", "one", "two", "three"])
PARTS = st.recursive(
    st.builds(Part, TAGS, WORDS, st.booleans(), st.dictionaries(st.sampled_from(["class", "title"]), WORDS)),
    lambda inner: st.builds(Part, TAGS, WORDS, st.booleans(), st.just({}), st.lists(inner, max_size=4).map(tuple)),
    max_leaves=12,
)


@settings(max_examples=60, deadline=None)
@given(PARTS)
def test_a_load_never_differs_from_itself(part: Part) -> None:
    assert list(differences(tree(part.lines()), tree(part.lines()))) == []
    assert volatile_rules([part.lines()] * 3) == set()


@settings(max_examples=60, deadline=None)
@given(PARTS, PARTS, PARTS)
def test_rules_never_hide_an_event(one: Part, two: Part, three: Part) -> None:
    loads = [page(one), page(two), page(three)]
    found = volatile_rules(loads)
    for load in loads:
        assert events(without(load, found)) == events(load)


@settings(max_examples=60, deadline=None)
@given(st.lists(WORDS, min_size=3, max_size=3), st.lists(WORDS, min_size=3, max_size=3), st.booleans())
def test_loads_are_alike_once_the_rules_are_applied(texts: list[str], titles: list[str], ad: bool) -> None:
    """As long as what differs has nothing to do with events, and is little."""
    loads = []
    for number in range(3):
        parts = [Part("i", texts[number]), Part("em", attributes={"title": titles[number]}), Part("a", "x", event=True)]
        loads.append(page(*parts, *([Part("aside", "buy")] if ad and number else [])))
    found = volatile_rules(loads)
    left = [without(load, found) for load in loads]
    assert left[0] == left[1] == left[2]


def events(lines: list[Line]) -> list[Line]:
    return [line for line in lines if line[1] == "!"]


def without(lines: list[Line], found: set[Rule]) -> list[Line]:
    """A page as it is seen under rules."""
    left: list[Line] = []
    hidden = ""
    for line in lines:
        place, what = line[0], line[1]
        if hidden:
            hidden = "" if (place, what) == (hidden, ">") else hidden
            continue
        if what == "<" and (place, "node") in found:
            hidden = place
        elif (what == '"' and (place, "text") in found) or (place, what) in found:
            continue
        else:
            left.append(line)
    return left


def test_parts_are_what_they_are_told() -> None:
    """The form in which this file writes pages is the one that the agent tells."""
    part = replace(Part("p", "x", event=True, attributes={"id": "i"}), inside=(Part("b", "y"),))
    (told,) = tree(part.lines()).inside
    assert (told.place, told.tag, told.carries, told.attributes, told.texts) == ("/p", "p", True, {"@id": "i"}, ["x"])
    assert [inner.place for inner in told.inside] == ["/p/b"]
