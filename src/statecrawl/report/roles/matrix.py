"""The matrix of roles: states and endpoints by role, and remarks on its reliability."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from statecrawl.journal.qualifications import Qualification, summary_of
from statecrawl.report.difference.state_match import Side, StateMatch
from statecrawl.report.roles.endpoints import AccessVerdict, Answers, EndpointRow, RoleRequests, endpoint_rows
from statecrawl.report.roles.states import Pair, StateRow, state_rows

# Options that do not affect the identity of states.
HARMLESS = frozenset({"strategy", "pages", "login", "keep-secrets", "architecture", "partition", "partition-by"}) | {
    *("balance", "share", "share-every", "share-interval", "header", "basic-auth", "proxy", "insecure", "ignore-robots")
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """The crawl of one role."""

    name: str
    application: str
    side: Side
    asked: Sequence[RoleRequests] | None  # None: its traffic was not stored
    is_explored: bool  # no event is left to fire
    qualifications: tuple[Qualification, ...]  # why its crawl is not complete
    settings: Mapping[str, Any]
    rules: frozenset[tuple[str, str]]  # for dynamic content


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleColumn:
    """Summary of one role."""

    name: str
    is_explored: bool
    qualifications: tuple[Qualification, ...]
    states: int
    alone: int  # states that no other role reaches
    endpoints: int | None  # endpoints that it requested; None: unknown
    refused: int  # endpoints that were refused


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleMatrix:
    """States and endpoints by role."""

    columns: tuple[RoleColumn, ...]
    states: tuple[StateRow, ...]
    endpoints: tuple[EndpointRow, ...]
    remarks: tuple[str, ...]  # on its reliability


def matrix_of(roles: Sequence[Role], matchings: Mapping[Pair, StateMatch]) -> RoleMatrix:
    """Return the matrix. `matchings` has every pair of roles."""
    states = state_rows([role.side for role in roles], matchings)
    endpoints = endpoint_rows([role.asked for role in roles])
    return RoleMatrix(
        columns=tuple(_column(place, role, states, endpoints) for place, role in enumerate(roles)),
        states=tuple(states),
        endpoints=tuple(endpoints),
        remarks=tuple(_remarks(roles, matchings)),
    )


def _column(place: int, role: Role, states: Sequence[StateRow], endpoints: Sequence[EndpointRow]) -> RoleColumn:
    asked = [row.cells[place] for row in endpoints if row.cells[place]]
    alone = sum(1 for row in states if row.cells[place] and row.cells.count(None) == len(row.cells) - 1)
    return RoleColumn(
        name=role.name,
        is_explored=role.is_explored,
        qualifications=role.qualifications,
        states=len(role.side.graph),
        alone=alone,
        endpoints=None if role.asked is None else len(asked),
        refused=sum(1 for cell in asked if any(answer.verdict is AccessVerdict.REFUSED for answer in cell or ())),
    )


def _remarks(roles: Sequence[Role], matchings: Mapping[Pair, StateMatch]) -> Iterator[str]:
    for role in roles:
        if role.qualifications:
            why = summary_of(role.qualifications)
            yield f"The crawl of {role.name} is not complete ({why}): the role may reach more than is shown here."
        if role.asked is None:
            yield f"The traffic of {role.name} was not stored, so its endpoints are unknown."
    first = roles[0]
    for role in roles[1:]:
        if role.application != first.application:
            yield f"{first.name} crawled {first.application}, but {role.name} crawled {role.application}."
        yield from _settings(first, role)
        if role.rules != first.rules:
            yield (
                f"{first.name} and {role.name} learned different rules for dynamic content, so states may differ for"
                " this reason alone: exclude those parts with --ignore."
            )
    strangers = [
        f"{roles[one].name} and {roles[other].name}"
        for (one, other), matching in matchings.items()
        if matching.there and not roles[one].side.graph.numbers.keys() & roles[other].side.graph.numbers.keys()
    ]
    if strangers:
        yield (
            f"{'; '.join(strangers)} have no state in common. If every page shows who is logged in, exclude that part"
            " with --ignore."
        )


def _settings(first: Role, role: Role) -> Iterator[str]:
    one, other = first.settings, role.settings
    for name in sorted((one.keys() | other.keys()) - HARMLESS):
        here, there = _text_of(one.get(name)), _text_of(other.get(name))
        if here != there:
            yield (
                f"{first.name} was crawled with --{name} {here}, {role.name} with {there}: states may differ for this"
                " reason alone."
            )


def _text_of(value: Any) -> str:
    match value:
        case None | "" | []:
            return "none"
        case bool():
            return "on" if value else "off"
        case list():
            return ", ".join(map(str, value))
        case _:
            return str(value)


def as_object(matrix: RoleMatrix) -> dict[str, Any]:
    """Return the matrix as JSON values, by the names of roles."""
    names = [column.name for column in matrix.columns]
    return {
        "roles": [
            {
                "name": column.name,
                "complete": not column.qualifications,
                "qualifications": [asdict(each) for each in column.qualifications],
                "states": column.states,
                "alone": column.alone,
                "endpoints": column.endpoints,
                "refused": column.refused,
            }
            for column in matrix.columns
        ],
        "states": [_state(row, names) for row in matrix.states],
        "endpoints": [
            {
                "method": row.method,
                "path": row.route,
                "kind": row.kind.name.lower(),
                "answers": _answers(row.cells, names),
                "paths": {each.path: _answers(each.cells, names) for each in row.paths},
            }
            for row in matrix.endpoints
        ],
        "remarks": list(matrix.remarks),
    }


def _state(row: StateRow, names: Sequence[str]) -> dict[str, Any]:
    reached = {
        name: None
        if cell is None
        else {
            "state": cell.number,
            "id": cell.id,
            "title": cell.title,
            "url": cell.url,
            "alike": round(cell.alike, 3),
        }
        for name, cell in zip(names, row.cells, strict=True)
    }
    return {
        "title": row.first.title,
        "url": row.first.url,
        "way": row.way,
        "kind": row.kind.name.lower(),
        "reached": reached,
    }


def _answers(cells: Sequence[Answers], names: Sequence[str]) -> dict[str, Any]:
    return {
        name: None if cell is None else [{"status": answer.status, "to": answer.to} for answer in cell]
        for name, cell in zip(names, cells, strict=True)
    }
