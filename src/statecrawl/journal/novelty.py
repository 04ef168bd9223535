"""Novelty: which fact a report adds to a journal, and whether a fact would change anything.

A walker reports what it sees: an event led to a state, a page changed by itself. Whether that is new, a repetition or a
surprise depends on earlier reports of all walkers, so only a process that folds the journal can decide. Every report
passes through this module before it becomes a fact. Surprises are numbered here; reports carry no number.

A fact may arrive twice, because its sender does not know that it was received or that another node reported the same.
The key of the fact, including its number, decides whether it would change anything (see `journal.facts`).
"""

from statecrawl.journal.facts import (
    BoundarySeen,
    EventAdded,
    ExternalTransition,
    Fact,
    Failure,
    StateFound,
    TransitionDiverged,
    TransitionExplored,
)
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.model.event import BACK
from statecrawl.model.graph import UNEXPLORED


def new_fact(crawl: FoldedCrawl, report: Fact) -> Fact | None:
    """Return the fact that a report adds, or None if it adds nothing. Fold the fact before the next call.

    Raises DamagedJournal when the report refers to an unknown state or event.
    """
    match report:
        case TransitionExplored():
            state, position = crawl.pair(report.state, report.event)
            known, target = crawl.graph.targets[state][position], crawl.state(report.target)
            if known == UNEXPLORED:
                return report
            if known == target or report.event == BACK:
                return None  # the destination of "back" depends on the path, so a difference is no surprise
            return _surprise(crawl, report, report.target)
        case TransitionDiverged():
            return _surprise(crawl, report, report.landed)
        case ExternalTransition():
            before = crawl.external.get((crawl.state(report.state), crawl.state(report.target)), 0)
            return ExternalTransition(state=report.state, target=report.target, incident=before + 1)
        case _:
            return None if is_redundant(crawl, report) else report


def is_redundant(crawl: FoldedCrawl, fact: Fact) -> bool:
    """Whether a fact would change nothing. Raises DamagedJournal when it refers to an unknown state or event."""
    graph = crawl.graph
    if isinstance(fact, Failure):
        failures = crawl.failures.get(crawl.pair(fact.state, fact.event), [])
        return any(type(failure) is type(fact) for failure in failures)
    match fact:
        case StateFound():
            return fact.state in graph.numbers
        case EventAdded():
            name = fact.event if isinstance(fact.event, str) else fact.event[0]
            return any(graph.vocabulary[number].local == name for number in graph.events[crawl.state(fact.state)])
        case TransitionExplored():
            pair = state, position = crawl.pair(fact.state, fact.event)
            target, known = crawl.state(fact.target), graph.targets[state][position]
            if known == UNEXPLORED:
                return False
            return known == target or fact.event == BACK or target in graph.divergences.get(pair, ())
        case TransitionDiverged():
            crawl.state(fact.expected)
            return (*crawl.pair(fact.state, fact.event), crawl.state(fact.landed), fact.incident) in crawl.landings
        case ExternalTransition():
            return (crawl.state(fact.state), crawl.state(fact.target), fact.incident) in crawl.incidents
        case BoundarySeen():
            if fact.event is None:
                return (crawl.state(fact.state), None, fact.what, fact.url) in crawl.boundaries
            return (*crawl.pair(fact.state, fact.event), fact.what, fact.url) in crawl.boundaries
        case _:
            return crawl.knows(fact)


def is_repeated_surprise(crawl: FoldedCrawl, fact: Fact) -> bool:
    """Whether an equal surprise was recorded before, so that this one may be the same, reported twice."""
    match fact:
        case TransitionDiverged():
            landings = crawl.graph.divergences.get(crawl.pair(fact.state, fact.event), ())
            return crawl.graph.numbers.get(fact.landed) in landings
        case ExternalTransition():
            return fact.incident > 1
        case _:
            return False


def _surprise(crawl: FoldedCrawl, report: TransitionExplored | TransitionDiverged, landed: str) -> TransitionDiverged:
    """Make the fact that an explored event led to a different state."""
    graph = crawl.graph
    pair = state, position = crawl.pair(report.state, report.event)
    crawl.state(landed)
    known = graph.targets[state][position]
    expected = landed if known == UNEXPLORED else graph.ids[known]
    incident = len(graph.divergences.get(pair, ())) + 1
    return TransitionDiverged(
        state=report.state, event=report.event, expected=expected, landed=landed, incident=incident
    )
