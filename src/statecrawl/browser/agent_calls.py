"""Calls of the page agent, and waiting for a document that has one.

Two exceptions report what can end a call: `DocumentLeft`, the document went away, and `PageStuck`, no answer came in
time.
"""

import asyncio
import re
from collections.abc import Collection, Sequence
from typing import Any
from urllib.parse import urlsplit

import msgspec

from statecrawl.browser.agent_answers import ARRIVE, HOW_FAR, REFRESH, Answer, Departure, Question, checked
from statecrawl.browser.awake_clock import GRACE_SECONDS, PageStuck, within
from statecrawl.browser.browsers import Browsers
from statecrawl.browser.coverage import Coverage
from statecrawl.browser.devtools import ignore
from statecrawl.browser.dynamic_imports import AHEAD, IMPORTS, DynamicImports, mentioned
from statecrawl.browser.page_settings import PageSettings
from statecrawl.browser.tab import Tab
from statecrawl.browser.traffic import TrafficIndex
from statecrawl.errors import CallRefused
from statecrawl.ports.page import BACKGROUND, Landing, Note
from statecrawl.strategies.orders import Step

GONE_MESSAGES = ("navigated or closed", "context was destroyed", "Cannot find context", "Cannot find default execution")
UNSEEN_SECONDS = 0.3  # for modules already being fetched when the search for them starts, once for each page
MOST_IMPORTS = 20  # rounds of modules that import modules
DRAWN = "drawn"  # the verb that resumes a question after a frame


class DocumentLeft(Exception):
    """The document went away during a call."""


