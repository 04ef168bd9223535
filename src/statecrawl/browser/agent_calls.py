"""Asking the agent of a page, and waiting for a document that has one.

What can end a question is told by two exceptions: `DocumentLeft`, the document went away, and `PageStuck`, there is no
answer in time.
"""

import asyncio
import contextlib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import msgspec

from statecrawl.browser.agent_answers import checked
from statecrawl.browser.awake_clock import GRACE_SECONDS, PageStuck, within
from statecrawl.browser.browsers import Browsers
from statecrawl.browser.coverage import Coverage
from statecrawl.browser.devtools import ignore
from statecrawl.browser.dynamic_imports import AHEAD, IMPORTS, DynamicImports, mentioned
from statecrawl.browser.tab import PageSettings, Tab
from statecrawl.browser.traffic import KeptTraffic
from statecrawl.browser.walk_progress import LEAST_ERROR
from statecrawl.errors import CallRefused
from statecrawl.ports.page import BACKGROUND, HELD, Landing, Note
from statecrawl.strategies.orders import Step

GONE_MESSAGES = ("navigated or closed", "context was destroyed", "Cannot find context", "Cannot find default execution")
UNSEEN_SECONDS = 0.3  # for modules under way when we begin to look for them, once for each page
NOT_LET_IN = frozenset({401, 403})  # statuses of HTTP
MOST_IMPORTS = 20  # rounds of modules that import modules


class DocumentLeft(Exception):
    """The document went away during a call."""


@dataclass(slots=True)
class DocumentFarewell:
    """What the agent of a document said when the document went away."""

    states: list[str] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    dialogs: int = 0
    fired: list[float] = field(default_factory=list)  # when, in milliseconds since 1970; the step that left included


