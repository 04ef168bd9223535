"""When a page is drawn. Most applications work the same whether they are drawn or not, and drawing takes a quarter of
the time; others wait for it: with observers of what is to be seen, transitions, or code that runs before each frame.

The headless shell draws on demand: `FramePaint`. A whole browser draws by itself, unless its window is minimised:
`WindowPaint`.
"""

import asyncio
import base64
from collections.abc import Coroutine
from typing import Any, Protocol

from statecrawl.browser.devtools import Session
from statecrawl.errors import BrowserLost, CallRefused, PageLost

QUALITY = 60  # of pictures, in percent
BETWEEN_SECONDS = 0.015  # between frames, while real input is on its way; keys need none


class Paint(Protocol):
    """Has one page drawn."""

    async def heed(self, *, draws: bool) -> None:
        """The page told whether it waits for being drawn. Once it does, it is drawn; others notice no difference."""

    async def frame(self) -> None:
        """Draw the page once, which its agent asks for where frames come on demand. Raises PageLost or BrowserLost."""

    async def during(self, input_: Coroutine[Any, Any, None]) -> None:
        """Have real input done, which arrives together with frames."""

    async def picture(self, seconds: float) -> bytes:
        """What the page looks like. Raises PageLost."""


class FramePaint:
    """Each frame is asked for."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def heed(self, *, draws: bool) -> None:
        """The agent asks for every frame that it needs."""

    async def frame(self) -> None:
        try:
            await self._session.call("HeadlessExperimental.beginFrame")
        except CallRefused:  # the page is just being exchanged, or drawn; the agent asks again
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
        except (CallRefused, BrowserLost, TimeoutError) as trouble:
            raise PageLost("the page could not be drawn") from trouble


class WindowPaint:
    """The window is minimised as long as nobody waits for being drawn: it is drawn once a second then."""

    def __init__(self, root: Session, session: Session, number: int | None) -> None:
        """`number` is the window's; without one it stays as it is."""
        self._root = root
        self._session = session
        self._number = number
        self._shown = "normal"
        self._draws = False

    async def heed(self, *, draws: bool) -> None:
        self._draws = self._draws or draws
        await self._show("normal" if self._draws else "minimized")

    async def frame(self) -> None:
        """It is drawn by itself."""

    async def during(self, input_: Coroutine[Any, Any, None]) -> None:
        await input_

    async def picture(self, seconds: float) -> bytes:
        try:
            async with asyncio.timeout(seconds):
                await self._show("normal")
                answer = await self._session.call(
                    "Page.captureScreenshot", format="jpeg", quality=QUALITY, optimizeForSpeed=True
                )
                await self.heed(draws=False)
        except (CallRefused, BrowserLost, TimeoutError) as trouble:
            raise PageLost("the page could not be drawn") from trouble
        return base64.b64decode(answer["data"])

    async def _show(self, how: str) -> None:
        if self._shown != how and self._number is not None:
            self._shown = how
            try:
                await self._root.call("Browser.setWindowBounds", windowId=self._number, bounds={"windowState": how})
            except CallRefused:
                self._number = None  # a browser without windows
