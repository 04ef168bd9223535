"""Pace: how long things take in virtual time, and the desk at which one thing is done after the other.

Theory of operation
    A *node* walks: each event and each reset takes its time, more or less by `spread`, and longer on a slow node. What
    else it has to do by itself keeps it from walking: thinking about its next task (where nodes decide), telling each
    of the others what it saw (where they tell each other), learning what it hears.

    The *centre*, a coordinator or a log, is a desk: messages wait in a line, and each takes as long as it turns out to
    take: something for having come, something for each fact that is written down, for each that is handed to a node,
    and for each task that is thought about. So a centre can not give out more tasks in a second than thinking allows,
    and how much of the time the desk was occupied says how near that is.

    A message is on its way for a while (`latency`), and whoever hears it takes a while to wake up.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from statecrawl.simulation.kernel import Action, Kernel


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceTimes:
    """How long things take, in virtual seconds."""

    event: float = 0.1
    reset: float = 0.3
    spread: float = 0.0  # by which part of it an event or a reset may take longer or shorter
    latency: tuple[float, float] = (0.0005, 0.002)  # of a message, at least and at most
    wake: float = 0.0  # of a node that hears something, on average
    handle: float = 0.0005  # of the centre, for each message
    store: float = 0.0  # of the centre, for each fact that it writes
    serve: float = 0.0  # of the centre, for each fact that it hands to a node
    think: float = 0.0  # for each task, of whoever decides
    call: float = 0.0  # of a peer, for each of the others, when it tells them something
    tell: float = 0.0  # of a peer, for each of the others and each fact that it tells
    learn: float = 0.0  # of a node, for each fact that it hears
    lease: float = 3.0  # whoever is silent for that long is not waited for
    beat: float = 1.0  # between two signs of life, and between a question and the same again
    poll: float = 0.2  # between two questions of a node that has nothing to do
    latest: float = 3600.0  # a crawl that has not ended by then never will


Work = Callable[[Any], tuple[float, Action]]  # a message -> how long it takes, and what follows then


class ServiceQueue:
    """Does one thing after the other."""

    def __init__(self, kernel: Kernel, work: Work) -> None:
        self.worked = 0.0  # seconds
        self._kernel = kernel
        self._work = work
        self._line: deque[Any] = deque()
        self._occupied = False

    def put(self, message: Any) -> None:
        """A message joins the line."""
        self._line.append(message)
        if not self._occupied:
            self._next()

    def _next(self) -> None:
        self._occupied = bool(self._line)
        if self._occupied:
            seconds, then = self._work(self._line.popleft())
            self.worked += seconds
            self._kernel.after(seconds, lambda: self._finish(then))

    def _finish(self, then: Action) -> None:
        then()
        self._next()


def nothing() -> None:
    """What follows when nothing does."""
