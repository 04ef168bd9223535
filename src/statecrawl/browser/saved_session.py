"""The session of a log-in, kept so that resets need not log in again: many log-ins lock an account.

Theory of operation
    After the log-in steps, cookies and storage are saved, and the page where they led is loaded again with them: that
    is where every reset begins. If that shows that nobody is logged in, the application keeps its session elsewhere,
    and every reset logs in. Otherwise a reset restores what was saved, and logs in again only when the session has
    ended: the selector that the user gave is gone, the server answers 401 or 403, or the log-in form is back.

    The server may keep more in the session than who is logged in. When a reset with the saved session does not lead to
    the state where the crawl began, a new log-in is tried. If that leads there, it was worth it; if it does not, the
    start page is another each time, and nobody looks at that any more.

    A log-in may lead out of the scope of the crawl. The agent stops that, and it cannot be told otherwise once it is in
    a document. So when the steps fail and one of them was stopped, they are done again in documents whose agent knows
    no scope. The crawl then begins in a document that was loaded after them, where what was saved makes a browser
    logged in; elsewhere the gate keeps the first document from leaving the scope, but not the frames in it.
"""

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

MOST_LOGINS = 20  # for the sake of what the server keeps in the session
DENIED = (401, 403)  # status of HTTP
COPIED = ("name", "value", "path", "secure", "httpOnly", "sameSite")  # of a cookie

Items = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSession:
    """What makes a browser logged in."""

    url: str  # where the log-in led
    cookies: tuple[dict[str, Any], ...]
    storage: tuple[tuple[str, Items, Items], ...]  # origin, items of the local storage, of the session storage
    form_url: str  # where the log-in form was
    shows_form: bool  # the page where the log-in led has the fields of the form, too

    def is_ended(self, url: str, status: int, *, form: bool) -> bool:
        """Whether a page at this address, with or without the fields of the form, is one where nobody is logged in."""
        if status in DENIED:
            return True
        at_form = _path(url) == _path(self.form_url) != _path(self.url)
        return at_form or (form and not self.shows_form)

    def filling(self) -> str:
        """JavaScript that puts the storage back, before any script of a page runs; nothing when there is none."""
        if not any(local or session for _, local, session in self.storage):
            return ""
        kept = json.dumps({origin: [local, session] for origin, local, session in self.storage})
        return (
            f"(() => {{ const kept = {kept}[location.origin] || [[], []];"
            " for (const [name, value] of kept[0]) localStorage.setItem(name, value);"
            " for (const [name, value] of kept[1]) sessionStorage.setItem(name, value); })()"
        )


@dataclass(slots=True)
class SavedSessions:
    """Of all pages that share one session."""

    saved: SavedSession | None = None
    is_kept: bool = True  # whether what is saved makes a browser logged in
    made: int = 0  # log-ins so far
    roams: bool = False  # whether the steps lead out of the scope
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)  # one logs in, the others use that
    doubted: set[tuple[str | None, str]] = field(default_factory=set)  # state and event after which the form was back
    _starts: dict[object, str] = field(default_factory=dict)  # rules -> state in which a crawl under them begins
    _looks: bool = True  # whether the start page is the same each time

    def begins(self, rules: object, state: str) -> None:
        """A page was logged in and is in this state, under these rules."""
        if self._starts.setdefault(rules, state) != state:
            self._looks = False

    def is_changed(self, rules: object, state: str) -> bool:
        """Whether a new log-in may lead to another state, where the crawl began."""
        return self._looks and self.made < MOST_LOGINS and self._starts.get(rules, state) != state


def cookie_settings(cookies: Iterable[Mapping[str, Any]]) -> tuple[dict[str, Any], ...]:
    """Cookies that a browser has told of, as it takes them."""
    return tuple(map(_cookie_settings, cookies))


def _cookie_settings(cookie: Mapping[str, Any]) -> dict[str, Any]:
    told = {name: cookie[name] for name in COPIED if name in cookie}
    domain = str(cookie["domain"])
    if domain.startswith("."):
        told["domain"] = domain
    else:  # for this host only
        scheme = "https" if cookie.get("secure") else "http"
        told["url"] = f"{scheme}://{f'[{domain}]' if ':' in domain else domain}{cookie.get('path', '/')}"
    if not cookie.get("session", False):
        told["expires"] = cookie["expires"]
    return told


def fields_of(steps: Sequence[Mapping[str, str]]) -> list[str]:
    """Selectors of the fields that a log-in fills in."""
    return [step["selector"] for step in steps if step.get("verb") == "fill"]


def _path(url: str) -> str:
    return urlsplit(url).path
