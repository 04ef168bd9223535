"""Which roles were answered what, where.

An endpoint is a method and a path; paths that differ only in which thing they are about are one (`/orders/{orderId}`),
and whoever reads the traffic says so. What a role never asked for is not refused: nobody knows.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

NOT_MODIFIED, OK = 304, 200
MOST_PATHS = 50  # of one endpoint


class AccessVerdict(StrEnum):
    """What an answer says to who asked."""

    REACHED = "reached"
    SENT = "redirected"
    REFUSED = "refused"
    FAILED = "failed"
    SILENT = "no response"


class EndpointKind(IntEnum):
    """How far roles agree; what matters most comes first."""

    REFUSED = 0  # to some and not to others
    OTHER = 1  # not all ask for it, or they are answered otherwise
    SAME = 2


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class EndpointAnswer:
    """What came back."""

    status: int  # of HTTP; 0: nothing
    to: str = ""  # where a redirect leads, without its query

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
    """A request of a role, and its answer."""

    method: str
    path: str  # with the server before it, where that is not the application's own
    route: str  # the same with parameters for what is an id
    answer: EndpointAnswer


Answers = tuple[EndpointAnswer, ...] | None  # sorted; nothing: never asked for; None: nobody kept the traffic


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointPath:
    """One of the paths of an endpoint."""

    path: str
    cells: tuple[Answers, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointRow:
    """One endpoint, and what each role was answered."""

    method: str
    route: str
    kind: EndpointKind
    cells: tuple[Answers, ...]
    paths: tuple[EndpointPath, ...]  # where there are several, the first of them
    more: int  # paths that are left out


@dataclass(slots=True)
class _Endpoint:
    """One that is being collected."""

    cells: list[set[EndpointAnswer]]
    paths: dict[str, list[set[EndpointAnswer]]] = field(default_factory=dict)


def endpoint_rows(roles: Sequence[Iterable[RoleRequests] | None]) -> list[EndpointRow]:
    """All endpoints: first those that are refused to some and not to others, then those that some ask for."""
    unknown = [asked is None for asked in roles]

    def told(answers: Sequence[set[EndpointAnswer]]) -> tuple[Answers, ...]:
        return tuple(None if no else tuple(sorted(cell)) for cell, no in zip(answers, unknown, strict=True))

    rows = []
    for (route, method), endpoint in _collected(roles).items():
        cells = told(endpoint.cells)
        paths = [EndpointPath(path=path, cells=told(each)) for path, each in sorted(endpoint.paths.items())]
        shown = tuple(paths[:MOST_PATHS] if len(paths) > 1 else ())
        more = len(paths) - len(shown) if shown else 0
        kind = _kind(cells, paths)
        rows.append(EndpointRow(method=method, route=route, kind=kind, cells=cells, paths=shown, more=more))
    return sorted(rows, key=lambda row: (row.kind, row.route, row.method))


def _collected(roles: Sequence[Iterable[RoleRequests] | None]) -> dict[tuple[str, str], _Endpoint]:
    found: dict[tuple[str, str], _Endpoint] = {}
    for role, requests in enumerate(roles):
        for asked in requests or ():
            endpoint = found.setdefault((asked.route, asked.method), _Endpoint([set() for _ in roles]))
            path = endpoint.paths.setdefault(asked.path, [set() for _ in roles])
            answer = EndpointAnswer(status=OK) if asked.answer.status == NOT_MODIFIED else asked.answer
            endpoint.cells[role].add(answer)
            path[role].add(answer)
    return found


def _kind(cells: Sequence[Answers], paths: Iterable[EndpointPath]) -> EndpointKind:
    """Roles of which nothing is known do not count; nor does it who has asked about which things.

    Two roles may be answered 200 and 403, and that for each about what is the other's: so each path is looked at.
    """
    asked = [[cell for cell in path.cells if cell] for path in paths]
    differ = len({cell for cell in cells if cell is not None}) > 1 or any(len(set(each)) > 1 for each in asked)
    if not differ:
        return EndpointKind.SAME
    verdicts = {answer.verdict for cell in cells for answer in cell or ()}
    mixed = AccessVerdict.REFUSED in verdicts and verdicts != {AccessVerdict.REFUSED}
    return EndpointKind.REFUSED if mixed else EndpointKind.OTHER
