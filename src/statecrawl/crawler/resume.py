"""Going on with a crawl: only with the same settings, or states would not be what they were."""

from dataclasses import asdict
from typing import Any

from statecrawl.config.plan import IDENTITY, IDENTITY_VERSION, CrawlPlan
from statecrawl.config.recorded_settings import recorded_settings
from statecrawl.config.secrets import application_of, check_key
from statecrawl.errors import BadInput
from statecrawl.journal.depths import cut_off
from statecrawl.journal.fold import FoldedCrawl

ANOTHER_NAME = "give it another name"


def check_same(plan: CrawlPlan, before: FoldedCrawl, place: str = "") -> None:
    """Raises BadInput when the crawl that was begun is another one than is planned.

    It is in the folder of the plan, or at this place.
    """
    started = before.started
    another = ANOTHER_NAME if place else "name another folder with --out"
    remedy = f"ask for the same to go on with it, or {another}."
    place = place or str(plan.out)
    if started is None:
        return
    asked = {name: value for name, value in _settings(plan).items() if name != IDENTITY}
    _compare(asked, {"application": started.application, **started.configuration}, place, remedy)
    check_identity(before, place)
    check_key(plan, (event.local for event in before.graph.vocabulary))
    for depth in cut_off(before).values():
        if depth != plan.limits.depth:
            raise BadInput(f"{place} holds a crawl with --max-depth {depth}: {remedy}")


def check_identity(before: FoldedCrawl, place: str) -> None:
    """Raises BadInput when the states of a crawl got their ids by rules that are not those of this release."""
    if before.started is not None and before.started.configuration.get(IDENTITY, 1) != IDENTITY_VERSION:
        raise BadInput(
            f"{place} holds a crawl of another release, which identifies states by other rules: it can be read, but"
            " neither resumed nor replayed; crawl again into another folder."
        )


def check_agreed(plan: CrawlPlan, begun: CrawlPlan, place: str, *, runs: bool) -> None:
    """Raises BadInput when the crawl at this place was begun by another plan.

    How it is crawled, and how far, may change when it goes on, but not while it `runs`: who takes over does the same.
    """
    _compare(_settings(plan), _settings(begun), place, f"ask for the same to go on with it, or {ANOTHER_NAME}.")
    if runs:
        _compare(
            _manner(plan), _manner(begun), place, f"ask for the same to stand by, or {ANOTHER_NAME}.", " that runs"
        )


def _settings(plan: CrawlPlan) -> dict[str, Any]:
    return {"application": application_of(plan), **recorded_settings(plan)}


def _manner(plan: CrawlPlan) -> dict[str, Any]:
    limits = {"max-time" if name == "seconds" else f"max-{name}": value for name, value in asdict(plan.limits).items()}
    return {"strategy": plan.strategy, **limits}


def _compare(asked: dict[str, Any], present: dict[str, Any], place: str, remedy: str, which: str = "") -> None:
    for name, value in asked.items():
        if present.get(name, value) != value:
            known, wanted = _as_said(present[name]), _as_said(value)
            raise BadInput(f"{place} holds a crawl{which} with {name} {known}, and {wanted} is asked for: {remedy}")


def warn_of_loss(warnings: dict[str, None], before: int, now: int) -> None:
    """Say so, when a journal that had so many transitions has fewer."""
    if now < before:
        warnings[f"the store has lost {before - now:,} transitions that it had: they are explored again"] = None


def _as_said(value: object) -> str:
    """A setting as people would say it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if value is None:
        return "none"
    return ", ".join(map(str, value)) or "none" if isinstance(value, list) else str(value) or "none"
