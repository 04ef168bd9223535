"""Findings: problems of the application that a crawl detected.

The kinds of findings are in `model.finding`. The same problem at several places is one finding, reported with the first
place: a script that fails on every page is one thing to repair.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from statecrawl.errors import BadInput
from statecrawl.exports.crawl_data import CrawlData
from statecrawl.journal.facts import EventCrashed, EventHung
from statecrawl.model.event import TRIES, opened_url
from statecrawl.model.finding import (
    ANY,
    BROKEN_LINK,
    CONSOLE_ERROR,
    CRASHED,
    ERROR,
    ERRORS,
    FAILED_REQUEST,
    HUNG,
    KINDS,
    NEW,
    SCRIPT_ERROR,
    UNSTEADY,
    Finding,
)
from statecrawl.ports.coordinator_link import NoteEvidence
from statecrawl.ports.page import FAILED, Note
from statecrawl.ports.traffic import RecordedExchange

BLOCKED = "ERR_BLOCKED_BY_CLIENT"  # the crawl itself blocked the request
LEAST_ERROR = 400  # the lowest HTTP status that is an error
Key = tuple[str, str, str]


def findings_of(crawled: CrawlData, notes: Iterable[NoteEvidence], own: Iterable[Finding] = ()) -> list[Finding]:
    """Return all findings, each once, errors first; `own` are findings of checks that the user wrote."""
    traffic = list(_exchanged(crawled.traffic()))
    found = [*_noted(notes, without_requests=bool(traffic)), *traffic, *_fired(crawled), *own]
    once: dict[Key, Finding] = {}
    for finding in found:
        once.setdefault(key(finding), finding)
    return sorted(
        _placed(crawled, once.values()), key=lambda finding: (finding.level != "error", finding.kind, finding.message)
    )


def _placed(crawled: CrawlData, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings, each with the state that it is about.

    A site crawl opens URLs by events of its first state, which is unrelated to their problems: a broken link belongs to
    the first state that contains it, everything else to the state that the URL leads to.
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
    """Return what identifies a problem, also across crawls."""
    return finding.kind, finding.message, finding.url


def keys(findings: Iterable[Finding]) -> frozenset[Key]:
    """Return the keys of findings, to tell which findings of another crawl are new."""
    return frozenset(map(key, findings))


def failing(findings: Iterable[Finding], asked: Iterable[str], before: Iterable[Finding] | None) -> list[Finding]:
    """Return the findings that match the values of --fail-on; `before` are the findings of an earlier crawl.

    Raises BadInput for an unknown value, and for a value that starts with `new-` without an earlier crawl.
    """
    known = None if before is None else keys(before)
    wanted = [_wanted(name, known) for name in asked]
    return [finding for finding in findings if any(test(finding) for test in wanted)]


def _wanted(name: str, known: frozenset[Key] | None) -> Any:
    kind = name.removeprefix(NEW)
    if kind not in (*KINDS, ANY, ERROR):
        choices = ", ".join((*KINDS, ANY, ERROR))
        raise BadInput(f"--fail-on takes {choices}, or one of these with the prefix new-, not '{name}'.")
    if kind == name:
        return lambda finding: _is(finding, kind)
    if known is None:
        raise BadInput(f"--fail-on {name} needs an earlier crawl to compare with: give its directory with --baseline.")
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
            continue  # only the crawl guessed that there could be a page
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
