"""`statecrawl apps`: what can be simulated, and the same applications to look at in a browser."""

import asyncio
import json
import signal
from typing import TYPE_CHECKING, Annotated

import typer

from statecrawl.cli.console import notes, output
from statecrawl.cli.tables import plain_table
from statecrawl.errors import BadInput, printable
from statecrawl.lab.subjects import subject
from statecrawl.testbed.catalogue import LISTED

if TYPE_CHECKING:
    from statecrawl.testbed.sites.site import Site

USUAL_PORT = 8000  # easy to remember; any free one where it is taken

apps = typer.Typer(name="apps")


@apps.callback(invoke_without_command=True)
def show(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """List the applications whose true models are built in, with their sizes; or serve one of them.

    Those with numbers take others, within limits: [bold]hypercube:4[/], [bold]widgets:2,6[/].

    Examples:
      statecrawl apps
      # one of them to look at, or to crawl
      statecrawl apps serve test-ria

    Exit codes: 0 done; 2 the request cannot be done as asked.
    """
    if context.invoked_subcommand is None:
        _list(as_json)


@apps.command()
def serve(
    name: Annotated[str, typer.Argument(help="An application, as in [bold]altoro[/] or [bold]hypercube:10[/].")],
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65535, help="0 is any free one.", show_default="8000, or any free one where it is taken"
        ),
    ] = None,
    host: Annotated[
        str, typer.Option(help="Address to serve at; 0.0.0.0 is every one of this machine, for nodes on others.")
    ] = "127.0.0.1",
    latency: Annotated[
        float, typer.Option(min=0, max=60_000, help="Milliseconds that every answer of the server but files takes.")
    ] = 0.0,
) -> None:
    """Serve an application on this machine, to look at it in a browser, until Ctrl-C.

    Examples:
      statecrawl apps serve test-ria
      # with a slow server, to see what a crawler has to wait for
      statecrawl apps serve altoro --port 9000 --latency 200
      # for nodes on other machines
      statecrawl apps serve hypercube:6 --host 0.0.0.0

    Exit codes: 0 ended; 2 there is no such application, or the port cannot be had.
    """
    from statecrawl.testbed.sites.registry import site_named  # noqa: PLC0415 — other commands need no web server

    asyncio.run(_serve(name, site_named(name), host, port, latency / 1000))


def _list(as_json: bool) -> None:
    table = plain_table()
    table.add_column("application", no_wrap=True)
    for name in ("states", "transitions", "events\nper page", "reset\ncost"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("what it is")
    with notes.status("building the models"):
        for name in LISTED:
            app = subject(name)
            least, most = app.events_per_page
            if as_json:
                row = {
                    "app": app.name,
                    "title": app.title,
                    "states": len(app.truth),
                    "transitions": app.truth.explored,
                    "events_per_page": [least, most],
                    "reset_cost": app.reset_cost,
                }
                output.print_json(json.dumps(row), indent=None)
            sizes = (f"{len(app.truth):,}", f"{app.truth.explored:,}", f"{least}–{most:,}", f"{app.reset_cost:g}")
            table.add_row(name, *sizes, app.title)
    if not as_json:
        output.print(table)


async def _serve(name: str, site: "Site", host: str, port: int | None, latency: float) -> None:
    from statecrawl.testbed.sites.server import start  # noqa: PLC0415 — as above

    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    try:
        running = await start(site, host=host, port=USUAL_PORT if port is None else port, latency=latency)
    except BadInput:
        if port is not None:
            raise
        running = await start(site, host=host, latency=latency)
    output.print(f"serving {printable(name)} at {running.url} — Ctrl-C stops", markup=False, soft_wrap=True)
    await stop.wait()
    await running.close()
