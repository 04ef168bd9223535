"""Roles: the folders of several crawls are read, put beside each other, and told as pages."""

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

SHORT_BYTES = 100  # of a name, of which two and some letters fit into the 255 of most file systems
ROLE_NAME = re.compile(r"\w(?:[\w-]{0,38}\w)?")  # what is safe as the name of a folder everywhere


@dataclass(frozen=True, slots=True)
class ComparedRoles:
    """Several roles, and what it takes to tell more of each two."""

    folders: dict[str, Path]  # by role
    matrix: RoleMatrix
    _crawls: Sequence[OpenedCrawl]
    _matchings: Mapping[Pair, StateMatch]

    def differences(self) -> Iterator[tuple[Pair, CrawlDifference]]:
        """Between each two roles."""
        for (one, other), matching in self._matchings.items():
            yield (one, other), difference_between(self._crawls[one], self._crawls[other], matching)


def check_role_name(name: str) -> None:
    """Raises BadInput when this cannot be the name of a role, and of the folder of its crawl."""
    if not ROLE_NAME.fullmatch(name):
        raise BadInput(f"'{name}' cannot be a role: use up to 40 letters, digits and hyphens, as in --role admin.")


def check_roles_folder(folder: Path, asked: Collection[str]) -> None:
    """Raises BadInput when these roles cannot be crawled into a folder, each into one of its own."""
    _check_place(folder)
    if (folder / JOURNAL_NAME).exists():
        raise BadInput(f"{folder} is one crawl, and not the folder of several: name another with --out.")
    inside = list(folder.iterdir()) if folder.is_dir() else []
    crawls = {path.name for path in inside if (path / JOURNAL_NAME).is_file()}
    begun = {path.name for path in inside if path.is_dir()} & set(asked)  # and perhaps nothing found yet
    if inside and not crawls | begun:
        raise BadInput(f"{folder} contains other files but no crawls: name a new folder with --out.")
    if len(crawls | set(asked)) < 2:
        raise BadInput("one role has nobody to differ from: name another, as in --role guest.")


def _check_place(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder} is no folder: name another with --out.")


def roles_in(folder: Path) -> dict[str, Path]:
    """The roles of which there are crawls in a folder, in the order in which they were begun. Raises BadInput."""
    if not folder.is_dir():
        raise BadInput(f"there is no folder {folder}: name the one that statecrawl roles wrote, or say --role.")
    if (folder / JOURNAL_NAME).exists():
        raise BadInput(f"{folder} is one crawl: name two or more, or the folder that statecrawl roles wrote.")
    found = [path for path in sorted(folder.iterdir()) if (path / JOURNAL_NAME).is_file()]
    if len(found) < 2:
        what = f"only {found[0].name}" if found else "no crawl"
        raise BadInput(f"there is {what} in {folder}, and roles are two or more: crawl with --role for each of them.")
    return {path.name: path for path in sorted(found, key=_begun)}


def _begun(folder: Path) -> float:
    """When the first crawl in a folder began."""
    with closing(open_reader(folder / JOURNAL_NAME)) as reader:
        first = next(iter(reader.read()), None)
    return (first.at or 0.0) if isinstance(first, CrawlStarted) else 0.0


def compare_roles(folders: Mapping[str, Path]) -> ComparedRoles:
    """Put the crawls in these folders beside each other. Raises BadInput, and what a journal raises."""
    crawls = [opened(folder) for folder in folders.values()]
    asked = [_requests(folder, crawl) for folder, crawl in zip(folders.values(), crawls, strict=True)]
    routed = routes_of(request for each in asked for request in each or ())
    roles = [
        _role(name, crawl, None if each is None else [_asked(request, routed) for request in each])
        for name, crawl, each in zip(folders, crawls, asked, strict=True)
    ]
    matchings = {
        (one, other): match(crawls[one].side, crawls[other].side) for one, other in combinations(range(len(crawls)), 2)
    }
    return ComparedRoles(dict(folders), matrix_of(roles, matchings), crawls, matchings)


def write_roles(out: Path, compared: ComparedRoles) -> Path:
    """Write the matrix as a page, and one for the difference between each two roles; the first of them.

    Raises BadInput and StoreError.
    """
    _check_place(out)
    names = list(compared.folders)
    pages: dict[str, tuple[str, CrawlDifference]] = {}  # name of the file -> what it is called, and what stands there
    for (one, other), difference in compared.differences():
        name = _unused(f"diff-{_short(names[one])}-{_short(names[other])}", pages)
        pages[name] = f"{names[one]} → {names[other]}", difference
    links = ReportLinks(
        reports=tuple(_report(out, folder) for folder in compared.folders.values()),
        picture=_pictures(out, list(compared.folders.values())),
        differences=tuple((quote(name), said, difference) for name, (said, difference) in pages.items()),
    )
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, (said, difference) in pages.items():
            old, _, new = said.partition(" → ")
            _write(out / name, difference_page(difference, old, new))
        _write(out / INDEX, roles_page(compared.matrix, links))
    except OSError as trouble:
        raise StoreError(
            f"cannot write the matrix into {out}: {trouble.strerror}; make room, then statecrawl roles {out}."
        ) from trouble
    return out / INDEX


def _short(name: str) -> str:
    """So that two of them fit into the name of a file."""
    return name.encode(errors="replace")[:SHORT_BYTES].decode(errors="ignore")


def _unused(name: str, used: Iterable[str]) -> str:
    """A name for a file: those of two roles may look like those of two others."""
    found, number = f"{name}.html", 2
    while found in used:
        found, number = f"{name}-{number}.html", number + 1
    return found


def _write(path: Path, text: str) -> None:
    draft = path.with_name(f".{path.name}.tmp")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)


def _report(out: Path, folder: Path) -> str | None:
    return _address(out, folder / FOLDER / INDEX) if has_report(folder) else None


def _pictures(out: Path, folders: Sequence[Path]) -> Callable[[int, str], str | None]:
    readers = [EvidenceReader(folder) for folder in folders]

    def picture(role: int, state: str) -> str | None:
        found = readers[role].picture(state)
        return None if found is None else _address(out, found)

    return picture


def _address(out: Path, file: Path) -> str:
    """How a page in a folder names a file."""
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
        # a guest stays outside on purpose
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


def _asked(request: SeenRequest, routed: Mapping[str, str]) -> RoleRequests:
    return RoleRequests(
        method=request.method,
        path=f"{request.server}{request.path}",
        route=f"{request.server}{routed[request.path]}",
        answer=EndpointAnswer(status=request.status, to=request.to),
    )
