"""The secrets of a plan, and the redactors and sealers that remove them from everything that is stored."""

import secrets
from collections.abc import Iterable, Iterator
from dataclasses import replace
from urllib.parse import parse_qsl, unquote, urlsplit

from statecrawl.config.plan import CrawlPlan
from statecrawl.errors import BadInput
from statecrawl.ports.access import basic_token
from statecrawl.privacy.redaction import BLANK, Redactor
from statecrawl.privacy.seals import Sealer, is_sealed
from statecrawl.privacy.secret_names import is_secret_name
from statecrawl.stores.crawl_key import KEY_NAME, key_of_crawl

KEY_BYTES = 16
MIN_COOKIE_LENGTH = 8  # characters; shorter values are settings such as "yes" or "en"


def redactor_of(plan: CrawlPlan, key: bytes | None = None) -> Redactor | None:
    """Return the redactor of a plan; None if secrets are stored. Without a key, all redacted secrets look the same."""
    return None if plan.keep_secrets else Redactor(key, _literals(plan))


def keyed_redactor(plan: CrawlPlan) -> Redactor | None:
    """Return the redactor for evidence, in which equal secrets look equal. Its key exists only in this process."""
    return redactor_of(plan, secrets.token_bytes(KEY_BYTES))


def with_key(plan: CrawlPlan) -> CrawlPlan:
    """Return the plan with the key of its folder, unless secrets are stored as they are. Raises BadInput."""
    return plan if plan.keep_secrets or plan.key else replace(plan, key=key_of_crawl(plan.out))


def sealer_of(plan: CrawlPlan) -> Sealer | None:
    """Return the sealer of secrets in event names; None if secrets are stored as they are."""
    return None if plan.keep_secrets or not plan.key else Sealer(bytes.fromhex(plan.key), tuple(_literals(plan)))


def check_key(plan: CrawlPlan, names: Iterable[str]) -> None:
    """Raise BadInput if some of these event names contain secrets that the key of this plan cannot open."""
    sealer = sealer_of(plan)
    for name in filter(is_sealed, names):
        if sealer is None or sealer.opened(name) == name:
            raise BadInput(
                f"some URLs of this crawl contain secrets, and {plan.out / KEY_NAME}, which opens them, is not the key"
                " that the crawl started with: restore that key, or start a new crawl in another directory."
            )


def application_of(plan: CrawlPlan) -> str:
    """Return the name of the application, or its URL, as it may be stored and shown."""
    return plan.name or (plan.url if plan.keep_secrets else BLANK.text(plan.url))


def _literals(plan: CrawlPlan) -> Iterator[str]:
    """Yield the secrets of a plan."""
    yield from plan.access.secrets()
    resetting = plan.resetting
    for url in filter(None, (plan.url, resetting.url)):
        yield from _secrets_of(url)
    yield from (step["value"] for step in resetting.login if "secret" in step)
    saved = resetting.storage_state or {}
    yield from (cookie["value"] for cookie in saved.get("cookies", ()) if len(cookie["value"]) >= MIN_COOKIE_LENGTH)
    for origin in saved.get("origins", ()):
        yield from (item["value"] for item in origin.get("localStorage", ()) if is_secret_name(item["name"]))
    for field, values in plan.values:
        yield from values if is_secret_name(field) else ()


def _secrets_of(url: str) -> Iterator[str]:
    """Yield the secrets in a URL."""
    parts = urlsplit(url)
    if parts.password:
        user, password = unquote(parts.username or ""), unquote(parts.password)
        yield from (password, basic_token((user, password)))
    parameters = [*parse_qsl(parts.query), *parse_qsl(parts.fragment)]
    yield from (value for name, value in parameters if is_secret_name(name))
