"""The command line.

Exit codes: 0 done, 1 lost worker, 2 invalid request, 3 journal error, 4 browser error, 5 application error, 6 error of
the coordinator or the Redis, 7 failed check, 130 interrupted.
"""

import sys
from importlib import metadata
from io import TextIOWrapper
from typing import Annotated

import typer

from statecrawl.cli.command_list import Commands
from statecrawl.cli.console import drop_output, note
from statecrawl.cli.help_text import laid_out
from statecrawl.errors import EXIT_USER, StatecrawlError
from statecrawl.privacy.redaction import BLANK

HELP = """Crawl web applications state by state, with as few events and resets as possible.

The applications of the papers are built in: start with one of them, then crawl your own. Every command has a --help
with examples.

Examples:
  # check that everything a crawl needs is installed
  statecrawl doctor
  # a bundled application, then your own
  statecrawl crawl test-ria
  statecrawl crawl http://localhost:8000/ --live
  # compare strategies on a bundled one, without a browser
  statecrawl simulate test-ria

Exit codes: 0 done; 1 a worker process died, partial results are shown; 2 the request is invalid; 3 a journal cannot be
used; 4 there is no working browser; 5 the application cannot be loaded; 6 the coordinator of a crawl, or its Redis,
cannot be reached; 7 a check of the results failed; 130 interrupted by Ctrl-C, partial results are shown."""

app = typer.Typer(
    name="statecrawl",
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help=laid_out(HELP),
)


def _version(requested: bool) -> None:
    if requested:
        typer.echo(f"statecrawl {metadata.version('statecrawl')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Options of statecrawl itself."""


def main() -> None:
    """Run the command line. Every deliberate error becomes one sentence and its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # show a question mark for characters that the terminal lacks
    try:
        app()
    except StatecrawlError as error:
        note(f"statecrawl: {BLANK.text(str(error))}")  # the message may quote a URL that contains a password
        sys.exit(error.exit_code)
    except OSError as error:  # errors of files are reported already, so this is standard output, as on a full disk
        note(f"statecrawl: cannot continue: {error.strerror or error}.")
        drop_output()
        sys.exit(EXIT_USER)
