"""Findings: problems of an application, reported by a crawl or by a check of the user.

`exports.findings` detects the kinds listed here; users select them by name (`--fail-on`).
"""

from dataclasses import dataclass
from typing import Literal

Level = Literal["error", "warning", "note"]

SCRIPT_ERROR = "javascript-error"
CONSOLE_ERROR = "console-error"
BROKEN_LINK = "broken-link"
FAILED_REQUEST = "failed-request"
HUNG = "hung-event"
CRASHED = "page-crash"
UNSTEADY = "unsteady-event"
KINDS = {  # kind -> description for people
    SCRIPT_ERROR: "a script of the application failed",
    CONSOLE_ERROR: "the application logged an error to the console",
    BROKEN_LINK: "a page could not be loaded",
    FAILED_REQUEST: "a request of the application failed",
    HUNG: "the page did not settle after an event",
    CRASHED: "an event crashed the page",
    UNSTEADY: "an event does not always lead to the same state",
}
ERRORS = frozenset({SCRIPT_ERROR, BROKEN_LINK, CRASHED})  # the other kinds are warnings
ANY, ERROR, NEW = "any", "error", "new-"  # further values of --fail-on: all kinds, all errors; prefix for new findings


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Problem that a person should look at."""

    kind: str  # such as "javascript-error"
    message: str
    level: Level = "warning"
    state: str = ""  # state in which it was seen
    event: str = ""  # event that caused it, if any
    url: str = ""  # of the page, or of the faulty resource
