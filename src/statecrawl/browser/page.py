"""A page of Chromium with the agent in it: the Page port.

Theory of operation
    One call of the agent walks a whole path inside the page. Three things can end that call from outside:
    * The document goes away, because a step loaded another one. The new document has an agent of its own, which was
      left word how far the walk had come, and the walk goes on there.
    * The page does not answer in time: it is in an endless loop. Nothing inside it can be relied on any more, so
      the page is thrown away with its process, and the event costs one page.
    * The process of the page dies. The same.

    What the page sends (names, texts, notes) is data: it is never evaluated, and taken only in the shape expected.

    A reset makes a fresh session at the least price: cookies and everything the origins stored are cleared, and the seed
    address is loaded in the same page. `docs/browser.md` has the prices of the alternatives.
"""

import asyncio
import base64
import contextlib
import json
import re
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

import msgspec

from statecrawl.browser.agent import AgentSettings, agent_script
from statecrawl.browser.answers import checked
from statecrawl.browser.browsers import Browsers
from statecrawl.browser.chromium import Chromium
from statecrawl.browser.devtools import Session
from statecrawl.browser.imports import Imports
from statecrawl.browser.trusted import fire_trusted
from statecrawl.errors import BrowserLost, CallRefused, PageLost, SiteUnreachable
from statecrawl.ports.page import Ending, Landing, Note, Snapshot, Step, Walked

GONE_MESSAGES = ("navigated or closed", "context was destroyed", "Cannot find context", "Cannot find default execution")
VIEWPORT = {"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": False}
GRACE_SECONDS = 2.0  # beyond the agent's own cap, before a page is given up
RESET_TRIES = 5  # somebody may kill pages and browsers
MOST_STUCK = 2  # of these tries may take all their time
OPEN_SECONDS = 30.0  # for a browser to open a page, or it is replaced
DISCARD_SECONDS = 5.0  # and to close one
MOST_NOTES = 200  # of the browser, between two walks; a page that opens more windows is not worth more
QUALITY = 60  # of pictures, in percent
UNSEEN_SECONDS = 0.3  # for modules under way when we begin to look for them, once for each page
MOST_IMPORTS = 20  # rounds of modules that import modules
REFUSED = ("notifications", "geolocation")  # asked for, a person's answer would be waited for
LOST = "a page where nobody is logged in"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
STORED = "local_storage,indexeddb,websql,service_workers,cache_storage,file_systems,shared_storage,storage_buckets"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSettings:
    """How pages are opened."""

    url: str
    agent: AgentSettings
    event_seconds: float = 10.0  # cap for one event to settle
    load_seconds: float = 30.0  # cap for a document to load and settle
    read_only: bool = False  # refuse requests that may change something
    trusted: bool = False  # fire events by real input
    user_agent: str | None = None
    recycle_events: int = 20_000  # after which a page is replaced at its next reset
    login: tuple[dict[str, str], ...] = ()  # steps done after every reset
    cookies: tuple[dict[str, Any], ...] = ()  # of a saved session, set at every reset
    storage: tuple[tuple[str, str, str], ...] = ()  # (origin, name, value) of local storage, likewise


class _Left(Exception):
    """The document went away during a call."""


class _Stuck(Exception):
    """The page did not answer in time."""


@dataclass(slots=True)
class _Farewell:
    """What the agent of a document said when the document went away."""

    states: list[str] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    dialogs: int = 0


