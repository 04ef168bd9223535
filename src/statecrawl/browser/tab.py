"""A tab of Chromium: a target in a context of its own, with the agent in every document, and how the agent is asked.

What can end a question to the agent is told by two exceptions: `Left`, the document went away, and `Stuck`, there is no
answer in time. A tab that was thrown away opens again when it is needed.
"""

import asyncio
import contextlib
import json
import re
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

import msgspec

from statecrawl.browser.agent import AgentSettings, agent_script, worker_script
from statecrawl.browser.answers import checked
from statecrawl.browser.browsers import Browsers
from statecrawl.browser.chromium import Chromium
from statecrawl.browser.devtools import Session, ignore
from statecrawl.browser.drawing import Drawing, Frames, Window
from statecrawl.browser.imports import Imports, imports_modules
from statecrawl.errors import BadInput, BrowserLost, CallRefused, PageLost
from statecrawl.ports.page import Landing, Note, Step

GONE_MESSAGES = ("navigated or closed", "context was destroyed", "Cannot find context", "Cannot find default execution")
VIEWPORT = {"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": False}
GRACE_SECONDS = 2.0  # beyond the agent's own cap, before a page is given up
OPEN_SECONDS = 30.0  # for a browser to open a page, or it is replaced
DISCARD_SECONDS = 5.0  # and to close one
MOST_NOTES = 200  # of the browser, between two walks; a page that opens more windows is not worth more
UNSEEN_SECONDS = 0.3  # for modules under way when we begin to look for them, once for each page
MOST_IMPORTS = 20  # rounds of modules that import modules
FIRST_BAD = (
    "%s.find((given) => { try { document.createDocumentFragment().querySelector(given); } catch { return true; } })"
)
REFUSED = ("notifications", "geolocation")  # asked for, a person's answer would be waited for
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


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


class Left(Exception):
    """The document went away during a call."""


class Stuck(Exception):
    """The page did not answer in time."""


@dataclass(slots=True)
class Farewell:
    """What the agent of a document said when the document went away."""

    states: list[str] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    dialogs: int = 0


