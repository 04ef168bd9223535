"""The command line.

Exit codes: 0 done, 1 a worker lost, 2 wrong request, 3 trouble with a journal, 4 with the browser, 5 with the
application, 6 with the coordinator or a Redis, 7 what was found is not what it should be, 130 interrupted.
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

The papers' applications are built in: begin with one of them, then with your own. Every command has a --help with
examples.

Examples:
  # is everything here that a crawl needs?
  statecrawl doctor
  # a bundled application, and then your own
  statecrawl crawl test-ria
  statecrawl crawl http://localhost:8000/ --live
  # what strategies need for a bundled one, without a browser
  statecrawl simulate test-ria

Exit codes: 0 done; 1 a worker process died, after showing what was known; 2 the request cannot be done as asked; 3 a
journal cannot be used; 4 there is no browser that works; 5 the application cannot be loaded; 6 the coordinator of a
crawl, or its Redis, cannot be reached; 7 what was found is not what it should be; 130 interrupted by Ctrl-C, after
showing what was known."""

app = typer.Typer(
    name="statecrawl",
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help=laid_out(HELP),
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"statecrawl {metadata.version('statecrawl')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Options of the command as a whole."""


def main() -> None:
    """Run the command line; every deliberate error ends as one sentence and its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot show a character shows a question mark
    try:
        app()
    except StatecrawlError as error:
        note(f"statecrawl: {BLANK.text(str(error))}")  # it may quote an address with a password in it
        sys.exit(error.exit_code)
    except OSError as trouble:  # of files it was said already, so this is standard output: a full disk, say
        note(f"statecrawl: cannot go on: {trouble.strerror or trouble}.")
        drop_output()
        sys.exit(EXIT_USER)
