"""Findings: what a crawl saw that is wrong with an application.

Each kind of trouble has a name, by which pipelines ask for it (`--fail-on`). What is found in the same way at several
places is one finding, told with the first of them: a script that fails on every page is one thing to repair.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from statecrawl.errors import BadInput
from statecrawl.exports.crawl_data import CrawlData
from statecrawl.journal.facts import EventCrashed, EventHung
from statecrawl.model.event import TRIES, opened_url
from statecrawl.model.finding import Finding
from statecrawl.ports.coordinator_link import NoteEvidence
from statecrawl.ports.page import FAILED, Note
from statecrawl.ports.traffic import RecordedExchange

BLOCKED = "ERR_BLOCKED_BY_CLIENT"  # the crawl itself has refused the request
SCRIPT_ERROR, CONSOLE_ERROR, BROKEN_LINK, FAILED_REQUEST = (
    "javascript-error",
    "console-error",
    "broken-link",
    "failed-request",
)
HUNG, CRASHED, UNSTEADY = "hung-event", "page-crash", "unsteady-event"
KINDS = {  # what it is, for people
    SCRIPT_ERROR: "a script of the application failed",
    CONSOLE_ERROR: "the application wrote an error to the console",
    BROKEN_LINK: "a page could not be loaded",
    FAILED_REQUEST: "a request of the application failed",
    HUNG: "an event did not come to rest",
    CRASHED: "an event crashed the page",
    UNSTEADY: "an event does not always lead to the same state",
}
ERRORS = frozenset({SCRIPT_ERROR, BROKEN_LINK, CRASHED})  # the others are warnings
ANY, ERROR, NEW = "any", "error", "new-"  # what else may be asked for: all of them, those that are errors; new ones
LEAST_ERROR = 400  # the first status of HTTP that says that something is wrong
Key = tuple[str, str, str]


def findings_of(crawled: CrawlData, notes: Iterable[NoteEvidence], own: Iterable[Finding] = ()) -> list[Finding]:
    """All of them, each once, by kind; `own` are those of somebody's own checks."""
    traffic = list(_exchanged(crawled.traffic()))
    found = [*_noted(notes, without_requests=bool(traffic)), *traffic, *_fired(crawled), *own]
    once: dict[Key, Finding] = {}
    for finding in found:
        once.setdefault(key(finding), finding)
    return sorted(
        _placed(crawled, once.values()), key=lambda finding: (finding.level != "error", finding.kind, finding.message)
    )


def _placed(crawled: CrawlData, findings: Iterable[Finding]) -> Iterator[Finding]:
    """The same, each at the page in question.

    A site crawl opens URLs by events of its first state, which has nothing to do with what is wrong with them: a broken
    link is told with the first state that has it, everything else with the state that the URL leads to.
    """
    graph = crawled.crawl.graph
    opened = {
        (graph.ids[state], event): graph.ids[target]
        for state, position, target in graph.transitions()
        if opened_url(event := graph.event(state, position).local) is not None
    }
    linking: dict[str, str] | None = None
    for finding in findings:
        if opened_url(finding.event) is None:
            yield finding
            continue
        if linking is None:
            linking = {url: state for state in reversed(list(crawled.found)) for url in crawled.links(state)}
        shown = opened.get((finding.state, finding.event), finding.state)
        state = linking.get(finding.url, shown) if finding.kind == BROKEN_LINK else shown
        # an event that led elsewhere each time belongs to the state in which it was fired
        moves = state != finding.state and finding.kind != UNSTEADY
        yield replace(finding, state=state, event="") if moves else finding


def key(finding: Finding) -> Key:
    """What two findings have in common that are the same trouble, in this crawl and in another."""
    return finding.kind, finding.message, finding.url


def keys(findings: Iterable[Finding]) -> frozenset[Key]:
    """What is known of findings, to tell which of another crawl are new."""
    return frozenset(map(key, findings))


def failing(findings: Iterable[Finding], asked: Iterable[str], before: Iterable[Finding] | None) -> list[Finding]:
    """Those on which a pipeline should fail, as it asked; `before` are those of an earlier crawl.

    Raises BadInput when it asks for what there is not, or for new ones without an earlier crawl.
    """
    known = None if before is None else keys(before)
    wanted = [_wanted(name, known) for name in asked]
    return [finding for finding in findings if any(test(finding) for test in wanted)]


def _wanted(name: str, known: frozenset[Key] | None) -> Any:
    kind = name.removeprefix(NEW)
    if kind not in (*KINDS, ANY, ERROR):
        choices = ", ".join((*KINDS, ANY, ERROR))
        raise BadInput(f"--fail-on takes {choices}, or one of these with new- before it, not '{name}'.")
    if kind == name:
        return lambda finding: _is(finding, kind)
    if known is None:
        raise BadInput(f"--fail-on {name} needs an earlier crawl to compare with: name its folder with --baseline.")
    return lambda finding: _is(finding, kind) and key(finding) not in known


def _is(finding: Finding, kind: str) -> bool:
    return kind == ANY or finding.kind == kind or (kind == ERROR and finding.level == "error")


def _finding(kind: str, message: str, state: str = "", event: str | None = None, url: str = "") -> Finding:
    level = "error" if kind in ERRORS else "warning"
    return Finding(kind=kind, message=message, level=level, state=state, event=event or "", url=url)  # type: ignore[arg-type]


def _noted(notes: Iterable[NoteEvidence], *, without_requests: bool) -> Iterator[Finding]:
    for note, state, event in notes:
        if not isinstance(note, Note):
            continue
        if note.kind == "error":
            yield _finding(SCRIPT_ERROR, str(note.what), state, event)
        elif note.kind == "console":
            yield _finding(CONSOLE_ERROR, str(note.what), state, event)
        elif note.kind == FAILED and not without_requests and isinstance(note.what, list) and len(note.what) == 3:
            method, url, why = map(str, note.what)
            if BLOCKED not in why:
                yield _finding(FAILED_REQUEST, f"{method} {url}: {why}", state, event, url)


def _exchanged(traffic: Iterable[RecordedExchange]) -> Iterator[Finding]:
    for recorded in traffic:
        exchange = recorded.exchange
        if (exchange.status < LEAST_ERROR and not exchange.failure) or BLOCKED in exchange.failure:
            continue
        state, event = recorded.places[0] if recorded.places else ("", None)
        if recorded.places and all((fired or "").startswith(TRIES) for _, fired in recorded.places):
            continue  # nobody but the crawl thought that there could be a page
        kind = BROKEN_LINK if exchange.kind == "Document" else FAILED_REQUEST
        why = exchange.failure if not exchange.status else f"{exchange.status} {exchange.reason}".strip()
        yield _finding(kind, f"{exchange.method} {exchange.url}: {why}", state, event, exchange.url)


def _fired(crawled: CrawlData) -> Iterator[Finding]:
    graph = crawled.crawl.graph
    for failures in crawled.crawl.failures.values():
        for failure in failures:
            if isinstance(failure, EventHung | EventCrashed):
                kind = HUNG if isinstance(failure, EventHung) else CRASHED
                yield _finding(kind, f"{failure.event}: {failure.reason}", failure.state, failure.event)
    for state, position in crawled.crawl.graph.divergences:
        event = graph.event(state, position).local
        yield _finding(UNSTEADY, event, graph.ids[state], event)
