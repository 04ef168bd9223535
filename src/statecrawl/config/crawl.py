"""From arguments and files to the plan of a crawl.

A configuration file is TOML with the names of the flags: `max-states = 500`, `deny = ["/logout"]`. What is given on the
command line wins. Files for values and for logging in are described in docs/browser.md.
"""

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from statecrawl.errors import BadInput, UnknownName
from statecrawl.runtime.plan import CrawlPlan, Limits, Resetting, Scope

VERBS = ("fill", "select", "click", "submit", "press")
LISTS = frozenset({"allow", "deny", "deny-element", "ignore", "ignore-attribute", "ignore-text"})
NUMBERS = {"pages": int, "seed": int, "learn": int, "max-states": int, "max-events": int, "max-depth": int}
TIMES = frozenset({"max-time", "horizon", "event-timeout", "load-timeout"})
FLAGS = frozenset({"allow-dangerous", "read-only", "trusted-input", "no-screenshots"})
TEXTS = frozenset(
    {"strategy", "equivalence", "scope", "values", "login", "out", "browser", "reset-url", "reset-command"}
)
KNOWN = LISTS | NUMBERS.keys() | TIMES | FLAGS | TEXTS | {"reset-cost"}
UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}


def crawl_plan(url: str, given: Mapping[str, Any], config: Path | None = None, name: str = "") -> CrawlPlan:
    """The plan for these arguments, by the names of their flags; None means not given.

    `name` is what a bundled application is called, whatever its address is today.

    Raises BadInput or UnknownName with a sentence that says what would be right.
    """
    known = {} if config is None else _read_config(config)
    known |= {name: value for name, value in given.items() if value is not None and value is not False and value != []}
    url = url if "://" in url else f"http://{url}"
    login = _login(Path(known["login"])) if "login" in known else {}
    plan = {
        "url": url,
        "out": Path(known.get("out", default_folder(url, name))),
        "name": name,
        "limits": Limits(
            states=known.get("max-states"),
            events=known.get("max-events"),
            depth=known.get("max-depth"),
            seconds=None if "max-time" not in known else seconds("max-time", known["max-time"]),
        ),
        "scope": Scope(
            allow=tuple(known.get("allow", ())),
            deny=tuple(known.get("deny", ())),
            prefix=known.get("scope", ""),
            deny_elements=tuple(known.get("deny-element", ())),
            allow_dangerous=known.get("allow-dangerous", False),
            read_only=known.get("read-only", False),
        ),
        "resetting": Resetting(url=known.get("reset-url"), command=known.get("reset-command"), **login),
        "values": _values(Path(known["values"])) if "values" in known else (),
        "ignore_selectors": tuple(known.get("ignore", ())),
        "ignore_attributes": tuple(known.get("ignore-attribute", ())),
        "ignore_patterns": tuple(known.get("ignore-text", ())),
        "screenshots": not known.get("no-screenshots", False),
        "trusted": known.get("trusted-input", False),
        "learn_states": known.get("learn"),
        "horizon_seconds": _optional_seconds("horizon", known),
        "event_seconds": _optional_seconds("event-timeout", known),
        "load_seconds": _optional_seconds("load-timeout", known),
        "reset_cost": known.get("reset-cost"),
    } | {name: known.get(name) for name in ("strategy", "pages", "equivalence", "seed", "browser")}
    names = {field.name for field in fields(CrawlPlan)}
    return CrawlPlan(**{name: value for name, value in plan.items() if value is not None and name in names})


def default_folder(url: str, name: str = "") -> str:
    """Where a crawl of this address is kept when nobody says."""
    told = name or urlsplit(url).netloc
    host = "".join(letter if letter.isalnum() or letter in ".-" else "-" for letter in told)
    return f"crawl-{host or 'of-nothing'}"


def seconds(name: str, value: Any) -> float:
    """A time as people write it: 90, "90s", "10m", "2h". Raises BadInput."""
    text = str(value).strip().lower()
    unit = UNITS.get(text[-1:])
    try:
        return float(text if unit is None else text[:-1]) * (unit or 1.0)
    except ValueError as wrong:
        raise BadInput(f"--{name} is a time, as in 90s, 10m or 2h, not '{value}'.") from wrong


def _optional_seconds(name: str, known: Mapping[str, Any]) -> float | None:
    return seconds(name, known[name]) if name in known else None


def _read_config(path: Path) -> dict[str, Any]:
    told = _parsed(path)
    for name, value in told.items():
        if name not in KNOWN:
            raise UnknownName(f"setting in {path}", name, KNOWN)
        right = (
            isinstance(value, list) and all(isinstance(item, str) for item in value)
            if name in LISTS
            else type(value) is int
            if name in NUMBERS
            else isinstance(value, bool)
            if name in FLAGS
            else isinstance(value, str)
            if name in TEXTS
            else isinstance(value, int | float | str)
        )
        if not right:
            raise BadInput(f"{path}: '{name}' cannot be {value!r}; see statecrawl crawl --help.")
    return told


def _parsed(path: Path) -> dict[str, Any]:
    """A file of TOML or JSON with an object at its top."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as trouble:
        reason = trouble.strerror if isinstance(trouble, OSError) else "it is not UTF-8 text"
        raise BadInput(f"cannot read {path}: {reason}.") from trouble
    try:
        told = (
            json.loads(text) if text.lstrip().startswith(("{", "[")) and path.suffix != ".toml" else tomllib.loads(text)
        )
    except (ValueError, RecursionError) as trouble:
        raise BadInput(f"{path} is neither TOML nor JSON: {trouble}.") from trouble
    if not isinstance(told, dict):
        raise BadInput(f"{path} must hold names and values at its top.")
    return told


def _values(path: Path) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Expressions for what a field is called, each with the values to put into it."""
    told = _parsed(path)
    values = []
    for expression, listed in told.items():
        if (
            not isinstance(listed, list)
            or not listed
            or not all(isinstance(value, str | int | float) for value in listed)
        ):
            raise BadInput(f'{path}: write a list of values for each field, as in city = ["Berlin", "Rome"].')
        values.append((expression, tuple(map(str, listed))))
    return tuple(values)


def _login(path: Path) -> dict[str, Any]:
    """Steps, or the saved state of a session as Playwright writes it."""
    told = _parsed(path)
    if "cookies" in told or "origins" in told:
        return {"storage_state": told, "session": str(told.get("session", ""))}
    steps = told.get("step")
    if not isinstance(steps, list) or not steps:
        raise BadInput(f"{path} has no [[step]]: see 'Logging in' in docs/browser.md.")
    return {"login": tuple(_step(path, step) for step in steps), "session": str(told.get("session", ""))}


def _step(path: Path, step: Any) -> dict[str, str]:
    if isinstance(step, dict) and isinstance(step.get("goto"), str):
        return {"goto": step["goto"]}
    verbs = [verb for verb in VERBS if isinstance(step, dict) and isinstance(step.get(verb), str)]
    if len(verbs) != 1:
        raise BadInput(f"{path}: a step has one of goto, {', '.join(VERBS)}, not {step!r}.")
    told = {"verb": verbs[0], "selector": step[verbs[0]]}
    if "env" in step:
        value = os.environ.get(str(step["env"]))
        if value is None:
            raise BadInput(f"{path} needs the environment variable {step['env']}: set it and run again.")
        return told | {"value": value}
    return told | {"value": str(step.get("value", step.get("key", "")))}
