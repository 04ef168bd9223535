"""`statecrawl report`: a crawl as a folder of pages."""

from pathlib import Path
from typing import Annotated

import typer

from statecrawl.cli.console import output
from statecrawl.errors import printable
from statecrawl.results.report import write_report


def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a crawl, as statecrawl crawl wrote it.")],
) -> None:
    """Write the report of a crawl anew: DIR/report/index.html, which opens in any browser, without a network.

    Every crawl leaves one behind; this is for crawls that were killed, that still run, or that an older release made.

    Examples:
      statecrawl report crawl-test-ria

    Exit codes: 0 done; 2 there is no crawl; 3 the journal is damaged or the disk is full.
    """
    output.print(printable(str(write_report(folder))), markup=False, soft_wrap=True)
