"""The commands, each of which is imported when it is asked for.

A command is the function, or the group of commands, that bears its name in the module of that name. To import all of
them takes a second, one of them half of that or less. Whoever asks for help, or for a command that is not there, needs
all of them: for what they say of themselves, and for the name that is nearest.
"""

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

from statecrawl.cli.help_text import teach

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
    """All of them, by name."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        for name in [cmd_name] if cmd_name in COMMANDS else COMMANDS:
            if name not in self.commands:
                self.add_command(_imported(name), name)
        return super().get_command(ctx, cmd_name)


def _imported(name: str) -> Any:
    found = getattr(import_module(f"statecrawl.cli.{name}"), name)
    if isinstance(found, typer.Typer):
        return teach(typer.main.get_command(found))
    alone = typer.Typer(add_completion=False, rich_markup_mode="rich", pretty_exceptions_enable=False)
    alone.command(name)(found)
    return teach(typer.main.get_command(alone))
