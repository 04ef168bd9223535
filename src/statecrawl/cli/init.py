"""`statecrawl init`: a configuration file to begin with."""

import inspect
import textwrap
from itertools import groupby
from pathlib import Path
from typing import Annotated, get_args

import typer

from statecrawl.cli.console import output
from statecrawl.cli.crawl_options import flag, in_panels, options
from statecrawl.cli.help_panels import panel_of
from statecrawl.config.saved_settings import as_toml
from statecrawl.config.settings import FLAGS, LISTS, NUMBERS, TIMES
from statecrawl.errors import BadInput

WIDTH = 100
BEGINNING = """\
# What statecrawl does with this application. Run it with: statecrawl crawl --config {name}
# Every flag of statecrawl crawl has its name here; remove the # before what you want. The command line wins.

"""
EXAMPLES = {
    "strategy": "probability",
    "equivalence": "content",
    "allow": ["^https://shop\\.test/"],
    "deny": ["/admin"],
    "deny-element": ["(?i)newsletter"],
    "events": ["click", "input"],
    "deny-event": ["hover", "click .toolbar button"],
    "follow": ["link", "sitemap"],
    "ignore": ["#clock"],
    "ignore-attribute": ["data-time"],
    "ignore-text": ["\\d+ visitors"],
    "values": "values.toml",
    "login": "login.toml",
    "out": "crawl-shop",
    "scope": "/app/",
    "reset-url": "/reset",
    "reset-command": "./reset-database",
    "browser": "/usr/bin/chromium",
    "architecture": "client-server",
    "partition": "rendezvous",
    "partition-by": "event",
    "balance": "static",
    "share": "all",
    "reset-cost": 3.0,
    "delay": "500ms",
    "max-concurrent": 2,
    "proxy": "http://localhost:3128",
    "header": ["X-Tenant: acme", "Authorization: env:SHOP_TOKEN"],
    "basic-auth": "env:SHOP_LOGIN",
    "client-cert": "client.pem",
    "client-key": "client.key",
    "device": "pixel",
    "user-agent": "our-tests/1.0",
}


def init(
    url: Annotated[
        str, typer.Argument(help="Where the application begins; or the name of a bundled one.")
    ] = "http://localhost:8000/",
    file: Annotated[Path, typer.Option(help="File to write.")] = Path("crawl.toml"),
    force: Annotated[bool, typer.Option("--force", help="Also over a file that is there.")] = False,
) -> None:
    """Write a configuration file that says of every setting what it does, to be changed and crawled with.

    Examples:
      statecrawl init http://shop.test/
      # then, after changing it
      statecrawl crawl --config crawl.toml

    Exit codes: 0 written; 2 it cannot be, or there is such a file already.
    """
    if file.exists() and not force:
        raise BadInput(f"{file} is there already: name another with --file, or say --force.")
    try:
        file.write_text(template(url, file.name), encoding="utf-8")
    except OSError as trouble:
        raise BadInput(f"cannot write {file}: {trouble.strerror}.") from trouble
    output.print(f"wrote {file}; change it, then run: statecrawl crawl --config {file}", markup=False, soft_wrap=True)


def template(url: str, name: str = "crawl.toml") -> str:
    """A configuration in which everything but the address is a comment."""
    parts = [BEGINNING.format(name=name), as_toml({"url": url})]
    for panel, settings in groupby(in_panels(inspect.signature(options).parameters.values()), _panel):
        parts.append(f"\n# -- {panel} --\n" if panel else "")
        for parameter in settings:
            setting, said = flag(parameter), get_args(parameter.annotation)[1].help or ""
            comment = textwrap.fill(said, WIDTH, initial_indent="# ", subsequent_indent="# ")
            parts.append(f"\n{comment}\n# {setting} = {_example(setting)}\n")
    return "".join(parts)


def _panel(parameter: inspect.Parameter) -> str | None:
    return panel_of(flag(parameter))


def _example(setting: str) -> str:
    value = EXAMPLES.get(setting, True if setting in FLAGS else 100 if setting in NUMBERS else "10s")
    if setting not in EXAMPLES and setting not in FLAGS | NUMBERS | TIMES | LISTS:
        value = ""
    return as_toml({"x": value}).removeprefix("x = ").rstrip("\n")
