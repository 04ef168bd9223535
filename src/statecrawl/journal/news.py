"""News: what a report adds to what is known already.

Whoever sees something reports it as it looks from there: an event led somewhere, a page moved. Whether that is new, a
repetition or a surprise depends on what others have reported before, and only whoever folds the journal can say. So
reports go through here before they become facts, and surprises are counted here: a report bears no number of its own.
"""

from statecrawl.journal.facts import ExternalTransition, Fact, StateFound, TransitionDiverged, TransitionExplored
from statecrawl.journal.fold import Crawl
from statecrawl.model.graph import UNEXPLORED


def news(crawl: Crawl, report: Fact) -> Fact | None:
    """The fact that a report makes, which must be folded before the next is asked for; None when it is known.

    Raises DamagedJournal when it speaks of what is not there.
    """
    match report:
        case StateFound():
            return None if report.state in crawl.graph.numbers else report
        case TransitionExplored():
            state, position = crawl.pair(report.state, report.event)
            known = crawl.graph.targets[state][position]
            if known == UNEXPLORED:
                return report
            return None if crawl.graph.ids[known] == report.target else _surprise(crawl, report, report.target)
        case TransitionDiverged():
            return _surprise(crawl, report, report.landed)
        case ExternalTransition():
            numbers = crawl.graph.numbers
            before = crawl.external.get((numbers.get(report.state, -1), numbers.get(report.target, -1)), 0)
            return ExternalTransition(state=report.state, target=report.target, incident=before + 1)
        case _:
            return report


def is_known(crawl: Crawl, fact: Fact) -> bool:
    """Whether a surprise like this one was told before: it may be the same, told once more."""
    match fact:
        case TransitionDiverged():
            landings = crawl.graph.divergences.get(crawl.pair(fact.state, fact.event), ())
            return crawl.graph.numbers.get(fact.landed) in landings
        case ExternalTransition():
            return fact.incident > 1
        case _:
            return False


def _surprise(crawl: Crawl, report: TransitionExplored | TransitionDiverged, landed: str) -> TransitionDiverged:
    """An event that was explored led elsewhere."""
    graph = crawl.graph
    pair = state, position = crawl.pair(report.state, report.event)
    known = graph.targets[state][position]
    expected = landed if known == UNEXPLORED else graph.ids[known]
    incident = len(graph.divergences.get(pair, ())) + 1
    return TransitionDiverged(
        state=report.state, event=report.event, expected=expected, landed=landed, incident=incident
    )
