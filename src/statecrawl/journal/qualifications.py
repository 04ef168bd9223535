"""Qualifications: the reasons why a crawl is not complete, each with a kind, a number and a sentence.

A crawl is *complete* when it ended because nothing was left to do, every event of every state was fired, and nothing
suggests that the application behaved differently than for a person. Everything that contradicts this is a
qualification. All qualifications are computed here, from the journal and the page notes, so the terminal, the JSON
output, the report, the Python API and a resumed crawl agree.

    components   events of equal parts of the page were fired only once
    bounded      likewise, and rows or values without end were cut
    unfinished   a limit or a person ended the crawl, or it is still running
    start        the start page is empty, is not HTML, answered with an error, lies out of scope or asks for a password
    no-events    no state has an event
    script       a script did not load or could not be parsed
    error        the application threw an uncaught error
    refused      events were not fired, for one reason: rules of the plan, robots.txt, a bound, a control that was gone
    idle         likewise, because a listener on a container had no effect where it was tried
    read-only    requests were blocked by --read-only, so their effects were not seen
    hung         the page did not settle after an event, or did not respond
    crashed      the page crashed
    diverged     an event led to different states
    window       a window in scope was never opened as a page
    unrevealed   the page has controls that no event reveals
    cut          a page was too large to be read completely

An event or URL that leads out of scope is not a qualification, because the user chose the scope. Neither is a guessed
URL for which the server has no page.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from statecrawl.journal.end_reasons import BOUNDED, COMPLETE, COMPONENTS, UNREACHABLE, stopped_by
from statecrawl.journal.facts import EventCrashed, EventHung, EventRefused
from statecrawl.journal.fold import FoldedCrawl, Pair
from statecrawl.journal.idle_containers import IDLE
from statecrawl.journal.refusal_reasons import DENIED, NO_PAGE, OUT_OF_SCOPE, common_reason
from statecrawl.urls.canonical import with_route

SCRIPT, ERROR, START = "script", "error", "start"  # kinds of notes that are qualifications
CUT, UNREVEALED, READ_ONLY = "cut", "unrevealed", "read-only"
QUALIFYING_NOTES = (SCRIPT, ERROR, START, CUT, UNREVEALED, READ_ONLY)
MOST_REASONS = 20  # reasons for refusals that are listed one by one
MOST_EXAMPLES = 3
LONGEST_EXAMPLE = 120  # characters
BLANK = "about:blank"
INTERRUPTED = "the crawl was interrupted"
ENDED = {COMPLETE: "the crawl ended", "interrupted": INTERRUPTED}
WRITTEN = ("about:", "blob:", "data:")  # schemes of windows whose content the page itself writes
SYNTAX_ERROR = "SyntaxError"
HARMLESS = "ResizeObserver loop"  # an error event of the browser that no application can avoid
SENTENCES = {
    SCRIPT: ("{} script failed to load or to be parsed", "{} scripts failed to load or to be parsed"),
    ERROR: ("the application threw {} uncaught error", "the application threw {} uncaught errors"),
    READ_ONLY: ("--read-only blocked {} request", "--read-only blocked {} requests"),
    "hung": ("the page hung after {} event", "the page hung after {} events"),
    "crashed": ("the page crashed at {} event", "the page crashed at {} events"),
    "diverged": ("{} event led to different states", "{} events led to different states"),
    "window": ("{} window in scope was not opened", "{} windows in scope were not opened"),
    UNREVEALED: ("{} control could not be revealed", "{} controls could not be revealed"),
    CUT: ("{} page was too large to be read whole", "{} pages were too large to be read whole"),
    "refused": ("{} event was not fired", "{} events were not fired"),
    "idle": ("{} event was not fired", "{} events were not fired"),
}
EXACT, PARTIAL = "exact", "partial"
FIRED = ("diverged", ERROR)  # kinds of qualifications that do not say that anything was not fired or not seen
IDLING = "idle"
GRADES = (COMPONENTS, BOUNDED)  # end reasons, and the kinds of the qualifications that only say so
PlainNote = tuple[str, Any]  # kind and content of a note


@dataclass(frozen=True, slots=True, kw_only=True)
class Qualification:
    """Reason why a crawl is not complete."""

    kind: str  # see the module docstring
    count: int  # number of events, scripts, windows, …
    text: str  # as a sentence, without a full stop
    examples: tuple[str, ...] = ()  # a few of the events, scripts, windows, …


def qualifications_of(
    crawl: FoldedCrawl,
    *,
    ended: str | None,
    in_scope: Callable[[str], bool],
    notes: Iterable[PlainNote] = (),
    spare: int = 0,
) -> tuple[Qualification, ...]:
    """Return all qualifications of a crawl, the most fundamental first.

    `ended` is None for a running crawl. `spare` events need not be fired, because of components.
    """
    noted = _texts_by_kind(notes)
    noted[UNREVEALED] = _unrevealed(crawl, ended, noted[UNREVEALED])
    return (
        *(Qualification(kind=START, count=1, text=text) for text in noted[START]),
        *_no_events(crawl),
        *_of_notes(SCRIPT, noted),
        *_of_notes(ERROR, noted),
        *_unfinished(crawl, ended, spare),
        *_refused(crawl),
        *_of_notes(READ_ONLY, noted),
        *_failed(crawl),
        *_windows(crawl, in_scope),
        *_of_notes(UNREVEALED, noted),
        *_of_notes(CUT, noted),
    )


def is_complete(ended: str | None, qualifications: tuple[Qualification, ...]) -> bool:
    """Whether a crawl that ended for this reason is complete."""
    return ended == COMPLETE and not qualifications


def completeness_of(ended: str | None, qualifications: tuple[Qualification, ...]) -> str:
    """Return what was fired, whatever it did.

    exact       every event of every state
    components  every event of every component state
    bounded     likewise, but rows or values without end were cut
    partial     less; the qualifications say why

    A container whose listener had no effect where it was tried counts as fired for components, but not for states.
    """
    if ended != COMPLETE and ended not in GRADES:
        return PARTIAL
    harmless = (*FIRED, *GRADES, IDLING) if ended in GRADES else FIRED
    if any(each.kind not in harmless for each in qualifications):
        return PARTIAL
    return EXACT if ended == COMPLETE else ended


def summary_of(qualifications: Sequence[Qualification]) -> str:
    """Return the first reason and the number of further ones."""
    first, others = qualifications[0].text, len(qualifications) - 1
    return first + (f", and {others} other reason{'' if others == 1 else 's'}" if others else "")


def _texts_by_kind(notes: Iterable[PlainNote]) -> dict[str, list[str]]:
    """Return the texts of the qualifying notes, each once. A syntax error counts as a failed script."""
    texts_by_kind: dict[str, dict[str, None]] = {kind: {} for kind in QUALIFYING_NOTES}
    for kind, what in notes:
        if kind not in texts_by_kind:
            continue
        text = _text(what)
        if kind == ERROR and HARMLESS in text:
            continue
        texts_by_kind[SCRIPT if kind == ERROR and SYNTAX_ERROR in text else kind][text] = None
    return {kind: list(texts) for kind, texts in texts_by_kind.items()}


def _text(what: Any) -> str:
    if isinstance(what, list | tuple):
        return " ".join(map(_text, what))
    return "" if what is None else str(what)


def _counted(kind: str, count: int, examples: Iterable[str] = (), why: str = "") -> Iterator[Qualification]:
    if count:
        one, more = SENTENCES[kind]
        text = (one if count == 1 else more).format(f"{count:,}") + why
        few = tuple(
            example.partition("\n")[0][:LONGEST_EXAMPLE]
            for example, _ in zip(examples, range(MOST_EXAMPLES), strict=False)
        )
        yield Qualification(kind=kind, count=count, text=text, examples=few)


def _unrevealed(crawl: FoldedCrawl, ended: str | None, hidden: list[str]) -> list[str]:
    """Return the controls that no state shows. Empty unless the crawl has tried everything that might show them."""
    events = {event.local for event in crawl.graph.vocabulary} if hidden else set()
    return [event for event in hidden if event not in events] if ended in (COMPLETE, *GRADES) else []


def _of_notes(kind: str, noted: dict[str, list[str]]) -> Iterator[Qualification]:
    yield from _counted(kind, len(noted[kind]), noted[kind])


def _no_events(crawl: FoldedCrawl) -> Iterator[Qualification]:
    if len(crawl.graph) and not crawl.graph.vocabulary:
        yield Qualification(kind="no-events", count=1, text="no state has an event that can be fired")


def _unfinished(crawl: FoldedCrawl, ended: str | None, spare: int) -> Iterator[Qualification]:
    left = crawl.graph.unexplored - len(crawl.closed)
    if ended == COMPLETE and not left:
        return
    if ended in GRADES:
        events, were, equal = ("event", "was", "an equal one") if left == 1 else ("events", "were", "equal ones")
        cut = "; rows or values without end were cut" if ended == BOUNDED else ""
        why = f"{left:,} {events} {were} not fired, because {equal} of the same part of the page {were} fired elsewhere"
        yield Qualification(kind=ended, count=left, text=why + cut)
        return
    rest = left - spare
    many = f"{rest:,} event{'' if rest == 1 else 's'}"
    if ended == UNREACHABLE and rest:
        why = f"no reliable path reaches {many} any more"
    elif ended:
        why = ENDED.get(ended, stopped_by(ended)) + (f" with {many} left" if rest else "")
    else:
        why = "the crawl has not ended" + (f": {many} left" if rest else "")
    if spare:
        why += (
            f"; {spare:,} {'more ' if rest else ''}{'was' if spare == 1 else 'were'} fired in another context already"
        )
    yield Qualification(kind="unfinished", count=left, text=why)


def _refused(crawl: FoldedCrawl) -> Iterator[Qualification]:
    """Count the events that were never fired, by reason."""
    left_scope = {(state, position) for state, position, what, _ in crawl.boundaries if what == "scope"}
    reasons: Counter[str] = Counter()
    for pair in crawl.closed - left_scope:
        reason = next((failure.reason for failure in crawl.failures[pair] if isinstance(failure, EventRefused)), None)
        if reason is not None and reason.removeprefix(DENIED) != OUT_OF_SCOPE and not reason.startswith(NO_PAGE):
            reasons[common_reason(reason)] += 1
    ordered = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
    for reason, count in ordered[:MOST_REASONS]:
        yield from _counted(IDLING if reason == IDLE else "refused", count, why=f": {reason}")
    others = sum(count for _, count in ordered[MOST_REASONS:])
    yield from _counted("refused", others, why=", for other reasons")


def _failed(crawl: FoldedCrawl) -> Iterator[Qualification]:
    graph = crawl.graph

    def names(pairs: Iterable[Pair]) -> list[str]:
        return [graph.event(state, position).local for state, position in sorted(pairs)]

    for kind, failure in (("hung", EventHung), ("crashed", EventCrashed)):
        if crawl.failed[failure]:
            pairs = [pair for pair, failures in crawl.failures.items() if any(isinstance(f, failure) for f in failures)]
            yield from _counted(kind, len(pairs), names(pairs))
    yield from _counted("diverged", len(graph.divergences), names(graph.divergences))


def _windows(crawl: FoldedCrawl, in_scope: Callable[[str], bool]) -> Iterator[Qualification]:
    """Count the windows that the application opens, except those out of scope and those known as states."""
    seen = set(map(_page, crawl.urls.values()))
    windows = (url for _, _, what, url in crawl.boundaries if what == "window")
    urls = dict.fromkeys(url for url in windows if _page(url) not in seen)
    unopened = [url or BLANK for url in urls if (url or BLANK).startswith(WRITTEN) or in_scope(url)]
    yield from _counted("window", len(unopened), unopened)


def _page(url: str) -> str:
    """Normalize a URL for comparison of pages. A fragment is dropped unless it is a route."""
    return with_route(url) or url
