"""Node of the client-server architecture (see `client_server`): requests tasks and executes them."""

from collections.abc import Iterable

import msgspec

from statecrawl.coordination.client_server_messages import (
    CrawlOver,
    DescribeState,
    Heartbeat,
    LearnContent,
    ReviseRules,
    RunTask,
    TaskReply,
    TaskRequest,
)
from statecrawl.journal.facts import ExternalTransition, Fact, TransitionExplored


class ClientNode:
    """State machine of one node: numbers its requests and remembers the one that has no reply yet."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.revision = 0  # revision of its state equivalence rules
        self.warnings: dict[str, None] = {}  # sent with the next request
        self.over: str | None = None  # end reason, once the crawl has ended
        self._request: TaskRequest | None = None  # has no reply yet, or must be repeated
        self._number = 0
        self._task: RunTask | None = None

    def next_request(
        self,
        position: str | None,
        facts: Iterable[Fact] = (),
        events: int = 0,
        resets: int = 0,
        learning: tuple[int, int] = (0, 0),
    ) -> TaskRequest:
        """Return the next request, after a task is done or at the start."""
        self._number += 1
        self._task = None
        warnings, self.warnings = tuple(self.warnings), {}
        self._request = TaskRequest(
            self.name, self._number, position, tuple(facts), events, resets, self.revision, warnings, learning
        )
        return self._request

    def describe(self, *seen: Fact, at: str | None = None) -> TaskRequest:
        """Repeat the last request together with the state of the page.

        ValueError when the coordinator did not ask for it. `at` is given when the page has changed since the last
        request, and replaces the state reported there: the earlier state can no longer be described.
        """
        last = self._request
        if last is None:
            raise ValueError(f"{self.name} was not asked to describe a state")
        self.warnings.update(dict.fromkeys(last.warnings))
        facts = last.facts if at is None else tuple(_redirected(fact, last.position, at) for fact in last.facts)
        return self.next_request(at or last.position, (*seen, *facts), last.events, last.resets)

    def repeat(self) -> TaskRequest | Heartbeat:
        """Return what to send after a period without a reply: the pending request again, or a heartbeat."""
        return self.heartbeat() if self._request is None else self._request

    def heartbeat(self) -> Heartbeat:
        """Return a heartbeat with the number of the last answered request."""
        answered = self._number if self._request is None else self._number - 1
        return Heartbeat(self.name, answered, None if self._task is None else self._task.holds)

    def handle_reply(self, reply: TaskReply) -> RunTask | DescribeState | LearnContent | ReviseRules | None:
        """Return what to do next; None when the reply is outdated or the crawl is over."""
        if self._request is None or (reply.node, reply.number) != (self.name, self._number):
            return None
        if isinstance(reply, DescribeState):
            return reply  # the request stays pending: it is repeated with the description
        self._request = None
        match reply:
            case CrawlOver():
                self.over = reply.reason
                return None
            case ReviseRules():
                self.revision = reply.revision
            case RunTask():
                self._task = reply
            case LearnContent():
                pass
        return reply


def _redirected(fact: Fact, before: str | None, after: str) -> Fact:
    """Return the fact with `after` as its target if its target was `before`."""
    if isinstance(fact, TransitionExplored | ExternalTransition) and fact.target == before:
        return msgspec.structs.replace(fact, target=after)
    return fact
