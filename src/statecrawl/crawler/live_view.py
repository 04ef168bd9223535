"""The live view of a crawl: its progress as one small value for the terminal, programs and the live page.

Theory of operation
    Displays measure the progress a few times a second. The crawl never waits for them, and a measurement takes a few
    microseconds, however large the crawl is. Figures describe the present, not the average since the start: speeds are
    those of the last seconds, and the cost of a new state is that of the last ones.
"""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from statecrawl.config.plan import CrawlLimits, CrawlPlan
from statecrawl.config.secrets import application_of
from statecrawl.crawler.outcome import Outcome
from statecrawl.crawler.resume import RESUMED_WITH
from statecrawl.crawler.status import NodeStatus, PageHealth
from statecrawl.crawler.widget import BEGINNING as STUCK
from statecrawl.journal.fold import FoldedCrawl

RECENT_SECONDS = 10.0  # over which speeds are measured
RECENT_STATES = 10  # over which their cost is measured
HEALTH_SECONDS = 2.0  # between two readings of the memory of the browser
LONGEST_EVENT = 160  # characters of the event that a node is firing
DIGITS = 3  # of numbers in JSON


class WatchedCrawl(Protocol):
    """A running crawl."""

    @property
    def plan(self) -> CrawlPlan: ...
    @property
    def crawl(self) -> FoldedCrawl: ...
    def outcome(self) -> Outcome: ...
    def doing(self) -> str:
        """Activity to show instead of figures; empty if there is none."""

    def learning(self) -> str:
        """How many states were compared to find dynamic content, of how many; empty when that is over."""

    def health(self) -> PageHealth | None:
        """Health of the pages of this process, if it has any."""

    def node_statuses(self) -> list[NodeStatus]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitLeft:
    """Rest of a limit."""

    limit: str  # name of its option
    left: float  # seconds, events or states
    most: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeProgress:
    """Progress of one node."""

    name: str
    tasks: int
    events: int
    resets: int
    events_per_second: float  # recently
    idle_seconds: float
    idle_share: float  # of the time since it joined
    silent_seconds: float
    at: str  # the event that it is firing, if known


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlProgress:
    """Progress of one crawl."""

    application: str
    strategy: str
    doing: str  # instead of crawling; usually empty
    seconds: float
    states: int
    transitions: int  # explored
    known: int  # transitions, explored or not
    queue: int  # of those: still to be explored, without those that are left out
    events: int
    resets: int
    events_per_second: float  # recently
    cost_per_state: float | None  # in events, of the newest states; None while there are none
    seconds_without: float  # since the last new state
    hung: int
    crashed: int
    diverged: int
    pages: int  # nodes, where there are nodes
    browsers: int  # started so far; 0 if unknown
    browser_bytes: int
    limits: tuple[LimitLeft, ...]
    nodes: tuple[NodeProgress, ...]
    ended: str  # why; empty while it runs
    widget: str = ""  # warning that most states differ in one widget only; empty if they do not
    spare: int = 0  # events left out, because equal ones of the same part of the page were fired
    switched_at: int | None = None  # number of states when the crawl went on part by part by itself
    parts: str = ""  # what was left out, as a clause; empty if the crawl does not go part by part
    resumed: str = ""  # warning that the model of the last run was another one
    learning: str = ""  # how many states were compared to find dynamic content, of how many; empty when that is over

    def as_json(self) -> dict[str, Any]:
        """Return the progress as JSON."""
        values = _rounded(asdict(self))
        return values | {"limits": [*map(_rounded, values["limits"])], "nodes": [*map(_rounded, values["nodes"])]}


class GrowthRate:
    """Growth of a count per second, over the last seconds."""

    def __init__(self) -> None:
        self._samples: deque[tuple[float, int]] = deque()

    def at(self, now: float, count: int) -> float:
        """Add the present count; return the growth per second."""
        samples = self._samples
        if samples and count < samples[-1][1]:  # the crawl has started again
            samples.clear()
        samples.append((now, count))
        while len(samples) > 2 and now - samples[1][0] >= RECENT_SECONDS:
            samples.popleft()
        since, before = samples[0]
        return (count - before) / (now - since) if now > since else 0.0


