"""Coverage: which functions and blocks of the application's scripts run, as counted by the browser.

Theory of operation
    V8 counts from before the first script of a page. It is queried while no event waits: before a page is loaded again,
    and when it is closed. Each answer contains what ran since the last one, so answers add up. Only the first answer
    about a script lists all its functions; later ones list those that ran.

    An answer identifies scripts by numbers that are valid as long as their document. A script that is listed as a whole
    is identified by its URL and length, and by its number from then on. If it is new, its text is requested, once, to
    get its hash and its lines. Two texts with the same URL and length in one crawl count as one. A script that is gone
    when its text is requested gets the known text of its URL; if there is none yet, its answer waits for one.

    Scripts without a URL are ours (the agent and its calls) or made by `eval`. They are left out, and so is what is not
    from the web.
"""

import asyncio
import hashlib
import re
from bisect import bisect_right
from contextlib import suppress

import msgspec

from statecrawl.browser.devtools import Session, ignore
from statecrawl.errors import BrowserLost, CallRefused, PageLost
from statecrawl.ports.coverage import Function, Script, covered, merged_scripts

PATIENCE_SECONDS = 5.0  # for a page to answer
TEXT_SECONDS = 10.0  # to read the texts of its scripts
MOST_SCRIPTS = 2000  # with different texts
MOST_NUMBERS = 20_000  # of scripts in sessions
MOST_WAITING = 2000  # answers about scripts whose text is unknown yet
WEB = ("http://", "https://")


class _Range(msgspec.Struct, rename="camel"):
    start_offset: int
    end_offset: int
    count: int


class _Function(msgspec.Struct, rename="camel"):
    function_name: str
    ranges: list[_Range]


class _Script(msgspec.Struct, rename="camel"):
    script_id: str
    url: str
    functions: list[_Function]

    @property
    def end(self) -> int:
        """End of the last function that the answer lists."""
        return max(function.ranges[0].end_offset for function in self.functions)

    @property
    def is_whole(self) -> bool:
        """Whether the answer lists all functions: then one of them is the script itself."""
        return any(
            each.ranges[0].start_offset == 0 and each.ranges[0].end_offset == self.end for each in self.functions
        )


class _Taken(msgspec.Struct):
    result: list[_Script]


class _Text:
    """Hash, length and lines of a script."""

    def __init__(self, source: str) -> None:
        self.hash = hashlib.sha256(source.encode("utf-8", errors="backslashreplace")).hexdigest()[:16]
        self.length = len(source)
        self._ends = [found.start() for found in re.finditer("\n", source)]

    def line(self, place: int) -> int:
        return bisect_right(self._ends, place - 1) + 1


class Coverage:
    """What the scripts of all pages of this process have run."""

    def __init__(self) -> None:
        self._texts: dict[tuple[str, int], _Text] = {}  # by URL and length
        self._numbers: dict[tuple[str, str, str], tuple[str, int]] = {}  # session, number, URL -> URL and length
        self._waiting: list[_Script] = []
        self._scripts: dict[tuple[str, str], Script] = {}

    def scripts(self) -> list[Script]:
        return merged_scripts(self._scripts.values())

    async def start(self, session: Session) -> None:
        """Start counting in a page."""
        await session.call("Profiler.enable")
        await session.call("Profiler.startPreciseCoverage", callCount=False, detailed=True)

    async def take(self, session: Session) -> None:
        """Add what a page has run since the last time. A page that does not answer is skipped."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                answer = session.post("Profiler.takePreciseCoverage")
                ignore(answer)
                taken = msgspec.json.decode(await answer, type=_Taken).result
        except (TimeoutError, CallRefused, PageLost, BrowserLost, msgspec.DecodeError):
            return
        scripts = [script for script in taken if script.url.startswith(WEB) and script.functions]
        self._number(session, scripts)
        with suppress(TimeoutError, CallRefused, PageLost, BrowserLost):
            async with asyncio.timeout(TEXT_SECONDS):
                await self._read(session, scripts)
        waiting, self._waiting = self._waiting, []
        for script in waiting:
            self._add(script, self._only_text(script))
        for script in scripts:
            known = self._numbers.get((session.id, script.script_id, script.url))
            self._add(script, self._only_text(script) if known is None else self._texts.get(known))

    def _number(self, session: Session, scripts: list[_Script]) -> None:
        """Remember which scripts the numbers of a session identify."""
        if len(self._numbers) > MOST_NUMBERS:
            self._numbers.clear()
        for script in scripts:
            if script.is_whole:
                self._numbers[session.id, script.script_id, script.url] = script.url, script.end

    async def _read(self, session: Session, scripts: list[_Script]) -> None:
        """Request the texts of scripts that are new."""
        fresh = [script for script in scripts if script.is_whole and (script.url, script.end) not in self._texts]
        fresh = fresh[: MOST_SCRIPTS - len(self._texts)]
        if not fresh:
            return
        await session.call("Debugger.setSkipAllPauses", skip=True)
        await session.call("Debugger.enable")
        try:
            for script in fresh:
                with suppress(CallRefused):  # the script is gone
                    source = await session.call("Debugger.getScriptSource", scriptId=script.script_id)
                    self._texts[script.url, script.end] = _Text(str(source["scriptSource"]))
        finally:
            ignore(session.post("Debugger.disable"))

    def _only_text(self, script: _Script) -> _Text | None:
        """Return the known text of the script's URL, if there is exactly one and it is long enough."""
        alike = [text for (url, _), text in self._texts.items() if url == script.url]
        return alike[0] if len(alike) == 1 and script.end <= alike[0].length else None

    def _add(self, answer: _Script, text: _Text | None) -> None:
        if text is None:
            if len(self._waiting) < MOST_WAITING:
                self._waiting.append(answer)
            return
        named = [function for function in answer.functions if function.function_name or function.ranges[0].start_offset]
        ranges = [each for function in answer.functions for each in function.ranges]
        script = Script(
            url=answer.url,
            hash=text.hash,
            length=text.length,
            covered=covered(((each.start_offset, each.end_offset), each.count > 0) for each in ranges),
            functions=tuple(_function(function, text) for function in named),
        )
        known = self._scripts.get(script.key)
        self._scripts[script.key] = script if known is None else known.merged_with(script)


def _function(answer: _Function, text: _Text) -> Function:
    whole = answer.ranges[0]
    return Function(
        name=answer.function_name,
        line=text.line(whole.start_offset),
        start=whole.start_offset,
        end=whole.end_offset,
        ran=whole.count > 0,
    )
