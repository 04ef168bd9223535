"""Modules that a page imports while it runs: no script can see them coming, so the browser is asked.

Only pages with a script that says `import(` are waited for in this way. The debugger finds such scripts: only lines
that say so leave the browser. The tab has turned the events of the network on (`Tab._introduce`). What a page may fetch
ahead is found likewise, by the same search.
"""

import asyncio
import re
from collections.abc import Sequence
from typing import Any

from statecrawl.browser.devtools import Session, ignore
from statecrawl.errors import CallRefused

IMPORTS = re.compile(r"\bimport\s*\(")
# As a relation of a link, alone or beside others; in an attribute, quotation marks are written as &quot;
AHEAD = re.compile(r"""(?:^|["'`\s=;\\])prefetch(?:["'`\s>&\\]|$)""", re.IGNORECASE)
# Attributes are no scripts before they are used, and frames are no part of the markup around them
WRITTEN = (
    "((markup) => [%s].map((each) => each.test(markup)))([document, ...[...document.querySelectorAll('iframe, frame')]"
    ".map((frame) => frame.contentDocument)].map((inside) => inside?.documentElement?.outerHTML).join(' '))"
)
MOST_SCRIPTS = 2000  # that are searched; a page with more is taken for one that imports


async def mentioned(session: Session, wanted: Sequence[re.Pattern[str]]) -> set[re.Pattern[str]]:
    """Which of these a script or the markup of the page, as it is now, matches."""
    found: set[re.Pattern[str]] = set()
    query = "|".join(each.pattern for each in wanted)
    scripts: list[str] = []
    deafen = session.on("Debugger.scriptParsed", lambda told: scripts.append(told["scriptId"]))
    try:
        await session.call("Debugger.setSkipAllPauses", skip=True)
        await session.call("Debugger.enable")
        if len(scripts) > MOST_SCRIPTS:
            return set(wanted)
        for script in scripts:
            try:
                told = await session.call("Debugger.searchInContent", scriptId=script, query=query, isRegex=True)
            except CallRefused:
                continue  # it is gone already
            lines = [str(line["lineContent"]) for line in told["result"]]  # in upper case, too
            found |= {each for each in wanted if each not in found and any(map(each.search, lines))}
            if len(found) == len(wanted):
                return found
        return found | await _written(session, wanted)
    finally:
        deafen()
        ignore(session.post("Debugger.disable"))  # nobody may wait here: the page may never answer


async def _written(session: Session, wanted: Sequence[re.Pattern[str]]) -> set[re.Pattern[str]]:
    """Which of these the markup matches; where the page does not let anybody know, all."""
    tests = ", ".join(f"/{each.pattern}/{'i' if each.flags & re.IGNORECASE else ''}" for each in wanted)
    told = await session.call("Runtime.evaluate", expression=WRITTEN % tests, returnByValue=True)
    answers = told["result"].get("value")
    if not isinstance(answers, list) or len(answers) != len(wanted):
        return set(wanted)
    return {each for each, answer in zip(wanted, answers, strict=True) if answer is not False}


class DynamicImports:
    """Which scripts are being fetched."""

    def __init__(self, session: Session) -> None:
        self._open: set[str] = set()
        self._seen = 0
        self._quiet = asyncio.Event()
        self._quiet.set()
        session.on("Network.requestWillBeSent", self._began)
        session.on("Network.loadingFinished", self._ended)
        session.on("Network.loadingFailed", self._ended)

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
