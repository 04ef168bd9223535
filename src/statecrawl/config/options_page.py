"""docs/options.md: the reference of all options, generated from the option table."""

import json
from itertools import groupby

from statecrawl.config import options
from statecrawl.config.option_row import Option
from statecrawl.config.value_types import FLAG

HEAD = """\
# Options of a crawl

This page lists every option of the commands that start a crawl: `statecrawl crawl`, `serve` and `roles`. `make docs`
generates it from the option table in `src/statecrawl/config/options.py`.

Options whose example contains `=` can also be written in a settings file, as in the example, and passed to the Python
API, with underscores for dashes. `statecrawl init` writes a settings file that describes all of them:

```toml
url = "http://shop.test/"
max-time = "10m"
deny = ["/admin"]
read-only = true
```

Run it with `statecrawl crawl --config crawl.toml`. Options on the command line override the file. Times are written as
`500ms`, `90s`, `10m` or `2h`. Repeat an option on the command line to give it several values.
"""
COLUMNS = "| option | type | default | example | meaning |\n|---|---|---|---|---|\n"
RUN_TITLE = "The run"


def options_page() -> str:
    """Return the text of docs/options.md."""
    parts = [HEAD]
    for panel, rows in groupby(options.OPTIONS, lambda row: row.panel):
        parts.append(f"\n## {panel or RUN_TITLE}\n\n{COLUMNS}")
        parts += map(_line, rows)
    return "".join(parts)


def _line(row: Option) -> str:
    flags = f"`--{row.name}`" + (f", `{row.short}`" if row.short else "")
    kind = f"{row.type.label} ({row.unit})" if row.unit else row.type.label
    return f"| {flags} | {kind} | {_cell(row.default_text)} | `{_example(row)}` | {_cell(_meaning(row))} |\n"


def _example(row: Option) -> str:
    if row.is_setting:
        return f"{row.name} = {json.dumps(row.example)}"
    value = row.example[0] if isinstance(row.example, list) else row.example
    return f"--{row.name}" + ("" if row.type is FLAG else f" {value}")


def _meaning(row: Option) -> str:
    parts = [row.help]
    if row.choices:
        parts.append(f"Values: {', '.join(f'`{choice}`' for choice in row.choices)}.")
    if row.needs is not None:
        parts.append(f"Needs `{row.needs}`.")
    others = [f"`--{name}`" for conflict in row.conflicts for name in conflict.options]
    if others:
        parts.append(f"Not with {' or '.join(others)}.")
    if row.commands:
        parts.append(f"For {', '.join(f'`{command}`' for command in row.commands)}.")
    excluded = [f"`{command}`" for conflict in row.conflicts for command in conflict.commands]
    if excluded:
        parts.append(f"Not for {' or '.join(excluded)}.")
    return " ".join(parts)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*")
