"""Crawls in a Redis server, and what a process needs to know to join one."""

from typing import Any

import msgspec

from statecrawl.cluster.redis.connection import RedisConnection
from statecrawl.cluster.redis.keys import CRAWLS, RedisKeys
from statecrawl.errors import BadInput


async def find_crawl(store: RedisConnection, name: str) -> RedisKeys:
    """Return the crawl with this name, or the only one on the server. Raises BadInput, listing the crawls."""
    if name:
        return RedisKeys(name)
    names = sorted(crawl.decode() for crawl in await store.call(lambda client: client.smembers(CRAWLS)))
    if len(names) == 1:
        return RedisKeys(names[0])
    if names:
        raise BadInput(
            f"{store.display_url} holds several crawls ({', '.join(names)}): choose one, as in"
            f" {store.display_url}#{names[0]}."
        )
    raise BadInput(
        f"there is no crawl at {store.display_url}: start one with statecrawl crawl URL --engine {store.display_url}."
    )


async def read_plan(store: RedisConnection, keys: RedisKeys) -> dict[str, Any]:
    """Return the plan of a crawl for nodes and coordinators. Raises BadInput."""
    plan = await find_plan(store, keys)
    if plan is None:
        raise BadInput(f"there is no crawl named {keys.crawl} at {store.display_url}: check the name.")
    return plan


async def find_plan(store: RedisConnection, keys: RedisKeys) -> dict[str, Any] | None:
    """Return the plan of a crawl; None if there is no such crawl. Raises BadInput when the key holds something else."""
    content = await store.call(lambda client: client.get(keys.plan))
    if content is None:
        return None
    try:
        plan: dict[str, Any] = msgspec.json.decode(content, type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise BadInput(
            f"the key {keys.plan} at {store.display_url} does not hold a crawl plan: another program wrote to it."
        ) from error
    return plan


async def is_new(store: RedisConnection, keys: RedisKeys) -> bool:
    """Whether the crawl has no journal yet."""
    return not await store.call(lambda client: client.exists(keys.journal))


async def read_end_reason(store: RedisConnection, keys: RedisKeys) -> str | None:
    """Return why the last run ended, unless a run is in progress."""
    ended, leader = await store.call(lambda client: client.mget(keys.ended, keys.leader))
    return None if ended is None or leader is not None else str(ended, errors="replace")


async def is_coordinated(store: RedisConnection, keys: RedisKeys) -> bool:
    """Whether a crawl has an active coordinator or observer. Raises StoreError."""
    plan, leader = await store.call(lambda client: client.mget(keys.plan, keys.leader))
    return plan is not None and leader is not None


async def can_be_joined(store: RedisConnection, keys: RedisKeys) -> bool:
    """Whether a node can join: a coordinator is active, or there is a log for peers.

    Raises RedisUnavailable and StoreError.
    """
    plan, leader, ended = await store.once(lambda client: client.mget(keys.plan, keys.leader, keys.ended))
    has_log = bool(await store.once(lambda client: client.exists(keys.log)))
    return plan is not None and (leader is not None or (has_log and ended is None))


async def read_status(store: RedisConnection, keys: RedisKeys) -> dict[str, Any]:
    """Return the status of a crawl. Raises BadInput when no process publishes it."""
    content = await store.call(lambda client: client.get(keys.status))
    if content is None:
        await read_plan(store, keys)  # raises if there is no such crawl
        ended = await read_end_reason(store, keys)
        where = f"{store.display_url}#{keys.crawl}"
        if ended is not None:
            raise BadInput(
                f"the crawl at {where} has ended ({ended}): see its directory on the machine that started it."
            )
        raise BadInput(f"the crawl at {where} has no coordinator: run statecrawl coordinate --join {where}.")
    status: dict[str, Any] = msgspec.json.decode(content, type=dict[str, Any])
    return status


async def read_spent(store: RedisConnection, keys: RedisKeys) -> float:
    """Return the duration of the current run in seconds, whoever coordinated it. Raises StoreError."""
    spent, at = await store.call(lambda client: client.mget(keys.spent, keys.spent_at))
    if spent is None or at is None:
        return 0.0  # the run is just starting
    seconds, micros = await store.call(lambda client: client.time())
    return int(spent) / 1000 + max(0.0, int(seconds) + int(micros) / 1e6 - int(at) / 1000)


async def register_crawl(store: RedisConnection, keys: RedisKeys) -> None:
    """Add a crawl to those that `find_crawl` knows. Idempotent, and harmless after a takeover."""
    await store.call(lambda client: client.sadd(CRAWLS, keys.crawl))
