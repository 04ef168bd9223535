"""`statecrawl node`: work for a crawl that somebody coordinates."""

import asyncio
import signal
import ssl
import time
from pathlib import Path
from typing import Annotated

import typer

from statecrawl.cli.console import note
from statecrawl.cli.watching import LINE_SECONDS
from statecrawl.config.crawl import seconds
from statecrawl.errors import BadInput
from statecrawl.runtime.fleet import Joining, Worker, work
from statecrawl.runtime.plan import check_address
from statecrawl.runtime.supervising import TOKEN_VARIABLE

MOST_PAGES = 64


def node(
    join: Annotated[str, typer.Option(help="Address of the coordinator, as statecrawl serve shows it.")],
    token: Annotated[str, typer.Option(envvar=TOKEN_VARIABLE, help="What the coordinator wants to hear.")] = "",
    pages: Annotated[int, typer.Option(help="Pages of this node that crawl side by side.")] = 1,
    name: Annotated[str, typer.Option(help="What the node is called; default: its machine and process.")] = "",
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
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Work for a crawl: open its application in a browser here, and do what the coordinator says.

    Nodes may come and go at any time. A node that is told to end (Ctrl-C, SIGTERM) ends what it is doing and hands
    everything back; one that is killed is noticed, and somebody else does its task.

    Example: [bold]statecrawl node --join http://192.0.2.7:8765 --token …[/]

    Exit codes: 0 the crawl is over, or the node was told to end; 2 the coordinator does not want this node; 4 no
    browser; 5 the application cannot be loaded; 6 the coordinator cannot be reached.
    """
    check_address("--join ", join)
    if not 1 <= pages <= MOST_PAGES:
        raise BadInput(f"--pages must be between 1 and {MOST_PAGES}, not {pages}.")
    joining = Joining(
        url=join, token=token, name=name, pages=pages, browser=browser, equivalence=equivalence,
        patience=seconds("patience", patience), tls=_trusting(tls_ca),
    )  # fmt: skip
    reason = asyncio.run(_working(joining, quiet=quiet))
    if not quiet:
        note(f"the crawl is over: {reason}" if reason else "this node has left; the crawl goes on without it")


async def _working(joining: Joining, *, quiet: bool) -> str:
    last = [time.monotonic()]
    nodes: list[Worker] = []

    def begun(all_nodes: list[Worker]) -> None:
        nodes.extend(all_nodes)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, _drain, nodes)
        if not quiet:
            note(f"working for {joining.url} as {', '.join(node.name for node in nodes)}")

    def told(_: Worker) -> None:
        if not quiet and time.monotonic() - last[0] > LINE_SECONDS:
            last[0] = time.monotonic()
            note(f"{sum(node.tasks for node in nodes):,} tasks, {sum(node.events for node in nodes):,} events")

    return await work(joining, begun, told)


def _drain(nodes: list[Worker]) -> None:
    for each in nodes:
        each.drain()
    for number in (signal.SIGINT, signal.SIGTERM):  # who says it twice means it
        asyncio.get_running_loop().remove_signal_handler(number)


def _trusting(certificate: Path | None) -> ssl.SSLContext | None:
    if certificate is None:
        return None
    try:
        return ssl.create_default_context(cafile=str(certificate))
    except (OSError, ssl.SSLError) as trouble:
        raise BadInput(f"cannot use {certificate} as a certificate: {trouble}.") from trouble
