"""`statecrawl apps`: list the bundled applications, or serve one of them."""

import asyncio
import json
import signal
from typing import TYPE_CHECKING, Annotated, Any

import typer

from statecrawl.cli.console import notes, output
from statecrawl.cli.tables import plain_table
from statecrawl.errors import BadInput, printable
from statecrawl.lab.subjects import subject
from statecrawl.testbed.catalogue import LISTED

if TYPE_CHECKING:
    from statecrawl.testbed.sites.site import Site

DEFAULT_PORT = 8000  # easy to remember; any free port if it is taken

apps = typer.Typer(name="apps")


@apps.callback(invoke_without_command=True)
def show(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """List the bundled applications and the sizes of their models, or serve one of them.

    Where a name contains numbers, other numbers are possible: [bold]hypercube:4[/], [bold]widgets:2,6[/].

    Examples:
      statecrawl apps
      # serve one, to open in a browser or to crawl
      statecrawl apps serve test-ria

    Exit codes: 0 done; 2 the request is invalid.
    """
    if context.invoked_subcommand is None:
        _list(as_json)


@apps.command()
def serve(
    name: Annotated[
        str, typer.Argument(help="Name of an application, such as [bold]altoro[/] or [bold]hypercube:10[/].")
    ],
    port: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=65535,
            help="Port to listen on; 0 means any free port.",
            show_default="8000, or any free port if it is taken",
        ),
    ] = None,
    host: Annotated[
        str, typer.Option(help="Address to listen on; 0.0.0.0 accepts connections from other machines.")
    ] = "127.0.0.1",
    latency: Annotated[
        float, typer.Option(min=0, max=60_000, help="Delay of every response except for files, in milliseconds.")
    ] = 0.0,
) -> None:
    """Serve an application on this machine until Ctrl-C.

    Examples:
      statecrawl apps serve test-ria
      # with a slow server
      statecrawl apps serve altoro --port 9000 --latency 200
      # for nodes on other machines
      statecrawl apps serve hypercube:6 --host 0.0.0.0

    Exit codes: 0 stopped; 2 there is no such application, or the port is not available.
    """
    from statecrawl.testbed.sites.registry import site_named  # noqa: PLC0415 — listing needs no web server

    asyncio.run(_serve(name, site_named(name), host, port, latency / 1000))


def _list(as_json: bool) -> None:
    from statecrawl.testbed.sites.registry import SITES  # noqa: PLC0415 — takes a while to import

    table = plain_table()
    table.add_column("application", no_wrap=True)
    for name in ("states", "transitions", "events\nper page", "reset\ncost"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("description")
    with notes.status("building the models"):
        for name in LISTED:
            app = subject(name)
            least, most = app.events_per_page
            if as_json:
                _print_json(
                    app=app.name,
                    title=app.title,
                    states=len(app.truth),
                    transitions=app.truth.explored,
                    events_per_page=[least, most],
                    reset_cost=app.reset_cost,
                    has_pages=_kind(name) in SITES,
                )
            sizes = (f"{len(app.truth):,}", f"{app.truth.explored:,}", f"{least}–{most:,}", f"{app.reset_cost:g}")
            table.add_row(name, *sizes, app.title)
    without_model = [name for name in SITES if name not in map(_kind, LISTED)]
    if as_json:
        for name in without_model:
            _print_json(app=name, has_pages=True)
        return
    output.print(table)
    without_pages = [name for name in LISTED if _kind(name) not in SITES]
    for what, names in (("no model, only to crawl", without_model), ("no pages, only to simulate", without_pages)):
        if names:
            output.print(f"{what}: {', '.join(names)}", highlight=False)


def _kind(name: str) -> str:
    """Return the name of an application without its parameters."""
    return name.partition(":")[0]


def _print_json(**row: Any) -> None:
    output.print_json(json.dumps(row), indent=None)


async def _serve(name: str, site: "Site", host: str, port: int | None, latency: float) -> None:
    from statecrawl.testbed.sites.server import start  # noqa: PLC0415 — listing needs no web server

    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    try:
        running = await start(site, host=host, port=DEFAULT_PORT if port is None else port, latency=latency)
    except BadInput:
        if port is not None:
            raise
        running = await start(site, host=host, latency=latency)
    output.print(f"serving {printable(name)} at {running.url} (press Ctrl-C to stop)", markup=False, soft_wrap=True)
    await stop.wait()
    await running.close()
