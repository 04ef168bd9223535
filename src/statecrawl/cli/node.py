"""`statecrawl node`: join a crawl as a node."""

import asyncio
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from statecrawl.cli.certificates import trusting
from statecrawl.cli.console import note
from statecrawl.cli.metrics import Metrics, metrics_served
from statecrawl.cli.progress import LINE_SECONDS
from statecrawl.cli.shared_options import Quiet
from statecrawl.cli.summary import counted
from statecrawl.cluster.redis.connection import is_redis_url
from statecrawl.config.plan import check_url
from statecrawl.config.value_types import parse_seconds
from statecrawl.errors import BadInput, CoordinatorLost, UnknownName
from statecrawl.fleet.assembly import JoinedCrawl, work
from statecrawl.fleet.availability import wait_for_crawl
from statecrawl.fleet.health import NodeHealth
from statecrawl.fleet.supervisor import JOIN_VARIABLE, TOKEN_VARIABLE
from statecrawl.fleet.worker import FleetWorker
from statecrawl.model.equivalence import EQUIVALENCES

MOST_PAGES = 64
SIGNALS = (signal.SIGINT, signal.SIGTERM)


def check_coordinator(name: str, url: str, token: str) -> None:
    """Raise BadInput if the URL or the token of a coordinator is invalid; `name` is the name of the option."""
    check_url(name, url, "a coordinator", "http://host:port")
    if not token:
        raise BadInput(
            f"the token is missing: pass the one that statecrawl serve prints, with --token or {TOKEN_VARIABLE}."
        )


def node(
    join: Annotated[
        str,
        typer.Option(
            envvar=JOIN_VARIABLE,
            help="URL of the coordinator, as statecrawl serve prints it; or of a Redis, such as"
            " redis://HOST:6379/0#CRAWL.",
        ),
    ],
    token: Annotated[
        str, typer.Option(envvar=TOKEN_VARIABLE, help="Token of the crawl, as statecrawl serve prints it.")
    ] = "",
    pages: Annotated[int, typer.Option(help="Number of pages that crawl in parallel.")] = 1,
    name: Annotated[
        str,
        typer.Option(help="Name of the node, to which six digits are added. Default: its host name and process id."),
    ] = "",
    browser: Annotated[
        str | None, typer.Option(help="Path of the Chrome or Chromium to use. Default: the installed one.")
    ] = None,
    equivalence: Annotated[
        str | None,
        typer.Option("--equivalence", "-e", help="Join only a crawl with this state equivalence."),
    ] = None,
    patience: Annotated[
        str, typer.Option(help="How long to wait for a coordinator that does not respond, such as 90s or 10m.")
    ] = "60s",
    tls_ca: Annotated[
        Path | None, typer.Option(help="Certificate file to trust, for a coordinator with a private certificate.")
    ] = None,
    stay: Annotated[
        bool, typer.Option("--stay", help="Wait for the crawl to start, and for its next run after it has ended.")
    ] = False,
    metrics: Metrics = None,
    quiet: Quiet = False,
) -> None:
    """Join a crawl as a node: open the application in a browser on this machine and take part in the crawl.

    Nodes can join and leave at any time. Ctrl-C or SIGTERM makes a node finish its current task, return the rest and
    leave. If a node is killed, another node takes over its task.

    Examples:
      # a crawl that statecrawl serve coordinates; it prints the token
      statecrawl node --join http://192.0.2.7:8765 --token TOKEN
      # a crawl in Redis, with two pages in parallel
      statecrawl node --join redis://192.0.2.7:6379/0 --pages 2
      # wait for the crawl named shop, and for its next run after it has ended
      statecrawl node --join redis://192.0.2.7:6379/0#shop --stay
      # several nodes on this machine only
      statecrawl crawl http://localhost:8000/ --nodes 3

    Exit codes: 0 the crawl has ended, or the node was stopped; 2 the coordinator rejects this node; 4 there is no
    working browser; 5 the application cannot be loaded; 6 the coordinator or Redis cannot be reached.
    """
    if not is_redis_url(join):
        check_coordinator("--join ", join, token)
    if equivalence is not None and equivalence not in EQUIVALENCES:
        raise UnknownName("equivalence", equivalence, EQUIVALENCES)
    if not 1 <= pages <= MOST_PAGES:
        raise BadInput(f"--pages must be between 1 and {MOST_PAGES}, not {pages}.")
    joining = JoinedCrawl(
        url=join, token=token, name=name, pages=pages, browser=browser, equivalence=equivalence,
        patience=parse_seconds("patience", patience), tls=trusting(tls_ca),
    )  # fmt: skip
    asyncio.run(_join(joining, (lambda _: None) if quiet else note, metrics, stays=stay))


async def _join(joining: JoinedCrawl, say: Callable[[str], None], metrics: str | None, *, stays: bool) -> None:
    """Work for one run of the crawl; with `stays`, for every run."""
    health = NodeHealth()
    async with metrics_served(metrics, health, say):
        while not stays or await _crawl_starts(joining, health, say):
            try:
                reason = await _work(joining, say, health)
            except CoordinatorLost as lost:
                if not stays:
                    raise
                say(str(lost))
            else:
                if not stays or not reason:
                    return


async def _crawl_starts(joining: JoinedCrawl, health: NodeHealth, say: Callable[[str], None]) -> bool:
    """Wait until the crawl has a coordinator; return False if the node is stopped meanwhile."""
    health.nodes, health.is_waiting = [], True
    say(f"waiting for a coordinator of {joining.shown}")
    loop, waiting = asyncio.get_running_loop(), asyncio.ensure_future(wait_for_crawl(joining))
    for number in SIGNALS:
        loop.add_signal_handler(number, waiting.cancel)
    await asyncio.wait({waiting})
    for number in SIGNALS:
        loop.remove_signal_handler(number)
    if waiting.cancelled():
        return False
    waiting.result()  # raises the error of the wait, if any
    health.is_waiting = False
    return True


async def _work(joining: JoinedCrawl, say: Callable[[str], None], health: NodeHealth) -> str:
    """Work until the crawl ends. Return why it ended, or an empty string if the node was stopped."""
    since = time.monotonic()
    last = [since]
    health.nodes = nodes = []

    def on_start(all_nodes: list[FleetWorker], place: str) -> None:
        nodes.extend(all_nodes)
        loop = asyncio.get_running_loop()
        for number in SIGNALS:
            loop.add_signal_handler(number, _drain, nodes)
        say(f"working for {place} as {', '.join(node.name for node in nodes)}")

    def on_progress(_: FleetWorker) -> None:
        if time.monotonic() - last[0] > LINE_SECONDS:
            last[0] = time.monotonic()
            say(figures())

    def figures() -> str:
        tasks, events = sum(node.tasks for node in nodes), sum(node.events for node in nodes)
        return f"{counted(tasks, 'task')}, {counted(events, 'event')}, {time.monotonic() - since:.0f} s"

    reason = await work(joining, on_start, on_progress, say)
    say(figures())
    say(f"the crawl has ended: {reason}" if reason else "this node has left the crawl, which continues without it")
    return reason


def _drain(nodes: list[FleetWorker]) -> None:
    for each in nodes:
        each.drain()
    for number in SIGNALS:  # the second signal ends the process
        asyncio.get_running_loop().remove_signal_handler(number)
