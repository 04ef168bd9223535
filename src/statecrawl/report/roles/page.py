"""The matrix of roles as one page: a table of endpoints, a table of states, and links to the reports of the crawls.

Text from crawled pages goes through `tag`, which escapes it. The content security policy allows one script, which is
identified by its hash and only filters rows.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from statecrawl.report.difference.difference import CrawlDifference
from statecrawl.report.page.markup import Markup, join, tag
from statecrawl.report.page.quantity import count, counted
from statecrawl.report.page.standalone import standalone_page
from statecrawl.report.roles.endpoints import (
    AccessVerdict,
    Answers,
    EndpointAnswer,
    EndpointKind,
    EndpointPath,
    EndpointRow,
)
from statecrawl.report.roles.matrix import RoleColumn, RoleMatrix
from statecrawl.report.roles.states import StateKind, StateReach, StateRow

MOST_SHOWN = 2000  # of each kind
FEW = 5  # roles that fit next to each other
COLOURS = 10  # of roles, in the palette
ENDPOINTS: Mapping[IntEnum, str] = {
    EndpointKind.REFUSED: "Refused to some",
    EndpointKind.OTHER: "Not requested by all, or with different responses",
    EndpointKind.SAME: "The same for all",
}
STATES: Mapping[IntEnum, str] = {
    StateKind.SOME: "Not reached by all",
    StateKind.OTHER: "Reached by all, but different",
    StateKind.SAME: "The same for all",
}
WORDS = {AccessVerdict.REFUSED: "refused", AccessVerdict.SILENT: "no response"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportLinks:
    """Links of the page, by role, relative to it."""

    reports: tuple[str | None, ...]
    picture: Callable[[int, str], str | None]  # role, id of a state -> its screenshot
    differences: tuple[tuple[str, str, CrawlDifference], ...]  # page, names of the roles, difference


def roles_page(matrix: RoleMatrix, links: ReportLinks) -> str:
    """Return the page."""
    columns = matrix.columns
    endpoints = [(row.kind, _endpoint(row, columns)) for row in matrix.endpoints]
    states = [(row.kind, _state(row, columns, links)) for row in matrix.states]
    return standalone_page(
        "roles.html",
        "statecrawl: comparison of roles",
        ["palette.css", "crawl/crawl.css", "roles.css"],
        script="roles.js",
        images="'self' file: data:",
        headline=_headline(matrix),
        roles=join(_card(place, column, links.reports[place]) for place, column in enumerate(columns)),
        remarks=_remarks(matrix.remarks),
        differences=join(_difference(*each) for each in links.differences),
        endpoints=_table(columns, "endpoint", _groups(ENDPOINTS, endpoints, columns)),
        endpoint_count=count(len(matrix.endpoints)),
        states=_table(columns, "state", _groups(STATES, states, columns)),
        state_count=count(len(matrix.states)),
    )


def _headline(matrix: RoleMatrix) -> Markup:
    endpoints = sum(1 for row in matrix.endpoints if row.kind is not EndpointKind.SAME)
    states = sum(1 for row in matrix.states if row.kind is not StateKind.SAME)
    if not endpoints and not states:
        return tag("h1", "All roles reach ", tag("em", "the same", class_="good"), ".")
    differ = f"{counted(endpoints, 'endpoint')} and {counted(states, 'state')}"
    verb = "is" if endpoints + states == 1 else "are"
    return tag("h1", tag("em", differ, class_="mind"), f" {verb} not the same for all roles.")


def _card(place: int, column: RoleColumn, report: str | None) -> Markup:
    refused = f", {count(column.refused)} refused" if column.refused else ""
    asked = "endpoints unknown" if column.endpoints is None else f"{counted(column.endpoints, 'endpoint')}{refused}"
    alone = f", {count(column.alone)} reached by no other role" if column.alone else ""
    return tag(
        "li",
        tag("h3", _named(place, column)),
        tag("p", counted(column.states, "state"), alone),
        tag("p", asked),
        tag("p", tag("a", "report", href=report)) if report else None,
        tag("p", "not complete", class_="mark diverged") if column.qualifications else None,
    )


def _named(place: int, column: RoleColumn) -> Markup:
    return tag("span", column.name, class_=f"role role-{place % COLOURS}")


def _remarks(remarks: Sequence[str]) -> Markup:
    return tag("ul", *(tag("li", remark) for remark in remarks), class_="remarks") if remarks else join([])


def _difference(page: str, roles: str, difference: CrawlDifference) -> Markup:
    kinds = {"removed": difference.states_gone, "new": difference.states_new, "changed": difference.states_changed}
    changes = ", ".join(f"{count(len(states))} {kind}" for kind, states in kinds.items() if states) or "identical"
    return tag("li", tag("a", tag("b", roles), f" {changes}", href=page))


def _table(columns: Sequence[RoleColumn], what: str, groups: Iterable[Markup]) -> Markup:
    heads = [tag("th", _named(place, column), scope="col") for place, column in enumerate(columns)]
    head = tag("thead", tag("tr", tag("th", what, scope="col"), *heads))
    table = tag("table", head, *groups, class_="matrix", style=f"--roles:{len(columns)}")
    return tag(
        "div",
        table,
        class_="scroll few" if len(columns) <= FEW else "scroll",
        tabindex="0",
        role="region",
        aria_label=f"Which role reaches which {what}",
    )


def _groups(
    titles: Mapping[IntEnum, str], rows: Sequence[tuple[IntEnum, Markup]], columns: Sequence[RoleColumn]
) -> Iterator[Markup]:
    """Yield rows under the title of their kind."""
    whole = str(1 + len(columns))
    for kind, title in titles.items():
        found = [row for its_kind, row in rows if its_kind is kind]
        if not found:
            continue
        left = len(found) - MOST_SHOWN
        more = tag("tr", tag("td", f"and {count(left)} more; --json lists all", colspan=whole, class_="soft"))
        yield tag(
            "tbody",
            tag(
                "tr", tag("th", title, tag("span", count(len(found))), colspan=whole, scope="rowgroup"), class_="group"
            ),
            *found[:MOST_SHOWN],
            more if left > 0 else None,
            data_kind=kind.name.lower(),
        )


def _endpoint(row: EndpointRow, columns: Sequence[RoleColumn]) -> Markup:
    head = tag("th", tag("b", row.method, class_="method"), tag("code", row.route), _paths(row, columns), scope="row")
    return tag("tr", head, *(tag("td", _answers(cell)) for cell in row.cells))


def _answers(answers: Answers) -> Markup:
    if answers is None:
        return tag("span", "?", class_="never", title="the traffic was not stored")
    if not answers:
        return tag("span", "–", class_="never", title="never requested")
    return join(_answer(answer) for answer in answers)


def _answer(answer: EndpointAnswer) -> Markup:
    verdict = answer.verdict
    parts = [str(answer.status)] if answer.status else []
    parts += [WORDS[verdict]] if verdict in WORDS else []
    parts += [f"→ {answer.to}"] if answer.to else []
    return tag("span", " ".join(parts), class_=f"answer {verdict.name.lower()}", title=verdict.value)


def _paths(row: EndpointRow, columns: Sequence[RoleColumn]) -> Markup | None:
    if not row.paths:
        return None
    items = [tag("li", tag("code", each.path), _by_role(each, columns)) for each in row.paths]
    items += [tag("li", f"and {count(row.more)} more")] if row.more else []
    return tag(
        "details",
        tag("summary", f"{count(len(row.paths) + row.more)} paths"),
        tag("ul", *items),
    )


def _by_role(path: EndpointPath, columns: Sequence[RoleColumn]) -> Markup:
    cells = zip(columns, path.cells, strict=True)
    return join(
        tag("span", f"{column.name} ", _answers(cell), class_="by-role") for column, cell in cells if cell is not None
    )


def _state(row: StateRow, columns: Sequence[RoleColumn], links: ReportLinks) -> Markup:
    first = row.first
    head = tag(
        "th",
        tag("b", first.title or first.url or first.id[:8]),
        tag("span", _way(row.way), class_="way-there"),
        tag("span", first.url, class_="soft address"),
        scope="row",
    )
    cells = [_reached(place, cell, row, columns[place], links) for place, cell in enumerate(row.cells)]
    return tag("tr", head, *(tag("td", cell) for cell in cells))


def _way(way: Sequence[str]) -> str:
    return ", ".join(way[1:] or way) or "no known path"


def _reached(place: int, cell: StateReach | None, row: StateRow, column: RoleColumn, links: ReportLinks) -> Markup:
    if cell is None:
        mark, why = ("–", "not reached") if column.is_explored else ("?", "not reached yet: the crawl is not finished")
        return tag("span", mark, class_="never", title=why)
    report, first = links.reports[place], row.first
    if cell is not first and cell.id == first.id:
        shown = [tag("span", f"● same state, {cell.number}", class_="found")]
    else:
        picture = links.picture(place, cell.id)
        shown = [] if picture is None else [tag("img", src=picture, alt="", loading="lazy", width="152", height="95")]
        shown.append(_caption(cell, first))
    return tag("a", *shown, href=f"{report}#/state/{cell.number}") if report else join(shown)


def _caption(cell: StateReach, first: StateReach) -> Markup:
    if cell is first:
        return tag("span", f"● state {cell.number}", class_="found")
    other = tag("span", cell.title, class_="other-title") if cell.title != first.title else None
    alike = tag("span", f"◐ state {cell.number}, {math.floor(cell.alike * 100)} % similar", class_="found other")
    return join([alike, *([other] if other else [])])
