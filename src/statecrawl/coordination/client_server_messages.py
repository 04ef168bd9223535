"""What the nodes and the coordinator of `client_server` say to each other."""

import msgspec

from statecrawl.journal.facts import Fact
from statecrawl.strategies.orders import Order, StateEvent


class TaskRequest(msgspec.Struct, frozen=True, tag="ask"):
    """A node wants something to do."""

    node: str
    number: int  # of the question; 1, 2, …
    position: str | None  # the state its page is in; None when it has none
    facts: tuple[Fact, ...] = ()  # what it saw since the question before
    events: int = 0  # that it fired since then
    resets: int = 0
    revision: int = 0  # of the rules by which it tells states apart
    warnings: tuple[str, ...] = ()  # what whoever asked for the crawl should know
    learning: tuple[int, int] = (0, 0)  # events and resets to find out what is volatile; not part of the crawl


class Heartbeat(msgspec.Struct, frozen=True, tag="beat"):
    """A node is alive, and still at this."""

    node: str
    number: int  # of its last question that was answered
    holds: StateEvent | None = None


class Leave(msgspec.Struct, frozen=True, tag="leave"):
    """A node goes."""

    node: str


NodeMessage = TaskRequest | Heartbeat | Leave


class RunTask(msgspec.Struct, frozen=True, tag="do"):
    """Do this."""

    node: str
    number: int
    order: Order

    @property
    def holds(self) -> StateEvent | None:
        """The pair that it is about."""
        return self.order.goal if self.order.steps else None


class DescribeState(msgspec.Struct, frozen=True, tag="look"):
    """Say that again, with the state that the page is in."""

    node: str
    number: int


class LearnContent(msgspec.Struct, frozen=True, tag="learn"):
    """Find out what is volatile and what a reset costs, and say all that you saw."""

    node: str
    number: int


class ReviseRules(msgspec.Struct, frozen=True, tag="renew"):
    """Tell states apart by these rules, and ask again."""

    node: str
    number: int
    revision: int
    rules: tuple[tuple[str, str], ...]


class CrawlOver(msgspec.Struct, frozen=True, tag="end"):
    """The crawl is over."""

    node: str
    number: int
    reason: str


TaskReply = RunTask | DescribeState | LearnContent | ReviseRules | CrawlOver
