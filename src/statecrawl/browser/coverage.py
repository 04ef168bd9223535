"""Coverage: the browser counts which functions and blocks of the application's scripts run, and is asked now and then.

Theory of operation
    V8 counts from before the first script of a page. It is asked when nobody waits for an event: before a page is
    loaded anew, and when it is closed. What it then tells is counted from zero again, so answers add up.

    A script is known by its address and length until it is seen for the first time; then its text is asked for, once,
    which gives its hash and its lines. Two texts of one address and one length in one crawl are taken for one.

    Scripts without an address are ours (the agent, questions to it) or made by `eval`: they are left out, and so is
    what is not from the web.
"""

import asyncio
import hashlib
from bisect import bisect_right
from typing import Any

import msgspec

from statecrawl.browser.devtools import Session, ignore
from statecrawl.errors import BrowserLost, CallRefused, PageLost
from statecrawl.ports.coverage import Function, Script, added_up, covered

PATIENCE_SECONDS = 2.0  # for a page to tell
MOST_SCRIPTS = 2000  # with different texts
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
    def length(self) -> int:
        return max((each.end_offset for function in self.functions for each in function.ranges), default=0)


class _Taken(msgspec.Struct):
    result: list[_Script]


class _Text:
    """What is known of a script's text."""

    def __init__(self, source: str) -> None:
        self.hash = hashlib.sha256(source.encode("utf-8", errors="backslashreplace")).hexdigest()[:16]
        self.length = len(source)
        self._ends = [place for place, letter in enumerate(source) if letter == "\n"]

    def line(self, place: int) -> int:
        return bisect_right(self._ends, place - 1) + 1


class Coverage:
    """What all pages of this process have run."""

    def __init__(self) -> None:
        self._texts: dict[tuple[str, int], _Text] = {}
        self._scripts: dict[tuple[str, str], Script] = {}

    def scripts(self) -> list[Script]:
        return added_up(self._scripts.values())

    async def begin(self, session: Session) -> None:
        """Have a page count from now on."""
        await session.call("Profiler.enable")
        await session.call("Profiler.startPreciseCoverage", callCount=False, detailed=True)

    async def take(self, session: Session) -> None:
        """Ask a page what has run since it was asked last. A page that does not tell is not heard."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                answer = session.post("Profiler.takePreciseCoverage")
                ignore(answer)
                taken = msgspec.json.decode(await answer, type=_Taken).result
                told = [script for script in taken if script.url.startswith(WEB) and script.functions]
                await self._read(session, told)
        except (TimeoutError, CallRefused, PageLost, BrowserLost, msgspec.DecodeError):
            return
        for script in told:
            self._add(script)

    async def _read(self, session: Session, told: list[_Script]) -> None:
        """Ask for the texts of scripts that nobody has seen yet."""
        fresh = [script for script in told if (script.url, script.length) not in self._texts]
        fresh = [script for script in fresh if _is_whole(script)][: MOST_SCRIPTS - len(self._texts)]
        if not fresh:
            return
        await session.call("Debugger.setSkipAllPauses", skip=True)
        await session.call("Debugger.enable")
        try:
            for script in fresh:
                source: dict[str, Any] = await session.call("Debugger.getScriptSource", scriptId=script.script_id)
                self._texts[script.url, script.length] = _Text(str(source["scriptSource"]))
        finally:
            ignore(session.post("Debugger.disable"))

    def _add(self, told: _Script) -> None:
        text = self._texts.get((told.url, told.length))
        if text is None:
            return
        named = [function for function in told.functions if function.function_name or function.ranges[0].start_offset]
        ranges = [each for function in told.functions for each in function.ranges]
        script = Script(
            url=told.url,
            hash=text.hash,
            length=text.length,
            covered=covered(((each.start_offset, each.end_offset), each.count > 0) for each in ranges),
            functions=tuple(_function(function, text) for function in named),
        )
        known = self._scripts.get(script.key)
        self._scripts[script.key] = script if known is None else known.with_more(script)


def _is_whole(script: _Script) -> bool:
    """Whether all of a script is told of, and not only what ran since the last time."""
    return any(
        each.start_offset == 0 and each.end_offset == script.length for f in script.functions for each in f.ranges
    )


def _function(told: _Function, text: _Text) -> Function:
    whole = told.ranges[0]
    return Function(
        name=told.function_name,
        line=text.line(whole.start_offset),
        start=whole.start_offset,
        end=whole.end_offset,
        ran=whole.count > 0,
    )
