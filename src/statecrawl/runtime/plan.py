"""The plan of a crawl: what is asked of it, validated once, then trusted."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from statecrawl.errors import BadInput, UnknownName
from statecrawl.strategies.registry import STRATEGIES

EQUIVALENCES = ("content", "structure", "exact")

DANGEROUS = (  # words on an element that say: this ends the session, destroys or pays
    r"\b(?:log|sign)[\s_-]?(?:out|off)\b",
    r"\b(?:delete|destroy|erase|purge|wipe|unsubscribe|deactivate|terminate)\b",
    r"\b(?:remove|close|cancel)[\s_-]+(?:my[\s_-]+)?(?:account|user|subscription|profile)\b",
    r"\b(?:pay|checkout|purchase|buy|order)(?:[\s_-]+now)?\b",
    r"\bshut[\s_-]?down\b|\bfactory[\s_-]?reset\b|\bformat[\s_-]+disk\b",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """When a crawl ends before it is complete; None is no limit."""

    states: int | None = None
    events: int | None = None
    seconds: float | None = None
    depth: int | None = None  # events from the first page

    def __post_init__(self) -> None:
        for name in ("states", "events", "seconds", "depth"):
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise BadInput(f"a limit must be more than 0: --max-{'time' if name == 'seconds' else name} {value:g}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What belongs to the application."""

    allow: tuple[str, ...] = ()  # expressions for addresses; none: those of the seed's origin
    deny: tuple[str, ...] = ()  # expressions for addresses
    prefix: str = ""  # of the path
    deny_elements: tuple[str, ...] = ()  # expressions for the words of an element
    allow_dangerous: bool = False
    read_only: bool = False

    def __post_init__(self) -> None:
        for expression in (*self.allow, *self.deny, *self.deny_elements):
            check_expression(expression)

    def addresses(self, url: str) -> tuple[str, ...]:
        """Expressions for the addresses that belong to it, given where it begins."""
        if self.allow:
            return self.allow
        parts = urlsplit(url)
        start = re.escape(f"{parts.scheme}://{parts.netloc}{self.prefix}")
        return (f"^{start}" if self.prefix.endswith("/") else f"^{start}(?:[/?#]|$)",)

    def refused(self) -> tuple[str, ...]:
        """Expressions for the words of elements that are not to be touched."""
        return (*self.deny_elements, *(() if self.allow_dangerous else DANGEROUS))


@dataclass(frozen=True, slots=True, kw_only=True)
class Resetting:
    """What is done on the server before each reset, and in the page after it."""

    url: str | None = None  # asked for by GET
    command: str | None = None  # run by the shell
    login: tuple[dict[str, str], ...] = ()  # steps, see docs/browser.md
    session: str = ""  # a selector that is there as long as somebody is logged in
    storage_state: dict[str, Any] | None = None  # cookies and local storage of a saved session


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlPlan:
    """Everything about one crawl."""

    url: str
    out: Path
    name: str = ""  # of the application in the journal; nothing: its address
    strategy: str = "probability"
    pages: int = 1
    equivalence: str = "content"
    seed: int = 0
    limits: Limits = field(default_factory=Limits)
    scope: Scope = field(default_factory=Scope)
    resetting: Resetting = field(default_factory=Resetting)
    values: tuple[tuple[str, tuple[str, ...]], ...] = ()
    ignore_selectors: tuple[str, ...] = ()
    ignore_attributes: tuple[str, ...] = ()
    ignore_patterns: tuple[str, ...] = ()
    learn_states: int = 20  # states that are loaded again to learn what is volatile; 0 learns nothing
    reset_cost: float | None = None  # None: measured
    screenshots: bool = True
    trusted: bool = False
    horizon_seconds: float = 10.0  # of page time
    event_seconds: float = 10.0
    load_seconds: float = 30.0
    browser: str | None = None
    recycle_events: int = 20_000  # of one page
    recycle_bytes: int = 1_500 << 20  # resident memory of the browser, per page

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise BadInput(f"'{self.url}' is no address of a web application: write it as http://host:port/path.")
        if self.strategy not in STRATEGIES:
            raise UnknownName("strategy", self.strategy, STRATEGIES)
        if self.equivalence not in EQUIVALENCES:
            raise UnknownName("equivalence", self.equivalence, EQUIVALENCES)
        if not 1 <= self.pages <= 64:
            raise BadInput(f"--pages must be between 1 and 64, not {self.pages}.")
        if self.learn_states < 0:
            raise BadInput("--learn must be 0 or more.")
        for seconds in (self.horizon_seconds, self.event_seconds, self.load_seconds):
            if not 0 < seconds <= 3600:
                raise BadInput(f"a time must be more than 0 and at most 3600 seconds, not {seconds:g}.")
        for expression in (*self.ignore_patterns, *(expression for expression, _ in self.values)):
            check_expression(expression)


def check_expression(expression: str) -> None:
    """Raises BadInput when this is no regular expression."""
    try:
        re.compile(expression)
    except re.error as trouble:
        raise BadInput(f"'{expression}' is no regular expression: {trouble}.") from trouble
