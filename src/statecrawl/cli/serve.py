"""`statecrawl serve`: coordinate a crawl whose nodes come from anywhere."""

import asyncio
import os
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from statecrawl.cli.certificates import serving
from statecrawl.cli.crawl import Done, end_nodes_on_signals, finish, for_nodes, served
from statecrawl.cli.crawl_options import with_crawl_options
from statecrawl.cli.progress import ProgressDisplay
from statecrawl.cluster.http.server import RunningServer
from statecrawl.config.fleet import CLIENT_SERVER, FleetSettings
from statecrawl.config.plan import CrawlPlan
from statecrawl.crawler.live_view import LivePage
from statecrawl.errors import BadInput
from statecrawl.fleet.coordinator import Coordinator
from statecrawl.fleet.http_host import LOOPBACK, CoordinatorAddress, serve_coordinator
from statecrawl.fleet.supervisor import TOKEN_VARIABLE

PORT = 8765
ELSEWHERE = {
    "reset-command": "nodes run no commands, reset the server by --reset-url",
    "browser": "it opens none, name it where the nodes are",
    "pages": "each node says how many pages it has",
}
SHORTEST_TOKEN = 8


@partial(with_crawl_options, without=ELSEWHERE)
def serve(
    given: dict[str, Any],
    url: Annotated[str, typer.Argument(help="Where the application begins, as the nodes see it.")],
    host: Annotated[
        str, typer.Option(help="Address to serve nodes at; 0.0.0.0 is every one of this machine.")
    ] = LOOPBACK,
    port: Annotated[int, typer.Option(help="Port to serve nodes at.")] = PORT,
    token: Annotated[
        str | None,
        typer.Option(envvar=TOKEN_VARIABLE, help="What nodes have to know; default: made up, and shown."),
    ] = None,
    tls_cert: Annotated[Path | None, typer.Option(help="File with a certificate: nodes join by https then.")] = None,
    tls_key: Annotated[Path | None, typer.Option(help="File with its key.")] = None,
    config: Annotated[
        Path | None,
        typer.Option(
            help="TOML file with these options by their names, as in max-states = 500; statecrawl init writes one."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="End with one JSON object on standard output.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Coordinate a crawl: nodes on this and other machines join it, and leave when they like.

    This process writes the journal and the evidence. It needs no browser, save with --architecture dist-ria or
    peer-to-peer to find dynamic content before nodes are let in, unless --learn 0 and --reset-cost are given. Its
    address in a browser shows the crawl as it grows, with the token as the password.

    Examples:
      # then run on other machines what it says
      statecrawl serve http://shop.test/ --host 0.0.0.0
      # over https, with a token of your own in STATECRAWL_TOKEN
      statecrawl serve http://shop.test/ --host 0.0.0.0 --tls-cert cert.pem \\
        --tls-key key.pem
      # nodes on this machine only need no server
      statecrawl crawl http://localhost:8000/ --nodes 3
      # a crawl that outlives its coordinator is kept in a Redis
      statecrawl crawl http://shop.test/ --engine redis://192.0.2.7:6379/0

    Exit codes: 0 the crawl ended, complete or by a limit; 2 the request cannot be done as asked; 3 the journal or the
    disk; 130 interrupted. What was found is kept in every case, and the same command goes on with it.
    """
    for name, why in ELSEWHERE.items():
        opens = name == "browser" and given["architecture"] not in (None, CLIENT_SERVER)
        if given[name] is not None and not opens:
            raise BadInput(f"--{name} is not for statecrawl serve: {why}.")
    if token is not None and len(token) < SHORTEST_TOKEN:
        raise BadInput(f"--token must have {SHORTEST_TOKEN} characters or more: whoever has it can change the crawl.")
    tls = serving(tls_cert, tls_key)

    async def run(plan: CrawlPlan) -> Done:
        address = CoordinatorAddress(host=host, port=port, token=token or "", tls=tls)

        show = ProgressDisplay(quiet=quiet, as_json=as_json, first="waiting for nodes")

        def begun(coordinating: Coordinator, served_at: RunningServer) -> None:
            end_nodes_on_signals(coordinating, quiet=quiet)
            told = f"{'http' if address.tls is None else 'https'}://{_shown(host)}:{served_at.port}"
            said = served_at.token if token is None else f"${TOKEN_VARIABLE}"
            show.note(f"nodes join with: statecrawl node --join {told} --token {said}")
            show.note(f"to look at it: statecrawl status {told} --token {said}")
            show.note(f"live: {told}/ (any user; the password is the token)")

        async with show:
            watching, live = _ServeProgress(show), LivePage()
            show.looks.append(live.update)
            fleet = plan.fleet or FleetSettings()
            planned = replace(for_nodes(plan), fleet=fleet)
            outcome, coordinating = await serve_coordinator(planned, address, begun, watching.told, live)
            return outcome, coordinating.crawl.graph

    finish(*asyncio.run(served(url, given, config, run)), as_json=as_json)


def _shown(host: str) -> str:
    """How others would call this machine."""
    if host in ("0.0.0.0", "::"):  # noqa: S104 — only compared
        return os.uname().nodename
    return f"[{host}]" if ":" in host else host


class _ServeProgress:
    """Shows how far a crawl is, and says when nobody works for it any more."""

    def __init__(self, show: ProgressDisplay) -> None:
        self._show = show
        self._nodes = 0

    def told(self, coordinating: Coordinator) -> None:
        before, self._nodes = self._nodes, len(coordinating.members)
        if before and not self._nodes and coordinating.crawl.ended is None and not self._show.quiet:
            self._show.note("the last node has gone: waiting for nodes")
        self._show.told(coordinating)
