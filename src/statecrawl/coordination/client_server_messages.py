"""Messages between the nodes and the coordinator of the client-server architecture (see `client_server`)."""

import msgspec

from statecrawl.journal.facts import Fact
from statecrawl.strategies.orders import Order, StateEvent


class TaskRequest(msgspec.Struct, frozen=True, tag="ask"):
    """Request of a node for its next task."""

    node: str
    number: int  # of the request: 1, 2, …
    position: str | None  # state of its page; None before the first page
    facts: tuple[Fact, ...] = ()  # observed since the previous request
    events: int = 0  # fired since then
    resets: int = 0
    revision: int = 0  # of its state equivalence rules
    warnings: tuple[str, ...] = ()  # for the user
    learning: tuple[int, int] = (0, 0)  # events and resets spent on learning dynamic content; not part of the crawl


class Heartbeat(msgspec.Struct, frozen=True, tag="beat"):
    """Sign of life of a node, with the task it is working on."""

    node: str
    number: int  # of its last request that was answered
    holds: StateEvent | None = None


class Leave(msgspec.Struct, frozen=True, tag="leave"):
    """Message of a node that leaves the crawl."""

    node: str


NodeMessage = TaskRequest | Heartbeat | Leave


class RunTask(msgspec.Struct, frozen=True, tag="do"):
    """Reply: execute this order."""

    node: str
    number: int
    order: Order

    @property
    def holds(self) -> StateEvent | None:
        """The state and event that the order explores; None for an order that only opens the application."""
        return self.order.goal if self.order.steps else None


class DescribeState(msgspec.Struct, frozen=True, tag="look"):
    """Reply: repeat the request together with a description of the state the page is in."""

    node: str
    number: int


class LearnContent(msgspec.Struct, frozen=True, tag="learn"):
    """Reply: learn the dynamic content and the cost of a reset, and report everything observed."""

    node: str
    number: int


class ReviseRules(msgspec.Struct, frozen=True, tag="renew"):
    """Reply: use these state equivalence rules from now on, and send a new request."""

    node: str
    number: int
    revision: int
    rules: tuple[tuple[str, str], ...]


class CrawlOver(msgspec.Struct, frozen=True, tag="end"):
    """Reply: the crawl is over."""

    node: str
    number: int
    reason: str


TaskReply = RunTask | DescribeState | LearnContent | ReviseRules | CrawlOver
