"""Saved session: the session of a login, reused so that resets need not log in again. Many logins lock an account.

Theory of operation
    After the login steps, cookies and storage are saved, and the page that the steps led to is loaded again with them.
    Every reset starts there. If that page shows that the user is logged out, the application stores its session
    elsewhere, and every reset logs in. Otherwise a reset restores the saved session, and logs in again only when the
    session has ended: the selector that the user gave is gone, the server answers 401 or 403, or the login form is
    back.

    The server may store more in the session than the user's identity. When a reset with the saved session does not lead
    to the state where the crawl started, a new login is tried. If the login leads there, it was necessary. If it does
    not, the start page differs each time, and is not compared any more.

    A login may lead out of the scope of the crawl. The agent stops that, and its scope cannot change once it is in a
    document. So when the steps fail and one of them was stopped, they are repeated in documents whose agent knows no
    scope. The crawl then starts in a document that was loaded after them, where the saved session makes the browser
    logged in. Otherwise the gate prevents the first document from leaving the scope, but not the frames in it.
"""

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

MOST_LOGINS = 20  # to restore what the server stores in the session
DENIED = (401, 403)  # HTTP status codes
COPIED = ("name", "value", "path", "secure", "httpOnly", "sameSite")  # of a cookie

Items = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSession:
    """A session that makes a browser logged in."""

    url: str  # where the login led
    cookies: tuple[dict[str, Any], ...]
    storage: tuple[tuple[str, Items, Items], ...]  # origin, items of the local storage, of the session storage
    form_url: str  # where the login form was
    shows_form: bool  # the page that the login led to also has the fields of the form

    def is_ended(self, url: str, status: int, *, form: bool) -> bool:
        """Return whether a page at this URL, with or without the fields of the form, shows a logged-out user."""
        if status in DENIED:
            return True
        at_form = _path(url) == _path(self.form_url) != _path(self.url)
        return at_form or (form and not self.shows_form)

    def storage_script(self) -> str:
        """Return JavaScript that restores the storage before any script of a page runs; "" when there is none."""
        if not any(local or session for _, local, session in self.storage):
            return ""
        items = json.dumps({origin: [local, session] for origin, local, session in self.storage})
        return (
            f"(() => {{ const items = {items}[location.origin] || [[], []];"
            " for (const [name, value] of items[0]) localStorage.setItem(name, value);"
            " for (const [name, value] of items[1]) sessionStorage.setItem(name, value); })()"
        )


@dataclass(slots=True)
class SavedSessions:
    """Login state that all pages with one session share."""

    saved: SavedSession | None = None
    is_reusable: bool = True  # whether the saved session makes a browser logged in
    count: int = 0  # logins so far
    leave_scope: bool = False  # whether the steps lead out of the scope
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)  # one page logs in, the others reuse its session
    suspected: set[tuple[str | None, str]] = field(default_factory=set)  # state and event before the login form
    _starts: dict[object, str] = field(default_factory=dict)  # rules -> state in which a crawl under them starts
    _is_start_stable: bool = True

    def record_start(self, rules: object, state: str) -> None:
        """Record the state of a page after its login, under these rules."""
        if self._starts.setdefault(rules, state) != state:
            self._is_start_stable = False

    def is_changed(self, rules: object, state: str) -> bool:
        """Return whether a new login may lead back to the state where the crawl started."""
        return self._is_start_stable and self.count < MOST_LOGINS and self._starts.get(rules, state) != state


def cookie_settings(cookies: Iterable[Mapping[str, Any]]) -> tuple[dict[str, Any], ...]:
    """Convert cookies that a browser reported to the form in which it accepts them."""
    return tuple(map(_cookie_settings, cookies))


def _cookie_settings(cookie: Mapping[str, Any]) -> dict[str, Any]:
    settings = {name: cookie[name] for name in COPIED if name in cookie}
    domain = str(cookie["domain"])
    if domain.startswith("."):
        settings["domain"] = domain
    else:  # valid for this host only
        scheme = "https" if cookie.get("secure") else "http"
        settings["url"] = f"{scheme}://{f'[{domain}]' if ':' in domain else domain}{cookie.get('path', '/')}"
    if not cookie.get("session", False):
        settings["expires"] = cookie["expires"]
    return settings


def fields_of(steps: Sequence[Mapping[str, str]]) -> list[str]:
    """Return the selectors of the fields that a login fills in."""
    return [step["selector"] for step in steps if step.get("verb") == "fill"]


def _path(url: str) -> str:
    return urlsplit(url).path
