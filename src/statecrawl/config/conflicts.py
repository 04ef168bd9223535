"""Checks of options that need or exclude each other, from the option table."""

from collections.abc import Mapping
from typing import Any

from statecrawl.config import options
from statecrawl.config.option_row import Conflict, Option, Requirement
from statecrawl.errors import BadInput


def check_settings(known: Mapping[str, Any]) -> None:
    """Raise BadInput if settings need or exclude each other."""
    for row in _given(known):
        if row.needs is not None and not _is_of_command_line(row.needs):
            _check_need(row, row.needs, known)
        for conflict in row.conflicts:
            _check_conflict(row, conflict, known)


def check_command_line(command: str, typed: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    """Raise BadInput if an option cannot be used with this command, or not with its other options.

    `known` are all options, of which `typed` are those that do not come from a settings file.
    """
    for row in _given(known):
        if row.needs is not None and _is_of_command_line(row.needs) and command not in row.needs.commands:
            _check_need(row, row.needs, known)
        for conflict in row.conflicts:
            if command in conflict.commands and (not conflict.only_typed or typed.get(row.name) is not None):
                raise BadInput(f"--{row.name} cannot be used with statecrawl {command}: {conflict.remedy}.")
            _check_conflict(row, conflict, known)


def _given(known: Mapping[str, Any]) -> list[Option]:
    return [row for row in options.OPTIONS if _is_given(known.get(row.name))]


def _is_given(value: Any) -> bool:
    return value is not None and value is not False and value != []


def _is_of_command_line(needs: Requirement) -> bool:
    return bool(needs.commands) or any(name not in options.settings() for name in needs.options)


def _check_need(row: Option, needs: Requirement, known: Mapping[str, Any]) -> None:
    for name in needs.options:
        value = known.get(name)
        if value is None and needs.values:
            value = options.option(name).default_text
        if _is_given(value) and (not needs.values or value in needs.values):
            return
    raise BadInput(f"--{row.name} needs {needs}.")


def _check_conflict(row: Option, conflict: Conflict, known: Mapping[str, Any]) -> None:
    for name in conflict.options:
        if _is_given(known.get(name)):
            raise BadInput(f"--{row.name} cannot be combined with --{name}: {conflict.remedy}.")
