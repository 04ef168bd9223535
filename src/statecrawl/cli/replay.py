"""`statecrawl replay`: walk a browser to a state of a crawl."""

import asyncio
import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from statecrawl.cli.console import note, print_line
from statecrawl.cli.crawl_folders import BrowserPath, LoginFile, ValuesFile, overrides, reopened
from statecrawl.cli.summary import counted
from statecrawl.errors import Disagreement, printable
from statecrawl.results.explanation import state_named
from statecrawl.results.replay import Replay, read_model, replayer

SLOW_SECONDS = 1.0  # between two events


def replay(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Directory of a crawl.")],
    state: Annotated[str, typer.Argument(metavar="STATE", help="Number of a state, or the beginning of its id.")],
    headed: Annotated[
        bool, typer.Option("--headed", help="Show the browser window, and keep it open until Enter.")
    ] = False,
    slow: Annotated[bool, typer.Option("--slow", help="Wait a second before each event.")] = False,
    login: LoginFile = None,
    values: ValuesFile = None,
    browser: BrowserPath = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Open the application, fire the events that lead to a state, and check that they still lead there.

    Examples:
      statecrawl replay crawl-test-ria 12
      # watch it
      statecrawl replay crawl-test-ria 12 --headed --slow

    Exit codes: 0 the state was reached; 2 the request is invalid; 3 the journal cannot be used; 4 there is no
    working browser; 5 the application cannot be loaded; 7 the state was not reached.
    """
    crawl = read_model(folder)
    goal = crawl.graph.numbers[state_named(folder, crawl.graph.ids, state)]
    given = overrides(login, values, browser)

    def on_event(step: int, event: str) -> None:
        if not as_json:
            print_line(f"{step + 1:4}. {printable(event)}")

    async def run() -> Replay:
        async with reopened(folder, crawl, given) as plan, replayer(plan, crawl, headed=headed) as walking:
            result = await walking.go(goal, SLOW_SECONDS if slow else 0.0, on_event)
            if headed:
                note("press Enter to close the browser")
                await asyncio.to_thread(input)
            return result

    result = asyncio.run(run())
    if as_json:
        print_line(json.dumps(asdict(result)))
    if not result.arrived:
        progress = f"after {result.fired} of {len(result.path)} events"
        raise Disagreement(f"did not reach state {result.state[:12]} {progress}: {result.problem}.")
    if not as_json:
        print_line(f"reached state {result.state[:12]} after {counted(len(result.path), 'event')}")
