"""Request pace: how often, and how many at a time, pages send requests to each host.

Theory of operation
    A delay between requests inside the page would change what an application does: requests would time out, and late
    responses would arrive in another order. So the delay applies between events. Every request of every page is
    counted, and each adds one delay to what its host is owed. Before the next event or load starts, the crawl waits
    until nothing is owed. In the long run no host gets more than one request per delay, while the requests of one
    event are sent at once, as by any other visitor.

    The number of concurrent requests can only be limited where they are sent: requests beyond the limit are held back
    at the gate (`browser.request_gate`) until others are done. A request that is not done after a while may be a long
    poll; it does not count any more, or it would block all others. A request whose page is gone, or does not want it
    any more, leaves the queue at once. A document goes before everything else that waits, because it may replace the
    page that wants the rest.
"""

import asyncio
import contextlib
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from urllib.parse import urlsplit

from statecrawl.ports.page import OutOfTime

COUNTED_SECONDS = 3.0  # for which a request counts as concurrent, at most


class RequestPace:
    """The request pace of all pages of one process."""

    def __init__(
        self, delay: float = 0.0, concurrent: int | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`delay` is in seconds. Both limits are for each host; without `concurrent`, any number may be under way."""
        self.delay = delay
        self.concurrent = concurrent
        self.requests = 0  # so far
        self.hurry = asyncio.Event()  # set when the crawl ends: nothing waits any more
        self._clock = clock
        self._free: dict[str, float] = {}  # host -> when nothing is owed to it any more
        self._under_way: Counter[str] = Counter()
        self._waiting: defaultdict[str, deque[Callable[[], None]]] = defaultdict(deque)

    def count(self, url: str) -> None:
        """Count a request of a page."""
        host = host_of(url)
        if not host:
            return  # it reaches no server
        self.requests += 1
        if self.delay:
            self._free[host] = max(self._clock(), self._free.get(host, 0.0)) + self.delay

    def owed(self) -> float:
        """Return the seconds until the next event may be fired."""
        now = self._clock()
        self._free = {host: free for host, free in self._free.items() if free > now}
        return max(self._free.values(), default=now) - now

    async def wait(self) -> None:
        """Wait until nothing is owed, including for requests that other pages send meanwhile. Raises OutOfTime."""
        while (owed := self.owed()) > 0:
            await rest(owed, self.hurry)

    def enter(self, host: str, go: Callable[[], None], *, urgent: bool = False) -> None:
        """Call `go` as soon as the limit allows; for an urgent request before those that wait already."""
        if self.concurrent is not None and self._under_way[host] >= self.concurrent:
            (self._waiting[host].appendleft if urgent else self._waiting[host].append)(go)
            return
        self._under_way[host] += 1
        go()

    def give_up(self, host: str, go: Callable[[], None]) -> None:
        """Remove a request from the queue, if it still waits."""
        if go in self._waiting[host]:
            self._waiting[host].remove(go)

    def leave(self, host: str) -> None:
        """Count a request as done."""
        self._under_way[host] -= 1
        if self._waiting[host]:
            self.enter(host, self._waiting[host].popleft(), urgent=True)


async def rest(seconds: float, hurry: asyncio.Event) -> None:
    """Wait this long. Raises OutOfTime when `hurry` is set, now or meanwhile."""
    if seconds <= 0:
        return
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await hurry.wait()
        raise OutOfTime


def host_of(url: str) -> str:
    """Return host and port of an http(s) URL, as they are written; "" for other URLs."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return parts.netloc.rpartition("@")[2].lower() if parts.scheme in ("http", "https") else ""
