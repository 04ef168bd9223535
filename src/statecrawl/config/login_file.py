"""Login files: steps, or a saved session in Playwright's storageState format. See docs/crawling.md."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from statecrawl.config.settings_file import read_table
from statecrawl.errors import BadInput, UnknownName
from statecrawl.privacy.secret_names import is_secret_name

VERBS = ("goto", "fill", "select", "click", "submit", "press")
VALUES = {"fill": ("value", "env"), "select": ("value", "env"), "press": ("key", "value", "env")}  # exactly one of them
COOKIE: dict[str, tuple[type, ...]] = {  # fields that the browser takes; a saved session may have more
    "name": (str,),
    "value": (str,),
    "url": (str,),
    "domain": (str,),
    "path": (str,),
    "expires": (int, float),
    "httpOnly": (bool,),
    "secure": (bool,),
    "sameSite": (str,),
}


def read_login(path: Path, url: str) -> dict[str, Any]:
    """Return the fields of `Resetting` that a login file defines. URLs in the file may be relative to `url`.

    A value is secret if it comes from the environment or if the name of its field is that of a password; the step is
    then marked as secret.

    Raises BadInput or UnknownName. The message never contains a value, because it may be a secret.
    """
    table = read_table(path)
    session = table.get("session", "")
    if not isinstance(session, str):
        raise BadInput(f"{path}: 'session' is a CSS selector, as in session = \"#account\".")
    if "cookies" in table or "origins" in table:
        return {"storage_state": _saved_session(path, table), "session": session}
    for name in table:
        if name not in ("step", "session"):
            raise UnknownName(f"setting in {path}", name, ("step", "session"))
    steps = table.get("step")
    if not isinstance(steps, list) or not steps:
        raise BadInput(f"{path} has no [[step]]: see 'Log in' in docs/crawling.md.")
    return {
        "login": tuple(_step(f"{path}, step {n}", step, url) for n, step in enumerate(steps, 1)),
        "session": session,
    }


def _step(place: str, step: Any, url: str) -> dict[str, str]:
    words = step if isinstance(step, dict) else {}
    for name in words:
        if name not in (*VERBS, "value", "env", "key"):
            raise UnknownName(f"word in {place}", name, (*VERBS, "value", "env", "key"))
    verbs = [verb for verb in VERBS if verb in words]
    if len(verbs) != 1 or not (isinstance(words[verbs[0]], str) and words[verbs[0]]):
        raise BadInput(f"{place}: write one of {', '.join(VERBS)}, with a URL or a selector.")
    verb, selector = verbs[0], words[verbs[0]]
    if verb == "goto":
        return {"goto": urljoin(url, selector)}
    secret = {"secret": "yes"} if "env" in words or (verb == "fill" and is_secret_name(selector)) else {}
    return {"verb": verb, "selector": selector, "value": _value(place, verb, words), **secret}


def _value(place: str, verb: str, words: Mapping[str, Any]) -> str:
    wanted = VALUES.get(verb, ())
    given = [name for name in ("value", "env", "key") if name in words]
    if not wanted and not given:
        return ""
    if len(given) != 1 or given[0] not in wanted:
        needs = f"needs one of {', '.join(wanted)}" if wanted else "takes no value"
        raise BadInput(f"{place}: '{verb}' {needs}.")
    value = words[given[0]]
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise BadInput(f"{place}: '{given[0]}' must be a text.")
    if given[0] != "env":
        return str(value)
    secret = os.environ.get(str(value))
    if secret is None:
        raise BadInput(f"{place} needs the environment variable {value}: set it and run again.")
    return secret


def _saved_session(path: Path, table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a saved session that can be restored, in the form that the browser takes."""
    cookies, origins = table.get("cookies", []), table.get("origins", [])
    if not (isinstance(cookies, list) and all(map(_is_cookie, cookies))):
        raise BadInput(
            f"{path}: each of 'cookies' needs a name, a value and a domain, as in Playwright's storageState."
        )
    if not (isinstance(origins, list) and all(map(_is_origin, origins))):
        raise BadInput(f"{path}: each of 'origins' needs an origin, and a localStorage with names and values.")
    return {
        "cookies": [{name: value for name, value in cookie.items() if name in COOKIE} for cookie in cookies],
        "origins": origins,
    }


def _is_cookie(cookie: Any) -> bool:
    if not isinstance(cookie, dict) or not {"name", "value"} <= cookie.keys() or not {"domain", "url"} & cookie.keys():
        return False
    valid = all(type(cookie[name]) in kinds for name, kinds in COOKIE.items() if name in cookie)
    return valid and cookie.get("sameSite", "Lax") in ("Strict", "Lax", "None")


def _is_origin(origin: Any) -> bool:
    return (
        isinstance(origin, dict)
        and isinstance(origin.get("origin"), str)
        and isinstance(origin.get("localStorage", []), list)
        and all(
            isinstance(item, dict) and isinstance(item.get("name"), str) and isinstance(item.get("value"), str)
            for item in origin.get("localStorage", [])
        )
    )