class BrowserPage:
    """Implements the Page port."""

    def __init__(self, browsers: Browsers, settings: PageSettings) -> None:
        self.settings = settings
        self.fired = 0  # events since the page was last replaced
        self._browsers = browsers
        self._browser: Chromium | None = None
        self._context = ""
        self._target = ""
        self._session: Session | None = None
        self._window = 0  # the number of the window
        self._script = ""  # the number of the agent's registration
        self._farewell: _Farewell | None = None  # of the document before, told by the one after it
        self._left_behind: _Farewell | None = None  # of a walk with trusted input, which we know ourselves
        self._lost = False  # nobody is logged in any more, where somebody should be
        self._origins: set[str] = set()
        self._notes: list[Note] = []  # what the browser told, not the agent
        self._imports: Imports | None = None
        self._background: set[str] = set()
        self._deaf: list[Callable[[], None]] = []  # end listening to what concerns the whole browser
        self._clings = False  # the application does not let itself be left: every reset takes a new page

    # -- the port --

    async def reset(self) -> Landing:
        used = self._session is not None
        stuck = 0
        for left in reversed(range(RESET_TRIES)):
            try:
                landing = await self._reset()
            except (_Stuck, _Left, PageLost, CallRefused, BrowserLost) as trouble:
                await self._discard()
                stuck += isinstance(trouble, _Stuck)
                if left and stuck < MOST_STUCK:
                    continue
                if isinstance(trouble, BrowserLost):
                    raise
                raise SiteUnreachable(
                    f"{self.settings.url} could not be loaded: {str(trouble) or 'the page does not answer'};"
                    " check the address in a browser of your own."
                ) from trouble
            self._clings = self._clings or (used and stuck > 0)
            return landing
        raise AssertionError  # the last try returns or raises

    async def walk(self, start: str | None, steps: Sequence[Step]) -> Walked:
        begun = time.perf_counter()
        states: list[str] = []
        notes: list[Note] = []
        self._left_behind = self._farewell = None
        try:
            why, landed, dialogs = await self._walk(start, list(steps), states, notes)
            reason = f"it led to {landed}" if why is Ending.STRAYED else ""
        except _Stuck as stuck:
            why, landed, dialogs, reason = Ending.HUNG, "", 0, str(stuck)
        except (PageLost, CallRefused, BrowserLost) as trouble:
            why, landed, dialogs, reason = Ending.CRASHED, "", 0, str(trouble)
        if why in (Ending.HUNG, Ending.CRASHED):
            await self._discard()
        self.fired += len(states)
        notes += self._take_notes()
        return Walked(
            why=why,
            states=tuple(states),
            landed=None if why.is_fatal else landed,
            notes=tuple(notes),
            dialogs=dialogs,
            reason=reason,
            seconds=time.perf_counter() - begun,
        )

    async def describe(self, *, lines: bool = False) -> Snapshot:
        try:
            told = await self._ask("describe", lines, seconds=self.settings.load_seconds)
        except (_Left, _Stuck, PageLost, CallRefused, BrowserLost) as trouble:
            await self._discard()
            raise PageLost(str(trouble) or "the page changed while it was looked at") from trouble
        return Snapshot(
            state=str(told["state"]),
            events=tuple(map(str, told["events"])),
            labels=tuple(map(str, told["labels"])),
            url=str(told["url"]),
            title=str(told["title"]),
            html=str(told["html"]),
            lines=tuple(tuple(line) for line in told["lines"] or ()),
            links=tuple(map(str, told["links"])),
            forms=tuple(told["forms"]),
            cut=bool(told["cut"]),
        )

    async def picture(self) -> bytes:
        if self._session is None:
            raise PageLost("the page is closed")
        try:
            await self._show("normal")
            answer = await asyncio.wait_for(
                self._session.call("Page.captureScreenshot", format="jpeg", quality=QUALITY, optimizeForSpeed=True),
                self.settings.event_seconds,
            )
            await self._show("minimized")
        except (CallRefused, BrowserLost, TimeoutError) as trouble:
            raise PageLost("the page could not be drawn") from trouble
        return base64.b64decode(answer["data"])

    async def _show(self, how: str) -> None:
        """A minimized window is not drawn, which saves a quarter of the work; pages notice nothing of it."""
        if self._window and not self.settings.trusted:
            bounds = {"windowState": how}
            root = self._chromium.connection.root
            with contextlib.suppress(CallRefused):
                await root.call("Browser.setWindowBounds", windowId=self._window, bounds=bounds)

    async def close(self) -> None:
        await self._discard()

    @property
    def _chromium(self) -> Chromium:
        if self._browser is None:
            raise PageLost("the page is closed")
        return self._browser

    # -- walking --

    async def _walk(
        self, start: str | None, steps: list[Step], states: list[str], notes: list[Note]
    ) -> tuple[Ending, str, int]:
        """Append to `states` and `notes` on the way; returns why it ended, where, and how many dialogs there were."""
        while True:
            cap = self.settings.event_seconds
            try:
                if self.settings.trusted:
                    told = await self._walk_trusted(start, steps)
                else:
                    told = await self._ask("walk", start, steps, int(cap * 1000), seconds=cap, steps=len(steps))
                    told = await self._departed(told)
            except _Left:
                landing = await self._arrive(self.settings.load_seconds)
                farewell = self._take_farewell(steps)
                notes += (*farewell.notes, *landing.notes)
                states += farewell.states
                if not self._in_scope(landing.url):
                    notes.append(Note("boundary", landing.url))
                    await self._discard()
                    return Ending.STRAYED, landing.url, 0
                if self._lost:
                    await self._discard()
                    return Ending.STRAYED, LOST, 0
                if not landing.quiet:
                    notes.append(Note("capped", f"not quiet after {self.settings.load_seconds:g} s"))
                if not steps:
                    return Ending.MOVED, landing.state, 0
                step = min(len(farewell.states), len(steps) - 1)
                states.append(landing.state)
                expected = steps[step][1]
                if expected is not None and expected != landing.state:
                    return Ending.SURPRISE, landing.state, farewell.dialogs
                start, steps = landing.state, steps[step + 1 :]
                if not steps:
                    return Ending.END, landing.state, farewell.dialogs
                continue
            notes += _notes(told["notes"])
            states += map(str, told["states"])
            why, landed = Ending(told["why"]), str(told["state"])
            if told["modules"] and await self._imported():
                landing = await self._arrive(cap)
                notes += landing.notes
                landed = landing.state
                if states and told["done"]:
                    states[-1] = landing.state
                    expected = steps[told["done"] - 1][1]
                    if why is Ending.SURPRISE and landing.state == expected:
                        start, steps = landing.state, steps[told["done"] :]
                        if steps:
                            continue
                        why = Ending.END
                    elif expected is not None and landing.state != expected:
                        why = Ending.SURPRISE
            if told["lost"]:
                await self._discard()
                return Ending.STRAYED, LOST, 0
            if told["done"] and not told["quiet"]:
                notes.append(Note("capped", f"not quiet after {cap:g} s"))
            return why, landed, int(told["dialogs"])

    async def _walk_trusted(self, start: str | None, steps: list[Step]) -> dict[str, Any]:
        """Like the agent's `walk`, with real input from outside; step by step."""
        cap = self.settings.event_seconds
        told: dict[str, Any] = await self._ask("walk", start, [], int(cap * 1000), seconds=cap)
        states: list[str] = []
        notes: list[Any] = list(told["notes"])
        for name, expected in steps if told["why"] == "end" else ():
            place = await self._ask("place", name, seconds=cap)
            if place is None:
                return {**told, "why": "gone", "states": states, "done": len(states), "notes": notes}
            assert self._session is not None
            try:
                async with _within(cap):
                    await fire_trusted(self._session, place, lambda verb: self._ask(verb, name, seconds=cap))  # noqa: B023
                told_now = await self._ask("arrive", int(cap * 1000), seconds=cap)
                if told_now is None:
                    raise _Left  # a document without an agent is on its way
                landing = await self._departed(told_now)
            except _Left:
                self._left_behind = _Farewell(states, _notes(notes))
                raise
            notes += landing["notes"]
            states.append(landing["state"])
            told = {**told, **landing, "dialogs": landing["dialogs"]}
            if expected is not None and landing["state"] != expected:
                told["why"] = "surprise"
                break
        return {**told, "states": states, "done": len(states), "notes": notes}

    async def _departed(self, told: dict[str, Any]) -> dict[str, Any]:
        """Where the page is after all, when it was about to leave. Raises _Left once it has left."""
        if not told["leaving"]:
            return told
        seconds = self.settings.load_seconds
        states = told.get("states", [])[:-1]
        self._left_behind = _Farewell(states, _notes(told["notes"]), told["dialogs"])
        try:  # what is asked now may be answered by the next document
            later = await self._ask("arrive", int(seconds * 1000), seconds=seconds)
        except _Stuck:
            later = told
        if later is None or later["born"] != told["born"]:
            raise _Left
        self._left_behind = None
        if later["leaving"]:
            raise _Stuck(f"the page that it leads to does not come within {seconds:g} s")
        return {**told, **later, "states": [*states, later["state"]], "notes": [*told["notes"], *later["notes"]]}

    # -- sessions --

    async def _reset(self) -> Landing:
        if self._browser is not None and (
            self._clings or self.fired >= self.settings.recycle_events or self._browsers.is_stale(self._browser)
        ):
            await self._discard()
        if self._session is None:
            await self._open()
        session = self._session
        assert session is not None
        settings = self.settings
        left = session.post("Runtime.evaluate", expression=self._expression("leave", ()))
        posted = [*self._clearing(session), *self._restoring(session)]
        for answer in posted:
            _ignore(answer)
        async with _within(settings.load_seconds):
            with contextlib.suppress(CallRefused):
                await left  # the next document must not begin before this one has forgotten
            navigated = session.post("Page.navigate", url=settings.url)
            for answer in posted:
                with contextlib.suppress(CallRefused):
                    await answer
            problem = msgspec.json.decode(await navigated).get("errorText")
        if problem:
            raise SiteUnreachable(
                f"{settings.url} could not be loaded ({problem}): check that the server runs and the address is right."
            )
        watched = self._imports is not None
        landing = await self._arrive(settings.load_seconds)
        if not watched and self._imports is not None:
            return await self._reset()  # modules were imported before anybody looked
        if landing.url.startswith("chrome-error:"):
            raise SiteUnreachable(f"{settings.url} could not be loaded: the browser shows an error page.")
        if settings.storage and await self._fill_storage():
            landing = await self._reload()
        for step in settings.login:
            landing = await self._act(step)
        if settings.agent.session and await self._ask("isLost", seconds=settings.event_seconds):
            raise SiteUnreachable(
                f"nobody is logged in at {landing.url} after the log-in steps: '{settings.agent.session}' is not there;"
                " check the steps with statecrawl crawl --login FILE --max-states 1."
            )
        return landing

    async def _act(self, step: dict[str, str]) -> Landing:
        """One step of a log-in, and what it led to."""
        session = self._session
        assert session is not None
        seconds = self.settings.load_seconds
        if "goto" in step:
            async with _within(seconds):
                await session.call("Page.navigate", url=step["goto"])
            return await self._arrive(seconds)
        try:
            done = await self._ask("act", step["verb"], step["selector"], step.get("value", ""), seconds=seconds)
        except _Left:
            done = True
        if not done:
            raise SiteUnreachable(f"the log-in stopped: there is no element '{step['selector']}' to {step['verb']}.")
        return await self._arrive(seconds)

    async def _reload(self) -> Landing:
        assert self._session is not None
        async with _within(self.settings.load_seconds):
            await self._session.call("Page.navigate", url=self.settings.url)
        return await self._arrive(self.settings.load_seconds)

    def _clearing(self, session: Session) -> list[asyncio.Future[msgspec.Raw]]:
        self._origins.add(origin_of(self.settings.url))
        return [
            session.post("Network.clearBrowserCookies"),
            session.post("Network.clearBrowserCache"),
            *(
                session.post("Storage.clearDataForOrigin", origin=origin, storageTypes=STORED)
                for origin in self._origins
            ),
        ]

    def _restoring(self, session: Session) -> list[asyncio.Future[msgspec.Raw]]:
        """Put back the cookies of a saved session."""
        cookies = list(self.settings.cookies)
        return [session.post("Network.setCookies", cookies=cookies)] if cookies else []

    async def _fill_storage(self) -> bool:
        """Put back the local storage of a saved session; whether there was anything for this origin."""
        assert self._session is not None
        own = [[name, value] for origin, name, value in self.settings.storage if origin == origin_of(self.settings.url)]
        put = f"for (const [name, value] of {json.dumps(own)}) localStorage.setItem(name, value)"
        if own:
            async with _within(self.settings.event_seconds):
                await self._session.call("Runtime.evaluate", expression=put)
        return bool(own)

    async def _open(self) -> None:
        """Get a page. Raises BrowserLost when there is no browser that opens one."""
        self._browser = await self._browsers.borrow()
        try:
            async with asyncio.timeout(OPEN_SECONDS):
                await self._prepare()
        except TimeoutError as late:
            self._chromium.connection.close("the browser does not open pages any more")
            raise BrowserLost("the browser does not open pages any more: start it again.") from late

    async def _prepare(self) -> None:
        """Make a target in a context of its own, with everything in place before the first load."""
        self.fired = 0
        root = self._chromium.connection.root
        self._context = (await root.call("Target.createBrowserContext"))["browserContextId"]
        created = await root.call("Target.createTarget", url="about:blank", browserContextId=self._context)
        self._target = created["targetId"]
        attached = await root.call("Target.attachToTarget", targetId=self._target, flatten=True)
        session = self._session = self._chromium.connection.session(attached["sessionId"])
        self._listen(session)
        settings = self.settings
        calls = [
            session.call("Page.enable"),
            session.call("Inspector.enable"),
            session.call("Emulation.setTimezoneOverride", timezoneId="UTC"),
            session.call("Emulation.setLocaleOverride", locale="en-US"),
            session.call("Emulation.setFocusEmulationEnabled", enabled=True),
            session.call("Emulation.setDeviceMetricsOverride", **VIEWPORT),
            session.call(
                "Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}]
            ),
            session.call("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=True),
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
        if settings.user_agent:
            calls.append(session.call("Emulation.setUserAgentOverride", userAgent=settings.user_agent))
        if settings.read_only:
            calls.append(session.call("Fetch.enable", patterns=[{"urlPattern": "*"}]))
        await asyncio.gather(*calls)
        with contextlib.suppress(CallRefused):
            found = await root.call("Browser.getWindowForTarget", targetId=self._target)
            self._window = int(found["windowId"])
        await self._show("minimized")
        await self._register()

    async def _register(self) -> None:
        """Have the agent run at the start of every document; again when its settings changed."""
        assert self._session is not None
        settings = replace(self.settings.agent, background=tuple(sorted(self._background)))
        async with _within(self.settings.load_seconds):
            if self._script:
                await self._session.call("Page.removeScriptToEvaluateOnNewDocument", identifier=self._script)
            added = await self._session.call("Page.addScriptToEvaluateOnNewDocument", source=agent_script(settings))
        self._script = added["identifier"]

    async def _discard(self) -> None:
        """Throw the page away, whatever condition it is in."""
        session, self._session = self._session, None
        browser, self._browser = self._browser, None
        context, self._context = self._context, ""
        self._script = ""
        self._imports = None
        for end in self._deaf:
            end()
        self._deaf.clear()
        if browser is None:
            return
        if session is not None:
            browser.connection.forget(session.id, "the page was given up")
        if context:
            disposed = browser.connection.root.call("Target.disposeBrowserContext", browserContextId=context)
            try:
                await asyncio.wait_for(disposed, DISCARD_SECONDS)
            except TimeoutError:
                browser.connection.close("the browser does not close pages any more")
            except (CallRefused, BrowserLost):
                pass  # it is gone already
        await self._browsers.give_back(browser)

    # -- what the browser tells --

    def _listen(self, session: Session) -> None:
        lose = self._chromium.connection.forget
        root = self._chromium.connection.root
        session.on("Inspector.targetCrashed", lambda _: lose(session.id, "the page crashed"))
        session.on(
            "Page.javascriptDialogOpening", lambda _: _ignore(session.post("Page.handleJavaScriptDialog", accept=True))
        )
        session.on("Target.attachedToTarget", self._attached)
        session.on("Fetch.requestPaused", self._paused)
        session.on("Page.windowOpen", lambda told: self._tell("window", told.get("url")))
        session.on("Target.detachedFromTarget", lambda told: lose(told["sessionId"], "it ended"))
        target, context = self._target, self._context

        def detached(told: dict[str, Any]) -> None:
            if told.get("targetId") == target:
                lose(session.id, "the page was closed")

        def created(told: dict[str, Any]) -> None:
            info = told["targetInfo"]
            if info["type"] == "page" and info.get("browserContextId") == context and info["targetId"] != target:
                self._tell("window", info.get("url"))
                _ignore(root.post("Target.closeTarget", targetId=info["targetId"]))

        arrived = True  # what is being loaded has become the document of the page

        def begins(told: dict[str, Any]) -> None:
            nonlocal arrived
            arrived = arrived and told["frameId"] != target

        def arrives(told: dict[str, Any]) -> None:
            nonlocal arrived
            arrived = arrived or (told["frameId"] if "frameId" in told else told["frame"]["id"]) == target

        def ends(told: dict[str, Any]) -> None:
            if self._session is session and told["frameId"] == target and not arrived:
                _ignore(session.post("Runtime.evaluate", expression=self._expression("stay", ())))

        def downloads(told: dict[str, Any]) -> None:
            if self._session is session:
                self._tell("download", told.get("url"))
                _ignore(session.post("Runtime.evaluate", expression=self._expression("stay", ())))

        session.on("Page.frameStartedLoading", begins)
        session.on("Page.frameNavigated", arrives)
        session.on("Page.navigatedWithinDocument", arrives)
        session.on("Page.frameStoppedLoading", ends)  # the server had nothing to show

        self._deaf = [
            root.on("Target.detachedFromTarget", detached),
            root.on("Target.targetDestroyed", detached),
            root.on("Target.targetCreated", created),
            root.on("Browser.downloadWillBegin", downloads),
        ]

    def _attached(self, told: dict[str, Any]) -> None:
        """A worker or a frame of another process began: make its chance and time ours, then let it run."""
        inner = self._chromium.connection.session(told["sessionId"])
        if told["targetInfo"]["type"] in ("worker", "shared_worker", "service_worker"):
            _ignore(inner.post("Runtime.evaluate", expression=worker_script(self.settings.agent)))
        _ignore(inner.post("Runtime.runIfWaitingForDebugger"))

    def _paused(self, told: dict[str, Any]) -> None:
        assert self._session is not None
        request = told["request"]
        if request["method"].upper() in SAFE_METHODS:
            _ignore(self._session.post("Fetch.continueRequest", requestId=told["requestId"]))
            return
        self._tell("read-only", [request["method"], request["url"]])
        refusal = {"requestId": told["requestId"], "errorReason": "BlockedByClient"}
        _ignore(self._session.post("Fetch.failRequest", **refusal))

    def _tell(self, kind: str, what: Any) -> None:
        if len(self._notes) < MOST_NOTES:
            self._notes.append(Note(kind, what))

    def _take_notes(self) -> list[Note]:
        notes, self._notes = self._notes, []
        return notes

    # -- asking the agent --

    async def _arrive(self, seconds: float) -> Landing:
        """Wait until there is a document with an agent, and it is quiet; all documents on the way count together."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            notes: list[Note] = []
            try:
                told = await self._ask("arrive", int(left * 1000), seconds=left)
                for _ in range(MOST_IMPORTS):
                    if told is None or not told["modules"] or not await self._imported():
                        break
                    self._hear(told["before"])
                    notes += _notes(told["notes"])
                    told = await self._ask("arrive", int(seconds * 1000), seconds=seconds)
            except _Left:
                continue
            if told is None:
                await asyncio.sleep(0.01)
                continue
            self._hear(told["before"])
            self._lost = bool(told["lost"])
            notes += _notes(told["notes"])
            fresh = {str(note.what) for note in notes if note.kind == "background"} - self._background
            if fresh:
                self._background |= fresh
                await self._register()
            self._origins.add(origin_of(str(told["url"])))
            return Landing(
                state=str(told["state"]), url=str(told["url"]), quiet=bool(told["quiet"]), notes=tuple(notes)
            )
        raise _Stuck(f"no document came to stay within {seconds:g} s")

    def _take_farewell(self, steps: Sequence[Step]) -> _Farewell:
        """What was said when a walk of these steps left the document; nothing when it cannot be true."""
        farewell = self._left_behind or self._farewell or _Farewell()
        self._left_behind = self._farewell = None
        return farewell if _fits(farewell.states, steps) else _Farewell()

    def _hear(self, said: Any) -> None:
        """What the document before has left to say, if it is what an agent says."""
        with contextlib.suppress(ValueError, TypeError, KeyError):
            states = [str(state) for state in said["states"]]
            self._farewell = _Farewell(states, _notes(said["notes"]), int(said["dialogs"]))

    async def _imported(self) -> bool:
        """Wait for modules that the page imports; whether there were any."""
        if self._imports is None:
            assert self._session is not None
            self._imports = Imports(self._session)
            async with _within(self.settings.event_seconds):
                await self._imports.start()
            await asyncio.sleep(UNSEEN_SECONDS)
            return True
        return await self._imports.wait_for_quiet(self.settings.event_seconds)

    def _expression(self, verb: str, values: Sequence[Any]) -> str:
        agent = self.settings.agent
        name, secret = json.dumps(agent.name), json.dumps(agent.secret)
        return f'window[{name}] ? window[{name}]({secret}, "{verb}", {json.dumps(values)}) : null'

    async def _ask(self, verb: str, *values: Any, seconds: float, steps: int = 1) -> Any:
        """Call the agent, which may take so long for each step.

        Raises _Left, _Stuck, PageLost, CallRefused or BrowserLost.
        """
        session = self._session
        if session is None:
            raise PageLost("the page is closed")
        asked = session.post(
            "Runtime.evaluate", expression=self._expression(verb, values), awaitPromise=True, returnByValue=True
        )
        try:
            for _ in range(steps - 1):
                if (await asyncio.wait({asked}, timeout=seconds + GRACE_SECONDS))[0]:
                    break
                _ignore(asked)
                await self._ask("howFar", seconds=0)  # does it get on, or is it stuck in one of the steps?
            async with _within(seconds):
                answer = msgspec.json.decode(await asked)
        except CallRefused as refused:
            if any(words in str(refused) for words in GONE_MESSAGES):
                raise _Left from refused
            raise
        if "exceptionDetails" in answer:
            thrown = answer["exceptionDetails"].get("exception", {})
            raise CallRefused(f"the agent failed: {thrown.get('description') or thrown.get('value')}")
        return checked(verb, answer["result"].get("value"))

    def _in_scope(self, url: str) -> bool:
        agent = self.settings.agent
        if any(re.search(expression, url) for expression in agent.deny):
            return False
        return any(re.search(expression, url) for expression in agent.allow)


def worker_script(settings: AgentSettings) -> str:
    """What makes chance and time the same in a worker on every load; its timers stay real."""
    return (
        f"(() => {{ let s = {settings.seed} | 0; const imul = Math.imul;"
        " Math.random = () => { s = (s + 0x6d2b79f5) | 0; let t = imul(s ^ (s >>> 15), s | 1);"
        " t ^= t + imul(t ^ (t >>> 7), t | 61); return ((t ^ (t >>> 14)) >>> 0) / 4294967296; };"
        " const draw = Math.random, C = Crypto.prototype, real = C.getRandomValues;"
        " C.getRandomValues = function (a) { real.call(this, a); const b = new Uint8Array(a.buffer, a.byteOffset,"
        " a.byteLength); for (let i = 0; i < b.length; i += 1) b[i] = draw() * 256; return a; };"
        " C.randomUUID = () => '10000000-1000-4000-8000-100000000000'.replace(/[01]/g, () => (draw() * 16 | 0).toString(16));"
        f" const D = Date, now = () => {settings.epoch};"
        " const V = function Date(...v) { return new.target ? Reflect.construct(D, v.length ? v : [now()]) : String(new D(now())); };"
        " V.prototype = D.prototype; V.now = now; V.UTC = D.UTC; V.parse = D.parse; self.Date = V; })()"
    )


def origin_of(url: str) -> str:
    """The scheme, host and port of an address."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


@contextlib.asynccontextmanager
async def _within(seconds: float) -> AsyncIterator[None]:
    """Raises _Stuck when what is done inside takes longer."""
    try:
        async with asyncio.timeout(seconds + GRACE_SECONDS):
            yield
    except TimeoutError as late:
        raise _Stuck(f"no answer within {max(seconds, GRACE_SECONDS):g} s") from late


def _fits(states: Sequence[str], steps: Sequence[Step]) -> bool:
    """Whether a walk of these steps can have come through these states and be left by the next step."""
    known = len(states) < max(len(steps), 1) and all(re.fullmatch("[0-9a-f]{24}", state) for state in states)
    return known and all(expected in (None, state) for state, (_, expected) in zip(states, steps, strict=False))


def _notes(told: Sequence[Any]) -> list[Note]:
    return [Note(str(note[0]), note[1]) for note in told if isinstance(note, list) and len(note) == 2]


def _ignore(answer: asyncio.Future[msgspec.Raw]) -> None:
    """Nobody waits for this answer, also not when it is a refusal."""
    answer.add_done_callback(lambda done: done.cancelled() or done.exception())
