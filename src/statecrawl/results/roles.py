"""Comparison of roles: read several crawls, compare them, and write HTML pages."""

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from urllib.parse import quote

from statecrawl.crawler.start_page import ASKS_WHO
from statecrawl.errors import BadInput, StoreError
from statecrawl.exports.openapi import split
from statecrawl.exports.requests import SeenRequest, requests, routes_of
from statecrawl.journal.facts import CrawlStarted
from statecrawl.report.crawl.files import INDEX
from statecrawl.report.difference.difference import CrawlDifference
from statecrawl.report.difference.page import difference_page
from statecrawl.report.difference.state_match import StateMatch, match
from statecrawl.report.roles.endpoints import EndpointAnswer, RoleRequests
from statecrawl.report.roles.matrix import Role, RoleMatrix, matrix_of
from statecrawl.report.roles.page import ReportLinks, roles_page
from statecrawl.report.roles.states import Pair
from statecrawl.results.diff import OpenedCrawl, difference_between, opened
from statecrawl.results.report import FOLDER, has_report
from statecrawl.stores.evidence import JOURNAL_NAME, EvidenceReader
from statecrawl.stores.sqlite_journal import open_reader
from statecrawl.stores.traffic import TrafficReader

SHORT_BYTES = 100  # of a name: two of them and some letters fit into the 255 bytes of most file systems
ROLE_NAME = re.compile(r"\w(?:[\w-]{0,38}\w)?")  # safe as the name of a directory everywhere


@dataclass(frozen=True, slots=True)
class ComparedRoles:
    """The comparison of several roles; the difference between two of them is computed on demand."""

    folders: dict[str, Path]  # by role
    matrix: RoleMatrix
    _crawls: Sequence[OpenedCrawl]
    _matchings: Mapping[Pair, StateMatch]

    def differences(self) -> Iterator[tuple[Pair, CrawlDifference]]:
        """Yield the difference between each two roles."""
        for (one, other), matching in self._matchings.items():
            yield (one, other), difference_between(self._crawls[one], self._crawls[other], matching)


def check_role_name(name: str) -> None:
    """Raise BadInput if this cannot be the name of a role and of the directory of its crawl."""
    if not ROLE_NAME.fullmatch(name):
        raise BadInput(
            f"'{name}' is not a valid role name: use up to 40 letters, digits and hyphens, such as --role admin."
        )


def check_roles_folder(folder: Path, roles: Collection[str]) -> None:
    """Raise BadInput if these roles cannot be crawled into subdirectories of a directory."""
    _check_directory(folder)
    if (folder / JOURNAL_NAME).exists():
        raise BadInput(f"{folder} contains a single crawl, not one per role: choose another directory with --out.")
    inside = list(folder.iterdir()) if folder.is_dir() else []
    crawls = {path.name for path in inside if (path / JOURNAL_NAME).is_file()}
    started = {path.name for path in inside if path.is_dir()} & set(roles)  # perhaps without a journal yet
    if inside and not crawls | started:
        raise BadInput(f"{folder} contains other files but no crawls: choose a new directory with --out.")
    if len(crawls | set(roles)) < 2:
        raise BadInput("a single role cannot be compared: add another one, such as --role guest.")


def _check_directory(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder} is not a directory: choose another one with --out.")


def roles_in(folder: Path) -> dict[str, Path]:
    """Return the roles whose crawls are in a directory, in the order in which they started. Raises BadInput."""
    if not folder.is_dir():
        raise BadInput(f"there is no directory {folder}: pass the one that statecrawl roles wrote, or use --role.")
    if (folder / JOURNAL_NAME).exists():
        raise BadInput(f"{folder} is a single crawl: pass two or more, or the directory that statecrawl roles wrote.")
    crawls = [path for path in sorted(folder.iterdir()) if (path / JOURNAL_NAME).is_file()]
    if len(crawls) < 2:
        what = f"only one crawl, {crawls[0].name}," if crawls else "no crawl"
        raise BadInput(f"there is {what} in {folder}, but at least two are needed: crawl with --role for each role.")
    return {path.name: path for path in sorted(crawls, key=_started_at)}


def _started_at(folder: Path) -> float:
    """Return when the first crawl in a directory started."""
    with closing(open_reader(folder / JOURNAL_NAME)) as reader:
        first = next(iter(reader.read()), None)
    return (first.at or 0.0) if isinstance(first, CrawlStarted) else 0.0


