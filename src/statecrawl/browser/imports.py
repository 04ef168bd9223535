"""Modules that a page imports while it runs: no script can see them coming, so the browser is asked.

The network events cost more than all other traffic together. They are turned on only for pages that use modules.
"""

import asyncio
from typing import Any

from statecrawl.browser.devtools import Session


class Imports:
    """Which scripts are being fetched."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._open: set[str] = set()
        self._seen = 0
        self._quiet = asyncio.Event()
        self._quiet.set()

    async def start(self) -> None:
        self._session.on("Network.requestWillBeSent", self._began)
        self._session.on("Network.loadingFinished", self._ended)
        self._session.on("Network.loadingFailed", self._ended)
        await self._session.call("Network.enable", maxTotalBufferSize=0, maxResourceBufferSize=0)

    async def wait_for_quiet(self, seconds: float) -> bool:
        """Until nothing is being fetched; whether anything was since the last time."""
        seen, self._seen = self._seen, 0
        try:
            await asyncio.wait_for(self._quiet.wait(), seconds)
        except TimeoutError:
            self._open.clear()
            self._quiet.set()
        return seen > 0

    def _began(self, told: dict[str, Any]) -> None:
        if told.get("type") == "Script":
            self._seen += 1
            self._open.add(told["requestId"])
            self._quiet.clear()

    def _ended(self, told: dict[str, Any]) -> None:
        self._open.discard(told["requestId"])
        if not self._open:
            self._quiet.set()
