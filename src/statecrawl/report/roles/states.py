"""Which roles reach which state.

Theory of operation
    A row is a place of the application, a cell what a role finds there. States with the same id are the same place: an
    id says what a state is. But an application that shows a role more of its menu shows it other states throughout, so
    what is left is matched as `report.difference.state_match` does it for each two crawls: by the event that leads
    there, by the address, and by how much is said alike. Rows that are matched become one, unless some role is in
    both: it would be in two states at once. Which pairs come first decides then: those of the roles that were named
    first.

    So every state of every role is in one row and in one only, and equal states are never in two.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from statecrawl.model.shortest_paths import ShortestPaths, shortest_paths_of
from statecrawl.report.crawl.event_text import way_in_words
from statecrawl.report.difference.state_match import Side, StateMatch, likeness

Pair = tuple[int, int]  # of roles, the first one first
Numbers = tuple[int | None, ...]  # of a state in the crawl of each role; None: it is in none


class StateKind(IntEnum):
    """How far roles agree; what matters most comes first."""

    SOME = 0  # not all of them are there
    OTHER = 1  # they are, and not all find the same
    SAME = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class StateReach:
    """What one role finds."""

    number: int  # of the state in the crawl of the role
    id: str
    url: str
    title: str
    alike: float  # the share of it that the first role that is here finds as well; 1: the same state


@dataclass(frozen=True, slots=True, kw_only=True)
class StateRow:
    """One place of the application."""

    way: tuple[str, ...]  # in words, of the first role that is here
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
    """All places: first those that some do not reach, then those that look different, then the others."""
    ways = [shortest_paths_of(side.graph) for side in sides]
    numbers = aligned(sides, matchings)
    rows = [(_row(sides, each, ways), each) for each in numbers]
    rows.sort(key=lambda row: _rank(*row))
    return [row for row, _ in rows]


def aligned(sides: Sequence[Side], matchings: Mapping[Pair, StateMatch]) -> list[Numbers]:
    """The numbers of states that stand in one row."""
    rows: dict[str, list[int | None]] = {}  # id -> the row it is in, which others may share
    for role, side in enumerate(sides):
        for number, state in enumerate(side.graph.ids):
            rows.setdefault(state, [None] * len(sides))[role] = number
    for (one, other), matching in sorted(matchings.items()):
        for here, there in sorted(matching.there.items()):
            _join(rows, sides, sides[one].graph.ids[here], sides[other].graph.ids[there])
    return list({id(row): tuple(row) for row in rows.values()}.values())


def _join(rows: dict[str, list[int | None]], sides: Sequence[Side], one: str, other: str) -> None:
    """Have two states stand in one row, if no role is in both."""
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
    """The first role that is here, and in which state."""
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
