"""The plan of a crawl: what is asked of it, validated once, then trusted."""

import re
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from statecrawl.browser.agent import is_function
from statecrawl.config.fleet import FleetSettings
from statecrawl.config.site import SiteSettings
from statecrawl.errors import BadInput, UnknownName
from statecrawl.journal.crawl_bounds import CrawlBounds
from statecrawl.journal.end_reasons import MAX_TIME
from statecrawl.journal.idle_containers import PROBES
from statecrawl.model.event import KINDS
from statecrawl.model.regex import check, is_in_scope
from statecrawl.ports.access import Access
from statecrawl.strategies.registry import STRATEGIES

DEFAULT_STRATEGY = "probability"
EQUIVALENCES = ("content", "structure", "exact")
IDENTITY = "identity"  # how a journal names the version of the rules by which the agent makes ids of states
IDENTITY_VERSION = 2  # 1 had no name: class and style as they were written, `back` among the events

# What Python reads in an expression and JavaScript does not, or not in the same way; not behind \ nor inside [...].
FOREIGN = re.compile(
    r"\\[^AZ]|\[\^?\]?(?:\\.|[^\]\\])*\]"
    r"|(?P<foreign>\\[AZ]|\(\?(?:P|\#|>|\(|[aLux]|[a-zA-Z]+\))|[*+?}]\+|\{,\d+\})",
    re.DOTALL,
)
LEAST_PAUSE = 0.001  # seconds
USUAL_PORTS = {"http": 80, "https": 443}
MOST_DELAY = 600.0  # seconds
MOST_RESET_COST = 10**6  # events


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlLimits:
    """When a crawl ends before it is complete; None is no limit."""

    states: int | None = None
    events: int | None = None
    seconds: float | None = None
    requests: int | None = None  # of pages
    depth: int | None = None  # events from the first page

    def __post_init__(self) -> None:
        for name in ("states", "events", "seconds", "requests", "depth"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise BadInput(f"a limit must be more than 0: --max-{'time' if name == 'seconds' else name} {value:g}.")

    def reached(self, states: int, events: int, seconds: float, requests: int = 0) -> str | None:
        """Which of them has been, by the name of its flag."""
        if self.states is not None and states >= self.states:
            return "max-states"
        if self.events is not None and events >= self.events:
            return "max-events"
        if self.requests is not None and requests >= self.requests:
            return "max-requests"
        return MAX_TIME if self.seconds is not None and seconds >= self.seconds else None

    def pause(self, seconds: float, most: float) -> float:
        """How long somebody may wait who has to know at once when the time is over; `most` at any rate."""
        left = most if self.seconds is None else self.seconds - seconds
        return left if LEAST_PAUSE < left < most else most


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What belongs to the application."""

    allow: tuple[str, ...] = ()  # expressions for addresses; none: those of the seed's origin
    deny: tuple[str, ...] = ()  # expressions for addresses
    prefix: str = ""  # of the path
    deny_elements: tuple[str, ...] = ()  # regular expressions for the words of an element
    events: tuple[str, ...] = ()  # kinds of events that are fired; none: all of them
    deny_events: tuple[str, ...] = ()  # kinds of events that are not fired, or * for all, each perhaps with a selector
    allow_dangerous: bool = False
    read_only: bool = False

    def __post_init__(self) -> None:
        for expression in self.deny_elements:
            check_expression(expression)
        for expression in (*self.allow, *self.deny):
            check_page_expression(expression)
        for kind in self.events:
            if kind not in KINDS:
                raise UnknownName("kind of event in --events", kind, KINDS)
        for rule in self.deny_events:
            if rule.partition(" ")[0] not in (*KINDS, "*"):
                raise UnknownName("kind of event in --deny-event", rule.partition(" ")[0], (*KINDS, "*"))

    @property
    def denied_selectors(self) -> tuple[str, ...]:
        """What the page has to look for: the selectors of the rules for events."""
        selectors = (rule.partition(" ")[2] for rule in self.deny_events)
        return tuple(dict.fromkeys(selector for selector in selectors if selector))

    def addresses(self, url: str) -> tuple[str, ...]:
        """Expressions for the addresses that belong to it, given where it begins."""
        return self.allow or (_expression(url, self.prefix),)

    def holds(self, url: str, address: str) -> bool:
        """Whether an address belongs to the application that begins at `url`."""
        return is_in_scope(address, self.addresses(url), self.deny)


@lru_cache(maxsize=64)  # it is asked for at each reset
def _expression(url: str, prefix: str) -> str:
    """An expression for the addresses of the same origin whose paths begin like this."""
    prefix = quote(f"/{prefix.lstrip('/')}" if prefix else "", safe="/%!$&'()*+,;=:@~")
    start = re.escape(origin(url) + prefix)
    return f"^{start}" if prefix.endswith("/") else f"^{start}(?:[/?#]|$)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resetting:
    """What is done on the server before each reset, and in the page after it."""

    url: str | None = None  # asked for by GET
    command: str | None = None  # run by the shell
    login: tuple[dict[str, str], ...] = ()  # steps, see docs/crawling.md
    session: str = ""  # a selector that is there as long as somebody is logged in
    storage_state: dict[str, Any] | None = None  # cookies and local storage of a saved session

    @property
    def of_server(self) -> bool:
        """Whether a reset changes the server, which all pages feel."""
        return self.url is not None or self.command is not None

    @property
    def logs_in(self) -> bool:
        """Whether somebody is logged in when a crawl begins."""
        return bool(self.login or self.storage_state)


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlPlan:
    """Everything about one crawl."""

    url: str
    out: Path
    name: str = ""  # of the application in the journal; nothing: its address
    strategy: str = DEFAULT_STRATEGY
    pages: int = 1
    equivalence: str = "content"
    seed: int = 0
    limits: CrawlLimits = field(default_factory=CrawlLimits)
    scope: Scope = field(default_factory=Scope)
    resetting: Resetting = field(default_factory=Resetting)
    access: Access = field(default_factory=Access)
    values: tuple[tuple[str, tuple[str, ...]], ...] = ()
    ignore_selectors: tuple[str, ...] = ()
    ignore_attributes: tuple[str, ...] = ()
    ignore_patterns: tuple[str, ...] = ()
    ignore_hidden: bool = False  # what cannot be seen makes no states
    container_probes: int = PROBES  # events without effect before containers alike are left out; 0: they never are
    learn_states: int = 20  # states that are loaded again to find dynamic content; 0 learns nothing
    reset_cost: float | None = None  # None: measured
    screenshots: bool = True
    traffic: bool = True  # requests and answers are kept
    keep_secrets: bool = False  # in journal and evidence
    key: str = ""  # that opens the secrets in names of events, in hexadecimal digits; nothing: they are not sealed
    report: bool = True  # written at the end
    coverage: bool = False  # find out which parts of the application's scripts run
    trusted: bool = False
    ignore_robots: bool = False
    delay_seconds: float = 0.0  # between requests to the same host, on average
    most_concurrent: int | None = None  # requests to the same host; None: any number
    horizon_seconds: float = 10.0  # of page time
    event_seconds: float = 10.0
    load_seconds: float = 30.0
    browser: str | None = None
    recycle_events: int = 20_000  # of one page
    recycle_bytes: int = 1_500 << 20  # resident memory of the browser, per page
    fleet: FleetSettings | None = None  # None: one process crawls
    site: SiteSettings | None = None  # None: one page is crawled, and what its events lead to

    def __post_init__(self) -> None:
        check_address("", self.url)
        if self.resetting.url is not None:
            check_address("--reset-url ", self.resetting.url)
        if self.strategy not in STRATEGIES:
            raise UnknownName("strategy", self.strategy, STRATEGIES)
        if self.equivalence not in EQUIVALENCES and not is_function(self.equivalence):
            raise UnknownName("equivalence", self.equivalence, EQUIVALENCES)
        if not 1 <= self.pages <= 64:
            raise BadInput(f"--pages must be between 1 and 64, not {self.pages}.")
        self._check_numbers()
        if self.reset_cost is not None and not 0 <= self.reset_cost <= MOST_RESET_COST:
            raise BadInput(f"--reset-cost must be between 0 and {MOST_RESET_COST:,} events, not {self.reset_cost:g}.")
        if not 0 <= self.delay_seconds <= MOST_DELAY:
            raise BadInput(f"--delay must be between 0 and {MOST_DELAY:g} seconds, not {self.delay_seconds:g}.")
        if self.most_concurrent is not None and self.most_concurrent < 1:
            raise BadInput(f"--max-concurrent must be at least 1, not {self.most_concurrent}.")
        self._check_following()
        self._check_times()
        for expression in (*self.ignore_patterns, *(expression for expression, _ in self.values)):
            check_page_expression(expression)

    def _check_numbers(self) -> None:
        for name, number in (("container-probes", self.container_probes), ("learn", self.learn_states)):
            if number < 0:
                raise BadInput(f"--{name} must be 0 or more.")

    def _check_following(self) -> None:
        heard = [] if self.site is None or self.traffic else self.site.traffic_places()
        if heard:
            raise BadInput(f"--follow {heard[0]} is about requests and answers: leave out --no-traffic.")

    def _check_times(self) -> None:
        times = {
            "horizon": self.horizon_seconds,
            "event-timeout": self.event_seconds,
            "load-timeout": self.load_seconds,
        }
        for name, seconds in times.items():
            if not 0 < seconds <= 3600:
                raise BadInput(f"--{name} must be more than 0 and at most 3600 seconds, not {seconds:g}.")

    @property
    def bounds(self) -> CrawlBounds:
        """What is left out on purpose."""
        site = self.site
        if site is None:
            return CrawlBounds(depth=self.limits.depth, probes=self.container_probes)
        return CrawlBounds(
            depth=self.limits.depth,
            urls=site.urls,
            urls_alike=site.urls_alike,
            states_at_url=site.states_at_url,
            probes=self.container_probes,
        )


def check_address(name: str, url: str, what: str = "a web application", example: str = "http://host:port/path") -> None:
    """Raises BadInput when this cannot be where a web application is, or whatever; `name` is that of the option."""
    try:
        parts = urlsplit(url)
        right = parts.scheme in USUAL_PORTS and bool(parts.hostname) and parts.port != 0
        right = right and not re.search(r"\s", parts.netloc)
    except ValueError:  # half an IPv6 address, a port that is no number or too large
        right = False
    if not right:
        raise BadInput(f"{name}'{url}' is no address of {what}: write it as {example}.")


def origin(url: str) -> str:
    """Scheme, host and port as a browser says them: in small letters, without user and without the usual port."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if ":" in host:
        host = f"[{host}]"
    elif not host.isascii():
        with suppress(UnicodeError):
            host = host.encode("idna").decode()
    port = "" if parts.port in (None, USUAL_PORTS.get(parts.scheme)) else f":{parts.port}"
    return f"{parts.scheme}://{host}{port}"


def check_expression(expression: str) -> None:
    """Raises BadInput if this is not a regular expression that can be matched in linear time."""
    _check_syntax(expression)
    _check_linear(expression)


def check_page_expression(expression: str) -> None:
    """The same for one that the page has to understand as well, which speaks JavaScript."""
    _check_syntax(expression)
    foreign = next((found["foreign"] for found in FOREIGN.finditer(expression) if found["foreign"]), None)
    if foreign is not None:
        raise BadInput(f"'{expression}' means nothing to the page: JavaScript has no '{foreign}', write it without.")
    _check_linear(expression)


def _check_syntax(expression: str) -> None:
    try:
        re.compile(expression)
    except (re.error, OverflowError, RecursionError) as trouble:
        raise BadInput(f"'{expression}' is no regular expression: {trouble}.") from trouble


def _check_linear(expression: str) -> None:
    try:
        check(expression)
    except ValueError as wrong:
        raise BadInput(
            f"'{expression}' cannot be matched in linear time ({wrong}): write it without look-around, back-references"
            " and repetitions of more than 1,000."
        ) from wrong
