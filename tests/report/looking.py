"""Looking at a page of ours in a real Chromium, from the file system."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from statecrawl.browser.chromium import Chromium
from statecrawl.browser.context_targets import open_page
from statecrawl.browser.devtools import Session, ignore

SECONDS = 20.0


class Looking:
    """One page, and what went wrong in it."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.dialogs: list[str] = []
        self.exceptions: list[str] = []
        self.asked: dict[str, str] = {}  # requests that no policy forbade -> their addresses

    async def begin(self) -> None:
        session = self._session
        session.on("Page.javascriptDialogOpening", self._dialog)
        session.on("Runtime.exceptionThrown", lambda told: self.exceptions.append(str(told["exceptionDetails"])))
        session.on("Network.requestWillBeSent", self._asks)
        session.on("Network.loadingFailed", self._fails)
        for domain in ("Page", "Runtime", "Network"):
            await session.call(f"{domain}.enable")

    async def open(self, page: Path, hash_: str = "") -> None:
        """Load a page of the report, and wait until it shows something."""
        await self._session.call("Page.navigate", url=page.absolute().as_uri())
        await self.until("document.readyState === 'complete'")
        await self.go(hash_)

    async def go(self, hash_: str) -> None:
        """Another page of the report."""
        await self.tell(f"location.hash = {hash_!r}")
        await self.until("document.querySelector('main').children.length > 0")

    async def tell(self, expression: str) -> Any:
        """What an expression is in the page."""
        asked = self._session.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        told = await asyncio.wait_for(asked, SECONDS)
        assert "exceptionDetails" not in told, told["exceptionDetails"]
        return told["result"].get("value")

    async def until(self, expression: str) -> None:
        async with asyncio.timeout(SECONDS):
            while not await self.tell(f"Boolean({expression})"):
                await asyncio.sleep(0.02)

    def _asks(self, told: dict[str, Any]) -> None:
        self.asked[told["requestId"]] = told["request"]["url"]

    def _fails(self, told: dict[str, Any]) -> None:
        if told.get("blockedReason") == "csp":
            self.asked.pop(told["requestId"], None)

    def _dialog(self, told: dict[str, Any]) -> None:
        self.dialogs.append(str(told))
        ignore(self._session.post("Page.handleJavaScriptDialog", accept=True))


@asynccontextmanager
async def looking() -> AsyncIterator[Looking]:
    """A browser with a page."""
    chromium = await Chromium.start()
    try:
        look = Looking(await open_page(chromium.connection))
        await look.begin()
        yield look
    finally:
        await chromium.close()
