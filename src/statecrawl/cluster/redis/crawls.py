"""Which crawls there are in a Redis, and what whoever joins one has to know."""

from typing import Any

import msgspec

from statecrawl.cluster.redis.connection import RedisConnection
from statecrawl.cluster.redis.keys import CRAWLS, RedisKeys
from statecrawl.errors import BadInput


async def named(store: RedisConnection, name: str) -> RedisKeys:
    """The crawl of this name, or the only one that is there. Raises BadInput with what there is."""
    if name:
        return RedisKeys(name)
    names = sorted(crawl.decode() for crawl in await store.call(lambda client: client.smembers(CRAWLS)))
    if len(names) == 1:
        return RedisKeys(names[0])
    if names:
        raise BadInput(
            f"there are several crawls at {store.shown}, {', '.join(names)}: name one, as in {store.shown}#{names[0]}."
        )
    raise BadInput(f"there is no crawl at {store.shown}: begin one with statecrawl crawl URL --engine {store.shown}.")


async def read_plan(store: RedisConnection, keys: RedisKeys) -> dict[str, Any]:
    """What nodes and coordinators have to know. Raises BadInput."""
    plan = await find_plan(store, keys)
    if plan is None:
        raise BadInput(f"there is no crawl called {keys.crawl} at {store.shown}: look at its name where it was begun.")
    return plan


async def find_plan(store: RedisConnection, keys: RedisKeys) -> dict[str, Any] | None:
    """The same, or nothing when there is no such crawl. Raises BadInput when it is none."""
    told = await store.call(lambda client: client.get(keys.plan))
    if told is None:
        return None
    try:
        plan: dict[str, Any] = msgspec.json.decode(told, type=dict[str, Any])
    except msgspec.DecodeError as trouble:
        raise BadInput(f"{keys.plan} at {store.shown} is no plan of a crawl: somebody else wrote there.") from trouble
    return plan


async def is_new(store: RedisConnection, keys: RedisKeys) -> bool:
    """Whether nothing is known of a crawl yet."""
    return not await store.call(lambda client: client.exists(keys.journal))


async def read_ended(store: RedisConnection, keys: RedisKeys) -> str | None:
    """Why the last run ended, if none goes on."""
    ended, leader = await store.call(lambda client: client.mget(keys.ended, keys.leader))
    return None if ended is None or leader is not None else str(ended, errors="replace")


async def is_coordinated(store: RedisConnection, keys: RedisKeys) -> bool:
    """Whether somebody coordinates this crawl now, or looks after its peers. Raises StoreError."""
    plan, leader = await store.call(lambda client: client.mget(keys.plan, keys.leader))
    return plan is not None and leader is not None


async def may_be_joined(store: RedisConnection, keys: RedisKeys) -> bool:
    """Whether whoever comes can join: that, or peers have a log. Raises Away and StoreError."""
    plan, leader, ended = await store.once(lambda client: client.mget(keys.plan, keys.leader, keys.ended))
    has_log = bool(await store.once(lambda client: client.exists(keys.log)))
    return plan is not None and (leader is not None or (has_log and ended is None))


async def read_status(store: RedisConnection, keys: RedisKeys) -> dict[str, Any]:
    """What is going on. Raises BadInput when nobody says."""
    told = await store.call(lambda client: client.get(keys.status))
    if told is None:
        await read_plan(store, keys)  # is there such a crawl?
        ended = await read_ended(store, keys)
        where = f"{store.shown}#{keys.crawl}"
        if ended is not None:
            raise BadInput(f"the crawl at {where} has ended ({ended}): its folder, where it was begun, says more.")
        raise BadInput(f"nobody looks after the crawl at {where} now: run statecrawl coordinate --join {where}.")
    status: dict[str, Any] = msgspec.json.decode(told, type=dict[str, Any])
    return status


async def read_spent(store: RedisConnection, keys: RedisKeys) -> float:
    """For how many seconds the present run has been going on, whoever says so. Raises StoreError."""
    spent, at = await store.call(lambda client: client.mget(keys.spent, keys.spent_at))
    if spent is None or at is None:
        return 0.0  # it begins just now
    seconds, micros = await store.call(lambda client: client.time())
    return int(spent) / 1000 + max(0.0, int(seconds) + int(micros) / 1e6 - int(at) / 1000)


async def list_crawl(store: RedisConnection, keys: RedisKeys) -> None:
    """Have a crawl among those that `named` knows. To say so twice, or after somebody else leads, does no harm."""
    await store.call(lambda client: client.sadd(CRAWLS, keys.crawl))
