"""Unexplored events: why they were not explored, and what would help."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from statecrawl.journal.crawl_bounds import option_of
from statecrawl.journal.depths import BEYOND
from statecrawl.journal.end_reasons import BOUNDED, COMPLETE, COMPONENTS, MAX_DEPTH, UNREACHABLE, stopped_by
from statecrawl.journal.facts import EventCrashed, EventHung, EventRefused, Failure
from statecrawl.journal.fold import FoldedCrawl, Pair
from statecrawl.journal.refusal_reasons import (
    EXCLUDED,
    FIRST_PAGE_CHANGED,
    NO_PAGE,
    ROBOTS,
    common_reason,
    is_dangerous,
    is_disallowed_by_robots,
    reason_without_prefix,
)

ENDINGS = {
    COMPLETE: "every event of every state was fired",
    COMPONENTS: "every event of every part of the page was fired",
    BOUNDED: "every event of every part of the page was fired; rows or values without end were cut",
    MAX_DEPTH: "everything up to --max-depth was explored",
    UNREACHABLE: "some events are in states that no reliable path reaches any more",
    "max-states": "--max-states was reached",
    "max-events": "--max-events was reached",
    "max-requests": "--max-requests was reached",
    "max-time": "--max-time was reached",
    "interrupted": "the crawl was interrupted; the same command resumes it",
    "abandoned": "no node could continue",
}
SPARE = "an equal event of the same part of the page was fired elsewhere", "use --model states to fire it"
KINDS: dict[type[Failure], str] = {EventRefused: "refused", EventHung: "hung", EventCrashed: "crashed"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Unexplored:
    """Unexplored events that share one reason."""

    why: str
    remedy: str
    pairs: int
    states: int


def how_it_ended(crawl: FoldedCrawl) -> str:
    """Return one clause about how the crawl ended."""
    if crawl.ended is None:
        return "the crawl is still running or was killed; the same command resumes it"
    if crawl.ended == COMPLETE and crawl.closed:
        return "every event was fired, except those that could not or must not be fired"
    return ENDINGS.get(crawl.ended, "the crawl was stopped")


def remaining(crawl: FoldedCrawl, is_spare: Callable[[Pair], bool] = lambda _: False) -> list[Unexplored]:
    """Return the unexplored events by reason, the most frequent reason first. Of spare ones, an equal one was fired."""
    pairs: Counter[tuple[str, str]] = Counter()
    states: dict[tuple[str, str], set[int]] = {}
    graph = crawl.graph
    for state, left in enumerate(graph.remaining):
        for position in graph.pending(state) if left else ():
            pair = state, position
            reason = SPARE if pair not in crawl.failures and is_spare(pair) else _reason(crawl, pair)
            pairs[reason] += 1
            states.setdefault(reason, set()).add(state)
    return [
        Unexplored(why=reason[0], remedy=reason[1], pairs=count, states=len(states[reason]))
        for reason, count in sorted(pairs.items(), key=lambda item: (-item[1], item[0]))
    ]


def _reason(crawl: FoldedCrawl, pair: Pair) -> tuple[str, str]:
    """Return why a pair was not explored, and a remedy."""
    failures = crawl.failures.get(pair)
    if not failures:
        return _never_fired(crawl)
    failure = failures[0]
    if is_dangerous(failure.reason):
        return f"looks dangerous: {reason_without_prefix(failure.reason)}", "use --allow-dangerous to fire it"
    if failure.reason.startswith((EXCLUDED, NO_PAGE)):
        remedy = "crawl without that option to fire it" if failure.reason.startswith(EXCLUDED) else ""
        return failure.reason, remedy
    if is_disallowed_by_robots(failure.reason):
        return ROBOTS, "use --ignore-robots if the site is yours"
    if failure.reason.startswith(BEYOND):
        return failure.reason, f"crawl again with a larger {option_of(failure.reason)}, in a new directory"
    if failure.reason.startswith(FIRST_PAGE_CHANGED):
        return (
            failure.reason,
            "if the server stores what events do, crawl again with --reset-url or --reset-command, in a new directory",
        )
    match failure:
        case EventHung():
            return f"the page hung: {failure.reason}", "try a longer --event-timeout"
        case EventCrashed():
            return f"the page crashed: {failure.reason}", ""
        case EventRefused():
            return f"could not be fired: {common_reason(failure.reason)}", ""


def _never_fired(crawl: FoldedCrawl) -> tuple[str, str]:
    ended = crawl.ended
    if ended is None or ended == "interrupted":
        return "the crawl has not reached it yet", "run the same command to resume"
    if ended in (COMPONENTS, BOUNDED):
        return SPARE
    if ended == UNREACHABLE:
        return "no reliable path leads there any more", ""
    return stopped_by(ended), "run the same command without that limit to resume"
