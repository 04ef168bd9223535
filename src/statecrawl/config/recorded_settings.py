"""Settings that determine what a crawl finds, as its journal records them.

A crawl is only resumed with the same recorded settings (`crawler.resume`). Secrets are never recorded: of a header only
the name, of a login only that there is one. Parts of the plan whose effective values depend on several options record
themselves: `Access` and `FleetSettings`.
"""

from contextlib import suppress
from typing import Any

from statecrawl.config.options import settings
from statecrawl.config.plan import CrawlPlan
from statecrawl.model.equivalence import IDENTITY, IDENTITY_VERSION


def configuration_of(plan: CrawlPlan) -> dict[str, Any]:
    """Return the configuration that the journal records when a run starts."""
    return {
        "strategy": plan.strategy,
        "pages": plan.pages,
        "model": str(plan.model_used),
        "exhaustive": plan.exhaustive,
        "confidence": plan.confidence,
        **recorded_settings(plan),
    }


def recorded_settings(plan: CrawlPlan) -> dict[str, Any]:
    """Return the settings of a plan that its journal records, by option name."""
    recorded: dict[str, Any] = {IDENTITY: IDENTITY_VERSION}
    for row in settings().values():
        if row.recorded is not False:
            with suppress(LookupError):  # the plan has no such section
                recorded[row.name] = row.recorded_value(plan)
    fleet = {} if plan.fleet is None else plan.fleet.recorded_settings()
    return recorded | plan.access.recorded_settings() | fleet
