"""Files that users write: tables of names and values, as TOML or JSON."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from statecrawl.errors import BadInput


def read_table(path: Path) -> dict[str, Any]:
    """Return the top-level table of a file. Raises BadInput if it cannot be read."""
    try:
        text = path.read_text(encoding="utf-8-sig")  # editors on Windows may write a byte order mark
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}.") from error
    except ValueError as error:
        reason = "it is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else "no file has such a name"
        raise BadInput(f"cannot read {path}: {reason}.") from error
    is_json = text.lstrip().startswith("{")  # TOML never starts like this
    try:
        table: dict[str, Any] = json.loads(text) if is_json else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path} is not {'JSON' if is_json else 'TOML'}: {error}.") from error
    return table


def place_of(path: Path, name: str) -> str:
    """Return where a name is defined in a file: the path and, if it can be found, the line."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, ValueError):
        return str(path)
    definition = re.compile(rf"""\s*["']?{re.escape(name)}["']?\s*[=:]""")
    number = next((number for number, line in enumerate(lines, 1) if definition.match(line)), None)
    return str(path) if number is None else f"{path}, line {number}"
