"""Comparison of the results of an experiment with the published figures."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from statistics import median

from statecrawl.lab.jobs import OfflineBounds
from statecrawl.ports.measurement import MeasuredRun, PublishedFigure
from statecrawl.report.comparison import AppComparison
from statecrawl.testbed.application import Application
from statecrawl.testbed.published import ALL_STATES, COMPLETE, OPTIMAL

SHAPED = ("breadth-first", "greedy")  # their complete crawls show whether a model has the shape of the original
EVENTS_TOLERANCE = 0.30  # allowed relative difference of the events of a complete crawl
RESETS_FACTOR = 10**0.5  # resets within this factor have the same order of magnitude
CLOSE = 0.05  # strategies whose published costs differ by less than this share a rank


def compare(app: Application, runs: Sequence[MeasuredRun], bounds: OfflineBounds | None) -> AppComparison:
    """Return all results and published figures of one application, for the tables and the page."""
    reset_cost = runs[0].reset_cost if runs else app.reset_cost
    enter_each = len(app.truth) - 1 + reset_cost  # a trivial lower bound: each state must be entered
    return AppComparison(
        name=app.name,
        title=app.title,
        states=len(app.truth),
        transitions=app.truth.explored,
        reset_cost=reset_cost,
        event_seconds=app.event_seconds,
        runs=tuple(runs),
        optimal_states=(bounds.states.lower, bounds.states.upper) if bounds else (enter_each, None),
        completion_bound=bounds.completion if bounds else None,
        published_states=ALL_STATES.get(app.name, {}),
        published_complete=COMPLETE.get(app.name, {}),
        published_optimal=OPTIMAL.get(app.name),
        remarks=tuple(remarks(app, runs)),
    )


def remarks(app: Application, runs: Sequence[MeasuredRun]) -> Iterable[str]:
    """Yield a sentence for each way in which a model behaves differently from the original application."""
    published = COMPLETE.get(app.name, {})
    finished = [run for run in runs if run.complete]
    for strategy in SHAPED:
        ours = [run.cost for run in finished if run.strategy == strategy]
        if not ours or strategy not in published:
            continue
        events, theirs = median(cost.events for cost in ours), published[strategy]
        off = events / theirs.events - 1
        if abs(off) > EVENTS_TOLERANCE:
            yield f"A complete {strategy} crawl takes {off:+.0%} events compared with the published {theirs.events:,}."
        resets = median(cost.resets for cost in ours)
        if not 1 / RESETS_FACTOR <= resets / theirs.resets <= RESETS_FACTOR:
            yield f"A complete {strategy} crawl takes {resets:,.0f} resets; the published one took {theirs.resets:,}."
    yield from _ranking(app, finished)


def _ranking(app: Application, runs: Sequence[MeasuredRun]) -> Iterable[str]:
    published = ALL_STATES.get(app.name, {})
    reset_cost = runs[0].reset_cost if runs else app.reset_cost  # the same for published and own figures
    theirs = {strategy: _cost(cell, reset_cost) for strategy, cell in published.items()}
    ours: Mapping[str, float] = {
        strategy: median(costs)
        for strategy in theirs
        if (costs := [run.quartiles[-1] for run in runs if run.strategy == strategy and run.quartiles[-1] is not None])
    }
    for one, other in combinations(ours, 2):
        first, second = sorted((one, other), key=theirs.__getitem__)
        if theirs[second] > theirs[first] * (1 + CLOSE) and ours[first] > ours[second]:
            yield (
                f"Here, {second} finds all states at a lower cost than {first} ({ours[second]:,.0f} and"
                f" {ours[first]:,.0f}); published was the reverse ({theirs[second]:,.0f} and {theirs[first]:,.0f})."
            )


def _cost(cell: PublishedFigure, reset_cost: float) -> float:
    """Compute the cost, because some of the printed costs are misprints."""
    return cell.events + reset_cost * cell.resets
