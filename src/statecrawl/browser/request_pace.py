"""The pace of a crawl: how often, and how many at a time, its pages ask each host for something.

Theory of operation
    A delay between requests would change what an application does if it were kept inside the page: requests would
    time out, and what comes late would come in another order. So it is kept between events. Every request of every
    page is counted, and each host is owed the delay for each; before the next event, or the next load, is begun, all
    that is owed is waited for. In the long run no host is asked more often than once in the delay, and what one event
    asks for is asked for at once, as by any other visitor.

    How many requests are under way at a time can only be kept where they are: those that are too many are held back
    at the gate (`browser.request_gate`) until others are done. One that is not done after a while may be a long poll
    and does not count any more, or nothing would ever get past it. One whose page is gone, or does not want it any
    more, leaves at once. A document goes before what else waits, because it may make an end of the page that wants the
    rest.
"""

import asyncio
import contextlib
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from urllib.parse import urlsplit

from statecrawl.ports.page import OutOfTime

HELD_SECONDS = 3.0  # that a request counts as one under way, at most


class RequestPace:
    """That of all pages of one process."""

    def __init__(
        self, delay: float = 0.0, concurrent: int | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`delay` is in seconds, and both are for one host; None is any number."""
        self.delay = delay
        self.concurrent = concurrent
        self.requests = 0  # so far
        self.hurry = asyncio.Event()  # nobody wants anything more
        self._clock = clock
        self._free: dict[str, float] = {}  # host -> when all that it is owed is paid
        self._under_way: Counter[str] = Counter()
        self._waiting: defaultdict[str, deque[Callable[[], None]]] = defaultdict(deque)

    def sent(self, url: str) -> None:
        """A page asks for an address."""
        host = host_of(url)
        if not host:
            return  # nobody is bothered
        self.requests += 1
        if self.delay:
            self._free[host] = max(self._clock(), self._free.get(host, 0.0)) + self.delay

    def owed(self) -> float:
        """Seconds until the next event may be fired."""
        now = self._clock()
        self._free = {host: free for host, free in self._free.items() if free > now}
        return max(self._free.values(), default=now) - now

    async def wait(self) -> None:
        """Until nothing is owed; what other pages ask for meanwhile counts as well. Raises Hurried."""
        while (owed := self.owed()) > 0:
            await rest(owed, self.hurry)

    def enter(self, host: str, go: Callable[[], None], *, urgent: bool = False) -> None:
        """Have a request go as soon as it is not one too many; an urgent one before those that wait already."""
        if self.concurrent is not None and self._under_way[host] >= self.concurrent:
            (self._waiting[host].appendleft if urgent else self._waiting[host].append)(go)
            return
        self._under_way[host] += 1
        go()

    def give_up(self, host: str, go: Callable[[], None]) -> None:
        """A request that may still wait does not want to go any more."""
        if go in self._waiting[host]:
            self._waiting[host].remove(go)

    def leave(self, host: str) -> None:
        """One of those that went is done."""
        self._under_way[host] -= 1
        if self._waiting[host]:
            self.enter(host, self._waiting[host].popleft(), urgent=True)


async def rest(seconds: float, hurry: asyncio.Event) -> None:
    """Wait so long. Raises Hurried when there is a hurry, now or meanwhile."""
    if seconds <= 0:
        return
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await hurry.wait()
        raise OutOfTime


def host_of(url: str) -> str:
    """Host and port of an address of the web, as they are written; nothing for others."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return parts.netloc.rpartition("@")[2].lower() if parts.scheme in ("http", "https") else ""
