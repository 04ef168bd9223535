"""Modules that a page imports while it runs: no script can see them coming, so the browser is asked.

Only pages with a script that says `import(` are waited for in this way. The debugger finds such scripts without their
sources leaving the browser. The tab has turned the events of the network on (`Tab._introduce`). What a page may fetch
ahead is found likewise.
"""

import asyncio
from typing import Any

from statecrawl.browser.devtools import Session, ignore
from statecrawl.errors import CallRefused

IMPORTS = r"\bimport\s*\("
AHEAD = r"""(?:^|["'`\s=])prefetch(?:["'`\s>]|$)"""  # as a relation of a link, alone or beside others
WRITTEN = "/%s/i.test(document.documentElement?.outerHTML)"  # attributes are no scripts before they are used
MOST_SCRIPTS = 2000  # that are searched; a page with more is taken for one that imports


async def mentions(session: Session, expression: str) -> bool:
    """Whether a script or the markup of the page, as it is now, says what the expression matches."""
    scripts: list[str] = []
    deafen = session.on("Debugger.scriptParsed", lambda told: scripts.append(told["scriptId"]))
    try:
        await session.call("Debugger.setSkipAllPauses", skip=True)
        await session.call("Debugger.enable")
        if len(scripts) > MOST_SCRIPTS:
            return True
        for script in scripts:
            try:
                found = await session.call("Debugger.searchInContent", scriptId=script, query=expression, isRegex=True)
            except CallRefused:
                continue  # it is gone already
            if found["result"]:
                return True
        written = await session.call("Runtime.evaluate", expression=WRITTEN % expression, returnByValue=True)
        return written["result"].get("value") is not False
    finally:
        deafen()
        ignore(session.post("Debugger.disable"))  # nobody may wait here: the page may never answer


class Imports:
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
