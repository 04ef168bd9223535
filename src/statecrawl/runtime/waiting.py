"""Waiting for a crawl: a node that stays is there before its crawl begins, and after it has ended."""

import asyncio
from urllib.parse import urlsplit

from statecrawl.cluster import wire
from statecrawl.cluster.http_line import HttpLine
from statecrawl.cluster.redis_crawls import may_be_joined
from statecrawl.cluster.redis_keys import Keys
from statecrawl.cluster.redis_store import Away, Store, is_store
from statecrawl.errors import BadInput, LineLost
from statecrawl.runtime.fleet import Joining
from statecrawl.runtime.joining import VERSION

PAUSE_SECONDS = 2.0  # between two looks


async def wait_for_crawl(joining: Joining) -> None:
    """Until somebody coordinates it, however long that takes. Raises BadInput, NodeRefused and StoreError."""
    while not await (_in_store(joining) if is_store(joining.url) else _served(joining)):
        await asyncio.sleep(PAUSE_SECONDS)


async def _in_store(joining: Joining) -> bool:
    name = urlsplit(joining.url).fragment
    if not name:
        raise BadInput(f"--stay needs the name of the crawl: write {joining.shown}#NAME.")
    store = Store(joining.url, patience=0.0)
    try:
        return await may_be_joined(store, Keys(name))
    except Away:
        return False
    finally:
        await store.close()


async def _served(joining: Joining) -> bool:
    line = HttpLine(joining.url, joining.token, tls=joining.tls, patience=0.0)
    try:
        await line.hello(wire.Hello(VERSION, joining.equivalence))
    except LineLost:
        return False
    finally:
        await line.close()
    return True
