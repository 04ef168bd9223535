"""Which roles reach which states.

Theory of operation
    A row is a place of the application, a cell is the state that a role finds there. States with the same id are the
    same place. But if a role sees a longer menu, all its states differ. So the remaining states are matched for every
    pair of crawls as in `report.difference.state_match`: by the event that leads to them, by URL, and by similarity.
    Rows that match are merged, unless a role is in both: it would be in two states at once. In that case, the pairs of
    the roles named first take precedence.

    So every state of every role is in exactly one row, and equal states are in the same row.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from statecrawl.model.shortest_paths import ShortestPaths, shortest_paths_of
from statecrawl.report.crawl.event_text import way_in_words
from statecrawl.report.difference.state_match import Side, StateMatch, likeness

Pair = tuple[int, int]  # of roles, in their order
Numbers = tuple[int | None, ...]  # of the state in the crawl of each role; None: not reached


class StateKind(IntEnum):
    """How far roles agree, the most important kind first."""

    SOME = 0  # not reached by all roles
    OTHER = 1  # reached by all, but different
    SAME = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class StateReach:
    """The state that one role finds."""

    number: int  # of the state in the crawl of the role
    id: str
    url: str
    title: str
    alike: float  # similarity to the state of the first role in this row; 1: the same state


@dataclass(frozen=True, slots=True, kw_only=True)
class StateRow:
    """One place of the application."""

    way: tuple[str, ...]  # in words, of the first role in this row
    cells: tuple[StateReach | None, ...]  # by role

    @property
    def first(self) -> StateReach:
        return next(cell for cell in self.cells if cell is not None)

    @property
    def kind(self) -> "StateKind":
        if None in self.cells:
            return StateKind.SOME
        same = all(cell is not None and cell.id == self.first.id for cell in self.cells)
        return StateKind.SAME if same else StateKind.OTHER


def state_rows(sides: Sequence[Side], matchings: Mapping[Pair, StateMatch]) -> list[StateRow]:
    """Return all rows: first those that some roles do not reach, then those that differ, then the others."""
    ways = [shortest_paths_of(side.graph) for side in sides]
    numbers = aligned(sides, matchings)
    rows = [(_row(sides, each, ways), each) for each in numbers]
    rows.sort(key=lambda row: _rank(*row))
    return [row for row, _ in rows]


def aligned(sides: Sequence[Side], matchings: Mapping[Pair, StateMatch]) -> list[Numbers]:
    """Return the numbers of the states in each row."""
    rows: dict[str, list[int | None]] = {}  # id -> its row, which may be shared
    for role, side in enumerate(sides):
        for number, state in enumerate(side.graph.ids):
            rows.setdefault(state, [None] * len(sides))[role] = number
    for (one, other), matching in sorted(matchings.items()):
        for here, there in sorted(matching.there.items()):
            _join(rows, sides, sides[one].graph.ids[here], sides[other].graph.ids[there])
    return list({id(row): tuple(row) for row in rows.values()}.values())


def _join(rows: dict[str, list[int | None]], sides: Sequence[Side], one: str, other: str) -> None:
    """Merge the rows of two states, unless a role is in both."""
    row, gone = rows[one], rows[other]
    if row is gone or any(a is not None and b is not None for a, b in zip(row, gone, strict=True)):
        return
    for role, number in enumerate(gone):
        if number is not None:
            row[role] = number
            rows[sides[role].graph.ids[number]] = row


def _row(sides: Sequence[Side], numbers: Numbers, ways: Sequence[ShortestPaths]) -> StateRow:
    role, there = _first(numbers)
    first = sides[role]
    return StateRow(
        way=_way(first, there, ways[role]),
        cells=tuple(
            None if number is None else _reached(side, number, first, there)
            for side, number in zip(sides, numbers, strict=True)
        ),
    )


def _first(numbers: Numbers) -> tuple[int, int]:
    """Return the first role in a row, and its state."""
    return next((role, number) for role, number in enumerate(numbers) if number is not None)


def _way(side: Side, number: int, ways: ShortestPaths) -> tuple[str, ...]:
    if ways.depths[number] < 0:
        return ()
    return tuple(way_in_words(side.graph.event(*pair).local for pair in ways.to(number)))


def _reached(side: Side, number: int, first: Side, there: int) -> StateReach:
    state = side.graph.ids[number]
    same = first.graph.ids[there] == state
    return StateReach(
        number=number,
        id=state,
        url=side.urls[number],
        title=side.titles[number],
        alike=1.0 if same else likeness(first.lines(there), side.lines(number)),
    )


def _rank(row: StateRow, numbers: Numbers) -> tuple[StateKind, int, tuple[int, int]]:
    return row.kind, len(numbers) - numbers.count(None), _first(numbers)
