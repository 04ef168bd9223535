"""Forgetting: a crawl that was kept in Redis is there no longer, with what its plan holds of log-in data.

Whoever forgets a crawl coordinates it meanwhile, so nobody else can begin to: what is deleted is that of nobody.

What is deleted from the database is still in the server's append-only file until that is written anew, so the server is
asked to do that at once. A user without that right can only say so.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

from statecrawl.cluster.messages import to_message
from statecrawl.cluster.redis.connection import RedisConnection, RedisUnavailable
from statecrawl.cluster.redis.crawls import read_plan
from statecrawl.cluster.redis.keys import CRAWLS, RedisKeys
from statecrawl.cluster.redis.mailbox import RedisMailbox
from statecrawl.coordination.client_server_messages import TaskReply, TaskRequest
from statecrawl.errors import BadInput, StoreError

MOST_KEYS = 1_000  # looked at, between two signs that we still are at it
REWRITE_SECONDS = 60.0  # for a server to write its file anew, however much else is in it
LOOK_SECONDS = 0.05  # between two looks at whether it has


async def why_ended(store: RedisConnection, keys: RedisKeys) -> str | None:
    """Why the last run of a crawl ended; None when it did not. Raises BadInput when there is no such crawl."""
    await read_plan(store, keys)
    ended = await store.call(lambda client: client.get(keys.ended))
    return None if ended is None else str(ended, errors="replace")


async def forget(store: RedisConnection, keys: RedisKeys) -> None:
    """Delete all there is of a crawl. Raises BadInput when somebody coordinates it."""
    post: RedisMailbox[TaskRequest, TaskReply] = RedisMailbox(store, keys, to_message)
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


async def rewrite_file(store: RedisConnection, seconds: float = REWRITE_SECONDS) -> bool:
    """Have the server write its append-only file anew; whether what was deleted is gone from there, too."""
    try:
        async with asyncio.timeout(seconds):
            if not (await _rewritten(store))["aof_enabled"]:
                return True
            await store.once(lambda client: client.bgrewriteaof())
            return bool((await _rewritten(store))["aof_last_bgrewrite_status"] == "ok")
    except (TimeoutError, RedisUnavailable, StoreError):
        return False  # the user may not, or there is no space


async def _rewritten(store: RedisConnection) -> dict[str, Any]:
    """How the server keeps what it is told, once it is not writing its file anew."""
    while True:
        told: dict[str, Any] = await store.once(lambda client: client.info("persistence"))
        if not told["aof_rewrite_in_progress"] and not told["aof_rewrite_scheduled"]:
            return told
        await asyncio.sleep(LOOK_SECONDS)


def _scan(cursor: int, pattern: str, client: Any) -> Any:
    return client.scan(cursor, match=pattern, count=MOST_KEYS)


def _delete(keys: Sequence[bytes], client: Any) -> Any:
    return client.unlink(*keys)
