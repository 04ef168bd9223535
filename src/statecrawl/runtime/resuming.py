"""Going on with a crawl: only with the same settings, or states would not be what they were."""

from statecrawl.errors import BadInput
from statecrawl.journal.depths import cut_off
from statecrawl.journal.fold import Crawl
from statecrawl.runtime.plan import CrawlPlan


def check_same(plan: CrawlPlan, before: Crawl, place: str = "") -> None:
    """Raises BadInput when the crawl that was begun is another one than is planned.

    It is in the folder of the plan, or at this place.
    """
    started = before.started
    another = "give it another name" if place else "name another folder with --out"
    remedy = f"ask for the same to go on with it, or {another}."
    place = place or str(plan.out)
    if started is None:
        return
    asked = {"application": plan.name or plan.url, **plan.told()}
    present = {"application": started.application, **started.configuration}
    for name, value in asked.items():
        if present.get(name, value) != value:
            known, wanted = _as_said(present[name]), _as_said(value)
            raise BadInput(f"{place} holds a crawl with {name} {known}, and {wanted} is asked for: {remedy}")
    for depth in cut_off(before).values():
        if depth != plan.limits.depth:
            raise BadInput(f"{place} holds a crawl with --max-depth {depth}: {remedy}")


def warn_of_loss(warnings: dict[str, None], before: int, now: int) -> None:
    """Say so, when a journal that had so many transitions has fewer."""
    if now < before:
        warnings[f"the store has lost {before - now:,} transitions that it had: they are explored again"] = None


def _as_said(value: object) -> str:
    """A setting as people would say it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return ", ".join(map(str, value)) or "none" if isinstance(value, list) else str(value) or "none"
