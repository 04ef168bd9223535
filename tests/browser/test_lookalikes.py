"""Look-alikes: states that differ only in what a page notes for itself."""

import tracemalloc

import pytest

from statecrawl.browser.dynamic_content import Rule
from statecrawl.browser.lookalikes import ANYWHERE, Lookalikes, data_attributes, marks, notes_of_fields
from tests.crawler.crawl_folder import Line, element, joined, text


def row(number: int, words: str = "row", **attributes: str) -> list[Line]:
    """A row with a number in its id, in its name and in the name of its event."""
    place = f"#row-{number}"
    named = {"id": f"row-{number}", "data-key": str(2 * number), **attributes}
    return element(place, "li", text(place, words), event=f"click li#row-{number}", **named)


def counted(*states: list[Line], trail: str = "abcdef", last: str = "") -> set[Rule]:
    """What is known to count after these states, called a, b, c and so on, were met."""
    known = Lookalikes()
    found: set[Rule] = set()
    for name, lines in zip("abcdef", states, strict=False):
        like = known.met(name, joined(lines))
        if like is not None:
            found |= known.counters(name, like, trail)
    return found


COUNTERS = {(ANYWHERE, "@id=row-*"), (ANYWHERE, "@data-key=*")}


def test_three_in_a_row_that_count_up() -> None:
    assert counted(row(1), row(2)) == set()
    assert counted(row(1), row(2), row(5)) == COUNTERS
    assert counted([*row(1), *row(2)], [*row(3), *row(4)], [*row(5), *row(6)]) == COUNTERS


def test_counters_are_found_beside_a_class_that_comes_and_goes() -> None:
    states = [row(number, **{"class": "odd" if number % 2 else "even"}) for number in range(1, 7)]
    assert counted(*states) == COUNTERS


def test_only_what_one_page_went_through_without_a_reset_counts() -> None:
    assert counted(row(1), row(2), row(3), trail="bc") == set()
    assert counted(row(1), row(2), row(3), trail="cab") == set(), "not in this order"


@pytest.mark.parametrize(
    "third",
    [
        row(2, "row"),
        row(3, "other"),
        row(3, **{"class": "odd"}),
        row(3, **{"data-key": "2"}),
        row(3, **{"data-kind": "x"}),
        row(3, lang="de"),
        [*row(3), *row(4)],
    ],
)
def test_what_else_differs_proves_nothing(third: list[Line]) -> None:
    assert counted(row(1), row(2), third) == set()


def test_a_reference_alone_does_not_count() -> None:
    def pointing(number: int) -> list[Line]:
        return element("#box", "div", **{"aria-activedescendant": f"option-{number}"})

    assert counted(*map(pointing, (1, 2, 3))) == set()


def test_data_attributes_of_rules() -> None:
    assert data_attributes(COUNTERS) == {"data-key"}


def item(words: str = "word", classes: str = "", place: str = "#list/li", **more: str) -> list[Line]:
    given = {"class": classes, **more} if classes else more
    return element(place, "li", text(place, words), event="click li", **given)


def ring(**attributes: str) -> list[Line]:
    return element("#ring", "focus-ring", text("#ring", "ring"), **attributes)


def part(**attributes: str) -> list[Line]:
    return element("#l/my-item", "my-item", text("#l/my-item", "part"), **attributes)


def hidden(lines: list[Line], *after: Line) -> list[Line]:
    return [lines[0], (lines[0][0], "-", "hidden"), *lines[1:], *after]


