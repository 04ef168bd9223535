"""Names of the parts of a page, and what was cut of them, in words."""

import pytest

from statecrawl.model.component_tasks import EVERY_ROW
from statecrawl.report.crawl.part_names import NO_LABELS, PartLabel, PartNames, cuts_in_words
from statecrawl.strategies.component_summary import CutPart

PLAIN = PartNames(NO_LABELS)
NEXT = 'click button "Next month" in section#month'


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ("", "page"),
        ("#wizard", "wizard"),
        ("#mail-inBox", "mail in box"),
        ("#files>table>tr", "row of table in files"),
        ("#agenda>div[tabpanel]", "tab panel in agenda"),
        ("#tree>li>ul[group]>li", "item of tree"),
        ("#menu>li>ul[menu]", "menu in menu"),
        ("header", "header"),
        ("main>section", "section in main content"),
        ("main>div.card", "area in main content"),
        ("main>div.card>section>footer", "footer in main content"),
        ("x-chart", "area"),
        ("html[.dark]", "page style"),
        ("form>:email", "field “email”"),
    ],
)
def test_a_place_alone_has_a_name_without_selectors(place: str, name: str) -> None:
    assert PLAIN.of(place) == name


def test_the_label_of_a_part_is_its_name() -> None:
    names = PartNames({"#a1": PartLabel("table", "Files"), "#a1>tr": PartLabel("row"), "#wizard": PartLabel("dialog")})
    assert names.of("#a1") == "table “Files”"
    assert names.of_unit(("#a1>tr", 2), is_alone=False) == "row 3 of table “Files”"
    assert names.of_unit(("#a1>tr", EVERY_ROW)) == "rows of table “Files”"
    assert names.of("#wizard") == "wizard dialog"


def test_a_field_is_one_whatever_its_document_says() -> None:
    names = PartNames({"form>:email": PartLabel("area"), "form>:name": PartLabel("area", "Your name")})
    assert names.of("form>:email") == "field “email”"
    assert names.of("form>:name") == "field “Your name”"


def test_names_are_one_short_line_whatever_the_page_says() -> None:
    names = PartNames({"#a": PartLabel("dialog", "two\nlines\u202e" + "x" * 500), "main": PartLabel("main content")})
    for place in ("#a", "#a>ul", "#" + "y" * 900, ">".join(["ul", "li"] * 200), "[", "#", "><", "a\nb>[x]c"):
        name = names.of(place)
        assert name.isprintable()
        assert 0 < len(name) < 200


def test_an_open_end_is_told_in_one_sentence() -> None:
    cut = CutPart(place="#month", ordinals=(0,), event=NEXT, example=NEXT, fired=4, kept=(3, 3))
    assert cuts_in_words([cut], PLAIN) == ("month: 3 of unlimited; “Next month” fired 4 times",)


def test_equal_parts_beside_each_other_are_told_together() -> None:
    cut = CutPart(place="#days>tr", ordinals=(1, 2, 3), event=NEXT, example=NEXT, fired=4, kept=(5, 6))
    assert cuts_in_words([cut, cut], PLAIN) == ("rows of days: 5 to 6 of unlimited; “Next month” fired 4 times",)


def test_events_that_are_alike_are_told_by_an_example() -> None:
    example = 'click button "31" in table#days'
    cut = CutPart(place="#day", ordinals=(0,), event='click button "0" in table#days', example=example, fired=9)
    assert cuts_in_words([cut], PLAIN)[0].endswith("events such as “31” fired 9 times")


def test_a_button_without_words_is_told_by_its_id() -> None:
    event = "click button#previous in main"
    cut = CutPart(place="#days", ordinals=(0,), event=event, example=event, fired=4, kept=(6, 6))
    assert cuts_in_words([cut], PLAIN) == ("days: 6 of unlimited; the previous button fired 4 times",)


def test_rows_are_told_by_the_list_that_they_are_in() -> None:
    names = PartNames({"#todo": PartLabel("list", "Tasks")})
    assert cuts_in_words([CutPart(place="#todo>li")], names) == (
        "items of list “Tasks”: none, one and several are distinguished",
    )
