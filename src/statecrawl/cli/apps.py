"""`statecrawl apps`: what can be simulated."""

import json
from typing import Annotated

import typer

from statecrawl.cli.console import notes, output
from statecrawl.cli.tables import plain_table
from statecrawl.runtime.subjects import subject
from statecrawl.testbed.catalogue import LISTED


def apps(as_json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False) -> None:
    """List the applications whose true models are built in, with their sizes.

    Those with numbers take others, within limits: [bold]hypercube:4[/], [bold]widgets:2,6[/].
    """
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
