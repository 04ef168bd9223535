"""Browsers of a crawl: one at a time, replaced when it has died or grown too large.

A page borrows the browser when it opens and gives it back when it is discarded. Once the memory of the browser exceeds
its cap, or the browser has died, the next page to open starts a new one. The old one is closed when its last page has
moved. So memory is bounded at the cost of a few resets.
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

MEMORY_CHECK_SECONDS = 2.0  # between two checks of the memory, each of which takes a millisecond


class Browsers:
    """Lends the current browser to pages."""

    def __init__(
        self, program: Path, most_bytes: int, *, headed: bool = False, pace: RequestPace | None = None
    ) -> None:
        """`pace` is the pace of all pages together; None: requests are not counted."""
        self.pace = pace
        self._program = program
        self._most_bytes = most_bytes
        self._headed = headed
        self._current: Chromium | None = None
        self._borrowers: dict[Chromium, int] = {}
        self._stale: set[Chromium] = set()
        self._memory_checked = 0.0
        self._lock = asyncio.Lock()
        self._tls_proxy: ClientCertificateProxy | None = None
        self.started = 0  # browsers so far
        self.clock = AwakeClock()  # of all their pages

    async def borrow(self) -> Chromium:
        """Return a browser that runs. Raises BrowserMissing or BrowserLost."""
        self.clock.start()
        async with self._lock:
            if self._current is None or not self._current.is_alive or self._current in self._stale:
                before, self._current = self._current, None  # the last page that gives it back closes it
                if before is not None and not self._borrowers.get(before):
                    await self._end(before)
                self._current = await Chromium.start(self._program, headed=self._headed)
                self.started += 1
            self._borrowers[self._current] = self._borrowers.get(self._current, 0) + 1
            return self._current

    async def give_back(self, browser: Chromium) -> None:
        """Return a browser that a page does not need any more."""
        if browser not in self._borrowers:
            return
        self._borrowers[browser] -= 1
        if self._borrowers[browser] <= 0 and browser is not self._current:
            await self._end(browser)

    async def proxy_for(self, access: Access, is_own_url: Callable[[str], bool]) -> Proxy | None:
        """Return the proxy that pages use, if any: the user's, or the client-certificate proxy."""
        if access.certificate is None:
            return access.proxy
        async with self._lock:  # pages may open at the same time, and they share one proxy
            if self._tls_proxy is None:
                self._tls_proxy = ClientCertificateProxy(access.certificate, is_own_url, insecure=access.insecure)
            return await self._tls_proxy.open()

    @property
    def proxy_error(self) -> str:
        """Why the client-certificate proxy did not reach a server."""
        return "" if self._tls_proxy is None else self._tls_proxy.error

    def is_stale(self, browser: Chromium) -> bool:
        """Return whether a page should move to another browser at its next reset."""
        if not browser.is_alive:
            return True
        now = time.monotonic()
        if browser is self._current and now - self._memory_checked > MEMORY_CHECK_SECONDS:
            self._memory_checked = now
            if browser.resident_bytes() > self._most_bytes:
                self._stale.add(browser)
        return browser in self._stale or browser is not self._current

    def resident_bytes(self) -> int:
        """Return the memory of the current browser."""
        return 0 if self._current is None else self._current.resident_bytes()

    async def close(self, *, at_once: bool = False) -> None:
        """Close all browsers; with `at_once`, by force."""
        self.clock.stop()
        for browser in {*self._borrowers, *filter(None, [self._current])}:
            if at_once:
                browser.kill()
            await self._end(browser)
        self._current = None
        if self._tls_proxy is not None:
            await self._tls_proxy.close()

    async def _end(self, browser: Chromium) -> None:
        self._borrowers.pop(browser, None)
        self._stale.discard(browser)
        await browser.close()
