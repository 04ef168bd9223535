"""Settings that determine what a crawl finds, as its journal records them.

A crawl is only resumed with the same recorded settings (`crawler.resume`). Secrets are never recorded: of a header only
the name, of a login only that there is one.
"""

import hashlib
import json
from typing import Any

from statecrawl.config.plan import IDENTITY, IDENTITY_VERSION, CrawlPlan


def configuration_of(plan: CrawlPlan) -> dict[str, Any]:
    """Return the configuration that the journal records when a run starts."""
    return {"strategy": plan.strategy, "pages": plan.pages, **recorded_settings(plan)}


def recorded_settings(plan: CrawlPlan) -> dict[str, Any]:
    """Return the settings of a plan that its journal records, by option name."""
    scope = plan.scope
    return {
        IDENTITY: IDENTITY_VERSION,
        "equivalence": plan.equivalence,
        "seed": plan.seed,
        "scope": scope.prefix,
        "allow": list(scope.allow),
        "deny": list(scope.deny),
        "deny-element": list(scope.deny_elements),
        "events": list(scope.events),
        "deny-event": list(scope.deny_events),
        "container-probes": plan.container_probes,
        "allow-dangerous": scope.allow_dangerous,
        "read-only": scope.read_only,
        "values": _fingerprint(plan.values),
        "login": plan.resetting.logs_in,
        "ignore": list(plan.ignore_selectors),
        "ignore-attribute": list(plan.ignore_attributes),
        "ignore-text": list(plan.ignore_patterns),
        "ignore-hidden": plan.ignore_hidden,
        "trusted-input": plan.trusted,
        "keep-secrets": plan.keep_secrets,
        "ignore-robots": plan.ignore_robots,
        **plan.access.recorded_settings(),
        "site": plan.site is not None,
        **({} if plan.site is None else plan.site.recorded_settings()),
        **({} if plan.fleet is None else plan.fleet.recorded_settings()),
    }


def _fingerprint(values: object) -> str:
    """Return a hash that distinguishes values without revealing them."""
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:16] if values else "none"
