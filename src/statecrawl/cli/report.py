"""`statecrawl report`: write the HTML report of a crawl."""

from pathlib import Path
from typing import Annotated

import typer

from statecrawl.cli.console import output
from statecrawl.errors import printable
from statecrawl.results.report import write_report


def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Directory of a crawl.")],
) -> None:
    """Write the HTML report of a crawl to DIR/report/index.html. The report needs no network.

    Every crawl writes its report when it ends. Use this command for crawls that were killed, are still running, or were
    made by an older version.

    Examples:
      statecrawl report crawl-test-ria

    Exit codes: 0 done; 2 there is no such crawl; 3 the journal is damaged or the disk is full.
    """
    output.print(printable(str(write_report(folder))), markup=False, soft_wrap=True)
