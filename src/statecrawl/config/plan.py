"""The plan of a crawl: all of its settings, validated once, then trusted."""

import re
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from statecrawl.config.fleet import CLIENT_SERVER, FleetSettings
from statecrawl.config.site import SiteSettings
from statecrawl.errors import BadInput, UnknownName
from statecrawl.journal.crawl_bounds import CrawlBounds
from statecrawl.journal.end_reasons import MAX_TIME
from statecrawl.journal.idle_containers import PROBES
from statecrawl.model.equivalence import EQUIVALENCES, is_function
from statecrawl.model.event import KINDS
from statecrawl.model.regex import check, is_in_scope
from statecrawl.ports.access import Access
from statecrawl.strategies.registry import STRATEGIES
from statecrawl.strategies.settings import ModelKind, StrategySettings

DEFAULT_STRATEGY = "novelty"

# Syntax of regular expressions that JavaScript lacks or reads differently than Python; not after \ nor inside [...].
FOREIGN = re.compile(
    r"\\[^AZ]|\[\^?\]?(?:\\.|[^\]\\])*\]"
    r"|(?P<foreign>\\[AZ]|\(\?(?:P|\#|>|\(|[aLux]|[a-zA-Z]+\))|[*+?}]\+|\{,\d+\})",
    re.DOTALL,
)
MIN_PAUSE = 0.001  # seconds
DEFAULT_PORTS = {"http": 80, "https": 443}
MAX_DELAY = 600.0  # seconds
LEAST_CONFIDENCE = 0.5  # less would claim nothing
MAX_RESET_COST = 10**6  # events


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlLimits:
    """Limits that end a crawl before it is complete. None: no limit."""

    states: int | None = None
    events: int | None = None
    seconds: float | None = None
    requests: int | None = None  # made by pages
    depth: int | None = None  # events from the first page

    def __post_init__(self) -> None:
        for name in ("states", "events", "seconds", "requests", "depth"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise BadInput(f"a limit must be more than 0: --max-{'time' if name == 'seconds' else name} {value:g}.")

    def reached(self, states: int, events: int, seconds: float, requests: int = 0) -> str | None:
        """Return the name of the limit that is reached, which is that of its option; None if none is."""
        if self.states is not None and states >= self.states:
            return "max-states"
        if self.events is not None and events >= self.events:
            return "max-events"
        if self.requests is not None and requests >= self.requests:
            return "max-requests"
        return MAX_TIME if self.seconds is not None and seconds >= self.seconds else None

    def pause(self, seconds: float, most: float) -> float:
        """Return how long a caller may wait that must notice the time limit at once; never more than `most`."""
        left = most if self.seconds is None else self.seconds - seconds
        return left if MIN_PAUSE < left < most else most


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What belongs to the application, and which of its events are fired."""

    allow: tuple[str, ...] = ()  # regular expressions for URLs; none: those of the origin
    deny: tuple[str, ...] = ()  # regular expressions for URLs
    prefix: str = ""  # of the path
    deny_elements: tuple[str, ...] = ()  # regular expressions for the text of an element
    events: tuple[str, ...] = ()  # kinds of events to fire; none: all of them
    deny_events: tuple[str, ...] = ()  # kinds of events not to fire, or * for all, each with an optional selector
    allow_dangerous: bool = False
    read_only: bool = False

    def __post_init__(self) -> None:
        for expression in self.deny_elements:
            check_regex(expression)
        for expression in (*self.allow, *self.deny):
            check_page_regex(expression)
        for kind in self.events:
            if kind not in KINDS:
                raise UnknownName("kind of event in --events", kind, KINDS)
        for rule in self.deny_events:
            if rule.partition(" ")[0] not in (*KINDS, "*"):
                raise UnknownName("kind of event in --deny-event", rule.partition(" ")[0], (*KINDS, "*"))

    @property
    def denied_selectors(self) -> tuple[str, ...]:
        """Return the selectors of `deny_events`, which the page matches."""
        selectors = (rule.partition(" ")[2] for rule in self.deny_events)
        return tuple(dict.fromkeys(selector for selector in selectors if selector))

    def url_patterns(self, url: str) -> tuple[str, ...]:
        """Return regular expressions for the URLs that belong to the application that starts at `url`."""
        return self.allow or (_expression(url, self.prefix),)

    def contains(self, start: str, url: str) -> bool:
        """Whether a URL belongs to the application that starts at `start`."""
        return is_in_scope(url, self.url_patterns(start), self.deny)


@lru_cache(maxsize=64)  # used at each reset
def _expression(url: str, prefix: str) -> str:
    """Return a regular expression for the URLs of the same origin whose paths start with `prefix`."""
    prefix = quote(f"/{prefix.lstrip('/')}" if prefix else "", safe="/%!$&'()*+,;=:@~")
    start = re.escape(origin(url) + prefix)
    return f"^{start}" if prefix.endswith("/") else f"^{start}(?:[/?#]|$)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resetting:
    """What a reset does on the server before it, and in the page after it."""

    url: str | None = None  # requested with GET
    command: str | None = None  # run by the shell
    login: tuple[dict[str, str], ...] = ()  # steps, see docs/crawling.md
    session: str = ""  # selector of an element that is there while the session lasts
    storage_state: dict[str, Any] | None = None  # cookies and local storage of a saved session

    @property
    def of_server(self) -> bool:
        """Whether a reset changes the server, which affects all pages."""
        return self.url is not None or self.command is not None

    @property
    def logs_in(self) -> bool:
        """Whether a crawl starts with a login or with a saved session."""
        return bool(self.login or self.storage_state)


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlPlan:
    """All settings of one crawl."""

    url: str
    out: Path
    name: str = ""  # of the application in the journal; empty: its URL
    strategy: str = DEFAULT_STRATEGY
    pages: int = 1
    model: str = ModelKind.AUTO
    exhaustive: bool = False  # distinguish all rows and all values of open ends
    confidence: float = 0.95  # with which the independence of components is claimed
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
    ignore_hidden: bool = False  # hidden content does not distinguish states
    container_probes: int = PROBES  # events without effect before similar containers are left out; 0: never
    learn_states: int = 20  # states to load again to detect dynamic content; 0: none
    reset_cost: float | None = None  # None: measured
    screenshots: bool = True
    traffic: bool = True  # store requests and responses
    keep_secrets: bool = False  # in the journal and the evidence
    key: str = ""  # hexadecimal; opens the sealed secrets in event names. Empty: they are not sealed
    report: bool = True  # write a report at the end
    coverage: bool = False  # measure which parts of the application's scripts run
    trusted: bool = False  # fire events by real mouse and keyboard input
    ignore_robots: bool = False
    delay_seconds: float = 0.0  # between requests to the same host, on average
    max_concurrent: int | None = None  # requests to the same host; None: no limit
    horizon_seconds: float = 10.0  # how far the timers of the page are fast-forwarded after an event
    event_seconds: float = 10.0
    load_seconds: float = 30.0
    browser: str | None = None
    recycle_events: int = 20_000  # events after which a page gets a new tab
    recycle_bytes: int = 1_500 << 20  # resident memory of the browser, per page, at which it is restarted
    fleet: FleetSettings | None = None  # None: a single process
    site: SiteSettings | None = None  # None: crawl the first page and what its events reach

    def __post_init__(self) -> None:
        check_url("", self.url)
        if self.resetting.url is not None:
            check_url("--reset-url ", self.resetting.url)
        if self.strategy not in STRATEGIES:
            raise UnknownName("strategy", self.strategy, STRATEGIES)
        if self.equivalence not in EQUIVALENCES and not is_function(self.equivalence):
            raise UnknownName("equivalence", self.equivalence, EQUIVALENCES)
        self._check_model()
        if not 1 <= self.pages <= 64:
            raise BadInput(f"--pages must be between 1 and 64, not {self.pages}.")
        self._check_numbers()
        if self.reset_cost is not None and not 0 <= self.reset_cost <= MAX_RESET_COST:
            raise BadInput(f"--reset-cost must be between 0 and {MAX_RESET_COST:,} events, not {self.reset_cost:g}.")
        if not 0 <= self.delay_seconds <= MAX_DELAY:
            raise BadInput(f"--delay must be between 0 and {MAX_DELAY:g} seconds, not {self.delay_seconds:g}.")
        if self.max_concurrent is not None and self.max_concurrent < 1:
            raise BadInput(f"--max-concurrent must be at least 1, not {self.max_concurrent}.")
        self._check_follow()
        self._check_times()
        for expression in (*self.ignore_patterns, *(expression for expression, _ in self.values)):
            check_page_regex(expression)

    def _check_model(self) -> None:
        if self.model not in tuple(ModelKind):
            raise UnknownName("model", self.model, tuple(ModelKind))
        if self.fleet is not None and self.model == ModelKind.COMPONENTS:
            self.fleet.check_components()
        elif self.fleet is not None and self.fleet.components is not None:
            raise BadInput("--components needs --model components.")
        if not LEAST_CONFIDENCE <= self.confidence < 1:
            raise BadInput(
                f"--confidence must be at least {LEAST_CONFIDENCE} and less than 1, not {self.confidence:g}."
            )

    def _check_numbers(self) -> None:
        for name, number in (("container-probes", self.container_probes), ("learn-states", self.learn_states)):
            if number < 0:
                raise BadInput(f"--{name} must be 0 or more.")

    def _check_follow(self) -> None:
        missing = [] if self.site is None or self.traffic else self.site.traffic_places()
        if missing:
            raise BadInput(f"--follow {missing[0]} needs the recorded traffic: leave out --no-traffic.")

    def _check_times(self) -> None:
        times = {
            "fast-forward": self.horizon_seconds,
            "event-timeout": self.event_seconds,
            "load-timeout": self.load_seconds,
        }
        for name, seconds in times.items():
            if not 0 < seconds <= 3600:
                raise BadInput(f"--{name} must be more than 0 and at most 3600 seconds, not {seconds:g}.")

    def strategy_settings(self, reset_cost: float) -> StrategySettings:
        """Return the settings of the strategy, given the cost of a reset."""
        return StrategySettings(
            reset_cost=reset_cost,
            seed=self.seed,
            by_url=self.site is not None,
            model=self.model_used,
            exhaustive=self.exhaustive,
            confidence=self.confidence,
        )

    @property
    def model_used(self) -> ModelKind:
        """Return the model that is explored. Nodes that decide for themselves do not switch from one to the other."""
        model = ModelKind(self.model)
        if model is ModelKind.AUTO and self.fleet is not None and self.fleet.architecture != CLIENT_SERVER:
            return ModelKind.STATES
        return model

    @property
    def bounds(self) -> CrawlBounds:
        """Return the bounds beyond which states and URLs are left out on purpose."""
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


def check_url(name: str, url: str, what: str = "a web application", example: str = "http://host:port/path") -> None:
    """Raise BadInput unless this is a URL over HTTP. `name` is that of the option, `what` is what the URL is for."""
    try:
        parts = urlsplit(url)
        valid = parts.scheme in DEFAULT_PORTS and bool(parts.hostname) and parts.port != 0
        valid = valid and not re.search(r"\s", parts.netloc)
    except ValueError:  # an incomplete IPv6 address, a port that is not a number or too large
        valid = False
    if not valid:
        raise BadInput(f"{name}'{url}' is not the URL of {what}: write it as {example}.")


def origin(url: str) -> str:
    """Return scheme, host and port as a browser writes them: lower case, without user and default port."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if ":" in host:
        host = f"[{host}]"
    elif not host.isascii():
        with suppress(UnicodeError):
            host = host.encode("idna").decode()
    port = "" if parts.port in (None, DEFAULT_PORTS.get(parts.scheme)) else f":{parts.port}"
    return f"{parts.scheme}://{host}{port}"


def check_regex(expression: str) -> None:
    """Raise BadInput unless this is a regular expression that can be matched in linear time."""
    _check_syntax(expression)
    _check_linear(expression)


def check_page_regex(expression: str) -> None:
    """Raise BadInput unless this is also a regular expression of JavaScript, for those that the page matches."""
    _check_syntax(expression)
    foreign = next((match["foreign"] for match in FOREIGN.finditer(expression) if match["foreign"]), None)
    if foreign is not None:
        raise BadInput(f"'{expression}' must also work in the page: JavaScript has no '{foreign}', write it without.")
    _check_linear(expression)


def _check_syntax(expression: str) -> None:
    try:
        re.compile(expression)
    except (re.error, OverflowError, RecursionError) as error:
        raise BadInput(f"'{expression}' is not a regular expression: {error}.") from error


def _check_linear(expression: str) -> None:
    try:
        check(expression)
    except ValueError as error:
        raise BadInput(
            f"'{expression}' cannot be matched in linear time ({error}): write it without look-around, back-references"
            " and repetitions of more than 1,000."
        ) from error
