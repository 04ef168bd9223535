"""`statecrawl replay`: walk a browser to a state that a crawl has found."""

import asyncio
import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from statecrawl.cli.console import note, output
from statecrawl.cli.crawl_folders import reopened
from statecrawl.errors import Disagreement, printable
from statecrawl.results.explanation import state_named
from statecrawl.results.replay import Replay, read_model, replayer

SLOW_SECONDS = 1.0  # between two events


def replay(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a crawl.")],
    state: Annotated[str, typer.Argument(metavar="STATE", help="Number of a state, or the beginning of its id.")],
    headed: Annotated[bool, typer.Option("--headed", help="Show the browser, and leave it open until Enter.")] = False,
    slow: Annotated[bool, typer.Option("--slow", help="Wait a second before each event.")] = False,
    login: Annotated[Path | None, typer.Option(help="File with log-in steps, instead of the one of the crawl.")] = None,
    values: Annotated[Path | None, typer.Option(help="File with values for fields, likewise.")] = None,
    browser: Annotated[str | None, typer.Option(help="Program of a Chrome or Chromium.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
) -> None:
    """Open the application anew, fire the events that lead to a state, and say whether they still do.

    Examples:
      statecrawl replay crawl-test-ria 12
      # to look on
      statecrawl replay crawl-test-ria 12 --headed --slow

    Exit codes: 0 it arrived; 2 the request cannot be done as asked; 3 the journal cannot be used; 4 no browser; 5 the
    application cannot be loaded; 7 it did not arrive.
    """
    crawl = read_model(folder)
    goal = crawl.graph.numbers[state_named(folder, crawl.graph.ids, state)]
    given = {
        "login": None if login is None else str(login),
        "values": None if values is None else str(values),
        "browser": browser,
    }

    def told(step: int, event: str) -> None:
        if not as_json:
            output.print(f"{step + 1:4}. {printable(event)}", markup=False, soft_wrap=True)

    async def run() -> Replay:
        async with reopened(folder, crawl, given) as plan, replayer(plan, crawl, headed=headed) as walking:
            found = await walking.go(goal, SLOW_SECONDS if slow else 0.0, told)
            if headed:
                note("press Enter to close the browser")
                await asyncio.to_thread(input)
            return found

    found = asyncio.run(run())
    if as_json:
        output.print(json.dumps(asdict(found)), markup=False, soft_wrap=True)
    if not found.arrived:
        how_far = f"after {found.done} of {len(found.way)} events"
        raise Disagreement(f"did not arrive at {found.state[:12]} {how_far}: {found.trouble}.")
    if not as_json:
        events = "1 event" if len(found.way) == 1 else f"{len(found.way)} events"
        output.print(f"arrived at {found.state[:12]} after {events}", markup=False, soft_wrap=True)
