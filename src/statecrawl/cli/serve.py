"""`statecrawl serve`: coordinate a crawl that nodes join from any machine."""

import asyncio
import os
from pathlib import Path
from typing import Annotated

import typer

from statecrawl.cli.certificates import serving
from statecrawl.cli.crawl import Done, end_nodes_on_signals, finish, for_fleet, served
from statecrawl.cli.crawl_signature import GivenOptions, declared, with_crawl_options
from statecrawl.cli.progress import ProgressDisplay
from statecrawl.cluster.http.server import RunningServer
from statecrawl.config.fleet import CLIENT_SERVER
from statecrawl.config.plan import CrawlPlan
from statecrawl.crawler.live_page import LivePage
from statecrawl.errors import BadInput
from statecrawl.fleet.coordinator import Coordinator
from statecrawl.fleet.http_host import LOOPBACK, CoordinatorAddress, serve_coordinator
from statecrawl.fleet.supervisor import TOKEN_VARIABLE

PORT = 8765
MIN_TOKEN_LENGTH = 8


@with_crawl_options
def serve(
    given: GivenOptions,
    url: Annotated[str, typer.Argument(help="URL where the application starts, as the nodes reach it.")],
    host: Annotated[str, declared("host")] = LOOPBACK,
    port: Annotated[int, declared("port")] = PORT,
    token: Annotated[str | None, declared("token", envvar=TOKEN_VARIABLE)] = None,
    tls_cert: Annotated[Path | None, declared("tls-cert")] = None,
    tls_key: Annotated[Path | None, declared("tls-key")] = None,
    config: Annotated[Path | None, declared("config")] = None,
    as_json: Annotated[bool, declared("json")] = False,
    quiet: Annotated[bool, declared("quiet")] = False,
) -> None:
    """Coordinate a crawl that nodes on this and other machines join and leave at any time.

    This process writes the journal and the evidence. It needs no browser, except with --architecture dist-ria or
    peer-to-peer, where it detects dynamic content before it accepts nodes, unless --learn-states 0 and --reset-cost are
    given. Open its URL in a browser, with the token as the password, for a live page of the crawl.

    Examples:
      # then run the command that it prints on other machines
      statecrawl serve http://shop.test/ --host 0.0.0.0
      # over HTTPS, with your own token in STATECRAWL_TOKEN
      statecrawl serve http://shop.test/ --host 0.0.0.0 --tls-cert cert.pem \\
        --tls-key key.pem
      # nodes on this machine need no server
      statecrawl crawl http://localhost:8000/ --nodes 3
      # a crawl that outlives its coordinator is stored in a Redis
      statecrawl crawl http://shop.test/ --engine redis://192.0.2.7:6379/0

    Exit codes: 0 the crawl ended, complete or at a limit; 2 the request is invalid; 3 the journal or the disk failed;
    5 the start page is an error page, empty or out of scope and nothing else was found; 130 interrupted. Results are
    stored in every case, and the same command resumes the crawl.
    """
    if given.values.get("browser") is not None and given.values.get("architecture") in (None, CLIENT_SERVER):
        raise BadInput("--browser cannot be used with statecrawl serve: it opens none, so set it for each node.")
    if token is not None and len(token) < MIN_TOKEN_LENGTH:
        raise BadInput(
            f"--token must have {MIN_TOKEN_LENGTH} characters or more: with the token, anyone can change the crawl."
        )
    tls = serving(tls_cert, tls_key)

    async def run(plan: CrawlPlan) -> Done:
        address = CoordinatorAddress(host=host, port=port, token=token or "", tls=tls)

        show = ProgressDisplay(quiet=quiet, as_json=as_json, first="waiting for nodes")

        def started(coordinator: Coordinator, server: RunningServer) -> None:
            end_nodes_on_signals(coordinator, quiet=quiet)
            url = f"{'http' if address.tls is None else 'https'}://{_shown(host)}:{server.port}"
            secret = server.token if token is None else f"${TOKEN_VARIABLE}"
            show.note(f"nodes join with: statecrawl node --join {url} --token {secret}")
            show.note(f"status: statecrawl status {url} --token {secret}")
            show.note(f"live: {url}/ (any user; the password is the token)")

        async with show:
            progress, live = _ServeProgress(show), LivePage()
            show.observers.append(live.update)
            outcome, coordinator = await serve_coordinator(
                for_fleet(plan), address, started, progress.on_progress, live
            )
            return outcome, coordinator.crawl.graph

    finish(*asyncio.run(served(url, given, run)), as_json=as_json, quiet=quiet)


def _shown(host: str) -> str:
    """Return the host name under which other machines reach this one."""
    if host in ("0.0.0.0", "::"):  # noqa: S104 — only compared
        return os.uname().nodename
    return f"[{host}]" if ":" in host else host


class _ServeProgress:
    """Shows the progress of a crawl, and reports when the last node has left."""

    def __init__(self, show: ProgressDisplay) -> None:
        self._show = show
        self._nodes = 0

    def on_progress(self, coordinator: Coordinator) -> None:
        before, self._nodes = self._nodes, len(coordinator.members)
        if before and not self._nodes and coordinator.crawl.ended is None and not self._show.quiet:
            self._show.note("the last node has left: waiting for nodes")
        self._show.update(coordinator)
