"""Findings: what is wrong with an application, as a crawl or somebody's own check sees it."""

from dataclasses import dataclass
from typing import Literal

Level = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that somebody should look at."""

    kind: str  # what it is called, as in "javascript-error"
    message: str
    level: Level = "warning"
    state: str = ""  # in which it was seen
    event: str = ""  # that was fired there, if it was that
    url: str = ""  # of the page, or what is wrong
