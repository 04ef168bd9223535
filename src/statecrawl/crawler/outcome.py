"""Outcome of a crawl, finished or running."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from statecrawl.crawler.recorded_parts import names_of_parts
from statecrawl.crawler.scope import scope_of
from statecrawl.crawler.widget import latest
from statecrawl.journal.end_reasons import COMPLETE
from statecrawl.journal.facts import EventCrashed, EventHung, EventRefused
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.journal.qualifications import (
    GRADES,
    PlainNote,
    Qualification,
    completeness_of,
    is_complete,
    qualifications_of,
)
from statecrawl.ports.recorder import WorkCount
from statecrawl.privacy.redaction import BLANK
from statecrawl.report.crawl.part_names import NO_LABELS, PartNames, cuts_in_words
from statecrawl.report.crawl.state_evidence import noted_in
from statecrawl.stores.evidence import EvidenceReader
from statecrawl.strategies.component_summary import NO_COMPONENTS, ComponentSummary, CutPart

MOST_REFUSALS = 20  # reasons that are listed


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Outcome of a crawl."""

    url: str
    states: int
    transitions: int
    events: int
    resets: int
    cost: float
    reset_cost: float
    diverged: int
    hung: int
    refused: int
    crashed: int
    external: int
    unexplored: int
    learning_events: int
    learning_resets: int
    rules: int
    seconds: float
    events_per_second: float
    complete: bool  # every event was fired, and there is no qualification
    completeness: str  # exact, components, bounded or partial; see `journal.qualifications`
    ended_because: str
    qualifications: tuple[Qualification, ...] = ()  # why it is not complete; see `journal.qualifications`
    warnings: tuple[str, ...] = ()
    components: int = 0  # parts of the page that change by themselves
    component_states: int = 0
    independence_checked: int = 0  # random events fired again in another context
    independence_violated: int = 0  # of all events fired again, those that did something else than predicted
    independence_share: float = 1.0  # with the confidence, fewer than this share of the spare events deviate
    unexplained: int = 0  # events that did different things for no visible reason; the checks do not cover them
    check_events: int = 0  # all events spent on checks, with the walks to them
    switched_at: int | None = None  # number of states when the model `auto` changed to components
    spare: int = 0  # events not fired, because they were fired in another context
    far: int = 0  # of them, those in states that are too far from the first page to be checked
    cut: tuple[str, ...] = ()  # rows and values without end that were cut, in words
    cut_parts: tuple[CutPart, ...] = ()  # the same as values; no part of the JSON
    refusals: dict[str, int] = field(default_factory=dict)  # the most frequent reasons -> events not fired


def outcome_of(
    url: str,
    crawl: FoldedCrawl,
    tally: WorkCount,
    *,
    reset_cost: float,
    seconds: float,
    events_before: int,
    ended_because: str,
    warnings: Iterable[str] = (),
    components: ComponentSummary = NO_COMPONENTS,
) -> Outcome:
    """Return the outcome of a crawl; `events_before` were fired by earlier runs.

    Page notes are not considered here: see `qualified`.
    """
    graph = crawl.graph
    found = _qualifications(crawl, ended_because, (), components.spare)
    return Outcome(
        url=BLANK.text(url),
        states=len(graph),
        transitions=graph.explored,
        events=tally.events,
        resets=tally.resets,
        cost=tally.events + reset_cost * tally.resets,
        reset_cost=reset_cost,
        diverged=len(graph.divergences),
        hung=crawl.failed[EventHung],
        refused=crawl.failed[EventRefused],
        crashed=crawl.failed[EventCrashed],
        external=sum(crawl.external.values()),
        unexplored=graph.unexplored,
        learning_events=tally.learning_events,
        learning_resets=tally.learning_resets,
        rules=len(crawl.rules),
        seconds=seconds,
        events_per_second=(tally.events - events_before) / seconds if seconds else 0.0,
        complete=is_complete(ended_because, found),
        completeness=completeness_of(ended_because, found),
        ended_because=ended_because,
        qualifications=found,
        components=components.components,
        component_states=components.component_states,
        independence_checked=components.independence_checked,
        independence_violated=components.independence_violated,
        independence_share=components.deviating_share,
        unexplained=components.unexplained if components.is_used else 0,
        check_events=components.check_events,
        switched_at=components.switched_at,
        spare=components.spare if components.is_used else 0,
        far=components.far if components.is_used else 0,
        cut=cuts_in_words(components.cut, PartNames(NO_LABELS)) if components.is_used else (),
        cut_parts=components.cut if components.is_used else (),
        warnings=tuple(latest(warnings, all_done=ended_because in (COMPLETE, *GRADES))),
        refusals=dict(crawl.refusals.most_common(MOST_REFUSALS)),
    )


def qualified(outcome: Outcome, crawl: FoldedCrawl, evidence: EvidenceReader) -> Outcome:
    """Return the outcome of a finished crawl, qualified also by the page notes in its folder.

    What was cut is named as the stored pages name it.
    """
    found = _qualifications(crawl, outcome.ended_because, noted_in(evidence.notes()), outcome.spare)
    return replace(
        outcome,
        complete=is_complete(outcome.ended_because, found),
        completeness=completeness_of(outcome.ended_because, found),
        qualifications=found,
        cut=named_cuts(outcome.cut_parts, crawl, evidence),
    )


def named_cuts(cuts: Sequence[CutPart], crawl: FoldedCrawl, evidence: EvidenceReader) -> tuple[str, ...]:
    """Return what was cut, in words, with the names that the stored pages give."""
    ids = crawl.graph.ids
    shown_in = (ids[state] for cut in cuts for state in cut.shown_in)
    return cuts_in_words(cuts, names_of_parts(evidence, shown_in, {cut.place for cut in cuts}))


def _qualifications(
    crawl: FoldedCrawl, ended: str, notes: Iterable[PlainNote], spare: int
) -> tuple[Qualification, ...]:
    if not ended:
        return ()
    return qualifications_of(crawl, ended=ended, in_scope=scope_of(crawl), notes=notes, spare=spare)
