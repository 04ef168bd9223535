"""`statecrawl forget`: delete a crawl from Redis."""

import asyncio
import sys
from typing import Annotated
from urllib.parse import urlsplit

import typer

from statecrawl.cli.console import output
from statecrawl.cluster.redis.connection import RedisConnection, is_redis_url, without_password
from statecrawl.cluster.redis.crawls import is_coordinated
from statecrawl.cluster.redis.deletion import forget as forget_crawl
from statecrawl.cluster.redis.deletion import rewrite_file, why_ended
from statecrawl.cluster.redis.keys import RedisKeys
from statecrawl.errors import BadInput, printable
from statecrawl.fleet.supervisor import JOIN_VARIABLE

SECONDS = 10.0
EXAMPLE = "redis://HOST:6379/0#NAME"
STILL_THERE = ", but the server's append-only file still contains it: have an administrator run BGREWRITEAOF there"
ELSEWHERE = "Snapshots, replicas and backups of the server may still contain it."


def forget(
    url: Annotated[
        str, typer.Argument(envvar=JOIN_VARIABLE, metavar="URL", help=f"URL of the crawl, such as {EXAMPLE}.")
    ],
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Delete without confirmation, even if the crawl has not ended.")
    ] = False,
) -> None:
    """Delete a crawl from Redis, including its journal and login data.

    The server's append-only file is rewritten so that it no longer contains the crawl; a warning is printed if the
    Redis user may not do that. Crawl directories, snapshots (RDB) and backups are not touched.

    Examples:
      # ask for confirmation
      statecrawl forget redis://192.0.2.7:6379/0#shop
      # in a script
      statecrawl forget redis://192.0.2.7:6379/0#shop --yes

    Exit codes: 0 deleted, or not confirmed; 2 there is no such crawl, it has a coordinator, or --yes is required; 6
    Redis cannot be reached.
    """
    if not is_redis_url(url):
        raise BadInput(
            f"statecrawl forget takes the URL of a crawl in Redis, such as {EXAMPLE}, not '{without_password(url)}'."
        )
    name = urlsplit(url).fragment
    if not name:
        raise BadInput(f"the name of the crawl is missing: write {without_password(url)}#NAME.")
    asyncio.run(_forget(url, RedisKeys(name), yes=yes))


async def _forget(url: str, keys: RedisKeys, *, yes: bool) -> None:
    store = RedisConnection(url, patience=SECONDS)
    try:
        await store.reach()
        ended = await why_ended(store, keys)
        if await is_coordinated(store, keys):
            raise BadInput(f"{keys.crawl} at {store.display_url} has a running coordinator: stop that first.")
        if not yes:
            if ended is None:
                raise BadInput(
                    f"{keys.crawl} at {store.display_url} has not ended and could still be resumed: use --yes to"
                    " delete it anyway."
                )
            if not sys.stdin.isatty():
                raise BadInput(
                    f"cannot ask whether to delete {keys.crawl}, because standard input is no terminal: use --yes."
                )
            if not typer.confirm(
                f"delete {keys.crawl} at {store.display_url}, which ended ({printable(ended)})?", err=True
            ):
                return
        await forget_crawl(store, keys)
        is_gone = await rewrite_file(store)
    finally:
        await store.close()
    result = f"deleted {keys.crawl} from {store.display_url}{'' if is_gone else STILL_THERE}. {ELSEWHERE}"
    output.print(result, markup=False, soft_wrap=True)
