"""Which roles were answered what, where.

An endpoint is a method and a path; paths that differ only in which thing they are about are one (`/orders/{orderId}`),
and whoever reads the traffic says so. What a role never asked for is not refused: nobody knows.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

NOT_MODIFIED, OK = 304, 200
MOST_PATHS = 50  # of one endpoint


class Verdict(StrEnum):
    """What an answer says to who asked."""

    REACHED = "reached"
    SENT = "sent elsewhere"
    REFUSED = "refused"
    FAILED = "failed"
    SILENT = "no answer"


class EndpointKind(IntEnum):
    """How far roles agree; what matters most comes first."""

    REFUSED = 0  # to some and not to others
    OTHER = 1  # not all ask for it, or they are answered otherwise
    SAME = 2


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Answer:
    """What came back."""

    status: int  # of HTTP; 0: nothing
    to: str = ""  # where a redirect leads, without its query

    @property
    def verdict(self) -> Verdict:
        if self.status == 0:
            return Verdict.SILENT
        if self.status in (401, 403, 407):
            return Verdict.REFUSED
        if self.status >= 400:
            return Verdict.FAILED
        return Verdict.SENT if 300 <= self.status < 400 else Verdict.REACHED


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request of a role, and its answer."""

    method: str
    path: str  # with the server before it, where that is not the application's own
    route: str  # the same with parameters for what is an id
    answer: Answer


Answers = tuple[Answer, ...] | None  # sorted; nothing: never asked for; None: nobody kept the traffic


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """One of the paths of an endpoint."""

    path: str
    cells: tuple[Answers, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointRow:
    """One endpoint, and what each role was answered."""

    method: str
    route: str
    cells: tuple[Answers, ...]
    paths: tuple[Path, ...]  # where there are several, the first of them

    @property
    def kind(self) -> "EndpointKind":
        """Roles of which nothing is known do not count."""
        if len({cell for cell in self.cells if cell is not None}) <= 1:
            return EndpointKind.SAME
        verdicts = {answer.verdict for cell in self.cells for answer in cell or ()}
        mixed = Verdict.REFUSED in verdicts and verdicts != {Verdict.REFUSED}
        return EndpointKind.REFUSED if mixed else EndpointKind.OTHER


@dataclass(slots=True)
class _Endpoint:
    """One that is being collected."""

    cells: list[set[Answer]]
    paths: dict[str, list[set[Answer]]] = field(default_factory=dict)


def endpoint_rows(roles: Sequence[Iterable[Asked] | None]) -> list[EndpointRow]:
    """All endpoints: first those that are refused to some and not to others, then those that some ask for."""
    unknown = [asked is None for asked in roles]
    found: dict[tuple[str, str], _Endpoint] = {}
    for role, requests in enumerate(roles):
        for asked in requests or ():
            key = asked.route, asked.method
            endpoint = found.setdefault(key, _Endpoint([set() for _ in roles]))
            cells = endpoint.paths.setdefault(asked.path, [set() for _ in roles])
            answer = Answer(status=OK) if asked.answer.status == NOT_MODIFIED else asked.answer
            endpoint.cells[role].add(answer)
            cells[role].add(answer)

    def told(cells: Sequence[set[Answer]]) -> tuple[Answers, ...]:
        return tuple(None if no else tuple(sorted(cell)) for cell, no in zip(cells, unknown, strict=True))

    rows = [
        EndpointRow(
            method=method,
            route=route,
            cells=told(endpoint.cells),
            paths=tuple(Path(path=path, cells=told(cells)) for path, cells in sorted(endpoint.paths.items()))[
                : MOST_PATHS if len(endpoint.paths) > 1 else 0
            ],
        )
        for (route, method), endpoint in found.items()
    ]
    return sorted(rows, key=_rank)


def _rank(row: EndpointRow) -> tuple[EndpointKind, str, str]:
    return row.kind, row.route, row.method
