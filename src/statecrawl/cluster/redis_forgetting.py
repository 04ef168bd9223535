"""Forgetting: a crawl that was kept in Redis is there no longer, with what its plan holds of log-in data.

Whoever forgets a crawl coordinates it meanwhile, so nobody else can begin to: what is deleted is that of nobody.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from statecrawl.cluster.redis_crawls import read_plan
from statecrawl.cluster.redis_keys import CRAWLS, Keys
from statecrawl.cluster.redis_post import RedisPost
from statecrawl.cluster.redis_store import Store
from statecrawl.cluster.wire import to_message
from statecrawl.coordination.questions import Ask, Reply
from statecrawl.errors import BadInput

MOST_KEYS = 1_000  # looked at, between two signs that we still are at it


async def why_ended(store: Store, keys: Keys) -> str | None:
    """Why the last run of a crawl ended; None when it did not. Raises BadInput when there is no such crawl."""
    await read_plan(store, keys)
    ended = await store.call(lambda client: client.get(keys.ended))
    return None if ended is None else str(ended, errors="replace")


async def forget(store: Store, keys: Keys) -> None:
    """Delete all there is of a crawl. Raises BadInput when somebody coordinates it."""
    post: RedisPost[Ask, Reply] = RedisPost(store, keys, to_message)
    cursor = 0
    while True:
        if not await post.lead():
            raise BadInput(
                f"somebody coordinates {keys.crawl} at {store.shown} now, and nothing was forgotten: end that first, or"
                " wait until it is over."
            )
        cursor, found = await store.call(partial(_scan, cursor, f"{keys.prefix}*"))
        if others := [key for key in found if key != keys.leader.encode()]:
            await store.call(partial(_delete, others))
        if not cursor:
            break
    await store.call(lambda client: client.srem(CRAWLS, keys.crawl))
    await post.resign()


def _scan(cursor: int, pattern: str, client: Any) -> Any:
    return client.scan(cursor, match=pattern, count=MOST_KEYS)


def _delete(keys: Sequence[bytes], client: Any) -> Any:
    return client.unlink(*keys)
