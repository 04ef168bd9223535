"""Dynamic imports: modules that a page imports while it runs, which only the browser can see.

Only pages with a script that contains `import(` are watched. The debugger searches for such scripts, so only matching
lines leave the browser. The tab has enabled network events (`Tab._identify`). The same search finds pages that may
prefetch.
"""

import asyncio
import re
from collections.abc import Sequence
from typing import Any

from statecrawl.browser.devtools import Session, ignore
from statecrawl.errors import CallRefused

IMPORTS = re.compile(r"\bimport\s*\(")
# As a relation of a link, alone or among others; in an attribute, quotation marks are written as &quot;
AHEAD = re.compile(r"""(?:^|["'`\s=;\\])prefetch(?:["'`\s>&\\]|$)""", re.IGNORECASE)
# Event attributes become scripts only when they run, and the markup of a page does not include its frames
WRITTEN = (
    "((markup) => [%s].map((each) => each.test(markup)))([document, ...[...document.querySelectorAll('iframe, frame')]"
    ".map((frame) => frame.contentDocument)].map((inside) => inside?.documentElement?.outerHTML).join(' '))"
)
MOST_SCRIPTS = 2000  # to search; a page with more counts as one that imports


async def mentioned(session: Session, wanted: Sequence[re.Pattern[str]]) -> set[re.Pattern[str]]:
    """Return those patterns that match a script or the current markup of the page."""
    found: set[re.Pattern[str]] = set()
    query = "|".join(each.pattern for each in wanted)
    scripts: list[str] = []
    unsubscribe = session.on("Debugger.scriptParsed", lambda event: scripts.append(event["scriptId"]))
    try:
        await session.call("Debugger.setSkipAllPauses", skip=True)
        await session.call("Debugger.enable")
        if len(scripts) > MOST_SCRIPTS:
            return set(wanted)
        for script in scripts:
            try:
                answer = await session.call("Debugger.searchInContent", scriptId=script, query=query, isRegex=True)
            except CallRefused:
                continue  # the script is gone
            lines = [str(line["lineContent"]) for line in answer["result"]]  # the search ignores case
            found |= {each for each in wanted if each not in found and any(map(each.search, lines))}
            if len(found) == len(wanted):
                return found
        return found | await _written(session, wanted)
    finally:
        unsubscribe()
        ignore(session.post("Debugger.disable"))  # not awaited: the page may never answer


async def _written(session: Session, wanted: Sequence[re.Pattern[str]]) -> set[re.Pattern[str]]:
    """Return those patterns that match the markup; all of them when the page hides its markup."""
    tests = ", ".join(f"/{each.pattern}/{'i' if each.flags & re.IGNORECASE else ''}" for each in wanted)
    answer = await session.call("Runtime.evaluate", expression=WRITTEN % tests, returnByValue=True)
    matches = answer["result"].get("value")
    if not isinstance(matches, list) or len(matches) != len(wanted):
        return set(wanted)
    return {each for each, matched in zip(wanted, matches, strict=True) if matched is not False}


class DynamicImports:
    """Watches which scripts are being fetched."""

    def __init__(self, session: Session) -> None:
        self._fetching: set[str] = set()
        self._seen = 0
        self._quiet = asyncio.Event()
        self._quiet.set()
        session.on("Network.requestWillBeSent", self._started)
        session.on("Network.loadingFinished", self._ended)
        session.on("Network.loadingFailed", self._ended)

    async def wait_for_quiet(self, seconds: float) -> bool:
        """Wait until nothing is being fetched. Return whether anything was since the last time."""
        seen, self._seen = self._seen, 0
        try:
            await asyncio.wait_for(self._quiet.wait(), seconds)
        except TimeoutError:
            self._fetching.clear()
            self._quiet.set()
        return seen > 0

    def _started(self, event: dict[str, Any]) -> None:
        if event.get("type") == "Script":
            self._seen += 1
            self._fetching.add(event["requestId"])
            self._quiet.clear()

    def _ended(self, event: dict[str, Any]) -> None:
        self._fetching.discard(event["requestId"])
        if not self._fetching:
            self._quiet.set()
