"""`statecrawl doctor`: is everything here that a crawl needs?"""

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
    browser: Annotated[str | None, typer.Option(help="Program of a Chrome or Chromium to look at.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
) -> None:
    """Check the browser: found, started, a page opened, an event fired; and say how to get one.

    Examples:
      statecrawl doctor
      # another browser than the one it would take
      statecrawl doctor --browser /usr/bin/google-chrome

    Exit codes: 0 all is well; 4 no browser that works.
    """
    findings = [
        CheckResult(name="python", good=True, said=platform.python_version()),
        *asyncio.run(examine(browser)),
    ]
    if as_json:
        told = {finding.name: {"ok": finding.good, "said": finding.said} for finding in findings}
        output.print(json.dumps(told), markup=False, soft_wrap=True)
    else:
        for finding in findings:
            mark = Text("ok     " if finding.good else "FAILED ", style="green" if finding.good else "bold red")
            output.print(mark + Text(f"{finding.name:<10} {printable(finding.said)}", style="default"), soft_wrap=True)
    if not all(finding.good for finding in findings):
        raise typer.Exit(EXIT_BROWSER)
