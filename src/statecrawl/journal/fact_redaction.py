"""Redaction of facts. This module decides which fields are redacted; the rules are in `privacy`.

Redacted are the texts meant for people: URLs, titles and reasons. State ids are kept, because all facts refer to them,
and secrets in event ids have been sealed before (`privacy.seals`). Facts are redacted without a key, so all markers are
equal, and a fact that is recorded again by another process or after a crash is still the same fact.
"""

import msgspec

from statecrawl.journal.facts import BoundarySeen, EventCrashed, EventHung, EventRefused, Fact, StateFound
from statecrawl.privacy.redaction import Redactor


def redacted(fact: Fact, redactor: Redactor) -> Fact:
    """Redact a fact. Facts without secrets are returned unchanged."""
    match fact:
        case StateFound():
            url = fact.url if fact.url is None else redactor.text(fact.url)
            title = fact.title if fact.title is None else redactor.text(fact.title)
            return (
                fact if (url, title) == (fact.url, fact.title) else msgspec.structs.replace(fact, url=url, title=title)
            )
        case BoundarySeen():
            url = redactor.text(fact.url)
            return fact if url == fact.url else msgspec.structs.replace(fact, url=url)
        case EventHung() | EventCrashed() | EventRefused():
            reason = redactor.text(fact.reason)
            return fact if reason == fact.reason else msgspec.structs.replace(fact, reason=reason)
        case _:
            return fact
