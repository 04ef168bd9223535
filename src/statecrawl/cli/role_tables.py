"""The matrix of roles for people, in a terminal."""

import math
from collections.abc import Iterator, Sequence

from rich.table import Table
from rich.text import Text

from statecrawl.cli.summary import counted
from statecrawl.cli.tables import plain_table
from statecrawl.errors import printable
from statecrawl.report.roles.endpoints import AccessVerdict, Answers, EndpointAnswer, EndpointKind
from statecrawl.report.roles.matrix import RoleColumn, RoleMatrix
from statecrawl.report.roles.states import StateKind, StateReach, StateRow

MOST_SHOWN = 30  # of endpoints, and of states
LONGEST = 44  # letters of what a state is called
STYLES = {
    AccessVerdict.REACHED: "green",
    AccessVerdict.SENT: "",
    AccessVerdict.REFUSED: "red",
    AccessVerdict.FAILED: "yellow",
    AccessVerdict.SILENT: "yellow",
}
NEVER, UNKNOWN = Text("–", style="dim"), Text("?", style="dim")


def matrix_lines(matrix: RoleMatrix) -> Iterator[str]:
    """Each role in a line, and what to mind."""
    for column in matrix.columns:
        yield printable(f"{column.name}: {_in_short(column)}")
    for remark in matrix.remarks:
        yield printable(f"mind: {remark}")


def matrix_tables(matrix: RoleMatrix) -> Iterator[tuple[Table, str]]:
    """What is not the same for all, endpoints first, each with what is left out."""
    endpoints = [row for row in matrix.endpoints if row.kind is not EndpointKind.SAME]
    rows = [([printable(f"{row.method} {row.route}")], [_answers(cell) for cell in row.cells]) for row in endpoints]
    yield _table("endpoint", matrix, rows, len(matrix.endpoints))
    states = [row for row in matrix.states if row.kind is not StateKind.SAME]
    cells = [
        ([_called(row)], [_reached(*each, row) for each in zip(matrix.columns, row.cells, strict=True)])
        for row in states
    ]
    yield _table("state", matrix, cells, len(matrix.states))


def _table(
    what: str, matrix: RoleMatrix, rows: Sequence[tuple[list[str], list[Text]]], known: int
) -> tuple[Table, str]:
    table = plain_table()
    table.add_column(what, overflow="fold")
    for column in matrix.columns:
        table.add_column(printable(column.name), no_wrap=True)
    for head, cells in rows[:MOST_SHOWN]:
        table.add_row(*(Text(each) for each in head), *cells)
    left, same = len(rows) - MOST_SHOWN, known - len(rows)
    said = [f"and {left:,} more that differ"] if left > 0 else []
    said += [f"{counted(same, what)} the same for all"] if same else []
    return table, f"{', '.join(said)}; the page and --json have them all\n" if said else ""


def _in_short(column: RoleColumn) -> str:
    alone = f", {column.alone:,} of them nobody else reaches" if column.alone else ""
    asked = "" if column.endpoints is None else f"; {counted(column.endpoints, 'endpoint')}"
    refused = f", {column.refused:,} refused" if column.refused else ""
    return f"{counted(column.states, 'state')}{alone}{asked}{refused}"


def _answers(cell: Answers) -> Text:
    if not cell:
        return UNKNOWN if cell is None else NEVER
    return Text(", ").join(_answer(answer) for answer in cell)


def _answer(answer: EndpointAnswer) -> Text:
    said = str(answer.status or answer.verdict)
    said += f" → {answer.to}" if answer.to else ""
    return Text(printable(said), style=STYLES[answer.verdict])


def _called(row: StateRow) -> str:
    """What a person would call a state, and how to get there."""
    said = printable(row.first.title or row.first.url)
    last = printable(row.way[-1]) if row.way else ""
    return ": ".join(each if len(each) <= LONGEST else f"{each[: LONGEST - 1]}…" for each in (said, last) if each)


def _reached(column: RoleColumn, cell: StateReach | None, row: StateRow) -> Text:
    if cell is None:
        return NEVER if column.is_explored else UNKNOWN
    if cell.id == row.first.id:
        return Text(f"● {cell.number}", style="green")
    return Text(f"◐ {cell.number}, {math.floor(cell.alike * 100)} % alike", style="yellow")
