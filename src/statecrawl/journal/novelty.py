"""News: what a report adds to what is known already, and whether a fact adds anything.

Whoever sees something reports it as it looks from there: an event led somewhere, a page moved. Whether that is new, a
repetition or a surprise depends on what others have reported before, and only whoever folds the journal can say. So
reports go through here before they become facts, and surprises are counted here: a report bears no number of its own.

A fact may be told again, by somebody who does not know that it was heard, or that others have said the same. Whether it
would change anything is told by its key (see `journal.facts`), number included.
"""

from typing import assert_never

from statecrawl.journal.facts import (
    BoundarySeen,
    CostMeasured,
    CrawlEnded,
    CrawlStarted,
    EquivalenceRevised,
    EventAdded,
    EventCrashed,
    EventHung,
    EventRefused,
    EventsDealt,
    ExternalTransition,
    Fact,
    MemberJoined,
    MemberLeft,
    StateFound,
    TransitionDiverged,
    TransitionExplored,
)
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.model.event import BACK
from statecrawl.model.graph import UNEXPLORED

_OfCrawl = CrawlStarted | CrawlEnded | EquivalenceRevised | CostMeasured | MemberJoined | MemberLeft | EventsDealt


def new_fact(crawl: FoldedCrawl, report: Fact) -> Fact | None:
    """The fact that a report makes, which must be folded before the next is asked for; None when it is known.

    Raises DamagedJournal when it speaks of what is not there.
    """
    match report:
        case TransitionExplored():
            state, position = crawl.pair(report.state, report.event)
            known, target = crawl.graph.targets[state][position], crawl.state(report.target)
            if known == UNEXPLORED:
                return report
            if known == target or report.event == BACK:
                return None  # going back may lead elsewhere each time, which is no surprise
            return _surprise(crawl, report, report.target)
        case TransitionDiverged():
            return _surprise(crawl, report, report.landed)
        case ExternalTransition():
            before = crawl.external.get((crawl.state(report.state), crawl.state(report.target)), 0)
            return ExternalTransition(state=report.state, target=report.target, incident=before + 1)
        case _:
            return None if is_redundant(crawl, report) else report


def is_redundant(crawl: FoldedCrawl, fact: Fact) -> bool:
    """Whether a fact would change nothing. Raises DamagedJournal when it speaks of what is not there."""
    graph = crawl.graph
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
        case EventRefused() | EventHung() | EventCrashed():
            failures = crawl.failures.get(crawl.pair(fact.state, fact.event), [])
            return any(type(failure) is type(fact) for failure in failures)
        case BoundarySeen():
            if fact.event is None:
                return (crawl.state(fact.state), None, fact.what, fact.url) in crawl.boundaries
            return (*crawl.pair(fact.state, fact.event), fact.what, fact.url) in crawl.boundaries
        case _:
            return _is_told_of_crawl(crawl, fact)


def _is_told_of_crawl(crawl: FoldedCrawl, fact: _OfCrawl) -> bool:
    run = 0 if crawl.started is None else crawl.started.run
    match fact:
        case CrawlStarted():
            return fact.run <= run
        case CrawlEnded():
            return fact.run < run or fact.run <= crawl.ended_run or crawl.ended == fact.reason
        case EquivalenceRevised():
            return fact.revision <= crawl.revision
        case MemberJoined() | MemberLeft():
            return fact.epoch <= crawl.epoch
        case EventsDealt():
            return fact.first < sum([count for _, count in crawl.dealt.get(crawl.state(fact.state), ())])
        case CostMeasured():
            return crawl.is_cost_measured and crawl.reset_cost == fact.reset_cost
        case _:
            assert_never(fact)


def is_repeated_surprise(crawl: FoldedCrawl, fact: Fact) -> bool:
    """Whether a surprise like this one was told before: it may be the same, told once more."""
    match fact:
        case TransitionDiverged():
            landings = crawl.graph.divergences.get(crawl.pair(fact.state, fact.event), ())
            return crawl.graph.numbers.get(fact.landed) in landings
        case ExternalTransition():
            return fact.incident > 1
        case _:
            return False


def _surprise(crawl: FoldedCrawl, report: TransitionExplored | TransitionDiverged, landed: str) -> TransitionDiverged:
    """An event that was explored led elsewhere."""
    graph = crawl.graph
    pair = state, position = crawl.pair(report.state, report.event)
    crawl.state(landed)
    known = graph.targets[state][position]
    expected = landed if known == UNEXPLORED else graph.ids[known]
    incident = len(graph.divergences.get(pair, ())) + 1
    return TransitionDiverged(
        state=report.state, event=report.event, expected=expected, landed=landed, incident=incident
    )
