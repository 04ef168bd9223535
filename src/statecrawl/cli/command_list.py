"""The list of commands, which are imported on demand.

A command is the function, or the Typer application, of the same name in the module of that name. Importing all of them
takes a second, a single one half of that or less. Only `--help` and misspelt commands need all of them: for their
summaries, and to suggest the nearest name.
"""

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

from statecrawl.cli.help_text import with_layout

COMMANDS = (
    "apps",
    "crawl",
    "serve",
    "coordinate",
    "node",
    "status",
    "forget",
    "report",
    "diff",
    "roles",
    "findings",
    "replay",
    "verify",
    "init",
    "doctor",
    "explain",
    "simulate",
    "scale",
    "compare",
    "export",
)


class Commands(TyperGroup):
    """Command group that imports its commands on demand."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        for name in [cmd_name] if cmd_name in COMMANDS else COMMANDS:
            if name not in self.commands:
                self.add_command(_imported(name), name)
        return super().get_command(ctx, cmd_name)


def _imported(name: str) -> Any:
    command = getattr(import_module(f"statecrawl.cli.{name}"), name)
    if isinstance(command, typer.Typer):
        return with_layout(typer.main.get_command(command))
    single = typer.Typer(add_completion=False, rich_markup_mode="rich", pretty_exceptions_enable=False)
    single.command(name)(command)
    return with_layout(typer.main.get_command(single))
