"""Findings: problems of an application, reported by a crawl or by a check of the user."""

from dataclasses import dataclass
from typing import Literal

Level = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Problem that a person should look at."""

    kind: str  # such as "javascript-error"
    message: str
    level: Level = "warning"
    state: str = ""  # state in which it was seen
    event: str = ""  # event that caused it, if any
    url: str = ""  # of the page, or of the faulty resource
