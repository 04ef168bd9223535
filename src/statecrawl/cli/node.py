"""`statecrawl node`: work for a crawl that somebody coordinates."""

import asyncio
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from statecrawl.cli.certificates import trusting
from statecrawl.cli.console import note
from statecrawl.cli.metrics import Metrics, looked_at
from statecrawl.cli.progress import LINE_SECONDS
from statecrawl.cli.summary import counted
from statecrawl.cluster.redis.connection import is_store
from statecrawl.config.plan import EQUIVALENCES, check_address
from statecrawl.config.settings import seconds
from statecrawl.errors import BadInput, CoordinatorLost, UnknownName
from statecrawl.fleet.assembly import JoinedCrawl, work
from statecrawl.fleet.health import NodeHealth
from statecrawl.fleet.rejoin import wait_for_crawl
from statecrawl.fleet.supervisor import JOIN_VARIABLE, TOKEN_VARIABLE
from statecrawl.fleet.worker import FleetWorker

MOST_PAGES = 64
SIGNALS = (signal.SIGINT, signal.SIGTERM)


def check_coordinator(name: str, url: str, token: str) -> None:
    """Raises BadInput when nobody can be reached like that; `name` is that of the option."""
    check_address(name, url, "a coordinator", "http://host:port")
    if not token:
        raise BadInput(f"a token is missing: name the one that statecrawl serve shows, by --token or {TOKEN_VARIABLE}.")


def node(
    join: Annotated[
        str,
        typer.Option(
            envvar=JOIN_VARIABLE,
            help="Address of the coordinator, as statecrawl serve shows it; or of a Redis, as in redis://HOST:6379/0#CRAWL.",
        ),
    ],
    token: Annotated[str, typer.Option(envvar=TOKEN_VARIABLE, help="What the coordinator wants to hear.")] = "",
    pages: Annotated[int, typer.Option(help="Pages of this node that crawl side by side.")] = 1,
    name: Annotated[
        str,
        typer.Option(help="What the node is called, with six digits behind it; default: its machine and process."),
    ] = "",
    browser: Annotated[
        str | None, typer.Option(help="Program of a Chrome or Chromium; default: the one installed.")
    ] = None,
    equivalence: Annotated[
        str | None,
        typer.Option("--equivalence", "-e", help="Refuse to work for a crawl that tells states apart by another."),
    ] = None,
    patience: Annotated[
        str, typer.Option(help="How long to wait for a coordinator that does not answer: 90s, 10m.")
    ] = "60s",
    tls_ca: Annotated[Path | None, typer.Option(help="File with the certificate to trust, if it is your own.")] = None,
    stay: Annotated[
        bool, typer.Option("--stay", help="Wait for the crawl to begin, and for its next run when it is over.")
    ] = False,
    metrics: Metrics = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Work for a crawl: open its application in a browser here, and do what the coordinator says, or its share.

    Nodes may come and go at any time. A node that is told to end (Ctrl-C, SIGTERM) ends what it is doing and hands
    everything back; one that is killed is noticed, and somebody else does its task.

    Examples:
      # for what statecrawl serve coordinates; it shows the token
      statecrawl node --join http://192.0.2.7:8765 --token TOKEN
      # for a crawl in a Redis, with two pages side by side
      statecrawl node --join redis://192.0.2.7:6379/0 --pages 2
      # wait for the crawl called shop, and for its next run when it is over
      statecrawl node --join redis://192.0.2.7:6379/0#shop --stay
      # several nodes on this machine, without anything else
      statecrawl crawl http://localhost:8000/ --nodes 3

    Exit codes: 0 the crawl is over, or the node was told to end; 2 the coordinator does not want this node; 4 no
    browser; 5 the application cannot be loaded; 6 the coordinator or the Redis cannot be reached.
    """
    if not is_store(join):
        check_coordinator("--join ", join, token)
    if equivalence is not None and equivalence not in EQUIVALENCES:
        raise UnknownName("equivalence", equivalence, EQUIVALENCES)
    if not 1 <= pages <= MOST_PAGES:
        raise BadInput(f"--pages must be between 1 and {MOST_PAGES}, not {pages}.")
    joining = JoinedCrawl(
        url=join, token=token, name=name, pages=pages, browser=browser, equivalence=equivalence,
        patience=seconds("patience", patience), tls=trusting(tls_ca),
    )  # fmt: skip
    asyncio.run(_staying(joining, (lambda _: None) if quiet else note, metrics, stays=stay))


async def _staying(joining: JoinedCrawl, say: Callable[[str], None], metrics: str | None, *, stays: bool) -> None:
    """Work once, or, for one that stays, whenever there is something to work for."""
    vitals = NodeHealth()
    async with looked_at(metrics, vitals, say):
        while not stays or await _is_wanted(joining, vitals, say):
            try:
                reason = await _working(joining, say, vitals)
            except CoordinatorLost as lost:
                if not stays:
                    raise
                say(str(lost))
            else:
                if not stays or not reason:
                    return


async def _is_wanted(joining: JoinedCrawl, vitals: NodeHealth, say: Callable[[str], None]) -> bool:
    """Wait until somebody coordinates the crawl; False when the node is told to end meanwhile."""
    vitals.nodes, vitals.is_waiting = [], True
    say(f"waiting for somebody to coordinate {joining.shown}")
    loop, waiting = asyncio.get_running_loop(), asyncio.ensure_future(wait_for_crawl(joining))
    for number in SIGNALS:
        loop.add_signal_handler(number, waiting.cancel)
    await asyncio.wait({waiting})
    for number in SIGNALS:
        loop.remove_signal_handler(number)
    if waiting.cancelled():
        return False
    waiting.result()  # raises
    vitals.is_waiting = False
    return True


async def _working(joining: JoinedCrawl, say: Callable[[str], None], vitals: NodeHealth) -> str:
    """Work until the crawl is over; why it ended, or nothing when the node was told to go."""
    since = time.monotonic()
    last = [since]
    vitals.nodes = nodes = []

    def begun(all_nodes: list[FleetWorker], place: str) -> None:
        nodes.extend(all_nodes)
        loop = asyncio.get_running_loop()
        for number in SIGNALS:
            loop.add_signal_handler(number, _drain, nodes)
        say(f"working for {place} as {', '.join(node.name for node in nodes)}")

    def told(_: FleetWorker) -> None:
        if time.monotonic() - last[0] > LINE_SECONDS:
            last[0] = time.monotonic()
            say(figures())

    def figures() -> str:
        tasks, events = sum(node.tasks for node in nodes), sum(node.events for node in nodes)
        return f"{counted(tasks, 'task')}, {counted(events, 'event')}, {time.monotonic() - since:.0f} s"

    reason = await work(joining, begun, told, say)
    say(figures())
    say(f"the crawl is over: {reason}" if reason else "this node has left; the crawl goes on without it")
    return reason


def _drain(nodes: list[FleetWorker]) -> None:
    for each in nodes:
        each.drain()
    for number in SIGNALS:  # who says it twice means it
        asyncio.get_running_loop().remove_signal_handler(number)
