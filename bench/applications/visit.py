"""A visit of an application: a page in Chromium that loads it, logs in, and counts the functions that it executes.

It shares the DevTools connection and the counting with statecrawl, but not the agent: time, chance and events are the
browser's own. Links to other sites and new windows lead nowhere.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urljoin

from bench.applications.application import Application, Step
from bench.applications.functions import Functions, executed
from bench.applications.offline_browser import offline_browser
from statecrawl.browser.agent_calls import origin_of
from statecrawl.browser.chromium import FEATURES_OFF, SHELL_FEATURES_OFF, Chromium
from statecrawl.browser.context_targets import open_page
from statecrawl.browser.coverage import Coverage
from statecrawl.browser.devtools import Session, ignore
from statecrawl.errors import BrowserError

SAME_PAGE = f"--disable-features={','.join((*FEATURES_OFF, *SHELL_FEATURES_OFF))}"  # else counts end with a document
QUIET_SECONDS = 1.0  # without a request and without a change, after which a page has settled
MOST_SECONDS = 15.0  # to settle
LONG_SECONDS = 3.0  # of a request that is not waited for: it may be a stream without an end
POLL_SECONDS = 0.1
ANSWER_SECONDS = 5.0  # for a script of ours in the page
MARKER_SECONDS = 1.0  # for the element that shows that the session lasts
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
        self._coverage = Coverage()
        self._origin = ""  # of the application
        self._frame = ""  # the main one
        self._requests: dict[str, float] = {}  # under way -> when they began
        self._answering: set[asyncio.Task[None]] = set()
        self._is_new_document = False
        session.on("Network.requestWillBeSent", self._requested)
        for ending in ("Network.loadingFinished", "Network.loadingFailed", "Network.webSocketCreated"):
            session.on(ending, self._answered)
        session.on("Page.frameStartedNavigating", lambda _: self._requests.clear())
        session.on("Page.frameNavigated", self._navigated)
        session.on("Page.javascriptDialogOpening", self._accept_dialog)
        session.on("Fetch.requestPaused", self._document_requested)

    async def start(self) -> None:
        """Prepare the page."""
        for domain in ("Page", "Network", "Runtime"):
            await self.session.call(f"{domain}.enable")
        await self.session.call("Page.setInterceptFileChooserDialog", enabled=True)
        self._frame = (await self.session.call("Page.getFrameTree"))["frameTree"]["frame"]["id"]
        await self.session.call("Fetch.enable", patterns=[{"urlPattern": "*", "resourceType": "Document"}])
        await self._coverage.start(self.session)

    async def functions(self) -> Functions:
        """Return the functions that have been executed so far."""
        await self._coverage.take(self.session)
        return executed(self._coverage.scripts())

    async def load(self, url: str, application: Application) -> None:
        """Load the first page, log in if necessary, and wait until the page has settled."""
        self._origin = origin_of(url)
        await self.session.call("Page.navigate", url=url)
        await self.settle()
        if application.login:
            await self._log_in(url, application)

    async def settle(self) -> None:
        """Wait until the page neither loads nor changes."""
        until = time.monotonic() + MOST_SECONDS
        quiet_since, last = time.monotonic(), ""
        while time.monotonic() < until:
            await asyncio.sleep(POLL_SECONDS)
            size = str(await self.evaluate(SIZE))
            if self._is_loading() or size != last or not size.startswith("complete"):
                quiet_since, last = time.monotonic(), size
                await self.count_new_document()
            elif time.monotonic() - quiet_since >= QUIET_SECONDS:
                return

    def _is_loading(self) -> bool:
        now = time.monotonic()
        return any(now - begun < LONG_SECONDS for begun in self._requests.values())

    def _requested(self, event: dict[str, Any]) -> None:
        self._requests[event["requestId"]] = time.monotonic()

    def _answered(self, event: dict[str, Any]) -> None:
        self._requests.pop(event["requestId"], None)

    async def evaluate(self, expression: str) -> Any:
        """Return the value of an expression in the page; None if the page does not answer."""
        with suppress(TimeoutError, BrowserError):
            async with asyncio.timeout(ANSWER_SECONDS):
                answer = await self.session.call("Runtime.evaluate", expression=expression, returnByValue=True)
                return answer["result"].get("value")
        return None

    async def stay_logged_in(self, url: str, application: Application) -> None:
        """Log in again if the session has ended, which is when a page and then the first one do not show it."""
        marker = f"document.querySelector({json.dumps(application.session)})"
        if not application.session or await self._has(marker, MARKER_SECONDS):
            return
        await self.session.call("Page.navigate", url=url)
        await self.settle()
        if not await self._has(marker, MARKER_SECONDS):
            await self._log_in(url, application)

    async def _log_in(self, url: str, application: Application) -> None:
        for step in application.login:
            await self._act(step, url)
        await self.settle()
        await self.session.call("Page.navigate", url=url)
        await self.settle()

    async def _act(self, step: Step, url: str) -> None:
        """Do one step of a login."""
        if "goto" in step:
            await self.session.call("Page.navigate", url=urljoin(url, step["goto"]))
        else:
            element = f"document.querySelector({json.dumps(step.get('fill') or step['click'])})"
            await self._has(element, FIELD_SECONDS)
            value = json.dumps(step.get("value", ""))
            await self.evaluate(f"{FILL}({element}, {value})" if "fill" in step else f"{element}.click()")
        if "fill" not in step:
            await self.settle()

    async def _has(self, element: str, seconds: float) -> bool:
        """Whether an element is there, or appears within some seconds."""
        until = time.monotonic() + seconds
        while not (found := await self.evaluate(f"!!{element}")) and time.monotonic() < until:
            await asyncio.sleep(POLL_SECONDS)
        return bool(found)

    async def count_new_document(self) -> bool:
        """Count what a new document has run. Its scripts are known from then on, even when it is gone.

        Return whether there was one.
        """
        if not self._is_new_document:
            return False
        self._is_new_document = False
        await self._coverage.take(self.session)
        return True

    def _navigated(self, event: dict[str, Any]) -> None:
        self._is_new_document = self._is_new_document or event["frame"]["id"] == self._frame

    def _document_requested(self, event: dict[str, Any]) -> None:
        answering = asyncio.ensure_future(self._answer(event))
        self._answering.add(answering)
        answering.add_done_callback(self._answering.discard)

    async def _answer(self, event: dict[str, Any]) -> None:
        """Let the application load its own documents, and none of another site."""
        request, is_main = event["requestId"], event["frameId"] == self._frame
        with suppress(BrowserError):
            if is_main and origin_of(event["request"]["url"]) != self._origin:
                await self.session.call("Fetch.failRequest", requestId=request, errorReason="Aborted")
                return
            await self.session.call("Fetch.continueRequest", requestId=request)

    def _accept_dialog(self, _: dict[str, Any]) -> None:
        ignore(self.session.post("Page.handleJavaScriptDialog", accept=True))


@asynccontextmanager
async def visiting() -> AsyncIterator[Visit]:
    """Open a page in a browser of its own."""
    with TemporaryDirectory(prefix="statecrawl-bench-") as folder:
        chromium = await Chromium.start(offline_browser(Path(folder), draws=True), (SAME_PAGE,))
        try:
            visit = Visit(await open_page(chromium.connection))
            await chromium.connection.root.call("Browser.setDownloadBehavior", behavior="deny")
            await visit.start()
            yield visit
        finally:
            await chromium.close()
