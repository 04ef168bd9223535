"""Types of option values: how each is named, parsed on the command line, checked and converted, once."""

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from statecrawl.errors import BadInput

SECONDS_PER_UNIT = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


def parse_seconds(name: str, value: Any) -> float:
    """Convert a time such as 90, "90s", "10m", "2h" or "500ms" to seconds. Raises BadInput."""
    text = str(value).strip().lower()
    unit = next((unit for unit in SECONDS_PER_UNIT if text.endswith(unit)), "")
    try:
        seconds = float(text.removesuffix(unit)) * SECONDS_PER_UNIT.get(unit, 1.0)
    except ValueError:
        seconds = float("nan")
    if not isfinite(seconds):
        raise BadInput(f"--{name} is a time, as in 90s, 10m or 2h, not '{value}'.")
    return seconds


def time_text(seconds: float) -> str:
    """Write a time the way `parse_seconds` reads it."""
    return f"{seconds!r}s".replace(".0s", "s")


def _unchanged(value: Any) -> Any:
    return value


def _unparsed(_: str, value: Any) -> Any:
    return value


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_number(value: Any) -> bool:
    return type(value) in (int, float)


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueType:
    """Type of the value of an option, on the command line, in a settings file and in the Python API."""

    label: str  # in the reference of the options
    description: str  # in messages
    annotation: Any  # type that the command line parses
    metavar: str = ""  # placeholder in help, unless the annotation says enough
    accepts: Callable[[Any], bool]  # whether a value of a settings file or of the Python API has this type
    from_command_line: Callable[[Any], Any] = _unchanged  # the same value as a settings file would have it
    parse: Callable[[str, Any], Any] = _unparsed  # (option name, accepted value) -> typed value; raises BadInput
    to_file: Callable[[Any], Any] = _unchanged  # typed value -> value in a settings file


FLAG = ValueType(
    label="flag", description="true or false", annotation=bool, accepts=lambda value: isinstance(value, bool)
)
WHOLE_NUMBER = ValueType(
    label="whole number",
    description="a whole number",
    annotation=int | None,
    accepts=lambda value: type(value) is int,
)
NUMBER = ValueType(label="number", description="a number", annotation=float | None, accepts=_is_number)
TIME = ValueType(
    label="time",
    description='a time, as in "90s", "10m" or "2h"',
    metavar="TIME",
    annotation=str | None,
    accepts=lambda value: _is_number(value) or _is_text(value),
    parse=parse_seconds,
    to_file=time_text,
)
TEXT = ValueType(label="text", description="a text in quotation marks", annotation=str | None, accepts=_is_text)
FILE = ValueType(
    label="file",
    description=TEXT.description,
    annotation=Path | None,
    accepts=_is_text,
    from_command_line=str,
)
TEXTS = ValueType(
    label="text, repeatable",
    description='a list of texts, as in ["a", "b"]',
    annotation=list[str] | None,
    accepts=_is_texts,
)
WORDS = ValueType(
    label="comma-separated list",
    metavar="A,B,...",
    description=TEXTS.description,
    annotation=str | None,
    accepts=_is_texts,
    from_command_line=_split,
)
