"""The role matrix as text and tables in a terminal."""

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

MOST_SHOWN = 30  # endpoints, and states
LONGEST = 44  # characters of a label of a state
STYLES = {
    AccessVerdict.REACHED: "green",
    AccessVerdict.SENT: "",
    AccessVerdict.REFUSED: "red",
    AccessVerdict.FAILED: "yellow",
    AccessVerdict.SILENT: "yellow",
}
NEVER, UNKNOWN = Text("–", style="dim"), Text("?", style="dim")


def matrix_lines(matrix: RoleMatrix) -> Iterator[str]:
    """Return one line for each role, followed by warnings."""
    for column in matrix.columns:
        yield printable(f"{column.name}: {_in_short(column)}")
    for remark in matrix.remarks:
        yield printable(f"warning: {remark}")


def matrix_tables(matrix: RoleMatrix) -> Iterator[tuple[Table, str]]:
    """Return the tables of endpoints and states that differ between roles, each with a line about omitted rows."""
    endpoints = [row for row in matrix.endpoints if row.kind is not EndpointKind.SAME]
    rows = [([printable(f"{row.method} {row.route}")], [_answers(cell) for cell in row.cells]) for row in endpoints]
    yield _table("endpoint", matrix, rows, len(matrix.endpoints))
    states = [row for row in matrix.states if row.kind is not StateKind.SAME]
    cells = [
        ([_label(row)], [_reached(*each, row) for each in zip(matrix.columns, row.cells, strict=True)])
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
    omitted = [f"and {left:,} more that differ"] if left > 0 else []
    omitted += [f"{counted(same, what)} the same for all roles"] if same else []
    return table, f"{', '.join(omitted)}; the page and --json list all of them\n" if omitted else ""


def _in_short(column: RoleColumn) -> str:
    alone = f", {column.alone:,} of them not reached by any other role" if column.alone else ""
    endpoints = "" if column.endpoints is None else f"; {counted(column.endpoints, 'endpoint')}"
    refused = f", {column.refused:,} refused" if column.refused else ""
    return f"{counted(column.states, 'state')}{alone}{endpoints}{refused}"


def _answers(cell: Answers) -> Text:
    if not cell:
        return UNKNOWN if cell is None else NEVER
    return Text(", ").join(_answer(answer) for answer in cell)


def _answer(answer: EndpointAnswer) -> Text:
    text = str(answer.status or answer.verdict)
    text += f" → {answer.to}" if answer.to else ""
    return Text(printable(text), style=STYLES[answer.verdict])


def _label(row: StateRow) -> str:
    """Return the title or URL of a state and the last event of the path to it."""
    title = printable(row.first.title or row.first.url)
    event = printable(row.way[-1]) if row.way else ""
    return ": ".join(each if len(each) <= LONGEST else f"{each[: LONGEST - 1]}…" for each in (title, event) if each)


def _reached(column: RoleColumn, cell: StateReach | None, row: StateRow) -> Text:
    if cell is None:
        return NEVER if column.is_explored else UNKNOWN
    if cell.id == row.first.id:
        return Text(f"● {cell.number}", style="green")
    return Text(f"◐ {cell.number}, {math.floor(cell.alike * 100)}% similar", style="yellow")
