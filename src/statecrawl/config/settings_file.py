"""Files that people write: names and values, as TOML or JSON."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from statecrawl.errors import BadInput


def read_table(path: Path) -> dict[str, Any]:
    """What stands at the top of a file. Raises BadInput when it cannot be read as that."""
    try:
        text = path.read_text(encoding="utf-8-sig")  # editors of Windows begin a file with a mark
    except OSError as trouble:
        raise BadInput(f"cannot read {path}: {trouble.strerror}.") from trouble
    except ValueError as trouble:
        reason = "it is not UTF-8 text" if isinstance(trouble, UnicodeDecodeError) else "no file has such a name"
        raise BadInput(f"cannot read {path}: {reason}.") from trouble
    is_json = text.lstrip().startswith("{")  # no TOML does
    try:
        told: dict[str, Any] = json.loads(text) if is_json else tomllib.loads(text)
    except (ValueError, RecursionError) as trouble:
        raise BadInput(f"{path} is not {'JSON' if is_json else 'TOML'}: {trouble}.") from trouble
    return told


def place_of(path: Path, name: str) -> str:
    """Where a name stands in a file: its path and, where that can be said, the line."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, ValueError):
        return str(path)
    said = re.compile(rf"""\s*["']?{re.escape(name)}["']?\s*[=:]""")
    number = next((number for number, line in enumerate(lines, 1) if said.match(line)), None)
    return str(path) if number is None else f"{path}, line {number}"
