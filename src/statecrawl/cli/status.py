"""`statecrawl status`: what is going on in a crawl that somebody coordinates, or what is in the folder of one."""

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
from statecrawl.cli.summary import counted, qualification_lines
from statecrawl.cluster.network_errors import in_words
from statecrawl.cluster.redis.connection import RedisConnection, is_store
from statecrawl.cluster.redis.crawls import named, read_status
from statecrawl.errors import BadInput, CoordinatorLost, NodeRefused, printable
from statecrawl.fleet.supervisor import JOIN_VARIABLE, TOKEN_VARIABLE
from statecrawl.journal.end_reasons import COMPLETE
from statecrawl.journal.qualifications import Qualification
from statecrawl.results.status import folder_status

SECONDS = 10.0


def status(
    url: Annotated[
        str,
        typer.Argument(
            envvar=JOIN_VARIABLE,
            metavar="DIR|URL",
            help="Folder of a crawl; or address of its coordinator, as statecrawl serve shows it; or of a Redis,"
            " redis://HOST:6379/0#CRAWL.",
        ),
    ],
    token: Annotated[str, typer.Option(envvar=TOKEN_VARIABLE, help="What the coordinator wants to hear.")] = "",
    tls_ca: Annotated[Path | None, typer.Option(help="File with the certificate to trust, if it is your own.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Show what was found and what is left: of a crawl in a folder, or of one by nodes, with what they do.

    Examples:
      # a crawl in a folder, also while it runs or after it was killed
      statecrawl status crawl-test-ria
      # one that statecrawl serve coordinates
      statecrawl status http://192.0.2.7:8765 --token TOKEN
      # one in a Redis, for a program
      statecrawl status redis://192.0.2.7:6379/0#shop --json

    Exit codes: 0 done; 2 there is no crawl, or the token is wrong; 3 the journal is damaged; 6 the coordinator
    or the Redis cannot be reached.
    """
    if "://" not in url and Path(url).is_dir():
        _print_folder(folder_status(Path(url)), as_json=as_json)
        return
    if "://" not in url:
        raise BadInput(f"there is no folder {url} here; the address of a coordinator is written as http://host:port.")
    told = asyncio.run(_read(url) if is_store(url) else _asked(url, token, trusting(tls_ca)))
    if as_json:
        output.print(json.dumps(told), markup=False, soft_wrap=True)
        return
    for line in _lines(told):
        output.print(line, markup=False, soft_wrap=True)
    if told["nodes"]:
        print_whole(_table(told["nodes"]))


def _print_folder(told: dict[str, Any], *, as_json: bool) -> None:
    for line in [json.dumps(told)] if as_json else folder_lines(told):
        output.print(line, markup=False, soft_wrap=True)


def folder_lines(told: dict[str, Any]) -> list[str]:
    """What is in the folder of a crawl, for people."""
    known, runs = told["transitions"] + told["unexplored"], len(told["runs"])
    ended = f"ended by {printable(told['ended_because'])}" if told["ended_because"] else "not ended"
    if told["ended_because"] == "interrupted":
        ended = "interrupted"
    elif told["ended_because"] == COMPLETE:
        ended = "complete" if told["complete"] else "explored, but not complete"
    now = [f"process {told['writer']} writes it now"] if told["writer"] else []
    by = f" by {printable(told['strategy'])}" if told["strategy"] else ""
    spent = f"{counted(told['events'], 'event')}, {counted(told['resets'], 'reset')}"
    time = "" if told["seconds"] is None else f", {told['seconds']:,.1f} s"
    trouble = [
        f"{count:,} {kind.removesuffix('s') if count == 1 else kind}"
        for kind, count in told["trouble"].items()
        if count
    ]
    return [
        f"{printable(told['application'] or told['folder'])}{by}, {ended}: {printable(told['ending'])}",
        f"{told['states']:,} states, {told['transitions']:,} of {known:,} transitions",
        f"{spent}, cost {told['cost']:,.0f}{time} in {counted(runs, 'run')}",
        *(f"  {printable(line)}" for line in qualification_lines(_qualifications(told))),
        *([f"trouble: {', '.join(trouble)}"] if trouble else []),
        *now,
        f"report: {printable(told['report'])}" if told["report"] else "report: none; statecrawl report makes one",
    ]


def _qualifications(told: dict[str, Any]) -> list[Qualification]:
    return [msgspec.convert(each, Qualification) for each in told["qualifications"]]


async def _read(url: str) -> dict[str, Any]:
    store = RedisConnection(url, patience=SECONDS)
    try:
        await store.reach()
        return await read_status(store, await named(store, urlsplit(url).fragment))
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
                raise CoordinatorLost(_nobody(url, "it answers with something else"))
            return told
    except msgspec.DecodeError as trouble:
        raise CoordinatorLost(_nobody(url, "it answers with something else")) from trouble
    except (aiohttp.ClientError, TimeoutError) as trouble:
        raise CoordinatorLost(_nobody(url, in_words(trouble))) from trouble


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
