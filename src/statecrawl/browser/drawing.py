"""When a page is drawn. Most applications work the same whether they are drawn or not, and drawing takes a quarter of
the time; others wait for it: with observers of what is to be seen, transitions, or code that runs before each frame.

The headless shell draws on demand: `Frames`. A whole browser draws by itself, unless its window is minimised: `Window`.
"""

import asyncio
import base64
from typing import Any, Protocol

import msgspec

from statecrawl.browser.devtools import Session
from statecrawl.errors import BrowserLost, CallRefused, PageLost

QUALITY = 60  # of pictures, in percent
PATIENCE_SECONDS = 0.015  # without an answer, before it is thought that the page waits for being drawn
BETWEEN_SECONDS = 0.008  # from the end of a frame to the next one, as long as there is no answer


class Drawing(Protocol):
    """Has one page drawn."""

    async def heed(self, *, draws: bool) -> None:
        """The page told whether it waits for being drawn. Once it does, it is drawn; others notice no difference."""

    def during(self, answer: asyncio.Future[Any]) -> None:
        """Draw the page, if need be, until there is an answer."""

    async def picture(self, seconds: float) -> bytes:
        """What the page looks like. Raises PageLost."""


class Frames:
    """Each frame is asked for: while an answer is long in coming, or at once when the page is known to wait for it."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._draws = False
        self._frame: asyncio.Future[msgspec.Raw] | None = None

    async def heed(self, *, draws: bool) -> None:
        self._draws = self._draws or draws

    def during(self, answer: asyncio.Future[Any]) -> None:
        loop = asyncio.get_running_loop()
        timer = loop.call_later(0 if self._draws else PATIENCE_SECONDS, self._draw, answer)
        answer.add_done_callback(lambda _: timer.cancel())

    async def picture(self, seconds: float) -> bytes:
        try:
            async with asyncio.timeout(seconds):
                while True:
                    while self._frame is not None and not self._frame.done():
                        await asyncio.wait({self._frame})
                    drawn = self._post(screenshot={"format": "jpeg", "quality": QUALITY, "optimizeForSpeed": True})
                    data = msgspec.json.decode(await drawn).get("screenshotData")
                    if data:
                        return base64.b64decode(data)
                    await asyncio.sleep(BETWEEN_SECONDS)  # a frame without a picture: the page is not ready for it
        except (CallRefused, BrowserLost, TimeoutError) as trouble:
            raise PageLost("the page could not be drawn") from trouble

    def _draw(self, answer: asyncio.Future[Any]) -> None:
        if answer.done():
            return
        loop = asyncio.get_running_loop()
        frame = self._frame if self._frame is not None and not self._frame.done() else self._post()
        frame.add_done_callback(lambda _: loop.call_later(BETWEEN_SECONDS, self._draw, answer))

    def _post(self, **params: Any) -> asyncio.Future[msgspec.Raw]:
        self._frame = self._session.post("HeadlessExperimental.beginFrame", **params)
        self._frame.add_done_callback(lambda done: done.cancelled() or done.exception())
        return self._frame


class Window:
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

    def during(self, answer: asyncio.Future[Any]) -> None:
        """It is drawn by itself."""

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
