"""`statecrawl doctor`: check that this machine can crawl."""

import asyncio
import json
import platform
from typing import Annotated

import typer
from rich.text import Text

from statecrawl.cli.console import output
from statecrawl.crawler.browser_check import CheckResult, examine
from statecrawl.errors import EXIT_BROWSER, printable


def doctor(
    browser: Annotated[str | None, typer.Option(help="Path of the Chrome or Chromium to check.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Check that a browser can be started, and explain how to install one if not.

    The checks find and start the browser, open a page and fire an event.

    Examples:
      statecrawl doctor
      # check another browser than the default one
      statecrawl doctor --browser /usr/bin/google-chrome

    Exit codes: 0 all checks passed; 4 there is no working browser.
    """
    results = [
        CheckResult(name="python", good=True, detail=platform.python_version()),
        *asyncio.run(examine(browser)),
    ]
    if as_json:
        checks = {result.name: {"ok": result.good, "detail": result.detail} for result in results}
        output.print(json.dumps(checks), markup=False, soft_wrap=True)
    else:
        for result in results:
            mark = Text("ok     " if result.good else "FAILED ", style="green" if result.good else "bold red")
            output.print(mark + Text(f"{result.name:<10} {printable(result.detail)}", style="default"), soft_wrap=True)
    if not all(result.good for result in results):
        raise typer.Exit(EXIT_BROWSER)