class AgentTab(Tab):
    """A tab that calls the agent of its document."""

    def __init__(
        self,
        browsers: Browsers,
        settings: PageSettings,
        index: TrafficIndex | None = None,
        coverage: Coverage | None = None,
    ) -> None:
        super().__init__(browsers, settings, index, coverage)
        self._reported_departure: Departure | None = None  # of the previous document, reported by the next one
        self._observed_departure: Departure | None = None  # of a walk whose steps this process followed itself
        self._last_state = ""
        self._is_session_lost = False  # no user is logged in any more, although the crawl needs one
        self._origins: set[str] = set()
        self._imports: DynamicImports | None = None
        # Digests of scripts that do not match
        self._searched_in_vain: dict[re.Pattern[str], set[str]] = {IMPORTS: set(), AHEAD: set()}

    async def _discard(self) -> None:
        self._imports = None
        await super()._discard()

    async def _arrive(self, seconds: float) -> Landing:
        """Wait until there is a settled document with an agent; the limit is for all documents on the way together."""
        now = self._browsers.clock.now
        until = now() + seconds
        notes: list[Note] = []
        while (left := until - now()) > 0:
            try:
                location = await self._ask(ARRIVE, int(left * 1000), seconds=left)
                for _ in range(MOST_IMPORTS):
                    if location is None or not await self._imported(location.scripts):
                        break
                    self._take_report(location.departure)
                    notes += location.notes
                    location = await self._ask(ARRIVE, int(seconds * 1000), seconds=seconds)
            except DocumentLeft:
                notes.clear()
                continue
            if location is None:
                await asyncio.sleep(0.01)
                continue
            self._take_report(location.departure)
            if location.leaving:
                notes.clear()
                continue  # this document does not stay
            notes += location.notes
            if await self._refreshes():
                continue
            self._is_session_lost = location.is_logged_out
            await self._paint.adapt(draws=location.draws)
            fresh = {str(note.what) for note in notes if note.kind == BACKGROUND} - self._background
            if fresh:
                self._background |= fresh
                await self._register()
            self._origins.add(origin_of(location.url))
            return Landing(
                state=location.state,
                url=location.url,
                quiet=location.quiet,
                notes=tuple(notes),
                status=location.status,
            )
        raise PageStuck(f"no document came to stay within {seconds:g} s")

    async def _refreshes(self) -> bool:
        """Pass a Refresh header on to the agent, which does not see headers. Return whether there was one."""
        refresh, self._refresh = self._refresh, None
        if refresh is not None:
            delay, url = refresh
            await self._ask(REFRESH, int(delay * 1000), url, seconds=self.settings.event_seconds)
        return refresh is not None

    def _take_departure(self, steps: Sequence[Step]) -> Departure | None:
        """Return how a walk of these steps left its document; None without a report that can be true."""
        departure = self._observed_departure or self._reported_departure
        self._observed_departure = self._reported_departure = None
        return departure if departure is not None and departure.fits(steps) else None

    def _take_report(self, departure: Departure | None) -> None:
        if departure is not None:
            self._reported_departure = departure

    async def _imported(self, scripts: str) -> bool:
        """Wait for modules that the page imports. Return whether there may have been any."""
        found = await self._searched(scripts)
        if AHEAD in found:
            self._guard()
        if self._imports is not None:
            return await self._imports.wait_for_quiet(self.settings.event_seconds)
        if IMPORTS not in found:
            return False
        self._imports = DynamicImports(self._live)
        await asyncio.sleep(UNSEEN_SECONDS)
        return True

    async def _searched(self, scripts: str) -> Collection[re.Pattern[str]]:
        """Search these scripts, and the markup around them, for what matters now.

        Scripts in which nothing was found are searched once.
        """
        matters = {IMPORTS: self._imports is None, AHEAD: self._held and not self._is_gate_permanent}
        wanted = [each for each in matters if matters[each] and scripts not in self._searched_in_vain[each]]
        if not wanted:
            return ()
        async with within(self.settings.event_seconds):
            found = await mentioned(self._live, wanted)
        for each in wanted:
            if each not in found:
                self._searched_in_vain[each].add(scripts)
        return found

    async def _ask(self, question: Question[Answer], *values: Any, seconds: float, steps: int = 1) -> Answer:
        """Call the agent, which may take this long for each step.

        Raises DocumentLeft, PageStuck, PageLost, CallRefused or BrowserLost.
        """
        until = self._browsers.clock.now() + (seconds + GRACE_SECONDS) * steps
        answer = await self._answer(question.verb, values, seconds=seconds, steps=steps)
        while isinstance(answer, dict) and answer.get("frame") is True:
            if self._browsers.clock.now() > until:
                raise PageStuck(f"no answer within {seconds:g} s, but for frames")
            async with within(seconds):
                await self._paint.frame()
            answer = await self._answer(DRAWN, (), seconds=seconds, steps=steps)
            if answer is None:
                raise DocumentLeft  # another document answered
        return checked(question, answer)

    async def _answer(self, verb: str, values: Sequence[Any], *, seconds: float, steps: int) -> Any:
        pending = self._live.post(
            "Runtime.evaluate",
            expression=self._expression(verb, values),
            awaitPromise=True,
            returnByValue=True,
            allowUnsafeEvalBlockedByCSP=False,  # what the page's own policy forbids stays forbidden
        )
        ignore(pending)  # a caller that is cancelled while it waits leaves the answer behind
        try:
            for _ in range(steps - 1):
                if (await asyncio.wait({pending}, timeout=seconds + GRACE_SECONDS))[0]:
                    break
                await self._ask(HOW_FAR, seconds=0)  # raises PageStuck if the page hangs in one of the steps
            async with within(seconds):
                answer = msgspec.json.decode(await pending)
        except CallRefused as refused:
            if any(words in str(refused) for words in GONE_MESSAGES):
                raise DocumentLeft from refused
            raise
        if "exceptionDetails" in answer:
            thrown = answer["exceptionDetails"].get("exception", {})
            raise CallRefused(f"the agent failed: {thrown.get('description') or thrown.get('value')}")
        return answer["result"].get("value")


def origin_of(url: str) -> str:
    """Return scheme, host and port of a URL; "" when it is not a URL."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}"
