"""What is volatile: whatever differs between loads of one state, and nothing of the application."""

import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace

from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.browser.dynamic_content import (
    DIVERGED,
    HAS_EVENT,
    LABELS,
    MOSTLY_SAME,
    ONE_DIFFERS,
    TOO_MUCH,
    Line,
    LoadComparison,
    Rule,
    compared,
    differences,
    may_tick,
    tree,
)


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
    return set(comparison(*loads).rules)


def comparison(*loads: Iterable[Part]) -> LoadComparison:
    return compared([page(*load) for load in loads])


def test_a_page_that_is_always_the_same_has_no_rules() -> None:
    load = [Part("h1", "title"), Part("a", "link", event=True, attributes={"href": "/x"})]
    assert rules(load, load, load) == set()


def test_texts() -> None:
    assert rules(*([Part("i", f"it is {time}")] for time in (1, 2, 3))) == {("/body/i", "text")}
    assert rules([Part("i")], [Part("i", "a")], [Part("i", "b")]) == {("/body/i", "text")}


def test_attributes() -> None:
    loads = [[Part("img", attributes={"src": f"/{n}.png", "alt": "picture"})] for n in range(3)]
    assert rules(*loads) == {("/body/img", "@src")}
    one, two = (Part("img", attributes={"x": x}) for x in "12")
    assert rules([Part("img")], [one], [two]) == {("/body/img", "@x")}


def test_what_differs_in_one_load_is_not_dynamic() -> None:
    """One of the re-walks may have led to another state."""
    one, other = [Part("i", "a")], [Part("i", "b")]
    for loads in ((one, one, other), (one, other, one)):
        assert comparison(*loads) == LoadComparison(rejected=((("/body/i", "text"), ONE_DIFFERS),))


def test_re_walks_that_agree_with_each_other_led_elsewhere() -> None:
    """Nothing is learnt from them, also not from what differs everywhere."""
    loads = [[Part("h1", room), Part("i", clock)] for room, clock in (("hall", "1"), ("attic", "2"), ("attic", "3"))]
    found = comparison(*loads)
    assert found.rules == frozenset()
    assert dict(found.rejected) == {("/body/h1", "text"): DIVERGED, ("/body/i", "text"): DIVERGED}
    assert rules([], [Part("b", "x")], [Part("b", "x")]) == set()


def test_a_clock_may_have_shown_the_same_second_twice() -> None:
    def ticks(*shown: str) -> bool:
        return may_tick([page(Part("i", text)) for text in shown])

    assert ticks("now 9", "now 10", "now 10")
    assert ticks("now 9", "now 9", "now 10")
    assert not ticks("now 9", "now 10", "now 11"), "that proves it"
    assert not ticks("now 9", "now 9", "now 9")
    assert not ticks("hall", "attic", "attic")


def test_parts_that_come_and_go() -> None:
    ad = Part("div", inside=(Part("img", attributes={"src": "/ad.png"}), Part("b", "buy")))
    assert rules([ad], [], [ad, ad]) == {("/body/div", "node")}
    assert rules([], [], [ad]) == set(), "it may be part of another state"


def test_a_slot_with_another_fragment_each_time() -> None:
    fragments = ((Part("p", "lot 1"), Part("hr")), (Part("h3", "Wax"), Part("p", "lot 2")), (Part("ul"),))
    assert rules(*([Part("aside", inside=fragment)] for fragment in fragments)) == {("/body/aside", "node")}
    alike = ((Part("p", "lot 1"),), (Part("p", "lot 2"), Part("hr")), (Part("p", "lot 3"), Part("hr")))
    loads = [[Part("aside", inside=fragment), Part("i", str(n))] for n, fragment in enumerate(alike)]
    assert rules(*loads) == {("/body/aside/p", "text"), ("/body/i", "text")}, "the path did not lead elsewhere"
    linked = [[Part("aside", inside=(*fragment, Part("a", "x", event=True)))] for fragment in fragments]
    assert ("/body/aside", "node") not in rules(*linked)
    with_clock = [[Part("div", inside=(Part("i", str(n)), *([Part("h3")] if n == 1 else [])))] for n in range(3)]
    assert rules(*with_clock) == {("/body/div/i", "text")}, "a clock does not make a slot of what is around it"


def test_only_what_differs_is_left_out_of_what_is_always_there() -> None:
    loads = [[Part("div", inside=(Part("b", "always"), Part("i", str(n))))] for n in range(3)]
    assert rules(*loads) == {("/body/div/i", "text")}


def test_nothing_with_an_event_in_it_is_left_out() -> None:
    """A list of links whose number differs from load to load is part of the application."""
    link = Part("div", inside=(Part("a", "go", event=True),))
    assert comparison([link], [link, link], []) == LoadComparison(rejected=((("/body/div", "node"), HAS_EVENT),))


def test_the_text_of_an_element_with_an_event_may_be_a_clock() -> None:
    """Frameworks attach listeners to everything."""
    for tag, texts in (("div", ("Monday 1", "Sunday 2", "Friday 3")), ("button", ("vote 7", "vote 8", "vote 99"))):
        loads = [[Part(tag, text, event=True)] for text in texts]
        assert rules(*loads) == {(f"/body/{tag}", "text")}


