"""`statecrawl init`: write a settings file to start from."""

import textwrap
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer

from statecrawl.cli.console import output
from statecrawl.config import options
from statecrawl.config.option_row import Option
from statecrawl.config.saved_settings import as_toml
from statecrawl.errors import BadInput

WIDTH = 100
HEAD = """\
# Settings of a crawl. Run it with: statecrawl crawl --config {name}
# Every setting is described here; remove the # before those you want. The command line overrides this file.

"""


def init(
    url: Annotated[
        str, typer.Argument(help="URL where the application starts, or the name of a bundled application.")
    ] = "http://localhost:8000/",
    file: Annotated[Path, typer.Option(help="File to write.")] = Path("crawl.toml"),
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
) -> None:
    """Write a settings file that describes every option of a crawl, to edit and crawl with.

    Examples:
      statecrawl init http://shop.test/
      # then, after editing it
      statecrawl crawl --config crawl.toml

    Exit codes: 0 written; 2 the file exists already or cannot be written.
    """
    if file.exists() and not force:
        raise BadInput(f"{file} exists already: name another file with --file, or overwrite it with --force.")
    try:
        file.write_text(template(url, file.name), encoding="utf-8")
    except OSError as error:
        raise BadInput(f"cannot write {file}: {error.strerror}.") from error
    output.print(f"wrote {file}; edit it, then run: statecrawl crawl --config {file}", markup=False, soft_wrap=True)


def template(url: str, name: str = "crawl.toml") -> str:
    """Return a settings file in which everything except the URL is a comment."""
    parts = [HEAD.format(name=name), as_toml({"url": url})]
    for panel, rows in groupby(options.settings().values(), lambda row: row.panel):
        parts.append(f"\n# -- {panel} --\n" if panel else "")
        parts += map(_setting, rows)
    return "".join(parts)


def _setting(row: Option) -> str:
    comment = textwrap.fill(row.described(), WIDTH, initial_indent="# ", subsequent_indent="# ")
    return f"\n{comment}\n# {as_toml({row.name: row.example})}"
