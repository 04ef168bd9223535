"""What was not explored, and why: what a crawl can not claim."""

from collections import Counter
from dataclasses import dataclass

from statecrawl.journal.crawl_bounds import option_of
from statecrawl.journal.depths import BEYOND
from statecrawl.journal.end_reasons import COMPLETE, MAX_DEPTH, UNREACHABLE
from statecrawl.journal.facts import EventCrashed, EventHung, EventRefused, Failure
from statecrawl.journal.fold import FoldedCrawl, Pair
from statecrawl.journal.refusal_reasons import (
    EXCLUDED,
    NO_PAGE,
    ROBOTS,
    is_dangerous,
    is_disallowed_by_robots,
    reason_without_prefix,
)

CHANGED = "the first page is not what it was"
ENDINGS = {
    COMPLETE: "every event of every state was fired",
    MAX_DEPTH: "everything was explored up to --max-depth",
    UNREACHABLE: "events are left in states that no reliable path reaches any more",
    "max-states": "--max-states was reached",
    "max-events": "--max-events was reached",
    "max-requests": "--max-requests was reached",
    "max-time": "--max-time was over",
    "interrupted": "somebody interrupted it; the same command resumes it",
    "abandoned": "no node could go on",
}
KINDS: dict[type[Failure], str] = {EventRefused: "refused", EventHung: "hung", EventCrashed: "crashed"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Unexplored:
    """Events that were not explored, for one reason."""

    why: str
    remedy: str
    pairs: int
    states: int


def how_it_ended(crawl: FoldedCrawl) -> str:
    """The end of a crawl in a sentence."""
    if crawl.ended is None:
        return "it is still running, or was killed; the same command resumes it"
    if crawl.ended == COMPLETE and crawl.closed:
        return "every event was fired except those that could not or must not be"
    return ENDINGS.get(crawl.ended, "somebody ended it")


def remaining(crawl: FoldedCrawl) -> list[Unexplored]:
    """All reasons, the most frequent first."""
    pairs: Counter[tuple[str, str]] = Counter()
    states: dict[tuple[str, str], set[int]] = {}
    graph = crawl.graph
    for state, left in enumerate(graph.remaining):
        for position in graph.pending(state) if left else ():
            reason = _reason(crawl, (state, position))
            pairs[reason] += 1
            states.setdefault(reason, set()).add(state)
    return [
        Unexplored(why=reason[0], remedy=reason[1], pairs=count, states=len(states[reason]))
        for reason, count in sorted(pairs.items(), key=lambda item: (-item[1], item[0]))
    ]


def _reason(crawl: FoldedCrawl, pair: Pair) -> tuple[str, str]:
    """Why a pair was not explored, and what would help."""
    failures = crawl.failures.get(pair)
    if not failures:
        return _nobody_came(crawl)
    failure = failures[0]
    if is_dangerous(failure.reason):
        return f"it looks dangerous: {reason_without_prefix(failure.reason)}", "--allow-dangerous fires it"
    if failure.reason.startswith((EXCLUDED, NO_PAGE)):
        remedy = "a crawl without that option fires it" if failure.reason.startswith(EXCLUDED) else ""
        return failure.reason, remedy
    if is_disallowed_by_robots(failure.reason):
        return ROBOTS, "--ignore-robots opens it, if the site is yours"
    if failure.reason.startswith(BEYOND):
        return f"it lies {failure.reason}", f"a greater {option_of(failure.reason)}, in a new folder"
    if failure.reason.startswith(CHANGED):
        return failure.reason, "--reset-url or --reset-command, if the server keeps what events do; in a new folder"
    match failure:
        case EventHung():
            return f"the page hung: {failure.reason}", "a longer --event-timeout may help"
        case EventCrashed():
            return f"the page crashed: {failure.reason}", ""
        case EventRefused():
            return f"it could not be fired: {failure.reason}", ""


def _nobody_came(crawl: FoldedCrawl) -> tuple[str, str]:
    ended = crawl.ended
    if ended is None or ended == "interrupted":
        return "the crawl had not come to it yet", "the same command goes on"
    if ended == UNREACHABLE:
        return "no reliable way leads there any more", ""
    return f"the crawl was ended by {ended}", "the same command without that limit goes on"
