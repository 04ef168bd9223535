"""The command line. Exit codes: 0 done, 2 wrong request, 3 trouble with a journal, 130 interrupted."""

import os
import sys

import typer

from statecrawl.cli.apps import apps
from statecrawl.cli.compare import compare
from statecrawl.cli.console import notes
from statecrawl.cli.export import export
from statecrawl.cli.simulate import simulate
from statecrawl.errors import StatecrawlError

app = typer.Typer(
    name="statecrawl",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help=(
        "Crawl web applications state by state, with as few events and resets as possible.\n\n"
        "This release holds the core: every published strategy, on the models of every published application, "
        "without a browser. Begin with [bold]statecrawl apps[/], then [bold]statecrawl simulate test-ria[/].\n\n"
        "Exit codes: 0 done; 2 the request cannot be done as asked; 3 a journal cannot be used; 130 interrupted by "
        "Ctrl-C, after showing what was known."
    ),
)
for command in (apps, simulate, compare, export):
    app.command()(command)


def main() -> None:
    """Run the command line; every deliberate error ends as one sentence and its exit code."""
    try:
        app()
    except StatecrawlError as error:
        notes.print(f"statecrawl: {error}", markup=False, soft_wrap=True)
        sys.exit(error.exit_code)
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