class AgentTab(Tab):
    """A tab whose agent is asked."""

    def __init__(
        self,
        browsers: Browsers,
        settings: PageSettings,
        ledger: KeptTraffic | None = None,
        coverage: Coverage | None = None,
    ) -> None:
        super().__init__(browsers, settings, ledger, coverage)
        self._farewell: DocumentFarewell | None = None  # of the document before, told by the one after it
        self._left_behind: DocumentFarewell | None = None  # of a walk with trusted input, which we know ourselves
        self._at = ""  # the state that it was in last
        self._lost = False  # nobody is logged in any more, where somebody should be
        self._origins: set[str] = set()
        self._imports: DynamicImports | None = None
        # What tells the scripts of documents that do not say so
        self._silent: dict[re.Pattern[str], set[str]] = {IMPORTS: set(), AHEAD: set()}

    async def _discard(self) -> None:
        self._imports = None
        await super()._discard()

    async def _arrive(self, seconds: float) -> Landing:
        """Wait until there is a document with an agent, and it is quiet; all documents on the way count together."""
        now = self._browsers.clock.now
        until = now() + seconds
        notes: list[Note] = []
        while (left := until - now()) > 0:
            try:
                told = await self._ask("arrive", int(left * 1000), seconds=left)
                for _ in range(MOST_IMPORTS):
                    if told is None or not await self._imported(told["scripts"]):
                        break
                    self._hear(told["before"])
                    notes += notes_of(told["notes"])
                    told = await self._ask("arrive", int(seconds * 1000), seconds=seconds)
            except DocumentLeft:
                notes.clear()
                continue
            if told is None:
                await asyncio.sleep(0.01)
                continue
            self._hear(told["before"])
            if told["leaving"]:
                notes.clear()
                continue  # it is not this document that comes to stay
            notes += notes_of(told["notes"])
            if await self._refreshes():
                continue
            self._lost = is_lost(told)
            await self._drawer.heed(draws=told["draws"])
            fresh = {str(note.what) for note in notes if note.kind == BACKGROUND} - self._background
            if fresh:
                self._background |= fresh
                await self._register()
            self._origins.add(origin_of(str(told["url"])))
            return Landing(
                state=str(told["state"]),
                url=str(told["url"]),
                quiet=bool(told["quiet"]),
                notes=tuple(notes),
                status=int(told["status"]),
            )
        raise PageStuck(f"no document came to stay within {seconds:g} s")

    async def _refreshes(self) -> bool:
        """Let the agent see to what a header says is to be loaded later; whether there is such a header."""
        refresh, self._refresh = self._refresh, None
        if refresh is not None:
            delay, url = refresh
            await self._ask("refresh", int(delay * 1000), url, seconds=self.settings.event_seconds)
        return refresh is not None

    def _take_farewell(self, steps: Sequence[Step]) -> DocumentFarewell | None:
        """What was said when a walk of these steps left the document; None when nothing was that can be true."""
        farewell = self._left_behind or self._farewell
        self._left_behind = self._farewell = None
        return farewell if farewell is not None and _fits(farewell.states, steps) else None

    def _hear(self, said: Any) -> None:
        """What the document before has left to say, if it is what an agent says.

        A page can change it. That it was held is not believed: a document that has left was not.
        """
        with contextlib.suppress(ValueError, TypeError, KeyError):
            states = [str(state) for state in said["states"]]
            fired = [float(at) for at in said.get("fired") or ()]
            notes = [note for note in notes_of(said["notes"]) if note.kind != HELD]
            self._farewell = DocumentFarewell(states, notes, int(said["dialogs"]), fired)

    async def _imported(self, scripts: str) -> bool:
        """Wait for modules that the page imports; whether there may have been any."""
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
        """What these scripts, or the markup around them, say that matters. Those that say nothing are searched once."""
        matters = {IMPORTS: self._imports is None, AHEAD: self._held and not self._leads}
        wanted = [each for each in matters if matters[each] and scripts not in self._silent[each]]
        if not wanted:
            return ()
        async with within(self.settings.event_seconds):
            found = await mentioned(self._live, wanted)
        for each in wanted:
            if each not in found:
                self._silent[each].add(scripts)
        return found

    async def _ask(self, verb: str, *values: Any, seconds: float, steps: int = 1) -> Any:
        """Call the agent, which may take so long for each step.

        Raises Left, Stuck, PageLost, CallRefused or BrowserLost.
        """
        until = self._browsers.clock.now() + (seconds + GRACE_SECONDS) * steps
        answer = await self._answer(verb, values, seconds=seconds, steps=steps)
        while isinstance(answer, dict) and answer.get("frame") is True:
            if self._browsers.clock.now() > until:
                raise PageStuck(f"no answer within {seconds:g} s, but for frames")
            async with within(seconds):
                await self._drawer.frame()
            answer = await self._answer("drawn", (), seconds=seconds, steps=steps)
            if answer is None:
                raise DocumentLeft  # what was asked was asked of another document
        return checked(verb, answer)

    async def _answer(self, verb: str, values: Sequence[Any], *, seconds: float, steps: int) -> Any:
        asked = self._live.post(
            "Runtime.evaluate",
            expression=self._expression(verb, values),
            awaitPromise=True,
            returnByValue=True,
            allowUnsafeEvalBlockedByCSP=False,  # what the page's own policy forbids stays forbidden
        )
        ignore(asked)  # whoever is told to stop while waiting leaves it behind
        try:
            for _ in range(steps - 1):
                if (await asyncio.wait({asked}, timeout=seconds + GRACE_SECONDS))[0]:
                    break
                await self._ask("howFar", seconds=0)  # does it get on, or is it stuck in one of the steps?
            async with within(seconds):
                answer = msgspec.json.decode(await asked)
        except CallRefused as refused:
            if any(words in str(refused) for words in GONE_MESSAGES):
                raise DocumentLeft from refused
            raise
        if "exceptionDetails" in answer:
            thrown = answer["exceptionDetails"].get("exception", {})
            raise CallRefused(f"the agent failed: {thrown.get('description') or thrown.get('value')}")
        return answer["result"].get("value")


def origin_of(url: str) -> str:
    """The scheme, host and port of an address; nothing when it is none."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}"


def _fits(states: Sequence[str], steps: Sequence[Step]) -> bool:
    """Whether a walk of these steps can have come through these states and be left by the next step."""
    known = len(states) < max(len(steps), 1) and all(re.fullmatch("[0-9a-f]{24}", state) for state in states)
    return known and all(expected in (None, state) for state, (_, expected) in zip(states, steps, strict=False))


def notes_of(told: Sequence[Any]) -> list[Note]:
    return [Note(str(note[0]), note[1]) for note in told if isinstance(note, list) and len(note) == 2]


def is_lost(told: Mapping[str, Any]) -> bool:
    """Whether nobody is logged in any more where a page is. One that reports another error says nothing about that."""
    return bool(told["lost"]) and (told["status"] < LEAST_ERROR or told["status"] in NOT_LET_IN)


def is_held(notes: Iterable[Note]) -> bool:
    """Whether the agent has stopped the way to another document."""
    return any(note.kind == HELD for note in notes)
