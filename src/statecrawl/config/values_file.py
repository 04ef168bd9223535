"""Files with values for form fields. See docs/crawling.md."""

import hashlib
import json
from pathlib import Path

from statecrawl.config.settings_file import read_table
from statecrawl.errors import BadInput


def read_values(path: Path) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return regular expressions for field names, each with the values for such fields. Raises BadInput."""
    values = []
    for expression, listed in read_table(path).items():
        if not isinstance(listed, list) or not listed or not all(type(value) in (str, int, float) for value in listed):
            raise BadInput(f'{path}: write a list of values for each field, as in city = ["Berlin", "Rome"].')
        values.append((expression, tuple(map(str, listed))))
    return tuple(values)


def fingerprint(values: object) -> str:
    """Return a hash that distinguishes values without revealing them."""
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:16] if values else "none"
