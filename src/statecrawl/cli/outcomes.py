"""How a crawl went, for people and for machines."""

from dataclasses import asdict
from typing import Any

from statecrawl.errors import printable
from statecrawl.journal.refusals import is_dangerous
from statecrawl.model.graph import Graph
from statecrawl.runtime.outcome import Outcome
from statecrawl.runtime.plan import CrawlPlan
from statecrawl.testbed.matching import mismatch

MOST_REASONS = 6  # why events were left out, in a summary


def as_object(outcome: Outcome) -> dict[str, Any]:
    """An outcome for machines."""
    told = asdict(outcome)
    for name in ("seconds", "events_per_second", "cost"):
        told[name] = round(told[name], 3)
    return told


def summary(outcome: Outcome, plan: CrawlPlan) -> list[str]:
    """An outcome for people."""
    left = f"{outcome.unexplored:,} events unexplored" if outcome.unexplored else "nothing left unexplored"
    if not outcome.states:
        left = "nothing was crawled yet"
    if outcome.complete and outcome.unexplored:
        left = f"all explored but {outcome.unexplored:,} that cannot or must not be fired"
    speed = f"{outcome.events_per_second:.0f} events/s, a reset costs {outcome.reset_cost:g} events"
    found = f"{counted(outcome.states, 'state')}, {counted(outcome.transitions, 'transition')}"
    spent = f"{counted(outcome.events, 'event')} and {counted(outcome.resets, 'reset')} in all"
    lines = [
        f"{found}, {left} ({outcome.ended_because})",
        f"{spent}, {outcome.seconds:.1f} s now: {speed}",
    ]
    refusals = list(outcome.refusals.items())[:MOST_REASONS]
    lines += [f"{counted(count, 'event')} left out: {printable(why)}" for why, count in refusals]
    more = sum(outcome.refusals.values()) - sum(count for _, count in refusals)
    if more:
        lines.append(f"{counted(more, 'event')} left out for other reasons: the report lists them")
    if any(map(is_dangerous, outcome.refusals)) and not plan.scope.allow_dangerous:
        lines.append("--allow-dangerous fires what looks dangerous")
    odd = {
        "hung": outcome.hung,
        "crashed": outcome.crashed,
        "diverged": outcome.diverged,
        "external": outcome.external,
    }
    if any(odd.values()):
        lines.append(", ".join(f"{count:,} {name}" for name, count in odd.items() if count))
    if outcome.rules:
        lines.append(f"{outcome.rules} rules for volatile parts were learnt")
    lines += [f"mind: {printable(warning)}" for warning in outcome.warnings]
    lines.append(f"journal and evidence are in {printable(str(plan.out))}/")
    return lines


def counted(count: int, what: str) -> str:
    """So many of them."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def judge(outcome: Outcome, found: Graph, truth: Graph) -> str:
    """What there is to say of a complete model, for people."""
    wrong = mismatch(found, truth)
    if wrong is None:
        return "the model found is exactly the true one"
    hint = "; --allow-dangerous fires what was refused" if any(map(is_dangerous, outcome.refusals)) else ""
    return f"the model found is not the true one: {wrong}{hint}"
