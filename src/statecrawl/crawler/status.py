"""Status of a crawl with several nodes, as JSON."""

from dataclasses import asdict, dataclass
from typing import Any

from statecrawl.config.plan import CrawlPlan
from statecrawl.config.secrets import application_of
from statecrawl.crawler.outcome import Outcome
from statecrawl.strategies.orders import StateEvent

FIGURES = ("states", "transitions", "unexplored", "events", "resets", "learning_events", "learning_resets")


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeStatus:
    """Status of one node."""

    name: str
    seconds: float  # since it joined
    silent: float  # seconds since its last message
    tasks: int
    events: int
    resets: int
    idle_seconds: float
    holds: StateEvent | None = None  # the event that it is firing, if known


@dataclass(frozen=True, slots=True, kw_only=True)
class PageHealth:
    """Health of the pages of one process, and of their browser."""

    pages: int
    browsers: int  # started so far
    browser_bytes: int  # memory of the present one


def status_of(
    plan: CrawlPlan, at: Outcome, phase: str, doing: str, repeated: int, nodes: list[NodeStatus]
) -> dict[str, Any]:
    """Return the status of a crawl."""
    rounded = ("seconds", "silent", "idle_seconds")
    return {
        "application": application_of(plan),
        "strategy": plan.strategy,
        "phase": phase,
        "doing": doing,
        **{name: getattr(at, name) for name in FIGURES},
        "repeated": repeated,
        "seconds": round(at.seconds, 1),
        "events_per_second": round(at.events_per_second, 1),
        "ended_because": at.ended_because,
        "nodes": [asdict(node) | {name: round(getattr(node, name), 1) for name in rounded} for node in nodes],
    }
