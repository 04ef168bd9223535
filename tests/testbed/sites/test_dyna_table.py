"""The server of the table of lessons: 14 pages by either column, and one person at the end of them."""

import pytest

from statecrawl.testbed.dyna_table import ALL, COLUMNS, DAYS, NONE, PAGES, WITHOUT_LAST_PERSON
from statecrawl.testbed.sites.dyna_table import ROWS_PER_PAGE, rows, site
from tests.testbed.sites.asking import asked


@pytest.mark.parametrize("column", COLUMNS)
def test_pages_cut_the_same_people_by_either_column(column: str) -> None:
    pages = [rows(column, ALL, page) for page in range(1, PAGES + 1)]
    assert [len(page) for page in pages] == [ROWS_PER_PAGE] * (PAGES - 1) + [1]
    values = [getattr(row, column) for page in pages for row in page]
    assert values == sorted(values)
    assert len({row.name for page in pages for row in page}) == len(values)


def test_the_columns_sort_differently() -> None:
    assert rows("name", ALL, 1) != rows("description", ALL, 1)


@pytest.mark.parametrize("column", COLUMNS)
def test_the_last_page_is_empty_for_exactly_the_days_of_the_model(column: str) -> None:
    subsets = [frozenset(day for at, day in enumerate(DAYS) if bits >> at & 1) for bits in range(2 ** len(DAYS))]
    empty = {days for days in subsets if not any(row.lessons for row in rows(column, days, PAGES))}
    assert empty == {days for days in subsets if days <= WITHOUT_LAST_PERSON}


def test_lessons_are_those_of_the_chosen_days() -> None:
    chosen = rows("name", frozenset({"tue", "fri"}), 3)
    assert {lesson.split()[0] for row in chosen for lesson in row.lessons} == {"Tue", "Fri"}
    assert not any(row.lessons for row in rows("name", NONE, 3))


def test_the_server_answers_with_the_same_rows() -> None:
    (answer,) = asked(site(), "/rows?column=description&days=mon,wed&page=2")
    assert answer.json["pages"] == PAGES
    expected = rows("description", frozenset({"mon", "wed"}), 2)
    assert [row["name"] for row in answer.json["rows"]] == [row.name for row in expected]
    assert [row["lessons"] for row in answer.json["rows"]] == [row.lessons for row in expected]


def test_no_days_may_be_chosen() -> None:
    (answer,) = asked(site(), "/rows?column=name&days=&page=14")
    assert [row["lessons"] for row in answer.json["rows"]] == [[]]


@pytest.mark.parametrize("query", ["column=age", "days=sun", "page=0", "page=15", "page=x"])
def test_what_is_not_in_the_table(query: str) -> None:
    (answer,) = asked(site(), f"/rows?{query}")
    assert answer.status == 400
