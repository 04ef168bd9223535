"""A random clicker: the alternative that costs no thought.

At each step it chooses a visible control at random and uses it with real mouse and keyboard input: it clicks, types
something, or steps through values. It never starts again. When it finds no control, it goes back, as a person would.
When it has logged out, it logs in again.
"""

import asyncio
import random
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.applications.application import Application
from bench.applications.documents import Documents
from bench.applications.functions import Functions
from bench.applications.visit import Visit, visiting
from statecrawl.browser.agent_calls import origin_of
from statecrawl.browser.trusted_input import TrustedMouse, press
from statecrawl.errors import BrowserError

SCRIPT = (Path(__file__).parent / "clicker.js").read_text(encoding="utf-8")
CHOOSE = "window[Symbol.for('bench')]?.choose({})"
READ = "[location.href, document.documentElement.outerHTML]"
TEXTS = ("test", "7", "hello world", "ann@example.com", "2026-01-31", "a")
STEP_KEYS = ("ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft")
DOUBLE_SHARE = 0.05  # of the clicks
ENTER_SHARE = 0.5  # of the texts
STEP_SECONDS = 5.0  # for one step; a page that takes longer loses it
PAUSE_SECONDS = 0.1  # when there is nothing to click
PATIENCE_SECONDS = 3.0  # with nothing to click


@dataclass(frozen=True, slots=True, kw_only=True)
class Clicked:
    """What the clicker did."""

    functions: Functions
    at_load: Functions
    documents: Documents
    events: int
    seconds: float
    ended: str


async def click(url: str, application: Application, *, seconds: float, seed: int) -> Clicked:
    """Load an application, then use it at random for a time."""
    async with visiting() as visit:
        await visit.session.call("Page.addScriptToEvaluateOnNewDocument", source=SCRIPT)
        await visit.load(url, application)
        at_load = await visit.functions()
        clicker = _Clicker(visit, url, application, random.Random(seed))
        begun = time.monotonic()
        ended = await clicker.run(begun + seconds)
        taken = time.monotonic() - begun
        return Clicked(
            functions=await visit.functions(),
            at_load=at_load,
            documents=clicker.documents,
            events=clicker.events,
            seconds=taken,
            ended=ended,
        )


class _Clicker:
    """The steps of one run."""

    def __init__(self, visit: Visit, url: str, application: Application, chance: random.Random) -> None:
        self._visit = visit
        self._url = url
        self._application = application
        self._chance = chance
        self._found = time.monotonic()  # the last control
        self.documents = Documents()
        self.events = 0

    async def run(self, until: float) -> str:
        """Take steps until the time is over. Return why it ended."""
        await self._read()
        while (left := until - time.monotonic()) > 0:
            try:
                async with asyncio.timeout(min(STEP_SECONDS, left)):
                    await self._step()
                async with asyncio.timeout(max(until - time.monotonic(), 0)):
                    await self._arrive()
            except TimeoutError:
                continue
            except BrowserError as error:
                return str(error)
        return "time"

    async def _step(self) -> None:
        target = await self._visit.evaluate(CHOOSE.format(self._chance.getrandbits(32)))
        if target is None:
            await self._wait()
            return
        self._found = time.monotonic()
        await self._use(target)
        self.events += 1

    async def _arrive(self) -> None:
        """Deal with a new document, if there is one, and remember what the page shows."""
        if await self._visit.count_new_document():
            await self._visit.stay_logged_in(self._url, self._application)
        await self._read()

    async def _use(self, target: dict[str, Any]) -> None:
        session = self._visit.session
        mouse = TrustedMouse(session, float(target["x"]), float(target["y"]))
        if target["kind"] == "step":
            await press(session, self._chance.choice(STEP_KEYS))
            return
        await mouse.move()
        await mouse.click()
        if target["kind"] == "type":
            await self._type()
        elif self._chance.random() < DOUBLE_SHARE:
            await mouse.click(2)

    async def _type(self) -> None:
        for key in self._chance.choice(TEXTS):
            await press(self._visit.session, key)
        if self._chance.random() < ENTER_SHARE:
            await press(self._visit.session, "Enter")

    async def _read(self) -> None:
        """Remember the document."""
        read = await self._visit.evaluate(READ)
        if read is not None:
            self.documents.add(*read)

    async def _wait(self) -> None:
        """Wait for a control, which may not have loaded yet; after a while, go back."""
        await asyncio.sleep(PAUSE_SECONDS)
        if time.monotonic() - self._found > PATIENCE_SECONDS:
            self._found = time.monotonic()
            await self._return()

    async def _return(self) -> None:
        """Go back by one page; to the first page if there is none of the application to go back to."""
        session = self._visit.session
        history = await session.call("Page.getNavigationHistory")
        earlier = history["entries"][: history["currentIndex"]]
        if earlier and origin_of(earlier[-1]["url"]) == origin_of(self._url):
            with suppress(BrowserError):
                await session.call("Page.navigateToHistoryEntry", entryId=earlier[-1]["id"])
        else:
            await session.call("Page.navigate", url=self._url)
