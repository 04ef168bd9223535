"""A visit of an application: a page in Chromium that loads it, logs in, and counts the functions that it executes.

It shares the DevTools connection and the counting with statecrawl, but not the agent: time, chance and events are the
browser's own. Only this machine can be reached, so a link to another site leads to an error page.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any
from urllib.parse import urljoin

from bench.applications.application import Application, Step
from statecrawl.browser.chromium import Chromium
from statecrawl.browser.context_targets import open_page
from statecrawl.browser.coverage import Coverage
from statecrawl.browser.devtools import Session, ignore
from statecrawl.errors import BrowserError

NO_OTHER_HOSTS = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"
QUIET_SECONDS = 1.0  # without a request and without a change, after which a page has settled
MOST_SECONDS = 15.0  # to settle
POLL_SECONDS = 0.1
ANSWER_SECONDS = 5.0  # for a script of ours in the page
FIELD_SECONDS = 10.0  # for a field of the login form to appear
SIZE = (
    "document.readyState + document.getElementsByTagName('*').length + '/' + document.documentElement.outerHTML.length"
)
FILL = """((field, value) => {
  const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value');
  field.focus();
  own.set.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
})"""


class Visit:
    """One page."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.coverage = Coverage()
        self._requests: set[str] = set()
        session.on("Network.requestWillBeSent", lambda event: self._requests.add(event["requestId"]))
        for ending in ("Network.loadingFinished", "Network.loadingFailed", "Network.webSocketCreated"):
            session.on(ending, lambda event: self._requests.discard(event["requestId"]))
        session.on("Page.frameStartedNavigating", lambda _: self._requests.clear())
        session.on("Page.javascriptDialogOpening", self._accept_dialog)

    async def start(self) -> None:
        """Prepare the page."""
        for domain in ("Page", "Network", "Runtime"):
            await self.session.call(f"{domain}.enable")
        await self.session.call("Page.setInterceptFileChooserDialog", enabled=True)
        await self.coverage.start(self.session)

    async def load(self, url: str, application: Application) -> None:
        """Load the first page, log in if necessary, and wait until the page has settled."""
        await self.session.call("Page.navigate", url=url)
        await self.settle()
        for step in application.login:
            await self._act(step, url)
        if application.login:
            await self.settle()
            await self.session.call("Page.navigate", url=url)
            await self.settle()

    async def settle(self) -> None:
        """Wait until the page neither loads nor changes."""
        until = time.monotonic() + MOST_SECONDS
        quiet_since, last = time.monotonic(), ""
        while time.monotonic() < until:
            await asyncio.sleep(POLL_SECONDS)
            size = str(await self.evaluate(SIZE))
            if self._requests or size != last or not size.startswith("complete"):
                quiet_since, last = time.monotonic(), size
            elif time.monotonic() - quiet_since >= QUIET_SECONDS:
                return

    async def evaluate(self, expression: str) -> Any:
        """Return the value of an expression in the page; None if the page does not answer."""
        with suppress(TimeoutError, BrowserError):
            async with asyncio.timeout(ANSWER_SECONDS):
                answer = await self.session.call("Runtime.evaluate", expression=expression, returnByValue=True)
                return answer["result"].get("value")
        return None

    async def _act(self, step: Step, url: str) -> None:
        """Do one step of a login."""
        if "goto" in step:
            await self.session.call("Page.navigate", url=urljoin(url, step["goto"]))
        else:
            element = f"document.querySelector({json.dumps(step.get('fill') or step['click'])})"
            await self._wait_for(element)
            value = json.dumps(step.get("value", ""))
            await self.evaluate(f"{FILL}({element}, {value})" if "fill" in step else f"{element}.click()")
        if "fill" not in step:
            await self.settle()

    async def _wait_for(self, element: str) -> None:
        until = time.monotonic() + FIELD_SECONDS
        while time.monotonic() < until and not await self.evaluate(f"!!{element}"):
            await asyncio.sleep(POLL_SECONDS)

    def _accept_dialog(self, _: dict[str, Any]) -> None:
        ignore(self.session.post("Page.handleJavaScriptDialog", accept=True))


@asynccontextmanager
async def visiting() -> AsyncIterator[Visit]:
    """Open a page in a browser of its own."""
    chromium = await Chromium.start(flags=(NO_OTHER_HOSTS,))
    try:
        root = chromium.connection.root
        visit = Visit(await open_page(chromium.connection))
        await root.call("Browser.setDownloadBehavior", behavior="deny")
        await visit.start()
        yield visit
    finally:
        await chromium.close()
