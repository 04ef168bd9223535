"""Service times: how long things take in virtual time, and a queue that serves one message after the other.

Theory of operation
    A *node* walks: each event and each reset takes its time, varied by `spread`, and longer on a slow node. Everything
    else a node has to do delays its walks: choosing its next task (where nodes decide), reporting to each other node
    what it saw (where they report to each other), and learning what it receives.

    The *server*, a coordinator or a log, is a queue. The time it takes for a message depends on its content: a fixed
    time for each message, and more for each fact it writes, for each fact it sends to a node, and for each task it
    chooses. So a coordinator cannot assign more tasks per second than it can choose, and the part of the time during
    which the queue is busy shows how close it is to that limit.

    A message takes a while to arrive (`latency`), and its receiver takes a while to wake up.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from statecrawl.simulation.kernel import Action, Kernel


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceTimes:
    """Durations in virtual seconds."""

    event: float = 0.1
    reset: float = 0.3
    spread: float = 0.0  # relative variation of events and resets
    latency: tuple[float, float] = (0.0005, 0.002)  # of a message: minimum and maximum
    wake: float = 0.0  # mean delay of a node before it processes a message
    handle: float = 0.0005  # server: for each message
    store: float = 0.0  # server: for each fact that it writes
    serve: float = 0.0  # server: for each fact that it sends to a node
    think: float = 0.0  # node or server that chooses tasks: for each task
    call: float = 0.0  # peer: for each other peer, per report
    tell: float = 0.0  # peer: for each other peer and each fact it reports
    learn: float = 0.0  # node: for each fact that it receives
    lease: float = 3.0  # a node that is silent for longer is considered lost
    beat: float = 1.0  # between heartbeats, and before a request is repeated
    poll: float = 0.2  # between requests of an idle node
    latest: float = 3600.0  # a crawl that runs for longer is aborted


Work = Callable[[Any], tuple[float, Action]]  # message -> service time, and the action that follows


class ServiceQueue:
    """Serves one message after the other."""

    def __init__(self, kernel: Kernel, work: Work) -> None:
        self.busy = 0.0  # seconds
        self._kernel = kernel
        self._work = work
        self._waiting: deque[Any] = deque()
        self._occupied = False

    def put(self, message: Any) -> None:
        """Add a message to the queue."""
        self._waiting.append(message)
        if not self._occupied:
            self._next()

    def _next(self) -> None:
        self._occupied = bool(self._waiting)
        if self._occupied:
            seconds, then = self._work(self._waiting.popleft())
            self.busy += seconds
            self._kernel.after(seconds, lambda: self._finish(then))

    def _finish(self, then: Action) -> None:
        then()
        self._next()


def nothing() -> None:
    """Do nothing."""
