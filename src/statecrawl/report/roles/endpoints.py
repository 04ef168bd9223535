"""Responses of endpoints to each role.

An endpoint is a method and a route; paths that differ only in ids share a route (`/orders/{orderId}`), which the caller
determines. If a role never requested an endpoint, its access is unknown, not denied.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

NOT_MODIFIED, OK = 304, 200
MOST_PATHS = 50  # per endpoint


class AccessVerdict(StrEnum):
    """Meaning of a response."""

    REACHED = "reached"
    SENT = "redirected"
    REFUSED = "refused"
    FAILED = "failed"
    SILENT = "no response"


class EndpointKind(IntEnum):
    """How far roles agree, the most important kind first."""

    REFUSED = 0  # to some roles, but not to others
    OTHER = 1  # not requested by all roles, or with different responses
    SAME = 2


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class EndpointAnswer:
    """A response."""

    status: int  # HTTP status; 0: no response
    to: str = ""  # target of a redirect, without its query

    @property
    def verdict(self) -> AccessVerdict:
        if self.status == 0:
            return AccessVerdict.SILENT
        if self.status in (401, 403, 407):
            return AccessVerdict.REFUSED
        if self.status >= 400:
            return AccessVerdict.FAILED
        return AccessVerdict.SENT if 300 <= self.status < 400 else AccessVerdict.REACHED


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleRequests:
    """A request of a role, and its response."""

    method: str
    path: str  # with the server in front, if it is not the application's own
    route: str  # the path with parameters instead of ids
    answer: EndpointAnswer


Answers = tuple[EndpointAnswer, ...] | None  # sorted; empty: never requested; None: the traffic was not stored


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointPath:
    """One of the paths of an endpoint."""

    path: str
    cells: tuple[Answers, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointRow:
    """One endpoint, and the responses to each role."""

    method: str
    route: str
    kind: EndpointKind
    cells: tuple[Answers, ...]
    paths: tuple[EndpointPath, ...]  # the first paths, if there are several
    more: int  # number of paths left out


@dataclass(slots=True)
class _Endpoint:
    """An endpoint while it is being collected."""

    cells: list[set[EndpointAnswer]]
    paths: dict[str, list[set[EndpointAnswer]]] = field(default_factory=dict)


def endpoint_rows(roles: Sequence[Iterable[RoleRequests] | None]) -> list[EndpointRow]:
    """Return all endpoints: first those refused to some roles, then those with other differences."""
    unknown = [asked is None for asked in roles]

    def cells_of(answers: Sequence[set[EndpointAnswer]]) -> tuple[Answers, ...]:
        return tuple(None if no else tuple(sorted(cell)) for cell, no in zip(answers, unknown, strict=True))

    rows = []
    for (route, method), endpoint in _collected(roles).items():
        cells = cells_of(endpoint.cells)
        paths = [EndpointPath(path=path, cells=cells_of(each)) for path, each in sorted(endpoint.paths.items())]
        shown = tuple(paths[:MOST_PATHS] if len(paths) > 1 else ())
        more = len(paths) - len(shown) if shown else 0
        kind = _kind(cells, paths)
        rows.append(EndpointRow(method=method, route=route, kind=kind, cells=cells, paths=shown, more=more))
    return sorted(rows, key=lambda row: (row.kind, row.route, row.method))


def _collected(roles: Sequence[Iterable[RoleRequests] | None]) -> dict[tuple[str, str], _Endpoint]:
    endpoints: dict[tuple[str, str], _Endpoint] = {}
    for role, requests in enumerate(roles):
        for asked in requests or ():
            endpoint = endpoints.setdefault((asked.route, asked.method), _Endpoint([set() for _ in roles]))
            path = endpoint.paths.setdefault(asked.path, [set() for _ in roles])
            answer = EndpointAnswer(status=OK) if asked.answer.status == NOT_MODIFIED else asked.answer
            endpoint.cells[role].add(answer)
            path[role].add(answer)
    return endpoints


def _kind(cells: Sequence[Answers], paths: Iterable[EndpointPath]) -> EndpointKind:
    """Return the kind. Roles without traffic do not count, and roles need not have requested the same paths.

    Two roles may both receive 200 and 403, each for the objects of the other. So every path is compared.
    """
    asked = [[cell for cell in path.cells if cell] for path in paths]
    differ = len({cell for cell in cells if cell is not None}) > 1 or any(len(set(each)) > 1 for each in asked)
    if not differ:
        return EndpointKind.SAME
    verdicts = {answer.verdict for cell in cells for answer in cell or ()}
    mixed = AccessVerdict.REFUSED in verdicts and verdicts != {AccessVerdict.REFUSED}
    return EndpointKind.REFUSED if mixed else EndpointKind.OTHER
