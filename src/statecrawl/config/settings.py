"""Settings of a crawl, from the command line, a settings file and the Python API, to typed values by option name.

A settings file is TOML (or JSON) with the names of the options: `max-states = 500`, `deny = ["/logout"]`. What is given
on the command line or in a program overrides it. Former names of options are accepted as well.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from statecrawl.config import options
from statecrawl.config.option_row import Option
from statecrawl.config.saved_settings import unsealed
from statecrawl.config.settings_file import place_of, read_table
from statecrawl.config.value_types import TEXT, ValueType
from statecrawl.errors import BadInput, UnknownName

URL = "url"  # setting that is an argument of the commands: where the application starts


def settings_of(given: Mapping[str, Any], config: Path | None = None) -> dict[str, Any]:
    """Return the typed settings: what is given, and what a file has besides. None, False and [] mean: not given.

    Names that are not those of settings are ignored. Raises BadInput and UnknownName.
    """
    known = {} if config is None else read_config(config)
    known.pop(URL, None)
    rows = _rows_by_name()
    present = {
        name: value for name, value in given.items() if name in rows and value is not None and value is not False
    }
    return known | _typed({name: value for name, value in present.items() if value != []})


def read_config(path: Path) -> dict[str, Any]:
    """Return the typed settings of a file, with `url` if it has one. Raises BadInput and UnknownName."""
    table = read_table(path)
    rows = _rows_by_name()
    for name, value in table.items():
        place = place_of(path, name)
        if name != URL and name not in rows:
            raise UnknownName(f"setting in {place}", name, {*options.settings(), URL})
        try:
            _check_type(name, TEXT if name == URL else rows[name].type, value)
        except BadInput as error:
            raise BadInput(f"{place}: {error}") from None
    opened = {name: unsealed(path, value) for name, value in table.items()}
    url = {URL: opened.pop(URL)} if URL in opened else {}
    return url | _typed(opened)


def check_setting(name: str, value: Any) -> None:
    """Raise UnknownName if there is no such setting, and BadInput if the value has the wrong type. None: not given."""
    rows = _rows_by_name()
    if name not in rows:
        raise UnknownName("setting", name, options.settings())
    if value is not None:
        _check_type(name, rows[name].type, value)


def _rows_by_name() -> dict[str, Option]:
    """Return the settings by name and by former names."""
    return {name: row for row in options.settings().values() for name in (row.name, *row.aliases)}


def _typed(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return accepted values as typed values, by the present names of the options."""
    typed: dict[str, Any] = {}
    rows = _rows_by_name()
    for name, value in values.items():
        row = rows[name]
        if row.name in typed:
            raise BadInput(f"--{row.name} is given twice, once as --{next(iter(row.aliases))}: leave out one of them.")
        typed[row.name] = row.type.parse(row.name, value)
    return typed


def _check_type(name: str, kind: ValueType, value: Any) -> None:
    if not kind.accepts(value):
        raise BadInput(f"'{name}' is {kind.description}, not {value!r}.")
