"""Warm-up of a fleet whose nodes decide for themselves: one process learns what all nodes have to know.

It learns dynamic content and the cost of a reset as a crawl on one machine does (`crawler.loop`), with a browser that
is closed again before nodes are let in. What it finds on the way is not lost: the journal starts with it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from statecrawl.config.plan import CrawlPlan
from statecrawl.config.secrets import keyed_redactor
from statecrawl.crawler.loop import CrawlLoop
from statecrawl.fleet.evidence_batch import EvidenceBatch
from statecrawl.fleet.worker_parts import worker_parts
from statecrawl.journal.facts import Fact, StateFound
from statecrawl.ports.coordinator_link import NoteEvidence, StateEvidence
from statecrawl.ports.recorder import WorkCount


@dataclass(frozen=True, slots=True)
class WarmUp:
    """Result of a warm-up, with its evidence."""

    facts: Sequence[Fact] = ()
    states: Sequence[StateEvidence] = ()
    notes: Sequence[NoteEvidence] = ()
    tally: WorkCount = field(default_factory=WorkCount)
    warnings: Sequence[str] = ()


async def run_warm_up(plan: CrawlPlan, on_start: Callable[[CrawlLoop], None]) -> WarmUp:
    """Learn; `on_start` receives the loop, which can be stopped. Raises SiteUnreachable and BrowserError."""
    evidence = EvidenceBatch(keyed_redactor(plan))
    async with worker_parts(plan, plan.browser) as parts:
        learner = parts.learning_loop(plan, evidence)
        on_start(learner)
        facts = await learner.learn()
    evidence.keep_only({fact.state for fact in facts if isinstance(fact, StateFound)})
    return WarmUp(facts, *evidence.take(), learner.recorder.tally, tuple(learner.recorder.warnings))
