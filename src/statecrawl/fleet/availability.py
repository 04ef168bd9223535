"""Availability of a crawl: a node with --stay waits for the crawl to start, and for its next run when it has ended."""

import asyncio
from urllib.parse import urlsplit

from statecrawl.cluster import messages
from statecrawl.cluster.http.link import HttpLink
from statecrawl.cluster.redis.connection import RedisConnection, RedisUnavailable, is_redis_url
from statecrawl.cluster.redis.crawls import can_be_joined
from statecrawl.cluster.redis.keys import RedisKeys
from statecrawl.errors import BadInput, CoordinatorLost
from statecrawl.fleet.assembly import JoinedCrawl
from statecrawl.fleet.invitation import VERSION

PAUSE_SECONDS = 2.0  # between two checks


async def wait_for_crawl(joining: JoinedCrawl) -> None:
    """Wait until a process coordinates the crawl. Raises BadInput, NodeRefused and StoreError."""
    while not await (_is_in_redis(joining) if is_redis_url(joining.url) else _is_served(joining)):
        await asyncio.sleep(PAUSE_SECONDS)


async def _is_in_redis(joining: JoinedCrawl) -> bool:
    name = urlsplit(joining.url).fragment
    if not name:
        raise BadInput(f"--stay needs the name of the crawl: write {joining.shown}#NAME.")
    store = RedisConnection(joining.url, patience=0.0)
    try:
        return await can_be_joined(store, RedisKeys(name))
    except RedisUnavailable:
        return False
    finally:
        await store.close()


async def _is_served(joining: JoinedCrawl) -> bool:
    link = HttpLink(joining.url, joining.token, tls=joining.tls, patience=0.0)
    try:
        await link.hello(messages.NodeIntroduction(VERSION, joining.equivalence))
    except CoordinatorLost:
        return False
    finally:
        await link.close()
    return True
