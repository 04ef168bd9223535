"""`statecrawl status`: what is going on in a crawl that somebody coordinates."""

import asyncio
import json
import ssl
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import aiohttp
import msgspec
import typer
from rich.table import Table

from statecrawl.cli.certificates import trusting
from statecrawl.cli.console import output, print_whole
from statecrawl.cli.node import check_coordinator
from statecrawl.cluster.redis_crawls import named, read_status
from statecrawl.cluster.redis_store import Store, is_store
from statecrawl.cluster.trouble import in_words
from statecrawl.errors import LineLost, NodeRefused, StoreError, printable
from statecrawl.runtime.supervising import JOIN_VARIABLE, TOKEN_VARIABLE

SECONDS = 10.0


def status(
    url: Annotated[
        str,
        typer.Argument(
            envvar=JOIN_VARIABLE,
            help="Address of the coordinator, as statecrawl serve shows it; or of a Redis, redis://HOST:6379/0#CRAWL.",
        ),
    ],
    token: Annotated[str, typer.Option(envvar=TOKEN_VARIABLE, help="What the coordinator wants to hear.")] = "",
    tls_ca: Annotated[Path | None, typer.Option(help="File with the certificate to trust, if it is your own.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Show the nodes of a crawl, what they do, how long they were idle, and what is left.

    Exit codes: 0 done; 2 the token is wrong; 6 the coordinator cannot be reached.
    """
    told = asyncio.run(_read(url) if is_store(url) else _asked(url, token, trusting(tls_ca)))
    if as_json:
        output.print(json.dumps(told), markup=False, soft_wrap=True)
        return
    for line in _lines(told):
        output.print(line, markup=False, soft_wrap=True)
    if told["nodes"]:
        print_whole(_table(told["nodes"]))


async def _read(url: str) -> dict[str, Any]:
    store = Store(url, patience=SECONDS)
    try:
        return await read_status(store, await named(store, urlsplit(url).fragment))
    except StoreError as trouble:
        raise LineLost(str(trouble)) from trouble
    finally:
        await store.close()


async def _asked(url: str, token: str, tls: ssl.SSLContext | None) -> dict[str, Any]:
    check_coordinator("", url, token)
    url = url.rstrip("/")
    headers, timeout = {"Authorization": f"Bearer {token}"}, aiohttp.ClientTimeout(total=SECONDS)
    try:
        async with (
            aiohttp.ClientSession(headers=headers, timeout=timeout) as client,
            client.get(f"{url}/status", ssl=True if tls is None else tls, allow_redirects=False) as answer,
        ):
            if answer.status == 401:
                raise NodeRefused(f"the token is not the one of the crawl at {url}: take what statecrawl serve shows.")
            answer.raise_for_status()
            told: dict[str, Any] = msgspec.json.decode(await answer.read(), type=dict[str, Any])
            if not told.keys() >= {"application", "phase", "nodes"}:
                raise LineLost(_nobody(url, "it answers with something else"))
            return told
    except msgspec.DecodeError as trouble:
        raise LineLost(_nobody(url, "it answers with something else")) from trouble
    except (aiohttp.ClientError, TimeoutError) as trouble:
        raise LineLost(_nobody(url, in_words(trouble))) from trouble


def _nobody(url: str, why: str) -> str:
    return f"there is no coordinator at {url}: {why}; take the address that statecrawl serve shows."


def _lines(told: dict[str, Any]) -> list[str]:
    known = told["transitions"] + told["unexplored"]
    goes = f"{printable(told['doing']) or 'crawling'}, {told['seconds']:,.0f} s since it began"
    if told["ended_because"]:
        goes = f"ended: {told['ended_because']}"
    return [
        f"{printable(told['application'])} by {told['strategy']}, {goes}",
        f"{told['states']:,} states, {told['transitions']:,} of {known:,} transitions, {told['unexplored']:,} left",
        f"{told['events']:,} events, {told['repeated']:,} of them twice, {told['resets']:,} resets",
        f"{told['events_per_second']:,} events/s",
    ]


def _table(nodes: list[dict[str, Any]]) -> Table:
    table = Table("node")
    for title in ("tasks", "events", "resets", "idle, s", "silent, s"):
        table.add_column(title, justify="right")
    table.add_column("at")
    for each in nodes:
        at = " — ".join(each["holds"] or ())[:80]
        figures = (each["tasks"], each["events"], each["resets"], each["idle_seconds"], each["silent"])
        table.add_row(printable(each["name"]), *(f"{figure:,}" for figure in figures), printable(at))
    return table