class Tab:
    """One target, opened when it is needed."""

    def __init__(self, browsers: Browsers, settings: PageSettings) -> None:
        self.settings = settings
        self.fired = 0  # events since the page was last replaced
        self._browsers = browsers
        self._browser: Chromium | None = None
        self._context = ""
        self._target = ""
        self._session: Session | None = None
        self._drawing: Drawing | None = None
        self._script = ""  # the number of the agent's registration
        self._farewell: Farewell | None = None  # of the document before, told by the one after it
        self._left_behind: Farewell | None = None  # of a walk with trusted input, which we know ourselves
        self._lost = False  # nobody is logged in any more, where somebody should be
        self._origins: set[str] = set()
        self._notes: list[Note] = []  # what the browser told, not the agent
        self._imports: Imports | None = None
        self._scripts: set[str] = set()  # what tells the scripts of documents that import nothing
        self._background: set[str] = set()
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
        wanted = {"url": "about:blank", "browserContextId": self._context}
        on_demand = {"enableBeginFrameControl": True} if self._chromium.is_shell else {}
        try:
            created = await root.call("Target.createTarget", **wanted, **on_demand)
        except CallRefused:  # a shell that only draws by itself
            self._chromium.is_shell = False
            created = await root.call("Target.createTarget", **wanted)
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
        await self._check_selectors(session)
        self._drawing = Frames(session) if self._chromium.is_shell else Window(root, session, await self._window())
        await self._register()

    async def _check_selectors(self, session: Session) -> None:
        """Raises BadInput when the user gave a selector that is none."""
        settings = self.settings
        steps = (step["selector"] for step in settings.login if "selector" in step)
        given = [*settings.agent.ignore.selectors, *filter(None, [settings.agent.session]), *steps]
        if not given:
            return
        asked = await session.call("Runtime.evaluate", expression=FIRST_BAD % json.dumps(given), returnByValue=True)
        bad = asked["result"].get("value")
        if bad is not None:
            raise BadInput(
                f"'{bad}' is no CSS selector: correct it in --ignore, in the log-in file or in the configuration."
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
            self.settings.agent, background=tuple(sorted(self._background)), on_demand=self._chromium.is_shell
        )
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
        self._imports = self._drawing = None
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

    @property
    def _drawer(self) -> Drawing:
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
        session.on("Target.attachedToTarget", self._attached)
        session.on("Fetch.requestPaused", self._paused)
        session.on("Page.windowOpen", lambda told: self._tell("window", told.get("url")))
        session.on("Target.detachedFromTarget", lambda told: lose(told["sessionId"], "it ended"))
        target, context = self._target, self._context
        frames = {target}
        session.on("Page.frameAttached", lambda told: frames.add(told["frameId"]))
        session.on("Page.frameDetached", lambda told: frames.discard(told["frameId"]))

        def detached(told: dict[str, Any]) -> None:
            if told.get("targetId") == target:
                lose(session.id, "the page was closed")

        def created(told: dict[str, Any]) -> None:
            info = told["targetInfo"]
            if info["type"] == "page" and info.get("browserContextId") == context and info["targetId"] != target:
                self._tell("window", info.get("url"))
                ignore(root.post("Target.closeTarget", targetId=info["targetId"]))

        def downloads(told: dict[str, Any]) -> None:
            if self._session is session and told.get("frameId") in frames:
                self._tell("download", told.get("url"))
                self._stay(session)

        watch_loading(session, target, lambda: self._stay(session))

        self._deaf = [
            root.on("Target.detachedFromTarget", detached),
            root.on("Target.targetDestroyed", detached),
            root.on("Target.targetCreated", created),
            root.on("Browser.downloadWillBegin", downloads),
        ]

    def _stay(self, session: Session) -> None:
        """The document that was being loaded does not come."""
        if self._session is session:
            ignore(session.post("Runtime.evaluate", expression=self._expression("stay", ())))

    def _attached(self, told: dict[str, Any]) -> None:
        """A worker or a frame of another process began: make its chance and time ours, then let it run."""
        inner = self._chromium.connection.session(told["sessionId"])
        if told["targetInfo"]["type"] in ("worker", "shared_worker", "service_worker"):
            ignore(inner.post("Runtime.evaluate", expression=worker_script(self.settings.agent)))
        ignore(inner.post("Runtime.runIfWaitingForDebugger"))

    def _paused(self, told: dict[str, Any]) -> None:
        request = told["request"]
        if request["method"].upper() in SAFE_METHODS:
            ignore(self._live.post("Fetch.continueRequest", requestId=told["requestId"]))
            return
        self._tell("read-only", [request["method"], request["url"]])
        refusal = {"requestId": told["requestId"], "errorReason": "BlockedByClient"}
        ignore(self._live.post("Fetch.failRequest", **refusal))

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
                    if told is None or not await self._imported(told["scripts"]):
                        break
                    self._hear(told["before"])
                    notes += notes_of(told["notes"])
                    told = await self._ask("arrive", int(seconds * 1000), seconds=seconds)
            except Left:
                continue
            if told is None:
                await asyncio.sleep(0.01)
                continue
            self._hear(told["before"])
            self._lost = bool(told["lost"])
            await self._drawer.heed(draws=told["draws"])
            notes += notes_of(told["notes"])
            fresh = {str(note.what) for note in notes if note.kind == "background"} - self._background
            if fresh:
                self._background |= fresh
                await self._register()
            self._origins.add(origin_of(str(told["url"])))
            return Landing(
                state=str(told["state"]), url=str(told["url"]), quiet=bool(told["quiet"]), notes=tuple(notes)
            )
        raise Stuck(f"no document came to stay within {seconds:g} s")

    def _take_farewell(self, steps: Sequence[Step]) -> Farewell:
        """What was said when a walk of these steps left the document; nothing when it cannot be true."""
        farewell = self._left_behind or self._farewell or Farewell()
        self._left_behind = self._farewell = None
        return farewell if _fits(farewell.states, steps) else Farewell()

    def _hear(self, said: Any) -> None:
        """What the document before has left to say, if it is what an agent says."""
        with contextlib.suppress(ValueError, TypeError, KeyError):
            states = [str(state) for state in said["states"]]
            self._farewell = Farewell(states, notes_of(said["notes"]), int(said["dialogs"]))

    async def _imported(self, scripts: str) -> bool:
        """Wait for modules that the page imports; whether there may have been any."""
        if self._imports is not None:
            return await self._imports.wait_for_quiet(self.settings.event_seconds)
        if scripts in self._scripts:
            return False
        async with within(self.settings.event_seconds):
            if not await imports_modules(self._live):
                self._scripts.add(scripts)
                return False
            self._imports = Imports(self._live)
            await self._imports.start()
        await asyncio.sleep(UNSEEN_SECONDS)
        return True

    def _expression(self, verb: str, values: Sequence[Any]) -> str:
        agent = self.settings.agent
        name, secret = json.dumps(agent.name), json.dumps(agent.secret)
        return f'window[{name}] ? window[{name}]({secret}, "{verb}", {json.dumps(values)}) : null'

    async def _ask(self, verb: str, *values: Any, seconds: float, steps: int = 1) -> Any:
        """Call the agent, which may take so long for each step.

        Raises Left, Stuck, PageLost, CallRefused or BrowserLost.
        """
        until = time.monotonic() + (seconds + GRACE_SECONDS) * steps
        answer = await self._answer(verb, values, seconds=seconds, steps=steps)
        while isinstance(answer, dict) and answer.get("frame") is True:
            if time.monotonic() > until:
                raise Stuck(f"no answer within {seconds:g} s, but for frames")
            async with within(seconds):
                await self._drawer.frame()
            answer = await self._answer("drawn", (), seconds=seconds, steps=steps)
            if answer is None:
                raise Left  # what was asked was asked of another document
        return checked(verb, answer)

    async def _answer(self, verb: str, values: Sequence[Any], *, seconds: float, steps: int) -> Any:
        asked = self._live.post(
            "Runtime.evaluate",
            expression=self._expression(verb, values),
            awaitPromise=True,
            returnByValue=True,
            allowUnsafeEvalBlockedByCSP=False,  # what the page's own policy forbids stays forbidden
        )
        ignore(asked)  # whoever is told to stop while waiting leaves it behind
        try:
            for _ in range(steps - 1):
                if (await asyncio.wait({asked}, timeout=seconds + GRACE_SECONDS))[0]:
                    break
                await self._ask("howFar", seconds=0)  # does it get on, or is it stuck in one of the steps?
            async with within(seconds):
                answer = msgspec.json.decode(await asked)
        except CallRefused as refused:
            if any(words in str(refused) for words in GONE_MESSAGES):
                raise Left from refused
            raise
        if "exceptionDetails" in answer:
            thrown = answer["exceptionDetails"].get("exception", {})
            raise CallRefused(f"the agent failed: {thrown.get('description') or thrown.get('value')}")
        return answer["result"].get("value")

    def _in_scope(self, url: str) -> bool:
        agent = self.settings.agent
        if any(re.search(expression, url) for expression in agent.deny):
            return False
        return any(re.search(expression, url) for expression in agent.allow)


