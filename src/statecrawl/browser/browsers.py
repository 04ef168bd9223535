"""The browsers of a crawl: one at a time, replaced when it died or grew too large.

A page borrows the browser when it opens and gives it back when it is thrown away. Once the memory of the browser is
above its cap, or it is gone, the next page to open starts a new one, and the old one is ended when its last page has
moved. So memory is bounded, and nothing but a few resets is lost.
"""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

from statecrawl.browser.awake_clock import AwakeClock
from statecrawl.browser.chromium import Chromium
from statecrawl.browser.client_certificate_proxy import ClientCertificateProxy
from statecrawl.browser.request_pace import RequestPace
from statecrawl.ports.access import Access, Proxy

GLANCE_SECONDS = 2.0  # between two looks at the memory; a look takes a millisecond


class Browsers:
    """Hands out the present browser."""

    def __init__(
        self, program: Path, most_bytes: int, *, headed: bool = False, pace: RequestPace | None = None
    ) -> None:
        """`pace` is what all their pages keep to; None: nobody counts."""
        self.pace = pace
        self._program = program
        self._most_bytes = most_bytes
        self._headed = headed  # they show themselves
        self._now: Chromium | None = None
        self._borrowers: dict[Chromium, int] = {}
        self._stale: set[Chromium] = set()
        self._looked = 0.0
        self._lock = asyncio.Lock()
        self._door: ClientCertificateProxy | None = None
        self.started = 0  # browsers so far
        self.clock = AwakeClock()  # of all their pages

    async def borrow(self) -> Chromium:
        """A living browser. Raises BrowserMissing or BrowserLost."""
        self.clock.start()
        async with self._lock:
            if self._now is None or not self._now.alive or self._now in self._stale:
                before, self._now = self._now, None  # whoever gives it back now ends it
                if before is not None and not self._borrowers.get(before):
                    await self._end(before)
                self._now = await Chromium.start(self._program, headed=self._headed)
                self.started += 1
            self._borrowers[self._now] = self._borrowers.get(self._now, 0) + 1
            return self._now

    async def give_back(self, browser: Chromium) -> None:
        """A page does not need it any more."""
        if browser not in self._borrowers:
            return
        self._borrowers[browser] -= 1
        if self._borrowers[browser] <= 0 and browser is not self._now:
            await self._end(browser)

    async def way(self, access: Access, is_ours: Callable[[str], bool]) -> Proxy | None:
        """By which proxy pages go, if by any: their own, or the door where a certificate is to be shown."""
        if access.certificate is None:
            return access.proxy
        async with self._lock:  # pages may open at the same time, and there is one door
            if self._door is None:
                self._door = ClientCertificateProxy(access.certificate, is_ours, insecure=access.insecure)
            return await self._door.open()

    @property
    def door_trouble(self) -> str:
        """Why a server was not reached through the door."""
        return "" if self._door is None else self._door.trouble

    def is_stale(self, browser: Chromium) -> bool:
        """Whether a page should move to another browser at its next reset."""
        if not browser.alive:
            return True
        now = time.monotonic()
        if browser is self._now and now - self._looked > GLANCE_SECONDS:
            self._looked = now
            if browser.resident_bytes() > self._most_bytes:
                self._stale.add(browser)
        return browser in self._stale or browser is not self._now

    def resident_bytes(self) -> int:
        """Memory of the present browser."""
        return 0 if self._now is None else self._now.resident_bytes()

    async def close(self, *, at_once: bool = False) -> None:
        """End them all; with `at_once`, by force."""
        self.clock.stop()
        for browser in {*self._borrowers, *filter(None, [self._now])}:
            if at_once:
                browser.kill()
            await self._end(browser)
        self._now = None
        if self._door is not None:
            await self._door.close()

    async def _end(self, browser: Chromium) -> None:
        self._borrowers.pop(browser, None)
        self._stale.discard(browser)
        await browser.close()
