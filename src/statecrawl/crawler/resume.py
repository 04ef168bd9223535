"""Checks before a crawl is resumed: settings that identify states must be the same."""

from dataclasses import asdict
from typing import Any

from statecrawl.config.plan import CrawlPlan
from statecrawl.config.recorded_settings import recorded_settings
from statecrawl.config.secrets import application_of, check_key
from statecrawl.errors import BadInput
from statecrawl.journal.depths import cut_off
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.model.equivalence import IDENTITY, IDENTITY_VERSION
from statecrawl.strategies.settings import ModelKind

RESUMED_WITH = "resumed with --model"  # begins the warning
ANOTHER_NAME = "give it another name"


def check_same(plan: CrawlPlan, before: FoldedCrawl, place: str = "") -> None:
    """Raise BadInput when the crawl in the folder of the plan, or at this place, was started with other settings."""
    started = before.started
    another = ANOTHER_NAME if place else "name another directory with --out"
    remedy = f"use the same setting to resume it, or {another}."
    place = place or str(plan.out)
    if started is None:
        return
    wanted = {name: value for name, value in _settings(plan).items() if name != IDENTITY}
    _compare(wanted, {"application": started.application, **started.configuration}, place, remedy)
    check_identity(before, place)
    check_key(plan, (event.local for event in before.graph.vocabulary))
    for depth in cut_off(before).values():
        if depth != plan.limits.depth:
            raise BadInput(f"{place} holds a crawl with --max-depth {depth}: {remedy}")


def check_identity(before: FoldedCrawl, place: str) -> None:
    """Raise BadInput when another release with other rules has computed the state ids of a crawl."""
    if before.started is not None and before.started.configuration.get(IDENTITY, 1) != IDENTITY_VERSION:
        raise BadInput(
            f"{place} holds a crawl of another release, which identifies states by other rules: it can be read, but"
            " neither resumed nor replayed; crawl again into another directory."
        )


def check_agreed(plan: CrawlPlan, started: CrawlPlan, place: str, *, runs: bool) -> None:
    """Raise BadInput when the crawl at this place was started with another plan.

    Strategy and limits may change when a crawl is resumed, but not while it `runs`: a standby that takes over needs the
    same.
    """
    _compare(_settings(plan), _settings(started), place, f"use the same setting to resume it, or {ANOTHER_NAME}.")
    if runs:
        _compare(
            _course(plan),
            _course(started),
            place,
            f"use the same setting to stand by, or {ANOTHER_NAME}.",
            " that runs",
        )


def _settings(plan: CrawlPlan) -> dict[str, Any]:
    return {"application": application_of(plan), **recorded_settings(plan)}


def _course(plan: CrawlPlan) -> dict[str, Any]:
    limits = {"max-time" if name == "seconds" else f"max-{name}": value for name, value in asdict(plan.limits).items()}
    return {"strategy": plan.strategy, **limits}


def _compare(wanted: dict[str, Any], present: dict[str, Any], place: str, remedy: str, which: str = "") -> None:
    for name, value in wanted.items():
        if present.get(name, value) != value:
            before, now = _in_words(present[name]), _in_words(value)
            raise BadInput(f"{place} holds a crawl{which} with {name} {before}, not {now}: {remedy}")


def changed_model(plan: CrawlPlan, before: FoldedCrawl) -> str:
    """Return what it means that the last run of a crawl explored another model; empty if it did not."""
    started = before.started
    last, now = "" if started is None else started.configuration.get("model", ModelKind.STATES), plan.model_used
    if last in ("", now):
        return ""
    effect = (
        "events that were left out are fired, too"
        if now is ModelKind.STATES
        else "events may be left out if equal ones of the same part of the page were fired"
    )
    return f"{RESUMED_WITH} {now}, where the last run had --model {last}: {effect}"


def warn_of_loss(warnings: dict[str, None], before: int, now: int) -> None:
    """Warn the user when a journal has fewer transitions than before."""
    if now < before:
        warnings[f"the store has lost {before - now:,} transitions that it had: they are explored again"] = None


def _in_words(value: object) -> str:
    """The value of a setting in words."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if value is None:
        return "none"
    return ", ".join(map(str, value)) or "none" if isinstance(value, list) else str(value) or "none"
