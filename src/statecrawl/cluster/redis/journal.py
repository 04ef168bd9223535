"""Journal of a crawl in Redis: a stream of groups of facts.

Where peers write, a group carries the number of events and resets that all peers have spent until then. No peer knows
these when it writes; the reader adds them to the facts.
"""

from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import msgspec

from statecrawl.cluster.redis.connection import RedisConnection
from statecrawl.cluster.redis.keys import RedisKeys
from statecrawl.errors import DamagedJournal
from statecrawl.journal.encoding import decode
from statecrawl.journal.facts import Fact, TransitionExplored

BEGINNING = b"0-0"
MOST_GROUPS = 1_000  # read in one call
Fields = dict[bytes, bytes]  # of an entry


async def groups(
    store: RedisConnection, keys: RedisKeys, after: bytes = BEGINNING
) -> AsyncIterator[tuple[bytes, list[Fact]]]:
    """Yield the groups of a crawl's journal after a group, each with its id. Raises DamagedJournal and NewerFormat."""
    last, count = after, 0
    while True:
        found = await store.call(partial(_range, keys.journal, b"(" + last))
        for last, fields in found:
            facts = facts_of(fields, count + 1)
            count += len(facts)
            yield last, facts
        if not found:
            return


def facts_of(fields: Fields, first: int = 1) -> list[Fact]:
    """Return the facts of a group, the first of which has number `first`. Raises DamagedJournal and NewerFormat."""
    facts = decode(fields.get(b"f", b""), first)
    if b"s" not in fields:
        return facts
    try:
        fired, resets = map(int, fields[b"s"].split())
    except ValueError as error:
        raise DamagedJournal(f"the group with fact {first} of the journal has no valid counts of events.") from error
    return [
        msgspec.structs.replace(fact, fired=fired, resets=resets) if isinstance(fact, TransitionExplored) else fact
        for fact in facts
    ]


async def has_group(store: RedisConnection, keys: RedisKeys, group: bytes) -> bool:
    """Whether the journal still has a group; every journal has its beginning."""
    return group == BEGINNING or bool(await store.call(lambda client: client.xrange(keys.journal, group, group)))


def _range(key: str, after: bytes, client: Any) -> Any:
    return client.xrange(key, min=after, count=MOST_GROUPS)