@pytest.mark.parametrize(
    ("before", "rested", "rules"),
    [
        (item(classes="lit row"), item(classes="row"), {("#list/li", ".lit")}),
        (item(classes="lit", place="#list/li.lit"), item(), {("#list/li.lit", ".lit")}),
        (item(), item(classes="known"), {("#list/li", ".known")}),
        (item(**{"data-hot": "1"}), item(), {("#list/li", "@data-hot")}),
        (ring(visible=""), ring(), {("#ring", "@visible")}),
        (ring(label="x"), ring(), set()),
        (hidden(item("tip"), *item(classes="lit")), hidden(item("tip"), *item()), {("#list/li", ".lit")}),
        ([*item("tip"), *item(classes="lit")], hidden(item("tip"), *item()), set()),
        (item(classes="row"), item(classes="row"), set()),
        ([*item(classes="lit"), *item(classes="lit")], [*item(classes="lit"), *item()], set()),
        ([*part(active=""), *part(active="")], [*part(active=""), *part()], set()),
        ([*part(), *part(active="")], [*part(), *part()], {("#l/my-item", "@active")}),
        ([*part(idle=""), *part()], [*part(idle=""), *part(idle="")], {("#l/my-item", "@idle")}),
        ([*item(**{"data-on": "1"}), *item(**{"data-on": "1"})], [*item(**{"data-on": "1"}), *item()], set()),
        (
            [*item(**{"data-on": "0"}), *item(**{"data-on": "1"})],
            [*item(**{"data-on": "0"}), *item(**{"data-on": "0"})],
            {("#list/li", "@data-on")},
        ),
        (item(classes="lit"), item("other"), set()),
        (item(classes="lit"), item(title="x"), set()),
        (item(classes="lit"), [*item(), *item()], set()),
        (item(classes="lit"), element("#list/li", "li", text("#list/li", "word")), set()),
    ],
)
def test_what_goes_with_pointer_and_focus(before: list[Line], rested: list[Line], rules: set[Rule]) -> None:
    assert marks(before, rested) == rules


def test_what_marks_two_places_marks_all() -> None:
    known = frozenset([("#menu/li", ".lit"), ("#list/li", ".near")])
    assert marks(item(classes="lit near"), item(), known) == {("#list/li", ".lit"), ("#list/li", ".near"), ("", ".lit")}


def test_a_class_that_an_element_has_at_rest_still_counts_elsewhere() -> None:
    chosen = item(classes="lit", place="#tabs/li")
    known = frozenset([("#menu/li", ".lit")])
    assert marks([*item(classes="lit"), *chosen], [*item(), *chosen], known) == {("#list/li", ".lit")}


def test_a_page_is_not_put_to_rest_without_need() -> None:
    known = Lookalikes()
    assert known.met("a", joined(item())) is None
    assert known.met("a ring", joined(ring())) is None
    assert known.met("a visible ring", joined(ring(visible=""))) is not None
    lit = known.met("b", joined(item(classes="lit")))
    assert lit is not None
    assert known.wants_rest("b", lit)
    assert sum(known.wants_rest("b", lit) for _ in range(100)) == 39
    same = Lookalikes()
    same.met("a", joined(row(1)))
    other = same.met("b", joined(row(2)))
    assert other is not None
    assert not same.wants_rest("b", other)


def field(classes: str, tag: str = "input", **attributes: str) -> list[Line]:
    """A form with a field, beside a list with a class of its own."""
    inside = element("#f", tag, event=f"click {tag}#f", **{"class": classes, **attributes})
    return [*element("form", "form", *inside), *element("ul", "ul", **{"class": "old"})]


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        (field("pristine"), field("dirty touched"), {".pristine", ".dirty", ".touched"}),
        (field("pristine", type="checkbox"), field("dirty", type="checkbox"), {".pristine", ".dirty"}),
        (field("pristine"), field("dirty", value="x"), set()),  # something else differs
        (field("new"), field("old"), set()),  # the list has that, too
        (field("off", type="submit"), field("armed", type="submit"), set()),  # what is pressed may do something else
        (field("off", tag="button"), field("armed", tag="button"), set()),
        (field("same", **{"data-on": "1"}), field("same", **{"data-on": "2"}), set()),
        (field("pristine"), [*field("dirty"), *element("p", "p", event="click p")], set()),
    ],
)
def test_what_only_fields_note(one: list[Line], other: list[Line], words: set[str]) -> None:
    assert notes_of_fields(one, other) == {(ANYWHERE, word) for word in words} == notes_of_fields(other, one)


def test_states_of_many_elements_are_remembered_in_little_memory() -> None:
    known = Lookalikes()
    tracemalloc.start()
    try:
        for number in range(20):
            known.met(str(number), joined([line for each in range(500) for line in row(each, f"{each} of {number}")]))
        assert tracemalloc.get_traced_memory()[0] < 20 * 40_000  # bytes; numbers alone are 8,000 for each state
    finally:
        tracemalloc.stop()
