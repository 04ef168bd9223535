"""`statecrawl status`: progress and problems of a crawl, from its directory, its coordinator or Redis."""

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
from statecrawl.cli.console import print_line, print_whole
from statecrawl.cli.node import check_coordinator
from statecrawl.cli.summary import counted, qualification_lines
from statecrawl.cluster.network_errors import describe_error
from statecrawl.cluster.redis.connection import RedisConnection, is_redis_url
from statecrawl.cluster.redis.crawls import find_crawl, read_status
from statecrawl.errors import BadInput, CoordinatorLost, NodeRefused, printable
from statecrawl.fleet.supervisor import JOIN_VARIABLE, TOKEN_VARIABLE
from statecrawl.journal.end_reasons import COMPLETE, LIMITS
from statecrawl.journal.qualifications import GRADES, Qualification
from statecrawl.results.status import folder_status

SECONDS = 10.0  # to wait for a response
NOT_A_STATUS = "its response is not a status"


def status(
    url: Annotated[
        str,
        typer.Argument(
            envvar=JOIN_VARIABLE,
            metavar="DIR|URL",
            help="Directory of a crawl; or URL of its coordinator, as statecrawl serve prints it; or of a Redis, such"
            " as redis://HOST:6379/0#CRAWL.",
        ),
    ],
    token: Annotated[
        str, typer.Option(envvar=TOKEN_VARIABLE, help="Token of the crawl, as statecrawl serve prints it.")
    ] = "",
    tls_ca: Annotated[
        Path | None, typer.Option(help="Certificate file to trust, for a coordinator with a private certificate.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show the progress and the problems of a crawl; of a crawl by several nodes, also what each node does.

    Examples:
      # a crawl in a directory, also while it runs or after it was killed
      statecrawl status crawl-test-ria
      # a crawl that statecrawl serve coordinates
      statecrawl status http://192.0.2.7:8765 --token TOKEN
      # a crawl in Redis, for a program
      statecrawl status redis://192.0.2.7:6379/0#shop --json

    Exit codes: 0 done; 2 there is no such crawl, or the token is wrong; 3 the journal is damaged; 6 the coordinator
    or Redis cannot be reached.
    """
    if "://" not in url:
        if not Path(url).is_dir():
            raise BadInput(f"there is no directory {url}; write the URL of a coordinator as http://host:port.")
        status = folder_status(Path(url))
        lines = folder_lines(status)
    else:
        status = asyncio.run(_read_store(url) if is_redis_url(url) else _request(url, token, trusting(tls_ca)))
        lines = _lines(status)
    if as_json:
        print_line(json.dumps(status))
        return
    for line in lines:
        print_line(line)
    if status.get("nodes"):
        print_whole(_table(status["nodes"]))


def folder_lines(status: dict[str, Any]) -> list[str]:
    """Return the status of the crawl in a directory as lines of text."""
    known, runs = status["transitions"] + status["unexplored"], len(status["runs"])
    ended = f"ended by {printable(status['ended_because'])}" if status["ended_because"] else "not ended"
    if status["ended_because"] == "interrupted":
        ended = "interrupted"
    elif status["ended_because"] in LIMITS:
        ended = "stopped"
    elif status["ended_because"] == COMPLETE:
        ended = "complete" if status["complete"] else "explored, but not complete"
    elif status["ended_because"] in GRADES:
        ended = "explored part by part"
    running = [f"process {status['writer']} is writing it"] if status["writer"] else []
    by = f" by {printable(status['strategy'])}" if status["strategy"] else ""
    spent = f"{counted(status['events'], 'event')}, {counted(status['resets'], 'reset')}"
    time = "" if status["seconds"] is None else f", {status['seconds']:,.1f} s"
    problems = [_counted_problem(kind, count) for kind, count in status["problems"].items() if count]
    qualifications = [msgspec.convert(each, Qualification) for each in status["qualifications"]]
    return [
        f"{printable(status['application'] or status['folder'])}{by}, {ended}: {printable(status['ending'])}",
        f"{status['states']:,} states, {status['transitions']:,} of {known:,} transitions",
        f"{spent}, cost {status['cost']:,.0f}{time} in {counted(runs, 'run')}",
        *(f"  {printable(line)}" for line in qualification_lines(qualifications)),
        *([f"problems: {', '.join(problems)}"] if problems else []),
        *running,
        f"report: {printable(status['report'])}" if status["report"] else "report: none; statecrawl report writes one",
    ]


def _counted_problem(kind: str, count: int) -> str:
    """Return a count of `status["problems"]` with its name."""
    name = kind.replace("_", " ")
    return f"{count:,} {name.removesuffix('s') if count == 1 else name}"


async def _read_store(url: str) -> dict[str, Any]:
    store = RedisConnection(url, patience=SECONDS)
    try:
        await store.reach()
        return await read_status(store, await find_crawl(store, urlsplit(url).fragment))
    finally:
        await store.close()


async def _request(url: str, token: str, tls: ssl.SSLContext | None) -> dict[str, Any]:
    check_coordinator("", url, token)
    url = url.rstrip("/")
    headers, timeout = {"Authorization": f"Bearer {token}"}, aiohttp.ClientTimeout(total=SECONDS)
    try:
        async with (
            aiohttp.ClientSession(headers=headers, timeout=timeout) as client,
            client.get(f"{url}/status", ssl=True if tls is None else tls, allow_redirects=False) as answer,
        ):
            if answer.status == 401:
                raise NodeRefused(f"wrong token for the crawl at {url}: pass the one that statecrawl serve prints.")
            answer.raise_for_status()
            status: dict[str, Any] = msgspec.json.decode(await answer.read(), type=dict[str, Any])
            if not status.keys() >= {"application", "phase", "nodes"}:
                raise CoordinatorLost(_no_coordinator(url, NOT_A_STATUS))
            return status
    except msgspec.DecodeError as error:
        raise CoordinatorLost(_no_coordinator(url, NOT_A_STATUS)) from error
    except (aiohttp.ClientError, TimeoutError) as error:
        raise CoordinatorLost(_no_coordinator(url, describe_error(error))) from error


def _no_coordinator(url: str, why: str) -> str:
    return f"there is no coordinator at {url}: {why}; pass the URL that statecrawl serve prints."


def _lines(status: dict[str, Any]) -> list[str]:
    left = status["unexplored"]
    known = status["transitions"] + left
    phase = f"{printable(status['doing']) or 'crawling'}, {status['seconds']:,.0f} s since the start"
    if status["ended_because"]:
        phase = f"ended: {status['ended_because']}"
    return [
        f"{printable(status['application'])} by {status['strategy']}, {phase}",
        f"{status['states']:,} states, {status['transitions']:,} of {known:,} transitions, {left:,} left",
        f"{status['events']:,} events, {status['repeated']:,} of them repeated, {status['resets']:,} resets",
        f"{status['events_per_second']:,} events/s",
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
