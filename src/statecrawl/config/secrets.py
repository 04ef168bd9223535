"""What of a plan is secret, and who takes that out of everything that is kept."""

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
LEAST_COOKIE = 8  # letters; what is shorter says something like "yes" or "en"


def redactor_of(plan: CrawlPlan, key: bytes | None = None) -> Redactor | None:
    """None when secrets are to be kept. Without a key all of them look the same."""
    return None if plan.keep_secrets else Redactor(key, _literals(plan))


def keyed_redactor(plan: CrawlPlan) -> Redactor | None:
    """The same for evidence: equal secrets look equal. The key is forgotten with this process."""
    return redactor_of(plan, secrets.token_bytes(KEY_BYTES))


def with_key(plan: CrawlPlan) -> CrawlPlan:
    """The plan with the key of its folder, unless there is nothing to seal. Raises BadInput."""
    return plan if plan.keep_secrets or plan.key else replace(plan, key=key_of_crawl(plan.out))


def sealer_of(plan: CrawlPlan) -> Sealer | None:
    """Who takes secrets out of the names of events, and puts them back; None when they are to be kept."""
    return None if plan.keep_secrets or not plan.key else Sealer(bytes.fromhex(plan.key), tuple(_literals(plan)))


def check_key(plan: CrawlPlan, names: Iterable[str]) -> None:
    """Raises BadInput when some of these names of events hold secrets that this plan cannot open."""
    sealer = sealer_of(plan)
    for name in filter(is_sealed, names):
        if sealer is None or sealer.opened(name) == name:
            raise BadInput(
                f"some addresses of this crawl hold secrets, and {plan.out / KEY_NAME}, which opens them, is not the"
                " one that it was begun with: put that back, or crawl anew into another folder."
            )


def application_of(plan: CrawlPlan) -> str:
    """What a crawl says that it is of."""
    return plan.name or (plan.url if plan.keep_secrets else BLANK.text(plan.url))


def _literals(plan: CrawlPlan) -> Iterator[str]:
    """Secrets that are known as they are."""
    yield from plan.access.secrets()
    resetting = plan.resetting
    for url in filter(None, (plan.url, resetting.url)):
        yield from _secrets_of(url)
    yield from (step["value"] for step in resetting.login if "secret" in step)
    saved = resetting.storage_state or {}
    yield from (cookie["value"] for cookie in saved.get("cookies", ()) if len(cookie["value"]) >= LEAST_COOKIE)
    for origin in saved.get("origins", ()):
        yield from (item["value"] for item in origin.get("localStorage", ()) if is_secret_name(item["name"]))
    for field, values in plan.values:
        yield from values if is_secret_name(field) else ()


def _secrets_of(url: str) -> Iterator[str]:
    """What in an address is nobody else's business."""
    parts = urlsplit(url)
    if parts.password:
        user, password = unquote(parts.username or ""), unquote(parts.password)
        yield from (password, basic_token((user, password)))
    told = [*parse_qsl(parts.query), *parse_qsl(parts.fragment)]
    yield from (value for name, value in told if is_secret_name(name))
