"""Summary of a crawl, as text and as JSON."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from statecrawl.config.plan import CrawlPlan
from statecrawl.crawler.outcome import Outcome
from statecrawl.errors import printable
from statecrawl.journal.end_reasons import COMPLETE
from statecrawl.journal.qualifications import GRADES, Qualification
from statecrawl.journal.refusal_reasons import NO_PAGE, is_dangerous
from statecrawl.model.graph import Graph
from statecrawl.strategies.component_frontier import MOST_STEPS
from statecrawl.testbed.model_match import mismatch

HALF = 0.5  # a larger share of deviations is nothing to claim
MOST_CUTS = 5  # rows and open ends that a summary lists
MOST_REASONS = 8  # reasons why a crawl is not complete that a summary lists


def as_object(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as a JSON object."""
    values = asdict(outcome)
    del values["cut_parts"]
    for name in ("seconds", "events_per_second", "cost"):
        values[name] = round(values[name], 3)
    return values


def summary(outcome: Outcome, plan: CrawlPlan) -> list[str]:
    """Return an outcome as lines of text."""
    model = f"{counted(outcome.states, 'state')}, {counted(outcome.transitions, 'transition')}"
    work = f"{counted(outcome.events, 'event')} and {counted(outcome.resets, 'reset')} in total"
    speed = f"{outcome.seconds:.1f} s in this run, {outcome.events_per_second:.0f} events/s"
    lines = [
        f"{model}: {verdict(outcome)}",
        *(f"  {printable(line)}" for line in qualification_lines(outcome.qualifications)),
        f"{work}; {speed}; a reset costs as much as {outcome.reset_cost:g} events",
    ]
    lines += component_lines(outcome)
    if any(map(is_dangerous, outcome.refusals)) and not plan.scope.allow_dangerous:
        lines.append("use --allow-dangerous to fire the events that look dangerous")
    if guesses := _guesses(outcome):
        lines.append(f"{counted(guesses, 'guessed URL')} {'has' if guesses == 1 else 'have'} no page")
    if outcome.external:
        lines.append(f"the page changed by itself {counted(outcome.external, 'time')}")
    if outcome.rules:
        lines.append(f"learned {counted(outcome.rules, 'rule')} for dynamic content")
    lines += [f"warning: {printable(warning)}" for warning in outcome.warnings]
    lines.append(f"journal and evidence: {printable(str(plan.out))}/")
    return lines


def component_lines(outcome: Outcome) -> list[str]:
    """Return what was left out because of components, and how far that can be trusted, as lines of text."""
    lines = []
    if outcome.switched_at is not None:
        after = counted(outcome.switched_at, "state")
        left = f", {counted(outcome.spare, 'event')} left out because equal ones were fired" if outcome.spare else ""
        lines.append(f"went on part by part after {after}{left}; --model states fires all")
    if outcome.independence_checked:
        checks = f"{counted(outcome.independence_checked, 'random check')} of events that were left out"
        share, near = outcome.independence_share, outcome.spare - outcome.far
        whole = f"the {near:,} within {MOST_STEPS} events of the first page" if outcome.far else "them"
        claim = f": with the wanted confidence, fewer than {share:.1%} of {whole} do something else"
        lines.append(f"{checks}; {counted(outcome.independence_violated, 'deviation')}{claim if share < HALF else ''}")
    if outcome.unexplained:
        did = counted(outcome.unexplained, "event")
        lines.append(f"{did} did different things for no visible reason; the checks say nothing about what they do")
    lines += [f"cut: {printable(each)}" for each in outcome.cut[:MOST_CUTS]]
    if len(outcome.cut) > MOST_CUTS:
        lines.append(f"cut: and {counted(len(outcome.cut) - MOST_CUTS, 'other place')}; --json lists all of them")
    return lines


def verdict(outcome: Outcome) -> str:
    """Return in a few words whether a crawl is complete."""
    if not outcome.states:
        return "nothing was crawled yet"
    if outcome.complete:
        return "complete, every event was fired"
    if outcome.completeness in GRADES:
        parts = f"{counted(outcome.components, 'part')} of the page with {counted(outcome.component_states, 'view')}"
        return f"every event of every part was fired ({parts})"
    if outcome.ended_because == COMPLETE or outcome.ended_because in GRADES:
        return "explored, but not complete:"
    unexplored = outcome.unexplored - _guesses(outcome) - outcome.spare
    left = f", {counted(unexplored, 'event')} unexplored" if unexplored else ""
    return f"not complete ({outcome.ended_because}){left}{':' if outcome.qualifications else ''}"


def _guesses(outcome: Outcome) -> int:
    """Return how many URLs were only guessed and turned out to have no page."""
    return sum(count for reason, count in outcome.refusals.items() if reason.startswith(NO_PAGE))


def qualification_lines(qualifications: Sequence[Qualification]) -> list[str]:
    """Return the reasons why a crawl is not complete, each with its first few examples."""
    lines = []
    for each in qualifications[:MOST_REASONS]:
        more = ", …" if each.count > len(each.examples) else ""
        lines.append(f"- {each.text}" + (f" ({', '.join(each.examples)}{more})" if each.examples else ""))
    if (others := len(qualifications) - MOST_REASONS) > 0:
        lines.append(f"- and {counted(others, 'other reason')}; --json lists all of them")
    return lines


def counted(count: int, what: str) -> str:
    """Return a count with its noun, in the plural where needed."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def judge(outcome: Outcome, found: Graph, truth: Graph) -> str:
    """Compare a complete model with the true one; return one line of text."""
    wrong = mismatch(found, truth)
    if wrong is None:
        return "the model equals the true model of the application"
    hint = "; use --allow-dangerous to fire what was refused" if any(map(is_dangerous, outcome.refusals)) else ""
    return f"the model differs from the true model of the application: {wrong}{hint}"
