"""Problems of the application and of the crawl."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from statecrawl.journal.fold import FoldedCrawl
from statecrawl.report.crawl.state_evidence import NoteContent, text_of
from statecrawl.report.crawl.unexplored import KINDS

ERRORS = {"error": "exception", "console": "console"}  # kind of a page note -> kind of an incident
INCIDENTS = ("dialog", "window", "download", "print", "close", "capped", "background", "boundary")


@dataclass(frozen=True, slots=True, kw_only=True)
class Diverged:
    """An event that led to different states."""

    state: int
    position: int
    expected: int
    landed: tuple[tuple[int, int], ...]  # other targets, and how often each was reached


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """An event that was refused, hung, or crashed the page."""

    state: int
    position: int
    kind: str
    reason: str
    closed: bool  # whether it was never explored


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    """An error, message or action of a page."""

    kind: str
    text: str
    state: int  # -1: a state that is no longer in the graph
    event: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Boundary:
    """An exit from the crawled application."""

    state: int
    position: int | None
    what: str
    url: str


def diverged(crawl: FoldedCrawl) -> list[Diverged]:
    """Return the nondeterministic events."""
    targets = crawl.graph.targets
    return [
        Diverged(
            state=state,
            position=position,
            expected=targets[state][position],
            landed=tuple(sorted(Counter(landings).items(), key=lambda item: (-item[1], item[0]))),
        )
        for (state, position), landings in sorted(crawl.graph.divergences.items())
    ]


def failed(crawl: FoldedCrawl) -> list[Failed]:
    """Return the events that failed, sorted by state."""
    return [
        Failed(
            state=pair[0],
            position=pair[1],
            kind=KINDS[type(failure)],
            reason=failure.reason,
            closed=pair in crawl.closed,
        )
        for pair, failures in sorted(crawl.failures.items())
        for failure in failures
    ]


def boundaries(crawl: FoldedCrawl) -> list[Boundary]:
    return [
        Boundary(state=state, position=position, what=what, url=url) for state, position, what, url in crawl.boundaries
    ]


def incidents(crawl: FoldedCrawl, notes: Iterable[NoteContent]) -> list[Incident]:
    """Return exceptions and console errors, then other incidents."""
    numbers = crawl.graph.numbers
    order = {kind: place for place, kind in enumerate((*ERRORS, *INCIDENTS))}
    ordered = sorted((note for note in notes if note.kind in order), key=lambda note: order[note.kind])
    return [
        Incident(
            kind=ERRORS.get(note.kind, note.kind),
            text=text_of(note.what),
            state=numbers.get(note.state, -1),
            event=note.event,
        )
        for note in ordered
    ]
