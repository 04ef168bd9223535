"""Files for logging in: steps, or the saved state of a session as Playwright writes it. See docs/crawling.md."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from statecrawl.config.settings_file import read_table
from statecrawl.errors import BadInput, UnknownName
from statecrawl.privacy.secret_names import is_secret_name

VERBS = ("goto", "fill", "select", "click", "submit", "press")
VALUES = {"fill": ("value", "env"), "select": ("value", "env"), "press": ("key", "value", "env")}  # one of these, each
COOKIE: dict[str, tuple[type, ...]] = {  # what the browser is told of a cookie; a saved state may say more
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
    """What the file says, by the names of `Resetting`; addresses in it may be relative to `url`.

    A value is secret when it comes from the environment, or goes into a field that is called like one for passwords;
    such a step says so.

    Raises BadInput or UnknownName. What is quoted in the message is never a value: it may be a secret.
    """
    told = read_table(path)
    session = told.get("session", "")
    if not isinstance(session, str):
        raise BadInput(f"{path}: 'session' is a selector, as in session = \"#account\".")
    if "cookies" in told or "origins" in told:
        return {"storage_state": _saved(path, told), "session": session}
    for name in told:
        if name not in ("step", "session"):
            raise UnknownName(f"setting in {path}", name, ("step", "session"))
    steps = told.get("step")
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
        raise BadInput(f"{place}: write one of {', '.join(VERBS)}, with an address or a selector.")
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
    found = os.environ.get(str(value))
    if found is None:
        raise BadInput(f"{place} needs the environment variable {value}: set it and run again.")
    return found


def _saved(path: Path, told: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a saved state that can be restored, in the shape that the browser takes."""
    cookies, origins = told.get("cookies", []), told.get("origins", [])
    if not (isinstance(cookies, list) and all(map(_is_cookie, cookies))):
        raise BadInput(
            f"{path}: each of 'cookies' needs a name, a value and a domain, as Playwright's storageState has."
        )
    if not (isinstance(origins, list) and all(map(_is_origin, origins))):
        raise BadInput(f"{path}: each of 'origins' needs an origin and a localStorage of names and values.")
    return {
        "cookies": [{name: value for name, value in cookie.items() if name in COOKIE} for cookie in cookies],
        "origins": origins,
    }


def _is_cookie(cookie: Any) -> bool:
    if not isinstance(cookie, dict) or not {"name", "value"} <= cookie.keys() or not {"domain", "url"} & cookie.keys():
        return False
    right = all(type(cookie[name]) in kinds for name, kinds in COOKIE.items() if name in cookie)
    return right and cookie.get("sameSite", "Lax") in ("Strict", "Lax", "None")


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
