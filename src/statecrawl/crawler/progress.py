"""How far a crawl is: one small value that the terminal, machines and the live page all show.

Theory of operation
    Whoever shows a crawl looks at it a few times a second, whatever the crawl does meanwhile; the crawl never waits for
    that, and to look costs it a few microseconds, however large it is. What is asked for is how it goes now, not on
    average since the beginning: speeds are those of the last seconds, and what a new state costs is the cost of the
    last ones.
"""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from statecrawl.config.plan import CrawlLimits, CrawlPlan
from statecrawl.config.secrets import application_of
from statecrawl.crawler.outcome import Outcome
from statecrawl.crawler.status import NodeStatus, PageHealth
from statecrawl.crawler.widget import BEGINNING as STUCK
from statecrawl.journal.fold import FoldedCrawl

RECENT_SECONDS = 10.0  # of which a speed is told
RECENT_STATES = 10  # of which the cost is told
HEALTH_SECONDS = 2.0  # between two looks at the memory of the browser
LONGEST_AT = 160  # characters of what a node is at
DIGITS = 3  # of what is told as JSON


class WatchedCrawl(Protocol):
    """A crawl that runs."""

    @property
    def plan(self) -> CrawlPlan: ...
    @property
    def crawl(self) -> FoldedCrawl: ...
    def outcome(self) -> Outcome: ...
    def doing(self) -> str:
        """What there is to say instead of figures, if there is something."""

    def learning(self) -> str:
        """How many states were compared to find dynamic content, of how many, while that goes on."""

    def health(self) -> PageHealth | None:
        """How the pages of this process are, if it has any."""

    def node_statuses(self) -> list[NodeStatus]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitLeft:
    """What is left of a limit."""

    limit: str  # by the name of its flag
    left: float  # seconds, events or states
    most: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeProgress:
    """One node."""

    name: str
    tasks: int
    events: int
    resets: int
    events_per_second: float  # recently
    idle_seconds: float
    idle_share: float  # of the time since it came
    silent_seconds: float
    at: str  # the event that it is at, where somebody knows


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlProgress:
    """All of it."""

    application: str
    strategy: str
    doing: str  # instead of crawling, if there is something to say
    seconds: float
    states: int
    transitions: int  # explored
    known: int  # transitions, explored or not
    queue: int  # of those: to be explored
    events: int
    resets: int
    events_per_second: float  # recently
    cost_per_state: float | None  # in events, of the newest states; None while there are none
    seconds_without: float  # a new state
    hung: int
    crashed: int
    diverged: int
    pages: int  # nodes, where there are nodes
    browsers: int  # started so far; 0 where nobody knows
    browser_bytes: int
    limits: tuple[LimitLeft, ...]
    nodes: tuple[NodeProgress, ...]
    ended: str  # why, once it has
    widget: str = ""  # in which most states differ only, in a sentence; nothing where there is none
    learning: str = ""  # how many states were compared to find dynamic content, of how many, while that goes on

    def told(self) -> dict[str, Any]:
        """The same as JSON."""
        told = _rounded(asdict(self))
        return told | {"limits": [*map(_rounded, told["limits"])], "nodes": [*map(_rounded, told["nodes"])]}


class GrowthRate:
    """How fast something grows, over the last seconds."""

    def __init__(self) -> None:
        self._samples: deque[tuple[float, int]] = deque()

    def at(self, now: float, count: int) -> float:
        """It is as much as this now: how much it grew in a second."""
        samples = self._samples
        if samples and count < samples[-1][1]:  # it began again
            samples.clear()
        samples.append((now, count))
        while len(samples) > 2 and now - samples[1][0] >= RECENT_SECONDS:
            samples.popleft()
        since, before = samples[0]
        return (count - before) / (now - since) if now > since else 0.0


class DiscoveryRate:
    """What the newest states cost, and how long ago the last was found."""

    def __init__(self) -> None:
        self._found: deque[tuple[int, float]] = deque()  # how many states there were, and the cost when there were more
        self._since = 0.0

    def at(self, now: float, states: int, cost: float) -> tuple[float | None, float]:
        found = self._found
        if found and states < found[-1][0]:  # it began again
            found.clear()
        if not found or states > found[-1][0]:
            found.append((states, cost))
            self._since = now
        while len(found) > 2 and states - found[1][0] >= RECENT_STATES:
            found.popleft()
        before, spent = found[0]
        return (cost - spent) / (states - before) if states > before else None, now - self._since


class ProgressMeter:
    """Looks at one crawl again and again."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._speed = GrowthRate()
        self._new_states = DiscoveryRate()
        self._node_speeds: dict[str, GrowthRate] = {}
        self._health: PageHealth | None = None
        self._examined: float | None = None

    def look(self, crawling: WatchedCrawl) -> CrawlProgress:
        now, at, crawl, plan = self._clock(), crawling.outcome(), crawling.crawl, crawling.plan
        speed = self._speed.at(now, at.events)
        cost_per_state, without = self._new_states.at(now, at.states, at.cost)
        nodes = self._nodes(now, sorted(crawling.node_statuses(), key=lambda node: node.name))
        health = self._examine(now, crawling)
        return CrawlProgress(
            application=application_of(plan),
            strategy=plan.strategy,
            doing=crawling.doing(),
            seconds=at.seconds,
            states=at.states,
            transitions=at.transitions,
            known=at.transitions + at.unexplored,
            queue=at.unexplored - len(crawl.closed),
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
            learning=crawling.learning(),
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
                at=node.holds[1][:LONGEST_AT] if node.holds else "",
            )
            for node in statuses
        )

    def _examine(self, now: float, crawling: WatchedCrawl) -> PageHealth | None:
        if self._examined is None or now - self._examined >= HEALTH_SECONDS:
            self._health, self._examined = crawling.health(), now
        return self._health


def _left(limits: CrawlLimits, at: Outcome) -> list[LimitLeft]:
    told = (("max-time", limits.seconds, at.seconds), ("max-events", limits.events, at.events))
    return [
        LimitLeft(limit=name, left=max(most - used, 0), most=most)
        for name, most, used in (*told, ("max-states", limits.states, at.states))
        if most is not None
    ]


def _rounded(told: dict[str, Any]) -> dict[str, Any]:
    return {name: round(value, DIGITS) if isinstance(value, float) else value for name, value in told.items()}
