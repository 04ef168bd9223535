"""A tab of Chromium: a target in a context of its own, with the agent in every document.

A tab that was thrown away opens again when it is needed.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from importlib import metadata
from typing import Any

import msgspec

from statecrawl.browser.agent import AgentSettings, agent_script, is_function, worker_script
from statecrawl.browser.awake_clock import AwakeTimeout, within
from statecrawl.browser.browsers import Browsers
from statecrawl.browser.busy_servers import MAY_BE_BUSY, asks_to_wait
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
from statecrawl.browser.paint import FramePaint, Paint, WindowPaint
from statecrawl.browser.request_gate import DOCUMENTS, RequestGate, is_of_application
from statecrawl.browser.saved_session import SavedSessions
from statecrawl.browser.traffic import KeptTraffic, TabTraffic
from statecrawl.errors import BadInput, BrowserLost, CallRefused, PageLost
from statecrawl.model.regex import is_in_scope
from statecrawl.ports.access import Access
from statecrawl.ports.devices import TOUCH_POINTS
from statecrawl.ports.page import BUSY, Note
from statecrawl.privacy.seals import Sealer

OPEN_SECONDS = 30.0  # for a browser to open a page, or it is replaced
DISCARD_SECONDS = 5.0  # and to close one
MOST_NOTES = 200  # of the browser, between two walks; a page that opens more windows is not worth more
HEADER_REFRESH = "httpHeaderRefresh"  # why the browser says that it will load another document
FIRST_BAD = (
    "%s.find((given) => { try { document.createDocumentFragment().querySelector(given); } catch { return true; } })"
)
LEADING = frozenset({"iframe", "service_worker"})  # targets that can send a page somewhere without its agent
EVERYWHERE = (".*",)  # a scope without an end
REFUSED = ("notifications", "geolocation")  # asked for, a person's answer would be waited for
WE = f"statecrawl/{metadata.version('statecrawl')}"  # what is added to what the browser tells servers that it is


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSettings:
    """How pages are opened."""

    url: str
    agent: AgentSettings
    event_seconds: float = 10.0  # cap for one event to settle
    load_seconds: float = 30.0  # cap for a document to load and settle
    read_only: bool = False  # refuse requests that may change something
    trusted: bool = False  # fire events by real input
    access: Access = field(default_factory=Access)
    recycle_events: int = 20_000  # after which a page is replaced at its next reset
    login: tuple[dict[str, str], ...] = ()  # steps done after a reset, unless the session of earlier ones is restored
    logins: SavedSessions = field(default_factory=SavedSessions, compare=False)  # shared by pages that share a session
    cookies: tuple[dict[str, Any], ...] = ()  # of a saved session, set at every reset
    storage: tuple[tuple[str, str, str], ...] = ()  # (origin, name, value) of local storage, likewise
    until: float | None = None  # of the monotonic clock, after which no event starts
    holds: bool = False  # walks may be void (`Walked.held`), so that requests pass a gate only where they have to
    sealer: Sealer | None = None  # of names of events, which are known outside without the secrets in them


class Tab:
    """One target, opened when it is needed."""

    def __init__(
        self,
        browsers: Browsers,
        settings: PageSettings,
        ledger: KeptTraffic | None = None,
        coverage: Coverage | None = None,
    ) -> None:
        """Without a ledger, traffic is not recorded; with `coverage`, what scripts run is added to it."""
        self.settings = settings
        self._coverage = coverage
        self.fired = 0  # events since the page was last replaced
        self._browsers = browsers
        self._browser: Chromium | None = None
        self._context = ""
        self._target = ""
        self._session: Session | None = None
        self._drawing: Paint | None = None
        name, secret = json.dumps(settings.agent.name), json.dumps(settings.agent.secret)
        # how everything begins that the agent is told
        self._addressed = f"location[{name}] ? location[{name}]({secret}, "
        self._script = ""  # the number of the agent's registration
        self._refresh: tuple[float, str] | None = None  # after how many seconds the document loads what URL
        self._notes: list[Note] = []  # what the browser told, not the agent
        self._background: set[str] = set()  # addresses that are not waited for, until the next reset
        self._traffic = None if ledger is None else TabTraffic(ledger)
        self._is_ours = partial(is_of_application, first=settings.url, allow=settings.agent.allow)
        self._gate = RequestGate(
            settings.access,
            self._is_ours,
            self._tell,
            is_in_scope=self._in_scope,
            fetches_ahead=self._guard,
            read_only=settings.read_only,
            pace=browsers.pace,
        )
        self._guarded = False  # its documents, and what it fetches ahead, pass the gate
        self._held = settings.holds and not settings.login and not self._gate.is_needed  # it loads no other document
        self._roams = False  # the agent knows no scope: somebody logs in
        self._leads = False  # something may send it elsewhere, or fetch ahead, without asking the agent
        self._deaf: list[Callable[[], None]] = []  # end listening to what concerns the whole browser

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

    # -- opening and closing --

    async def _open(self) -> None:
        """Get a page. Raises BrowserLost when there is no browser that opens one."""
        self._browser = await self._browsers.borrow()
        try:
            async with AwakeTimeout(OPEN_SECONDS):
                await self._prepare()
        except TimeoutError as late:
            self._chromium.connection.close("the browser does not open pages any more")
            raise BrowserLost("the browser does not open pages any more: start it again.") from late

    async def _prepare(self) -> None:
        """Make a target in a context of its own, with everything in place before the first load."""
        self.fired = 0
        root = self._chromium.connection.root
        access = self.settings.access
        way = await self._browsers.way(access, self._is_ours)
        by = {} if way is None else way.context()
        self._gate.proxy = None if way is None else way.credentials
        self._context = (await root.call("Target.createBrowserContext", **by))["browserContextId"]
        wanted = {"url": "about:blank", "browserContextId": self._context}
        targets = ContextTargets(self._chromium.connection, self._context, self._begin)
        self._deaf.append(targets.ignore)
        if self.settings.read_only:
            await self._watch_workers(targets)
        on_demand = {"enableBeginFrameControl": True} if self._chromium.is_shell else {}
        try:
            created = await root.call("Target.createTarget", **wanted, **on_demand)
        except CallRefused:  # a shell that only draws by itself
            self._chromium.is_shell = False
            created = await root.call("Target.createTarget", **wanted)
        self._target = self._gate.page = created["targetId"]
        self._guarded = self._gate.is_needed
        session = self._session = await targets.page
        self._listen(session)
        if not self._guarded:
            self._gate.listen(session)
            self._begin_gate()
        self._introduce(session)
        if self._traffic is not None:
            await self._traffic.watch(session)
        calls: list[Awaitable[object]] = [
            session.call("Page.enable"),
            session.call("Inspector.enable"),
            session.call("Emulation.setTimezoneOverride", timezoneId="UTC"),
            session.call("Emulation.setLocaleOverride", locale="en-US"),
            session.call("Emulation.setFocusEmulationEnabled", enabled=True),
            session.call("Emulation.setDeviceMetricsOverride", **access.device.metrics()),
            session.call(
                "Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}]
            ),
            self._watch_inside(session),
            root.call(
                "Browser.setDownloadBehavior", behavior="deny", browserContextId=self._context, eventsEnabled=True
            ),
            *(
                root.call(
                    "Browser.setPermission", permission={"name": name}, setting="denied", browserContextId=self._context
                )
                for name in REFUSED
            ),
        ]
        if access.device.touch:
            touch = {"enabled": True, "maxTouchPoints": TOUCH_POINTS}
            calls.append(session.call("Emulation.setTouchEmulationEnabled", **touch))
        release(session)
        await asyncio.gather(*calls)  # nothing waits in between: calls that are never made are warned of
        if self._coverage is not None:
            await self._coverage.begin(session)
        await self._check_selectors(session)
        self._drawing = (
            FramePaint(session) if self._chromium.is_shell else WindowPaint(root, session, await self._window())
        )
        await self._register()

    async def _watch_workers(self, targets: ContextTargets) -> None:
        """Have requests refused that a worker sends before its own session passes them through the gate."""

        def refuses(told: dict[str, Any]) -> bool:
            return told.get("frameId") in targets.workers and self._gate.refuses(told)

        backstop = await self._chromium.backstop()
        backstop.refusers.append(refuses)
        self._deaf.append(lambda: backstop.refusers.remove(refuses))

    def _introduce(self, session: Session) -> None:
        """Have everything that a session asks for say who we are, and get to where it should.

        That we are a crawler is told to servers only: scripts of the page see the browser, or the device, that they
        would see otherwise.
        """
        access, browser = self.settings.access, self._chromium
        says = access.user_agent or access.device.user_agent_in(browser.product)
        if says:
            ignore(session.post("Emulation.setUserAgentOverride", userAgent=says))
        if self._traffic is None:
            ignore(session.post("Network.enable", maxTotalBufferSize=0, maxResourceBufferSize=0))
        session.on("Network.responseReceived", self._answered)
        if (pace := self._browsers.pace) is not None:
            session.on("Network.requestWillBeSent", lambda told: pace.sent(str(told["request"]["url"])))
        if access.user_agent is None:
            told = {"User-Agent": f"{says or browser.user_agent} {WE}"}
            ignore(session.post("Network.setExtraHTTPHeaders", headers=told))
        if access.insecure or access.certificate is not None:  # then the door looks at them
            ignore(session.post("Security.setIgnoreCertificateErrors", ignore=True))
        if self._gate.is_needed:
            self._gate.watch(session)

    async def _check_selectors(self, session: Session) -> None:
        """Raises BadInput when the user gave a selector that is none."""
        settings = self.settings
        steps = (step["selector"] for step in settings.login if "selector" in step)
        if is_function(settings.agent.equivalence):
            await self._check_function(session, settings.agent.equivalence)
        given = [
            *settings.agent.ignore.selectors,
            *settings.agent.denied,
            *filter(None, [settings.agent.session]),
            *steps,
        ]
        if not given:
            return
        asked = await session.call("Runtime.evaluate", expression=FIRST_BAD % json.dumps(given), returnByValue=True)
        bad = asked["result"].get("value")
        if bad is not None:
            raise BadInput(
                f"'{bad}' is no CSS selector: correct it in --ignore, in --deny-event, in the log-in file or in the"
                " configuration."
            )

    async def _check_function(self, session: Session, source: str) -> None:
        """Raises BadInput when this is no function: the agent could not be read with it."""
        asked = await session.call("Runtime.evaluate", expression=f"typeof (\n{source}\n)", returnByValue=True)
        if asked["result"].get("value") != "function":
            said = asked.get("exceptionDetails", {}).get("exception", {}).get("description", "").partition("\n")[0]
            raise BadInput(
                f"the equivalence is no function in JavaScript{f' ({said})' if said else ''}: write it as in"
                " () => document.title."
            )

    async def _window(self) -> int | None:
        """The number of the window, where it may be minimised."""
        if self.settings.trusted:
            return None
        try:
            found = await self._chromium.connection.root.call("Browser.getWindowForTarget", targetId=self._target)
        except CallRefused:
            return None
        return int(found["windowId"])

    async def _register(self) -> None:
        """Have the agent run at the start of every document; again when its settings changed."""
        settings = replace(
            self.settings.agent,
            background=tuple(sorted(self._background)),
            on_demand=self._chromium.is_shell,
            touch=self.settings.access.device.touch,
            held=self._held,
        )
        if self._roams:
            settings = replace(settings, allow=EVERYWHERE, deny=())
        async with within(self.settings.load_seconds):
            if self._script:
                await self._live.call("Page.removeScriptToEvaluateOnNewDocument", identifier=self._script)
            added = await self._live.call("Page.addScriptToEvaluateOnNewDocument", source=agent_script(settings))
        self._script = added["identifier"]

    async def _discard(self) -> None:
        """Throw the page away, whatever condition it is in."""
        session, self._session = self._session, None
        browser, self._browser = self._browser, None
        context, self._context = self._context, ""
        self._script = ""
        self._drawing = None
        deaf, self._deaf = self._deaf, []
        if browser is None:
            return
        if session is not None:
            browser.connection.forget(session.id, "the page was given up")
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
                pass  # it is gone already
            finally:
                for end in deaf:  # until then, what a page does when it is closed passes the gate
                    end()
        await self._browsers.give_back(browser)

    async def _discard_healthy(self) -> None:
        """Throw a page away that still answers, after what it owes."""
        if self._traffic is not None:
            await self._traffic.wait_for_bodies()
        await self._discard()

    async def _cover(self) -> None:
        """Have the page tell which scripts it has run, while there is one; only when it is well."""
        if self._coverage is not None and self._session is not None:
            await self._coverage.take(self._session)

    @property
    def _drawer(self) -> Paint:
        if self._drawing is None:
            raise PageLost("the page is closed")
        return self._drawing

    # -- what the browser tells --

    def _listen(self, session: Session) -> None:
        lose = self._chromium.connection.forget
        root = self._chromium.connection.root
        session.on("Inspector.targetCrashed", lambda _: lose(session.id, "the page crashed"))
        session.on(
            "Page.javascriptDialogOpening", lambda _: ignore(session.post("Page.handleJavaScriptDialog", accept=True))
        )
        session.on("Page.frameScheduledNavigation", self._scheduled)
        session.on("Page.frameNavigated", self._framed)
        watch_windows(session, lambda url: self._tell("window", url))
        target = self._target
        frames = {target}
        session.on("Page.frameAttached", lambda told: frames.add(told["frameId"]))
        session.on("Page.frameDetached", lambda told: frames.discard(told["frameId"]))

        def destroyed(told: dict[str, Any]) -> None:
            if told.get("targetId") == target:
                lose(session.id, "the page was closed")

        def downloads(told: dict[str, Any]) -> None:
            if self._session is session and told.get("frameId") in frames:
                self._tell("download", told.get("url"))
                self._stay(session)

        watch_loading(session, target, lambda: self._stay(session))

        self._deaf += [
            root.on("Target.targetDestroyed", destroyed),
            root.on("Browser.downloadWillBegin", downloads),
        ]

    def _scheduled(self, told: dict[str, Any]) -> None:
        """A header says that another document is to be loaded after a while; the agent does not see headers."""
        if told["frameId"] == self._target and told["reason"] == HEADER_REFRESH:
            self._refresh = (float(told["delay"]), str(told["url"]))

    def _stay(self, session: Session) -> None:
        """The document that was being loaded does not come."""
        if self._session is session:
            ignore(session.post("Runtime.evaluate", expression=self._expression("stay", ())))

    def _watch_inside(self, session: Session) -> asyncio.Future[msgspec.Raw]:
        """Have the workers and the frames of other processes inside of a page, a frame or a worker wait for us."""
        forget = self._chromium.connection.forget
        session.on("Target.attachedToTarget", lambda told: self._attached(session, told))
        session.on("Target.detachedFromTarget", lambda told: forget(told["sessionId"], "it ended"))
        return session.post("Target.setAutoAttach", **PAUSE, filter=OWN)

    def _attached(self, outer: Session, told: dict[str, Any]) -> None:
        """A dedicated worker or a frame of another process began."""
        if self._browser is None:
            return  # the page is gone, and so is this
        inner = self._browser.connection.session(told["sessionId"], outer.id)
        self._begin(inner, told["targetInfo"]["type"])
        release(inner)

    def _begin(self, inner: Session, kind: str) -> None:
        """Prepare a worker or a frame before it runs: its chance and time are ours, and its requests pass the gate."""
        ignore(self._watch_inside(inner))
        if kind in WORKERS:
            ignore(inner.post("Runtime.evaluate", expression=worker_script(self.settings.agent)))
        else:
            watch_windows(inner, lambda url: self._tell("window", url))
            ignore(inner.post("Page.enable"))
        if kind in LEADING:
            self._guard()
        if self._traffic is not None:
            ignore(self._traffic.watch(inner))
        self._introduce(inner)

    def _guard(self) -> None:
        """Have documents pass the gate for good: something may send the page elsewhere without asking the agent."""
        self._leads = True
        self._begin_gate()

    def _begin_gate(self) -> None:
        if not self._guarded and self._session is not None:
            self._guarded = True
            self._gate.begin(self._session, DOCUMENTS)

    def _end_gate(self) -> None:
        """Have nothing pass the gate, unless something has to."""
        if self._guarded and self._held and not self._leads:
            self._guarded = False
            ignore(self._live.post("Fetch.disable"))

    async def _let_go(self) -> None:
        """From now on the page may load other documents: they pass the gate."""
        if self._held:
            self._held = False
            self._guard()
            await self._register()

    def _framed(self, told: dict[str, Any]) -> None:
        frame = told["frame"]
        if "parentId" in frame and frame["url"] != "about:blank" and not self._is_ours(frame["url"]):
            self._guard()

    def _answered(self, told: dict[str, Any]) -> None:
        """Heed servers that ask to be left alone, or that have something fetched ahead."""
        response = told["response"]
        if told["type"] == "Document" and any(
            name.lower() == "link" and "prefetch" in value.lower() for name, value in response["headers"].items()
        ):
            self._guard()
        if response.get("status") in MAY_BE_BUSY:
            asked = asks_to_wait(response, datetime.now(UTC))
            if asked is not None:
                self._tell(BUSY, asked)

    def _expression(self, verb: str, values: Sequence[Any]) -> str:
        return f'{self._addressed}"{verb}", {json.dumps(values)}) : null'

    def _in_scope(self, url: str) -> bool:
        agent = self.settings.agent
        return is_in_scope(url, agent.allow, agent.deny)

    def _tell(self, kind: str, what: Any) -> None:
        if len(self._notes) < MOST_NOTES:
            self._notes.append(Note(kind, what))

    def _take_notes(self) -> list[Note]:
        notes, self._notes = self._notes, []
        return notes
