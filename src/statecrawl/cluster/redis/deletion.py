"""Deletion of a crawl from Redis, including the login data in its plan.

The deleting process leads the crawl meanwhile, so that no other process can start to coordinate it.

Deleted data remains in the server's append-only file until the server rewrites it, so the server is asked to do that at
once. Users without this permission are only warned.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

from statecrawl.cluster.messages import decode_message
from statecrawl.cluster.redis.connection import RedisConnection, RedisUnavailable
from statecrawl.cluster.redis.crawls import read_plan
from statecrawl.cluster.redis.keys import CRAWLS, RedisKeys
from statecrawl.cluster.redis.mailbox import RedisMailbox
from statecrawl.coordination.client_server_messages import TaskReply, TaskRequest
from statecrawl.errors import BadInput, StoreError

MOST_KEYS = 1_000  # scanned between two renewals of the leadership
REWRITE_SECONDS = 60.0  # for a server to rewrite its file, however large
CHECK_SECONDS = 0.05  # between two checks of whether it has


async def why_ended(store: RedisConnection, keys: RedisKeys) -> str | None:
    """Return why the last run of a crawl ended; None if it did not. Raises BadInput when there is no such crawl."""
    await read_plan(store, keys)
    ended = await store.call(lambda client: client.get(keys.ended))
    return None if ended is None else str(ended, errors="replace")


async def forget(store: RedisConnection, keys: RedisKeys) -> None:
    """Delete all data of a crawl. Raises BadInput when another process coordinates it."""
    mailbox: RedisMailbox[TaskRequest, TaskReply] = RedisMailbox(store, keys, decode_message)
    cursor = 0
    while True:
        if not await mailbox.lead():
            raise BadInput(
                f"{keys.crawl} at {store.display_url} has an active coordinator, and not everything was deleted: stop"
                " the coordinator, or wait until the crawl is over."
            )
        cursor, found = await store.call(partial(_scan, cursor, f"{keys.prefix}*"))
        if others := [key for key in found if key != keys.leader.encode()]:
            await store.call(partial(_delete, others))
        if not cursor:
            break
    await store.call(lambda client: client.srem(CRAWLS, keys.crawl))
    await mailbox.resign()


async def rewrite_file(store: RedisConnection, seconds: float = REWRITE_SECONDS) -> bool:
    """Have the server rewrite its append-only file; whether the deleted data is gone from it, too."""
    try:
        async with asyncio.timeout(seconds):
            if not (await _rewritten(store))["aof_enabled"]:
                return True
            await store.once(lambda client: client.bgrewriteaof())
            return bool((await _rewritten(store))["aof_last_bgrewrite_status"] == "ok")
    except (TimeoutError, RedisUnavailable, StoreError):
        return False  # no permission, or no space


async def _rewritten(store: RedisConnection) -> dict[str, Any]:
    """Return the persistence status of the server, once it is not rewriting its file."""
    while True:
        status: dict[str, Any] = await store.once(lambda client: client.info("persistence"))
        if not status["aof_rewrite_in_progress"] and not status["aof_rewrite_scheduled"]:
            return status
        await asyncio.sleep(CHECK_SECONDS)


def _scan(cursor: int, pattern: str, client: Any) -> Any:
    return client.scan(cursor, match=pattern, count=MOST_KEYS)


def _delete(keys: Sequence[bytes], client: Any) -> Any:
    return client.unlink(*keys)