def test_the_text_of_an_element_with_an_event_is_kept_where_it_may_be_content() -> None:
    names = [[Part("button", text, event=True)] for text in ("Red", "Green", "Blue")]
    shuffled = [[Part("li", text, event=True) for text in texts] for texts in ("abc", "bca", "cab")]
    growing = [[Part("li", f"{n} {item}", event=True) for item in range(n)] for n in range(1, 4)]
    menu = [[Part("div", "Home", event=True), Part("div", str(n), event=True)] for n in range(3)]
    for loads in (names, shuffled, growing, menu):
        found = comparison(*loads)
        assert found.rules == frozenset()
        assert LABELS in dict(found.rejected).values()


def test_attributes_of_an_element_with_an_event() -> None:
    loads = [[Part("button", "vote", event=True, attributes={"data-n": str(n)})] for n in range(3)]
    assert rules(*loads) == {("/body/button", "@data-n")}


def test_a_rule_is_about_what_it_says() -> None:
    """Two of ten rows differ: whatever that is, it is not that the text of rows is volatile."""

    def rows(differing: int, load: int) -> list[Part]:
        return [Part("li", f"{n} {load}" if n < differing else str(n)) for n in range(10)]

    assert comparison(*(rows(2, load) for load in range(3))).rejected == ((("/body/li", "text"), MOSTLY_SAME),)
    volatile = [[*rows(6, load), *(Part("hr") for _ in range(20))] for load in range(3)]
    assert rules(*volatile) == {("/body/li", "text")}


def test_a_page_that_differs_as_a_whole_has_no_rules() -> None:
    """Otherwise everything would be one state."""
    loads = [Part("body", inside=tuple(Part(f"p{n}", f"{n} {load}") for n in range(10))).lines() for load in range(3)]
    found = compared(loads)
    assert (found.rules, set(dict(found.rejected).values())) == (frozenset(), {TOO_MUCH})


def test_what_came_in_another_order_is_aligned() -> None:
    """A banner before everything else does not make everything after it different."""
    banner = Part("aside", "news")
    rest = [Part("h1", "title"), Part("div", "text"), Part("ul", inside=(Part("li", "row"),))]
    assert rules([banner, *rest], rest, [banner, banner, *rest]) == {("/body/aside", "node")}


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
    assert compared([part.lines()] * 3).rules == set()


@settings(max_examples=60, deadline=None)
@given(PARTS, PARTS, PARTS)
def test_rules_never_hide_an_event(one: Part, two: Part, three: Part) -> None:
    loads = [page(one), page(two), page(three)]
    found = compared(loads).rules
    for load in loads:
        assert events(without(load, found)) == events(load)


@settings(max_examples=60, deadline=None)
@given(st.permutations(["", "one", "two"]), st.permutations(["", "one", "two"]), st.booleans())
def test_loads_are_alike_once_the_rules_are_applied(texts: list[str], titles: list[str], ad: bool) -> None:
    """As long as what differs is another in each load, has nothing to do with events, and is little."""
    loads = []
    for number in range(3):
        parts = [Part("i", texts[number]), Part("em", attributes={"title": titles[number]}), Part("a", "x", event=True)]
        loads.append(page(*parts, *[Part("aside", "buy")] * (number if ad else 0)))
    found = compared(loads).rules
    left = [without(load, found) for load in loads]
    assert left[0] == left[1] == left[2]


def events(lines: list[Line]) -> list[Line]:
    return [line for line in lines if line[1] == "!"]


def without(lines: list[Line], found: Collection[Rule]) -> list[Line]:
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


def test_long_lists_are_compared_in_time() -> None:
    """A table of contents has thousands of entries, all of them at the same place."""

    def load(clock: str, rows: int) -> list[tuple[str, ...]]:
        told: list[tuple[str, ...]] = [("#clock", "<", "p"), ("#clock", '"', clock), ("#clock", ">", "p")]
        for row in range(rows):
            told += [("/ul/li", "<", "li"), ("/ul/li", '"', f"row {row}"), ("/ul/li", ">", "li")]
        return told

    begun = time.process_time()
    assert compared([load(clock, 10_000) for clock in "abc"]).rules == {("#clock", "text")}
    compared([load(clock, 10_000 + more) for more, clock in enumerate("abc")])
    assert time.process_time() - begun < 15.0  # more than a minute, if each row is held against each


def test_many_places_are_compared_in_time() -> None:
    """Each row has a name, so that each is a place of its own."""

    def load(number: int, rows: int) -> list[Line]:
        places = [f"#row-{chr(97 + row // 100)}-{row % 100}" for row in range(rows)]
        told = [[(place, "<", "li"), (place, '"', f"{place} {number}"), (place, ">", "")] for place in places]
        return [("/ul", "<", "ul"), *(line for each in told for line in each), ("/ul", ">", "")]

    begun = time.process_time()
    assert compared([load(number, 5_000) for number in range(3)]).rules == frozenset()
    assert time.process_time() - begun < 5.0  # three times that, if the page is counted for each
