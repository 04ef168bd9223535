"""A tab of Chromium: a target in a context of its own, with the agent in every document.

A tab that was discarded opens again when it is needed.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from importlib import metadata
from typing import Any

import msgspec

from statecrawl.browser.agent import agent_script, worker_script
from statecrawl.browser.awake_clock import AwakeTimeout, within
from statecrawl.browser.browsers import Browsers
from statecrawl.browser.busy_servers import MAY_BE_BUSY, wait_request
from statecrawl.browser.chromium import Chromium
from statecrawl.browser.context_targets import (
    OWN,
    PAUSE,
    WORKERS,
    ContextTargets,
    release,
    watch_loading,
    watch_windows,
)
from statecrawl.browser.coverage import Coverage
from statecrawl.browser.devtools import Session, ignore
from statecrawl.browser.emulation import emulate
from statecrawl.browser.page_settings import PageSettings, check_settings
from statecrawl.browser.paint import FramePaint, Paint, WindowPaint
from statecrawl.browser.request_gate import DOCUMENTS, RequestGate, is_of_application
from statecrawl.browser.traffic import TabTraffic, TrafficIndex
from statecrawl.errors import BrowserLost, CallRefused, PageLost
from statecrawl.model.regex import is_in_scope
from statecrawl.ports.page import BUSY, Note

OPEN_SECONDS = 30.0  # for a browser to open a page, or it is replaced
DISCARD_SECONDS = 5.0  # for a browser to close a page
MOST_NOTES = 200  # of the browser, between two walks; a page that opens more windows is not worth more
HEADER_REFRESH = "httpHeaderRefresh"  # the browser's reason for loading another document because of a header
LEADING = frozenset({"iframe", "service_worker"})  # targets that can send a page elsewhere without its agent
EVERYWHERE = (".*",)  # a scope without an end
PRODUCT = f"statecrawl/{metadata.version('statecrawl')}"  # appended to the browser's User-Agent header


class Tab:
    """One target, opened when it is needed."""

    def __init__(
        self,
        browsers: Browsers,
        settings: PageSettings,
        index: TrafficIndex | None = None,
        coverage: Coverage | None = None,
    ) -> None:
        """Traffic is recorded only with an index. With `coverage`, what the page's scripts run is added to it."""
        self.settings = settings
        self._coverage = coverage
        self.fired = 0  # events since the page was last replaced
        self._browsers = browsers
        self._browser: Chromium | None = None
        self._context = ""
        self._target = ""
        self._session: Session | None = None
        self._painter: Paint | None = None
        name, secret = json.dumps(settings.agent.name), json.dumps(settings.agent.secret)
        self._call_prefix = f"location[{name}] ? location[{name}]({secret}, "  # of every call of the agent
        self._script = ""  # identifier of the agent's registration
        self._refresh: tuple[float, str] | None = None  # after how many seconds the document loads which URL
        self._notes: list[Note] = []  # reported by the browser, not by the agent
        self._background: set[str] = set()  # URLs that are not waited for, until the next reset
        self._traffic = None if index is None else TabTraffic(index)
        self._is_own_url = partial(is_of_application, first=settings.url, allow=settings.agent.allow)
        self._gate = RequestGate(
            settings.access,
            self._is_own_url,
            self._add_note,
            is_in_scope=self._in_scope,
            on_prefetch=self._guard,
            read_only=settings.read_only,
            pace=browsers.pace,
        )
        self._is_gated = False  # its documents and prefetches pass the gate
        # The agent stops other documents
        self._held = settings.holds and not settings.login and not self._gate.is_needed
        self._ignores_scope = False  # during a login
        self._is_gate_permanent = False  # something may send the page elsewhere, or prefetch, without the agent
        self._unsubscribe: list[Callable[[], None]] = []  # from events of the browser as a whole

    @property
    def _chromium(self) -> Chromium:
        if self._browser is None:
            raise PageLost("the page is closed")
        return self._browser

    @property
    def _live(self) -> Session:
        """The session. Raises PageLost when there is none."""
        if self._session is None:
            raise PageLost("the page is closed")
        return self._session

    @property
    def _paint(self) -> Paint:
        if self._painter is None:
            raise PageLost("the page is closed")
        return self._painter

    # -- opening and closing --

    async def _open(self) -> None:
        """Open a page. Raises BrowserLost when no browser opens one."""
        self._browser = await self._browsers.borrow()
        try:
            async with AwakeTimeout(OPEN_SECONDS):
                await self._prepare()
        except TimeoutError as late:
            self._chromium.connection.close("the browser does not open pages any more")
            raise BrowserLost("the browser does not open pages any more: start it again.") from late

    async def _prepare(self) -> None:
        """Create a target in a context of its own, with everything in place before the first load."""
        self.fired = 0
        root = self._chromium.connection.root
        access = self.settings.access
        session = self._session = await self._create_target()
        self._listen(session)
        if not self._is_gated:
            self._gate.listen(session)
            self._start_gate()
        self._identify(session)
        if self._traffic is not None:
            await self._traffic.watch(session)
        watching = self._watch_children(session)
        release(session)
        await asyncio.gather(
            watching,
            session.post("Page.enable"),
            session.post("Inspector.enable"),
            *emulate(root, session, self._context, access.device),
        )
        if self._coverage is not None:
            await self._coverage.start(session)
        await check_settings(session, self.settings)
        self._painter = (
            FramePaint(session) if self._chromium.is_shell else WindowPaint(root, session, await self._window())
        )
        await self._register()

    async def _create_target(self) -> Session:
        root = self._chromium.connection.root
        proxy = await self._browsers.proxy_for(self.settings.access, self._is_own_url)
        by = {} if proxy is None else proxy.context()
        self._gate.proxy = None if proxy is None else proxy.credentials
        self._context = (await root.call("Target.createBrowserContext", **by))["browserContextId"]
        wanted = {"url": "about:blank", "browserContextId": self._context}
        targets = ContextTargets(self._chromium.connection, self._context, self._prepare_target)
        self._unsubscribe.append(targets.ignore)
        if self.settings.read_only:
            await self._watch_workers(targets)
        on_demand = {"enableBeginFrameControl": True} if self._chromium.is_shell else {}
        try:
            created = await root.call("Target.createTarget", **wanted, **on_demand)
        except CallRefused:  # a shell that does not draw on demand
            self._chromium.is_shell = False
            created = await root.call("Target.createTarget", **wanted)
        self._target = self._gate.page = created["targetId"]
        self._is_gated = self._gate.is_needed
        return await targets.page

    async def _watch_workers(self, targets: ContextTargets) -> None:
        """Refuse requests that a worker sends before its own session passes them through the gate."""

        def refuses(paused: dict[str, Any]) -> bool:
            return paused.get("frameId") in targets.workers and self._gate.refuses(paused)

        backstop = await self._chromium.backstop()
        backstop.refusers.append(refuses)
        self._unsubscribe.append(lambda: backstop.refusers.remove(refuses))

    def _identify(self, session: Session) -> None:
        """Let all requests of a session identify the crawler, and let them pass the gate where needed.

        Only servers see that this is a crawler. Scripts of the page see the browser, or the device, that they would
        see otherwise.
        """
        access, browser = self.settings.access, self._chromium
        user_agent = access.user_agent or access.device.user_agent_in(browser.product)
        if user_agent:
            ignore(session.post("Emulation.setUserAgentOverride", userAgent=user_agent))
        if self._traffic is None:
            ignore(session.post("Network.enable", maxTotalBufferSize=0, maxResourceBufferSize=0))
        session.on("Network.responseReceived", self._response_received)
        if (pace := self._browsers.pace) is not None:
            session.on("Network.requestWillBeSent", lambda event: pace.count(str(event["request"]["url"])))
        if access.user_agent is None:
            headers = {"User-Agent": f"{user_agent or browser.user_agent} {PRODUCT}"}
            ignore(session.post("Network.setExtraHTTPHeaders", headers=headers))
        if access.insecure or access.certificate is not None:  # the client-certificate proxy checks certificates
            ignore(session.post("Security.setIgnoreCertificateErrors", ignore=True))
        if self._gate.is_needed:
            self._gate.watch(session)

    async def _window(self) -> int | None:
        """Return the number of the window, where it may be minimised."""
        if self.settings.trusted:
            return None
        try:
            window = await self._chromium.connection.root.call("Browser.getWindowForTarget", targetId=self._target)
        except CallRefused:
            return None
        return int(window["windowId"])

    async def _register(self) -> None:
        """Run the agent at the start of every document; again when its settings have changed."""
        settings = replace(
            self.settings.agent,
            background=tuple(sorted(self._background)),
            on_demand=self._chromium.is_shell,
            touch=self.settings.access.device.touch,
            held=self._held,
        )
        if self._ignores_scope:
            settings = replace(settings, allow=EVERYWHERE, deny=())
        async with within(self.settings.load_seconds):
            if self._script:
                await self._live.call("Page.removeScriptToEvaluateOnNewDocument", identifier=self._script)
            added = await self._live.call("Page.addScriptToEvaluateOnNewDocument", source=agent_script(settings))
        self._script = added["identifier"]

    async def _discard(self) -> None:
        """Discard the page, whatever condition it is in."""
        session, self._session = self._session, None
        browser, self._browser = self._browser, None
        context, self._context = self._context, ""
        self._script = ""
        self._painter = None
        unsubscribe, self._unsubscribe = self._unsubscribe, []
        if browser is None:
            return
        if session is not None:
            browser.connection.forget(session.id, "the page was discarded")
        if self._traffic is not None:
            self._traffic.end()
        self._gate.end()
        if context:
            try:
                async with AwakeTimeout(DISCARD_SECONDS):
                    await browser.connection.root.call("Target.disposeBrowserContext", browserContextId=context)
            except TimeoutError:
                browser.connection.close("the browser does not close pages any more")
            except (CallRefused, BrowserLost):
                pass  # already gone
            finally:
                for end in unsubscribe:  # until then, requests that a page sends while it is closed pass the gate
                    end()
        await self._browsers.give_back(browser)

    async def _discard_healthy(self) -> None:
        """Discard a page that still answers, after the bodies that were requested have arrived."""
        if self._traffic is not None:
            await self._traffic.wait_for_bodies()
        await self._discard()

    async def _take_coverage(self) -> None:
        """Add what the page's scripts have run to the coverage; only while the page answers."""
        if self._coverage is not None and self._session is not None:
            await self._coverage.take(self._session)

    # -- events of the browser --

    def _listen(self, session: Session) -> None:
        lose = self._chromium.connection.forget
        root = self._chromium.connection.root
        session.on("Inspector.targetCrashed", lambda _: lose(session.id, "the page crashed"))
        session.on(
            "Page.javascriptDialogOpening", lambda _: ignore(session.post("Page.handleJavaScriptDialog", accept=True))
        )
        session.on("Page.frameScheduledNavigation", self._navigation_scheduled)
        session.on("Page.frameNavigated", self._frame_navigated)
        watch_windows(session, lambda url: self._add_note("window", url))
        target = self._target
        frames = {target}
        session.on("Page.frameAttached", lambda event: frames.add(event["frameId"]))
        session.on("Page.frameDetached", lambda event: frames.discard(event["frameId"]))

        def destroyed(event: dict[str, Any]) -> None:
            if event.get("targetId") == target:
                lose(session.id, "the page was closed")

        def download_begins(event: dict[str, Any]) -> None:
            if self._session is session and event.get("frameId") in frames:
                self._add_note("download", event.get("url"))
                self._navigation_ended(session)

        watch_loading(session, target, lambda: self._navigation_ended(session))

        self._unsubscribe += [
            root.on("Target.targetDestroyed", destroyed),
            root.on("Browser.downloadWillBegin", download_begins),
        ]

    def _navigation_scheduled(self, event: dict[str, Any]) -> None:
        """Remember a Refresh header, which loads another document after a while; the agent does not see headers."""
        if event["frameId"] == self._target and event["reason"] == HEADER_REFRESH:
            self._refresh = (float(event["delay"]), str(event["url"]))

    def _navigation_ended(self, session: Session) -> None:
        """Tell the agent that its document stays: the one that was being loaded does not come."""
        if self._session is session:
            ignore(session.post("Runtime.evaluate", expression=self._expression("stay", ())))

    def _watch_children(self, session: Session) -> asyncio.Future[msgspec.Raw]:
        """Pause the workers, and the frames of other processes, inside a page, a frame or a worker when they start."""
        forget = self._chromium.connection.forget
        session.on("Target.attachedToTarget", lambda event: self._attached(session, event))
        session.on("Target.detachedFromTarget", lambda event: forget(event["sessionId"], "it ended"))
        return session.post("Target.setAutoAttach", **PAUSE, filter=OWN)

    def _attached(self, outer: Session, event: dict[str, Any]) -> None:
        """Prepare and release a dedicated worker, or a frame of another process."""
        if self._browser is None:
            return  # the page is gone, and its targets with it
        inner = self._browser.connection.session(event["sessionId"], outer.id)
        self._prepare_target(inner, event["targetInfo"]["type"])
        release(inner)

    def _prepare_target(self, inner: Session, kind: str) -> None:
        """Prepare a worker or a frame before it runs: control its randomness and time, and gate its requests."""
        ignore(self._watch_children(inner))
        if kind in WORKERS:
            ignore(inner.post("Runtime.evaluate", expression=worker_script(self.settings.agent)))
        else:
            watch_windows(inner, lambda url: self._add_note("window", url))
            ignore(inner.post("Page.enable"))
        if kind in LEADING:
            self._guard()
        if self._traffic is not None:
            ignore(self._traffic.watch(inner))
        self._identify(inner)

    def _guard(self) -> None:
        """Pass documents through the gate for good: something may send the page elsewhere without the agent."""
        self._is_gate_permanent = True
        self._start_gate()

    def _start_gate(self) -> None:
        if not self._is_gated and self._session is not None:
            self._is_gated = True
            self._gate.start(self._session, DOCUMENTS)

    def _stop_gate(self) -> None:
        """Pass nothing through the gate any more, unless something has to."""
        if self._is_gated and self._held and not self._is_gate_permanent:
            self._is_gated = False
            ignore(self._live.post("Fetch.disable"))

    async def _allow_documents(self) -> None:
        """Let the page load other documents from now on; they pass the gate."""
        if self._held:
            self._held = False
            self._guard()
            await self._register()

    def _frame_navigated(self, event: dict[str, Any]) -> None:
        frame = event["frame"]
        if "parentId" in frame and frame["url"] != "about:blank" and not self._is_own_url(frame["url"]):
            self._guard()

    def _response_received(self, event: dict[str, Any]) -> None:
        """Handle responses that ask for a prefetch, or for a pause."""
        response = event["response"]
        if event["type"] == "Document" and any(
            name.lower() == "link" and "prefetch" in value.lower() for name, value in response["headers"].items()
        ):
            self._guard()
        if response.get("status") in MAY_BE_BUSY:
            request = wait_request(response, datetime.now(UTC))
            if request is not None:
                self._add_note(BUSY, request)

    def _expression(self, verb: str, values: Sequence[Any]) -> str:
        return f'{self._call_prefix}"{verb}", {json.dumps(values)}) : null'

    def _in_scope(self, url: str) -> bool:
        agent = self.settings.agent
        return is_in_scope(url, agent.allow, agent.deny)

    def _add_note(self, kind: str, what: Any) -> None:
        if len(self._notes) < MOST_NOTES:
            self._notes.append(Note(kind, what))

    def _take_notes(self) -> list[Note]:
        notes, self._notes = self._notes, []
        return notes
