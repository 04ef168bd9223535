"""Painting: when a page is drawn.

Most applications work the same whether they are drawn or not, and drawing takes a quarter of the time. Others wait for
it: with intersection observers, transitions, or code that runs before each frame.

The headless shell draws on demand (`FramePaint`). A full browser draws by itself unless its window is minimised
(`WindowPaint`).
"""

import asyncio
import base64
from collections.abc import Coroutine
from typing import Any, Protocol

from statecrawl.browser.devtools import Session
from statecrawl.errors import BrowserLost, CallRefused, PageLost

QUALITY = 60  # of JPEG pictures, in percent
BETWEEN_SECONDS = 0.015  # between frames during real input; keys need no frames


class Paint(Protocol):
    """Draws one page."""

    async def adapt(self, *, draws: bool) -> None:
        """Draw the page from now on if it depends on being drawn; other pages behave the same undrawn."""

    async def frame(self) -> None:
        """Draw the page once, because its agent asks for a frame on demand. Raises PageLost or BrowserLost."""

    async def during(self, input_: Coroutine[Any, Any, None]) -> None:
        """Await real input, which only arrives together with frames."""

    async def picture(self, seconds: float) -> bytes:
        """Return a picture of the page. Raises PageLost."""


class FramePaint:
    """Draws each frame on demand."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def adapt(self, *, draws: bool) -> None:
        """Do nothing: the agent asks for every frame that it needs."""

    async def frame(self) -> None:
        try:
            await self._session.call("HeadlessExperimental.beginFrame")
        except CallRefused:  # the page is being replaced or drawn; the agent asks again
            await asyncio.sleep(BETWEEN_SECONDS)

    async def during(self, input_: Coroutine[Any, Any, None]) -> None:
        doing = asyncio.ensure_future(input_)
        try:
            while not (await asyncio.wait({doing}, timeout=BETWEEN_SECONDS))[0]:
                await self.frame()
            await doing
        finally:
            doing.cancel()

    async def picture(self, seconds: float) -> bytes:
        wanted = {"format": "jpeg", "quality": QUALITY, "optimizeForSpeed": True}
        try:
            async with asyncio.timeout(seconds):
                while True:
                    drawn = await self._session.call("HeadlessExperimental.beginFrame", screenshot=wanted)
                    if "screenshotData" in drawn:
                        return base64.b64decode(drawn["screenshotData"])
                    await asyncio.sleep(BETWEEN_SECONDS)  # a frame without a picture: the page is not ready for it
        except (CallRefused, BrowserLost, TimeoutError) as error:
            raise PageLost("the page could not be drawn") from error


class WindowPaint:
    """Minimises the window as long as the page does not depend on being drawn: it is then drawn once a second."""

    def __init__(self, root: Session, session: Session, number: int | None) -> None:
        """`number` is that of the window; without one the window stays as it is."""
        self._root = root
        self._session = session
        self._number = number
        self._shown = "normal"
        self._draws = False

    async def adapt(self, *, draws: bool) -> None:
        self._draws = self._draws or draws
        await self._show("normal" if self._draws else "minimized")

    async def frame(self) -> None:
        """Do nothing: the browser draws by itself."""

    async def during(self, input_: Coroutine[Any, Any, None]) -> None:
        await input_

    async def picture(self, seconds: float) -> bytes:
        try:
            async with asyncio.timeout(seconds):
                await self._show("normal")
                answer = await self._session.call(
                    "Page.captureScreenshot", format="jpeg", quality=QUALITY, optimizeForSpeed=True
                )
                await self.adapt(draws=False)
        except (CallRefused, BrowserLost, TimeoutError) as error:
            raise PageLost("the page could not be drawn") from error
        return base64.b64decode(answer["data"])

    async def _show(self, how: str) -> None:
        if self._shown != how and self._number is not None:
            self._shown = how
            try:
                await self._root.call("Browser.setWindowBounds", windowId=self._number, bounds={"windowState": how})
            except CallRefused:
                self._number = None  # a browser without windows
