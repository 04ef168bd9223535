"""How a crawl went, or goes."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from statecrawl.journal.endings import COMPLETE
from statecrawl.journal.facts import EventCrashed, EventHung, EventRefused
from statecrawl.journal.fold import Crawl
from statecrawl.model.redaction import BLANK
from statecrawl.ports.record import Tally
from statecrawl.runtime.widget import latest

MOST_REFUSALS = 20  # reasons that are told


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a crawl went."""

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
    complete: bool
    ended_because: str
    warnings: tuple[str, ...] = ()
    refusals: dict[str, int] = field(default_factory=dict)  # why events were not fired -> how many; the most frequent


def outcome_of(
    url: str,
    crawl: Crawl,
    tally: Tally,
    *,
    reset_cost: float,
    seconds: float,
    events_before: int,
    ended_because: str,
    warnings: Iterable[str] = (),
) -> Outcome:
    """What there is to say of a crawl; `events_before` were fired by earlier runs."""
    graph = crawl.graph
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
        complete=ended_because == COMPLETE,
        ended_because=ended_because,
        warnings=tuple(latest(warnings)),
        refusals=dict(crawl.refusals.most_common(MOST_REFUSALS)),
    )
