"""Which roles reach which state: every state stands in one row, and equal states in the same."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.journal.facts import Fact, StateFound, TransitionExplored
from statecrawl.report.crawl.content import Reading
from statecrawl.report.difference.state_match import Side, match
from statecrawl.report.roles.states import StateKind, StateRow, aligned, state_rows
from tests.report.crawl.crawls import crawls


def side(*facts: Fact) -> Side:
    reading = Reading().extend(facts)
    found = [reading.found[state] for state in reading.crawl.graph.ids]
    return Side(
        reading.crawl.graph, [fact.url or "" for fact in found], [fact.title or "" for fact in found], lambda _: None
    )


def rows_of(*sides: Side) -> list[StateRow]:
    pairs = combinations(range(len(sides)), 2)
    return state_rows(sides, {(one, other): match(sides[one], sides[other]) for one, other in pairs})


@given(st.lists(crawls(), min_size=2, max_size=4))
def test_every_state_of_every_role_stands_in_one_row_and_equal_ones_together(told: list[list[Fact]]) -> None:
    sides = [side(*facts) for facts in told]
    pairs = combinations(range(len(sides)), 2)
    rows = aligned(sides, {(one, other): match(sides[one], sides[other]) for one, other in pairs})
    for role, each in enumerate(sides):
        numbers = [number for row in rows if (number := row[role]) is not None]
        assert sorted(numbers) == list(range(len(each.graph)))
    place: dict[str, int] = {}
    for number, row in enumerate(rows):
        ids = {sides[role].graph.ids[state] for role, state in enumerate(row) if state is not None}
        assert ids
        for state in ids:
            assert place.setdefault(state, number) == number


@given(crawls(), st.integers(2, 4))
def test_roles_that_see_the_same_have_the_same_rows(facts: list[Fact], roles: int) -> None:
    rows = rows_of(*(side(*facts) for _ in range(roles)))
    assert {row.kind for row in rows} <= {StateKind.SAME}
    assert all(cell is not None and cell.alike == 1.0 for row in rows for cell in row.cells)


@given(st.lists(crawls(), min_size=2, max_size=3))
def test_what_matters_comes_first(told: list[list[Fact]]) -> None:
    rows = rows_of(*(side(*facts) for facts in told))
    assert [row.kind for row in rows] == sorted(row.kind for row in rows)


GO, MORE = 'click a "Go" in nav', 'click a "More" in nav'
ADMIN = side(
    StateFound(state="a0", events=(GO, MORE), url="http://app.test/", title="Home"),
    StateFound(state="ee", events=(), url="http://app.test/about", title="About"),
    StateFound(state="a2", events=(GO,), url="http://app.test/users", title="Users"),
    TransitionExplored(state="a0", event=GO, target="ee"),
    TransitionExplored(state="a0", event=MORE, target="a2"),
)
CLERK = side(
    StateFound(state="b0", events=(GO,), url="http://app.test/", title="Home"),
    StateFound(state="ee", events=(), url="http://app.test/about", title="About"),
    TransitionExplored(state="b0", event=GO, target="ee"),
)


def test_a_state_that_shows_a_role_less_is_still_the_same_place() -> None:
    users, home, about = rows_of(ADMIN, CLERK)
    assert (users.kind, users.way[-1], users.cells[1]) == (StateKind.SOME, "click “More”", None)
    assert home.kind is StateKind.OTHER
    assert [cell and (cell.id, cell.alike) for cell in home.cells] == [("a0", 1.0), ("b0", 0.5)]
    assert (about.kind, about.first.number) == (StateKind.SAME, 1)
    assert [row.first.title for row in rows_of(CLERK, ADMIN)] == ["Users", "Home", "About"]
