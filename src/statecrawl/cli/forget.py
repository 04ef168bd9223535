"""`statecrawl forget`: delete a crawl that is kept in a Redis."""

import asyncio
import sys
from typing import Annotated
from urllib.parse import urlsplit

import typer

from statecrawl.cli.console import output
from statecrawl.cluster.redis.connection import RedisConnection, is_store, shown
from statecrawl.cluster.redis.crawls import is_coordinated
from statecrawl.cluster.redis.deletion import forget as forget_crawl
from statecrawl.cluster.redis.deletion import rewrite_file, why_ended
from statecrawl.cluster.redis.keys import RedisKeys
from statecrawl.errors import BadInput, printable
from statecrawl.fleet.supervisor import JOIN_VARIABLE

SECONDS = 10.0
EXAMPLE = "redis://HOST:6379/0#NAME"
STILL_THERE = ", but the server's append-only file still holds it: have an administrator run BGREWRITEAOF there"
ELSEWHERE = "Snapshots, replicas and backups of the server may still hold it."


def forget(
    url: Annotated[str, typer.Argument(envvar=JOIN_VARIABLE, help=f"Where the crawl is, as in {EXAMPLE}.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask, even if the crawl has not ended.")] = False,
) -> None:
    """Delete a crawl that is kept in a Redis, journal and log-in data included.

    The server's append-only file is rewritten, so that nothing of the crawl is left there; a user who may not do that
    is told so. Crawl directories, snapshots (RDB) and backups are not touched.

    Examples:
      # asks before it does
      statecrawl forget redis://192.0.2.7:6379/0#shop
      # in a script
      statecrawl forget redis://192.0.2.7:6379/0#shop --yes

    Exit codes: 0 done, or not wanted after all; 2 there is no such crawl, somebody coordinates it, or --yes is needed;
    6 the Redis cannot be reached.
    """
    if not is_store(url):
        raise BadInput(f"statecrawl forget takes a crawl in a Redis, as in {EXAMPLE}, not '{shown(url)}'.")
    name = urlsplit(url).fragment
    if not name:
        raise BadInput(f"which crawl is to be forgotten is not said: write {shown(url)}#NAME.")
    asyncio.run(_forget(url, RedisKeys(name), yes=yes))


async def _forget(url: str, keys: RedisKeys, *, yes: bool) -> None:
    store = RedisConnection(url, patience=SECONDS)
    try:
        await store.reach()
        ended = await why_ended(store, keys)
        if await is_coordinated(store, keys):
            raise BadInput(f"somebody coordinates {keys.crawl} at {store.shown} now: end that first.")
        if not yes:
            if ended is None:
                raise BadInput(
                    f"{keys.crawl} at {store.shown} has not ended, and whoever goes on with it would find nothing:"
                    " say --yes to forget it all the same."
                )
            if not sys.stdin.isatty():
                raise BadInput(f"nobody is there to be asked whether to forget {keys.crawl}: say --yes.")
            if not typer.confirm(f"forget {keys.crawl} at {store.shown}, which ended ({printable(ended)})?", err=True):
                return
        await forget_crawl(store, keys)
        is_gone = await rewrite_file(store)
    finally:
        await store.close()
    said = f"forgot {keys.crawl}: it is deleted from {store.shown}{'' if is_gone else STILL_THERE}. {ELSEWHERE}"
    output.print(said, markup=False, soft_wrap=True)
