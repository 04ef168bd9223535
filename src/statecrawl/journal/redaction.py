"""Facts without secrets.

Only what is told to people is gone over: addresses, titles and reasons. The ids of states stay as they are, since
everything hangs on them, and secrets in the names of events were sealed before (`privacy.seals`). All secrets look the
same here, so that a fact which is told again, by another process or after a crash, is still the same fact.
"""

import msgspec

from statecrawl.journal.facts import BoundarySeen, EventCrashed, EventHung, EventRefused, Fact, StateFound
from statecrawl.privacy.redaction import Redactor


def redacted(fact: Fact, redactor: Redactor) -> Fact:
    """The same fact, if there is nothing to hide."""
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
