"""Command-line options of the commands that start a crawl, derived from the option table (`config.options`)."""

import inspect
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from statecrawl.config import options
from statecrawl.config.conflicts import check_command_line
from statecrawl.config.option_row import Option
from statecrawl.config.settings import settings_of
from statecrawl.config.value_types import FLAG


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenOptions:
    """The options of one command line, by name, as a settings file would have them."""

    command: str
    values: Mapping[str, Any]
    config: Path | None

    def settings(self) -> dict[str, Any]:
        """Return the typed settings, with those of --config. Raises BadInput and UnknownName."""
        known = settings_of(self.values, self.config)
        check_command_line(self.command, self.values, {**self.values, **known})
        return known


def declared(name: str, **more: Any) -> Any:
    """Return the declaration of an option for Typer, from its row in the table."""
    row = options.option(name)
    return _declaration(row, f"--{row.name}", *filter(None, [row.short]), help=row.described(needs=False), **more)


def with_crawl_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of all crawls, which it receives as `given`, and put all its options into panels."""
    own = {name: parameter for name, parameter in inspect.signature(command).parameters.items() if name != "given"}
    shared = {each.name: each for each in _parameters_of_settings()}

    @wraps(command)
    def start(**values: Any) -> None:
        given = {_option_name(name): _as_in_file(_option_name(name), value) for name, value in values.items()}
        config = values.get("config")
        command(
            given=GivenOptions(command=command.__name__, values=given, config=config),
            **{name: value for name, value in values.items() if name in own},
        )

    placed = [_placed(each, command.__name__) for each in (*own.values(), *shared.values())]
    parameters = sorted(placed, key=_rank)
    start.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    start.__annotations__ = {each.name: each.annotation for each in parameters}
    del start.__wrapped__
    return start


def _parameters_of_settings() -> list[inspect.Parameter]:
    """Return the settings as parameters, each followed by its former names, which help does not show."""
    parameters = []
    for row in options.settings().values():
        parameters.append(_parameter(row, row.name, declared(row.name)))
        parameters += [_parameter(row, alias, _declaration(row, f"--{alias}", hidden=True)) for alias in row.aliases]
    return parameters


def _declaration(row: Option, *flags: str, **more: Any) -> Any:
    return typer.Option(*flags, metavar=row.metavar or row.type.metavar or None, show_default=False, **more)


def _parameter(row: Option, name: str, declaration: Any) -> inspect.Parameter:
    return inspect.Parameter(
        name.replace("-", "_"),
        inspect.Parameter.KEYWORD_ONLY,
        default=False if row.type is FLAG else None,
        annotation=Annotated[row.type.annotation, declaration],
    )


def _option_name(parameter: str) -> str:
    return parameter.removeprefix("as_").replace("_", "-")


def _row_of(name: str) -> Option | None:
    return next((row for row in options.OPTIONS if row.name == name), None)


def _as_in_file(name: str, value: Any) -> Any:
    row = next((row for row in options.OPTIONS if name in (row.name, *row.aliases)), None)
    return value if row is None or value is None else row.type.from_command_line(value)


def _placed(parameter: inspect.Parameter, command: str) -> inspect.Parameter:
    """Return the parameter with its panel, complete help, and hidden if the command cannot use it."""
    row = _row_of(_option_name(parameter.name))
    if row is None:
        return parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
    kind, declaration = get_args(parameter.annotation)
    declaration = copy(declaration)
    declaration.help = row.described()
    declaration.rich_help_panel = row.panel or None
    declaration.hidden = any(command in names for names in (row.hidden_in, *(each.commands for each in row.conflicts)))
    return parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=Annotated[kind, declaration])


def _rank(parameter: inspect.Parameter) -> tuple[bool, int, int]:
    """Sort required arguments first, then options in the order of the panels and of the table."""
    panels, row = options.panels(), _row_of(_option_name(parameter.name))
    is_optional = parameter.default is not inspect.Parameter.empty
    return is_optional, *((0, -1) if row is None else (panels.index(row.panel), options.OPTIONS.index(row)))
