"""The node of `client_server`: asks, and does what it is given."""

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
    """Asks, and remembers what it has not been answered yet."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.revision = 0  # of the rules by which it tells states apart
        self.warnings: dict[str, None] = {}  # to be told with the next question
        self.over: str | None = None  # why the crawl ended, once it has
        self._question: TaskRequest | None = None  # that has no answer yet, or has to be asked again
        self._number = 0
        self._task: RunTask | None = None

    def ask(
        self,
        position: str | None,
        facts: Iterable[Fact] = (),
        events: int = 0,
        resets: int = 0,
        learning: tuple[int, int] = (0, 0),
    ) -> TaskRequest:
        """The next question, when what was given is done, or at the beginning."""
        self._number += 1
        self._task = None
        warnings, self.warnings = tuple(self.warnings), {}
        self._question = TaskRequest(
            self.name, self._number, position, tuple(facts), events, resets, self.revision, warnings, learning
        )
        return self._question

    def looked(self, *seen: Fact, at: str | None = None) -> TaskRequest:
        """The last question once more, with the state that the page is in. ValueError when nobody wants to know.

        `at` says that it is another one than was told: it has changed since, and nobody will know what it was.
        """
        last = self._question
        if last is None:
            raise ValueError(f"{self.name} was not told to look")
        self.warnings.update(dict.fromkeys(last.warnings))
        facts = last.facts if at is None else tuple(_led(fact, last.position, at) for fact in last.facts)
        return self.ask(at or last.position, (*seen, *facts), last.events, last.resets)

    def again(self) -> TaskRequest | Heartbeat:
        """What to say when nothing was heard for a while: the question once more, or that it is still at it."""
        return self.beat() if self._question is None else self._question

    def beat(self) -> Heartbeat:
        """That it is alive, and which of its questions was answered last."""
        answered = self._number if self._question is None else self._number - 1
        return Heartbeat(self.name, answered, None if self._task is None else self._task.holds)

    def heard(self, reply: TaskReply) -> RunTask | DescribeState | LearnContent | ReviseRules | None:
        """An answer; what to do now. None when it is old, or the crawl is over."""
        if self._question is None or (reply.node, reply.number) != (self.name, self._number):
            return None
        if isinstance(reply, DescribeState):
            return reply  # and say the same again
        self._question = None
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


def _led(fact: Fact, before: str | None, after: str) -> Fact:
    """A fact that led to one state, as one that led to another."""
    if isinstance(fact, TransitionExplored | ExternalTransition) and fact.target == before:
        return msgspec.structs.replace(fact, target=after)
    return fact