def compare_roles(folders: Mapping[str, Path]) -> ComparedRoles:
    """Compare the crawls in these directories. Raises BadInput; StoreError if a journal cannot be used."""
    crawls = [opened(folder) for folder in folders.values()]
    sent = [_requests(folder, crawl) for folder, crawl in zip(folders.values(), crawls, strict=True)]
    routed = routes_of(request for each in sent for request in each or ())
    roles = [
        _role(name, crawl, None if each is None else [_role_request(request, routed) for request in each])
        for name, crawl, each in zip(folders, crawls, sent, strict=True)
    ]
    matchings = {
        (one, other): match(crawls[one].side, crawls[other].side) for one, other in combinations(range(len(crawls)), 2)
    }
    return ComparedRoles(dict(folders), matrix_of(roles, matchings), crawls, matchings)


def write_roles(out: Path, compared: ComparedRoles) -> Path:
    """Write the page of the matrix, and a page for the difference between each two roles. Return the first one.

    Raises BadInput and StoreError.
    """
    _check_directory(out)
    names = list(compared.folders)
    pages: dict[str, tuple[str, CrawlDifference]] = {}  # file name -> title and difference
    for (one, other), difference in compared.differences():
        name = _unused(f"diff-{_short(names[one])}-{_short(names[other])}", pages)
        pages[name] = f"{names[one]} → {names[other]}", difference
    links = ReportLinks(
        reports=tuple(_report(out, folder) for folder in compared.folders.values()),
        picture=_pictures(out, list(compared.folders.values())),
        differences=tuple((quote(name), title, difference) for name, (title, difference) in pages.items()),
    )
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, (title, difference) in pages.items():
            old, _, new = title.partition(" → ")
            _write(out / name, difference_page(difference, old, new))
        _write(out / INDEX, roles_page(compared.matrix, links))
    except OSError as error:
        raise StoreError(
            f"cannot write the matrix to {out}: {error.strerror}; free disk space, then run statecrawl roles {out}."
        ) from error
    return out / INDEX


def _short(name: str) -> str:
    """Shorten a name, so that two of them fit into a file name."""
    return name.encode(errors="replace")[:SHORT_BYTES].decode(errors="ignore")


def _unused(name: str, used: Iterable[str]) -> str:
    """Return an unused file name: different pairs of roles may have the same shortened names."""
    candidate, number = f"{name}.html", 2
    while candidate in used:
        candidate, number = f"{name}-{number}.html", number + 1
    return candidate


def _write(path: Path, text: str) -> None:
    draft = path.with_name(f".{path.name}.tmp")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)


def _report(out: Path, folder: Path) -> str | None:
    return _relative_url(out, folder / FOLDER / INDEX) if has_report(folder) else None


def _pictures(out: Path, folders: Sequence[Path]) -> Callable[[int, str], str | None]:
    readers = [EvidenceReader(folder) for folder in folders]

    def picture(role: int, state: str) -> str | None:
        path = readers[role].picture(state)
        return None if path is None else _relative_url(out, path)

    return picture


def _relative_url(out: Path, file: Path) -> str:
    """Return the URL of a file relative to a page in a directory."""
    return quote(Path(os.path.relpath(file.absolute(), out.absolute())).as_posix())


def _role(name: str, crawl: OpenedCrawl, asked: Sequence[RoleRequests] | None) -> Role:
    known = crawl.reading.crawl
    started = known.started
    return Role(
        name=name,
        application=started.application if started else "",
        side=crawl.side,
        asked=asked,
        is_explored=known.progress().complete,
        # a guest does not log in on purpose
        qualifications=tuple(each for each in crawl.qualifications if each.text != ASKS_WHO),
        settings=started.configuration if started else {},
        rules=frozenset(known.rules),
    )


def _requests(folder: Path, crawl: OpenedCrawl) -> list[SeenRequest] | None:
    traffic = TrafficReader(folder)
    if not traffic.exists:
        return None
    own = split(next((url for url in crawl.side.urls if url), ""))[0]
    return list(requests(traffic.read(), own))


def _role_request(request: SeenRequest, routed: Mapping[str, str]) -> RoleRequests:
    return RoleRequests(
        method=request.method,
        path=f"{request.server}{request.path}",
        route=f"{request.server}{routed[request.path]}",
        answer=EndpointAnswer(status=request.status, to=request.to),
    )