class DiscoveryRate:
    """Cost of the newest states, and time since the last of them."""

    def __init__(self) -> None:
        self._found: deque[tuple[int, float]] = deque()  # number of states, and the cost at which it was reached
        self._since = 0.0

    def at(self, now: float, states: int, cost: float) -> tuple[float | None, float]:
        found = self._found
        if found and states < found[-1][0]:  # the crawl has started again
            found.clear()
        if not found or states > found[-1][0]:
            found.append((states, cost))
            self._since = now
        while len(found) > 2 and states - found[1][0] >= RECENT_STATES:
            found.popleft()
        before, spent = found[0]
        return (cost - spent) / (states - before) if states > before else None, now - self._since


class ProgressMeter:
    """Measures the progress of one crawl again and again."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._speed = GrowthRate()
        self._new_states = DiscoveryRate()
        self._node_speeds: dict[str, GrowthRate] = {}
        self._health: PageHealth | None = None
        self._health_at: float | None = None

    def measure(self, watched: WatchedCrawl) -> CrawlProgress:
        """Return the progress at this moment."""
        now, at, crawl, plan = self._clock(), watched.outcome(), watched.crawl, watched.plan
        speed = self._speed.at(now, at.events)
        cost_per_state, without = self._new_states.at(now, at.states, at.cost)
        nodes = self._nodes(now, sorted(watched.node_statuses(), key=lambda node: node.name))
        health = self._measured_health(now, watched)
        return CrawlProgress(
            application=application_of(plan),
            strategy=plan.strategy,
            doing=watched.doing(),
            seconds=at.seconds,
            states=at.states,
            transitions=at.transitions,
            known=at.transitions + at.unexplored,
            queue=max(at.unexplored - len(crawl.closed) - at.spare, 0),
            events=at.events,
            resets=at.resets,
            events_per_second=speed,
            cost_per_state=cost_per_state,
            seconds_without=without,
            hung=at.hung,
            crashed=at.crashed,
            diverged=at.diverged,
            pages=len(nodes) if health is None else health.pages,
            browsers=0 if health is None else health.browsers,
            browser_bytes=0 if health is None else health.browser_bytes,
            limits=tuple(_left(plan.limits, at)),
            nodes=nodes,
            ended=at.ended_because,
            widget=next((warning for warning in at.warnings if warning.startswith(STUCK)), ""),
            spare=at.spare,
            switched_at=at.switched_at,
            parts=_parts(at),
            resumed=next((warning for warning in at.warnings if warning.startswith(RESUMED_WITH)), ""),
            learning=watched.learning(),
        )

    def _nodes(self, now: float, statuses: list[NodeStatus]) -> tuple[NodeProgress, ...]:
        before, self._node_speeds = self._node_speeds, {}
        for node in statuses:
            self._node_speeds[node.name] = before.get(node.name) or GrowthRate()
        return tuple(
            NodeProgress(
                name=node.name,
                tasks=node.tasks,
                events=node.events,
                resets=node.resets,
                events_per_second=self._node_speeds[node.name].at(now, node.events),
                idle_seconds=node.idle_seconds,
                idle_share=min(node.idle_seconds / node.seconds, 1.0) if node.seconds > 0 else 0.0,
                silent_seconds=node.silent,
                at=node.holds[1][:LONGEST_EVENT] if node.holds else "",
            )
            for node in statuses
        )

    def _measured_health(self, now: float, watched: WatchedCrawl) -> PageHealth | None:
        if self._health_at is None or now - self._health_at >= HEALTH_SECONDS:
            self._health, self._health_at = watched.health(), now
        return self._health


def _parts(at: Outcome) -> str:
    """Return what was left out because of the parts of the page."""
    if at.switched_at is None and not at.spare:
        return ""
    since = "" if at.switched_at is None else f" since {at.switched_at:,} states were found"
    return f"part by part{since}, {at.spare:,} {'event' if at.spare == 1 else 'events'} left out"


def _left(limits: CrawlLimits, at: Outcome) -> list[LimitLeft]:
    used = (("max-time", limits.seconds, at.seconds), ("max-events", limits.events, at.events))
    return [
        LimitLeft(limit=name, left=max(most - count, 0), most=most)
        for name, most, count in (*used, ("max-states", limits.states, at.states))
        if most is not None
    ]


def _rounded(values: dict[str, Any]) -> dict[str, Any]:
    return {name: round(value, DIGITS) if isinstance(value, float) else value for name, value in values.items()}