def watch_loading(session: Session, target: str, came_to_nothing: Callable[[], None]) -> None:
    """Be told when the page stops loading another document without having got one: the server had nothing to show."""
    arrived = True  # what is being loaded has become the document of the page

    def begins(told: dict[str, Any]) -> None:
        nonlocal arrived
        arrived = arrived and told["frameId"] != target

    def arrives(told: dict[str, Any]) -> None:
        nonlocal arrived
        arrived = arrived or (told["frameId"] if "frameId" in told else told["frame"]["id"]) == target

    def ends(told: dict[str, Any]) -> None:
        if told["frameId"] == target and not arrived:
            came_to_nothing()

    session.on("Page.frameStartedLoading", begins)
    session.on("Page.frameNavigated", arrives)
    session.on("Page.navigatedWithinDocument", arrives)
    session.on("Page.frameStoppedLoading", ends)


def origin_of(url: str) -> str:
    """The scheme, host and port of an address; nothing when it is none."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}"


@contextlib.asynccontextmanager
async def within(seconds: float) -> AsyncIterator[None]:
    """Raises Stuck when what is done inside takes longer."""
    try:
        async with asyncio.timeout(seconds + GRACE_SECONDS):
            yield
    except TimeoutError as late:
        raise Stuck(f"no answer within {max(seconds, GRACE_SECONDS):g} s") from late


def _fits(states: Sequence[str], steps: Sequence[Step]) -> bool:
    """Whether a walk of these steps can have come through these states and be left by the next step."""
    known = len(states) < max(len(steps), 1) and all(re.fullmatch("[0-9a-f]{24}", state) for state in states)
    return known and all(expected in (None, state) for state, (_, expected) in zip(states, steps, strict=False))


def notes_of(told: Sequence[Any]) -> list[Note]:
    return [Note(str(note[0]), note[1]) for note in told if isinstance(note, list) and len(note) == 2]
