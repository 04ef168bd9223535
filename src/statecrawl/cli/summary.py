"""How a crawl went, for people and for machines."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from statecrawl.config.plan import CrawlPlan
from statecrawl.crawler.outcome import Outcome
from statecrawl.errors import printable
from statecrawl.journal.end_reasons import COMPLETE
from statecrawl.journal.qualifications import Qualification
from statecrawl.journal.refusal_reasons import NO_PAGE, is_dangerous
from statecrawl.model.graph import Graph
from statecrawl.testbed.model_match import mismatch

MOST_REASONS = 8  # why a crawl is not complete, in a summary


def as_object(outcome: Outcome) -> dict[str, Any]:
    """An outcome for machines."""
    told = asdict(outcome)
    for name in ("seconds", "events_per_second", "cost"):
        told[name] = round(told[name], 3)
    return told


def summary(outcome: Outcome, plan: CrawlPlan) -> list[str]:
    """An outcome for people."""
    speed = f"{outcome.events_per_second:.0f} events/s, a reset costs {outcome.reset_cost:g} events"
    found = f"{counted(outcome.states, 'state')}, {counted(outcome.transitions, 'transition')}"
    spent = f"{counted(outcome.events, 'event')} and {counted(outcome.resets, 'reset')} in all"
    lines = [
        f"{found}: {verdict(outcome)}",
        *(f"  {printable(line)}" for line in qualification_lines(outcome.qualifications)),
        f"{spent}, {outcome.seconds:.1f} s now: {speed}",
    ]
    if any(map(is_dangerous, outcome.refusals)) and not plan.scope.allow_dangerous:
        lines.append("--allow-dangerous fires what looks dangerous")
    if guesses := _guesses(outcome):
        lines.append(f"{counted(guesses, 'guessed URL')} {'has' if guesses == 1 else 'have'} no page")
    if outcome.external:
        lines.append(f"the page changed by itself {counted(outcome.external, 'time')}")
    if outcome.rules:
        were = "was" if outcome.rules == 1 else "were"
        lines.append(f"{counted(outcome.rules, 'rule')} for dynamic content {were} learnt")
    lines += [f"mind: {printable(warning)}" for warning in outcome.warnings]
    lines.append(f"journal and evidence are in {printable(str(plan.out))}/")
    return lines


def verdict(outcome: Outcome) -> str:
    """Whether a crawl is complete, in a few words."""
    if not outcome.states:
        return "nothing was crawled yet"
    if outcome.complete:
        return "complete, every event was fired"
    if outcome.ended_because == COMPLETE:
        return "explored, but not complete:"
    unexplored = outcome.unexplored - _guesses(outcome)
    left = f", {counted(unexplored, 'event')} unexplored" if unexplored else ""
    return f"not complete ({outcome.ended_because}){left}{':' if outcome.qualifications else ''}"


def _guesses(outcome: Outcome) -> int:
    """How many URLs were only guessed and turned out to have no page."""
    return sum(count for reason, count in outcome.refusals.items() if reason.startswith(NO_PAGE))


def qualification_lines(qualifications: Sequence[Qualification]) -> list[str]:
    """Why a crawl is not complete, with the first few examples of each reason."""
    lines = []
    for each in qualifications[:MOST_REASONS]:
        more = ", …" if each.count > len(each.examples) else ""
        lines.append(f"- {each.text}" + (f" ({', '.join(each.examples)}{more})" if each.examples else ""))
    if (others := len(qualifications) - MOST_REASONS) > 0:
        lines.append(f"- and {counted(others, 'other reason')}; --json lists all of them")
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
