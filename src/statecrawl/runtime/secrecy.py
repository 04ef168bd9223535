"""What of a plan is secret, and who takes that out of everything that is kept."""

import secrets
from collections.abc import Iterator

from statecrawl.model.redaction import BLANK, Redactor
from statecrawl.model.secret_names import is_secret_name
from statecrawl.runtime.plan import CrawlPlan

KEY_BYTES = 16
LEAST_COOKIE = 8  # letters; what is shorter says something like "yes" or "en"


def redactor_of(plan: CrawlPlan, key: bytes | None = None) -> Redactor | None:
    """None when secrets are to be kept. Without a key all of them look the same."""
    return None if plan.keep_secrets else Redactor(key, _literals(plan))


def keyed_redactor(plan: CrawlPlan) -> Redactor | None:
    """The same for evidence: equal secrets look equal. The key is forgotten with this process."""
    return redactor_of(plan, secrets.token_bytes(KEY_BYTES))


def application_of(plan: CrawlPlan) -> str:
    """What a crawl says that it is of."""
    return plan.name or (plan.url if plan.keep_secrets else BLANK.text(plan.url))


def _literals(plan: CrawlPlan) -> Iterator[str]:
    """Secrets that are known as they are."""
    yield from plan.access.secrets()
    resetting = plan.resetting
    yield from (step["value"] for step in resetting.login if "secret" in step)
    saved = resetting.storage_state or {}
    yield from (cookie["value"] for cookie in saved.get("cookies", ()) if len(cookie["value"]) >= LEAST_COOKIE)
    for origin in saved.get("origins", ()):
        yield from (item["value"] for item in origin.get("localStorage", ()) if is_secret_name(item["name"]))
