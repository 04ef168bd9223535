"""Fresh sessions: a reset clears what an earlier session left behind, loads the URL and logs in.

A login is reused as long as its session lasts: see `browser.saved_session`.

A reset makes a fresh session at the lowest cost: it clears cookies and everything the origins have stored, and loads
the URL again in the same page. `python -m bench resets` measures the alternatives.
"""

import asyncio
import contextlib
import json
from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from statecrawl.browser.agent_answers import ACT, HAS_ALL, IS_LOST, is_held
from statecrawl.browser.agent_calls import AgentTab, DocumentLeft, origin_of
from statecrawl.browser.awake_clock import PageStuck, within
from statecrawl.browser.browsers import Browsers
from statecrawl.browser.coverage import Coverage
from statecrawl.browser.devtools import Session, ignore
from statecrawl.browser.page_settings import PageSettings
from statecrawl.browser.saved_session import Items, SavedSession, cookie_settings, fields_of
from statecrawl.browser.traffic import TrafficIndex
from statecrawl.errors import BadInput, CallRefused, SiteUnreachable
from statecrawl.ports.page import Landing

MOST_SESSION_TRIES = 3  # of sessions that other pages have saved meanwhile
WORN_EVENTS = 100  # least number of events between two resets that only free memory
INSECURE = "use --insecure if you trust that server although its certificate is not valid"
Traces = tuple[Items, Items, float]  # local and session storage, and the number of bytes stored otherwise
STORED = "local_storage,indexeddb,websql,service_workers,cache_storage,file_systems,shared_storage,storage_buckets"


class FreshTab(AgentTab):
    """A tab that can start a fresh session."""

    def __init__(
        self,
        browsers: Browsers,
        settings: PageSettings,
        index: TrafficIndex | None = None,
        coverage: Coverage | None = None,
    ) -> None:
        super().__init__(browsers, settings, index, coverage)
        self._form_url = ""  # where the last login found its form
        self._is_login_stopped = False  # a step of the last login was stopped from leaving the scope
        self._needs_new_page = False  # every reset opens a new page, because the application blocks leaving it
        self._traces: Traces | None = None  # of the session after the last reset; None: unknown
        self._is_renewed = False  # it counts as reset
        self._is_outdated = False  # the settings have changed since the agent was registered

    def is_worn(self) -> bool:
        """Whether the page should be reset for no other reason than to replace it or its browser."""
        if self._browser is None or self.fired >= self.settings.recycle_events:
            return self._browser is not None
        return self.fired >= WORN_EVENTS and self._browsers.is_stale(self._browser)

    async def _session_traces(self) -> Traces | None:
        """Return what the session stores; None when that is unknown, or when the server may know the session."""
        origin, session, root = origin_of(self.settings.url), self._live, self._chromium.connection.root
        if self.settings.login or self.settings.storage or self._origins - {origin}:
            return None
        try:
            async with within(self.settings.event_seconds):
                if (await root.call("Storage.getCookies", browserContextId=self._context))["cookies"]:
                    return None
                usage = await session.call("Storage.getUsageAndQuota", origin=origin)
                _, local, of_session = await self._stored(session, origin)
        except (PageStuck, CallRefused):  # a slow disk, or an origin that stores nothing: not the fault of the page
            return None
        return local, of_session, float(usage["usage"])

    async def _stop_document(self) -> None:
        """Stop everything that the document does, including its handlers for leaving it."""
        async with within(self.settings.event_seconds):
            await self._live.call("Runtime.evaluate", expression=self._expression("leave", ()))

    async def _reset(self, background: Collection[str]) -> Landing:
        self._traces, self._is_renewed, self._gate.led_out = None, False, ""
        await self._take_coverage()
        if self._browser is not None and (
            self._needs_new_page or self.fired >= self.settings.recycle_events or self._browsers.is_stale(self._browser)
        ):
            await self._discard_healthy()
        known, self._background = self._background, set(background)
        if self._session is None:
            await self._open()
        elif known != self._background or self._is_outdated:
            await self._register()
        self._is_outdated = False
        if self.settings.login:
            return await self._with_login()
        return await self._logged_in(await self._load_afresh())

    async def _with_login(self) -> Landing:
        """Start with the session of an earlier login while it lasts, or else log in."""
        logins, rules = self.settings.logins, self.settings.agent.rules
        for _ in range(MOST_SESSION_TRIES):
            if (saved := logins.saved) is None:
                break
            landing = await self._load_afresh(saved)
            if not await self._is_ended(landing, saved) and not logins.is_changed(rules, landing.state):
                return landing
            if logins.saved is saved:  # else another page has logged in meanwhile
                logins.saved = None
        async with logins.lock:
            landing = await (self._log_in() if logins.saved is None else self._load_afresh(logins.saved))
        logins.record_start(rules, landing.state)
        return landing

    async def _log_in(self) -> Landing:
        """Log in, save the session, and load the page that the login led to with it, if that works."""
        logins = self.settings.logins
        landing = await self._perform_login()
        if not logins.is_reusable:
            return landing
        saved = await self._saved(landing)
        with contextlib.suppress(BadInput):  # the browser rejects its own cookies
            again = await self._load_afresh(saved)
            if not await self._is_ended(again, saved):
                logins.saved = saved
                return again
        logins.is_reusable = False
        return await self._perform_login()

    async def _perform_login(self) -> Landing:
        """Do the login steps; once more without a scope if they fail and the agent stopped one that left it."""
        logins, self._is_login_stopped = self.settings.logins, False
        if not logins.leave_scope:
            try:
                landing = await self._logged_in(await self._load_afresh())
                if not self._is_login_stopped or self.settings.agent.session or not await self._shows_login_form():
                    return landing
            except SiteUnreachable:
                if not self._is_login_stopped:
                    raise
            logins.leave_scope = True
        return await self._perform_login_anywhere()

    async def _perform_login_anywhere(self) -> Landing:
        """Do the login steps wherever they lead, and return to the application."""
        self._ignores_scope = self._is_outdated = True
        try:
            await self._register()
            landing = await self._logged_in(await self._load_afresh())
        finally:
            self._ignores_scope = False
        await self._register()
        self._is_outdated = False
        return landing if self._in_scope(landing.url) else await self._reload()

    async def _is_session_marker_missing(self) -> bool:
        return bool(await self._ask(IS_LOST, seconds=self.settings.event_seconds))

    async def _shows_login_form(self) -> bool:
        """Whether the page has all fields that the login fills in."""
        fields = fields_of(self.settings.login)
        return bool(fields) and bool(await self._ask(HAS_ALL, fields, seconds=self.settings.event_seconds))

    async def _is_ended(self, landing: Landing, saved: SavedSession) -> bool:
        """Whether a saved session no longer makes the browser logged in."""
        if self.settings.agent.session:
            return await self._is_session_marker_missing()
        return saved.is_ended(landing.url, landing.status, form=await self._shows_login_form())

    async def _saved(self, landing: Landing) -> SavedSession:
        """Return the session that makes this page logged in."""
        session, seconds = self._live, self.settings.event_seconds
        async with within(seconds):
            stored = await self._chromium.connection.root.call("Storage.getCookies", browserContextId=self._context)
            storage = [await self._stored(session, origin) for origin in sorted(self._origins)]
        return SavedSession(
            url=landing.url,
            cookies=cookie_settings(stored["cookies"]),
            storage=tuple(storage),
            form_url=self._form_url,
            shows_form=await self._shows_login_form(),
        )

    async def _stored(self, session: Session, origin: str) -> tuple[str, Items, Items]:
        """Return the local and session storage of an origin."""
        return origin, await self._items(session, origin, local=True), await self._items(session, origin, local=False)

    async def _items(self, session: Session, origin: str, *, local: bool) -> Items:
        """Return the items of one of the two storages; none for an origin without an open frame."""
        place = {"securityOrigin": origin, "isLocalStorage": local}
        try:
            answer = await session.call("DOMStorage.getDOMStorageItems", storageId=place)
        except CallRefused:
            return ()
        return tuple((str(name), str(value)) for name, value in answer["entries"])

    async def _load_afresh(self, saved: SavedSession | None = None) -> Landing:
        """Clear everything that a session leaves behind, and load the URL, or the one where a saved session starts."""
        script = "" if saved is None else saved.storage_script()
        if not script:
            return await self._load_cleared(saved)
        added = await self._live.call("Page.addScriptToEvaluateOnNewDocument", source=script)
        try:
            return await self._load_cleared(saved)
        finally:
            if self._session is not None:
                ignore(self._session.post("Page.removeScriptToEvaluateOnNewDocument", identifier=added["identifier"]))

    async def _load_cleared(self, saved: SavedSession | None) -> Landing:
        session = self._live
        settings, url = self.settings, self.settings.url if saved is None else saved.url
        left = session.post("Runtime.evaluate", expression=self._expression("leave", ()))
        self._gate.end()
        posted = self._clearing(session)
        restored = self._restoring(session, settings.cookies if saved is None else saved.cookies)
        for answer in (*posted, *restored):
            ignore(answer)
        async with within(settings.load_seconds):
            with contextlib.suppress(CallRefused):
                await left  # the next document must not start before this one has stopped,
            for answer in posted:
                with contextlib.suppress(CallRefused):
                    await answer  # nor before everything is cleared
            for answer in restored:
                await self._check_cookies(answer)
            problem = await self._navigated(url)
        if "ERR_TUNNEL" in problem and self._browsers.proxy_error:
            problem = self._browsers.proxy_error
        if problem:
            is_untrusted = "ERR_CERT" in problem or "certificate:" in problem
            remedy = INSECURE if is_untrusted else "check that the server runs and the URL is right"
            raise SiteUnreachable(f"{url} could not be loaded ({problem}): {remedy}.")
        watched = self._imports is not None
        landing = await self._arrive(settings.load_seconds)
        if not watched and self._imports is not None:
            return await self._load_cleared(saved)  # modules were imported before they were watched
        if await self._was_held(landing):
            return await self._load_cleared(saved)
        self._stop_gate()
        if landing.url.startswith("chrome-error:"):
            raise SiteUnreachable(f"{url} could not be loaded: the browser shows an error page.")
        return landing

    async def _logged_in(self, landing: Landing) -> Landing:
        """Restore a saved session, or log in, where the settings ask for it."""
        settings = self.settings
        if settings.storage and await self._fill_storage():
            landing = await self._reload()
        if settings.login:
            landing = await self._steps(landing)
        if settings.agent.session and await self._is_session_marker_missing():
            raise SiteUnreachable(
                f"not logged in at {landing.url} after the login steps: the page has no '{settings.agent.session}';"
                " check user name, password and steps by doing them in your own browser."
            )
        return landing

    async def _steps(self, landing: Landing) -> Landing:
        """Do the login steps. They may send requests that change something, even in a read-only crawl."""
        self.settings.logins.count += 1
        self._gate.read_only = self._gate.is_bounded = False
        self._form_url = ""
        try:
            for step in self.settings.login:
                if "goto" not in step:
                    self._form_url = self._form_url or landing.url
                landing = await self._act(step)
                self._is_login_stopped = self._is_login_stopped or any(
                    note.kind == "boundary" for note in landing.notes
                )
        finally:
            self._gate.read_only, self._gate.is_bounded = self.settings.read_only, True
        return landing

    async def _act(self, step: dict[str, str]) -> Landing:
        """Do one login step. Return where it led."""
        seconds = self.settings.load_seconds
        if "goto" in step:
            async with within(seconds):
                await self._live.call("Page.navigate", url=step["goto"])
            return await self._arrive(seconds)
        try:
            done = await self._ask(ACT, step["verb"], step["selector"], step.get("value", ""), seconds=seconds)
        except DocumentLeft:
            done = True
        if not done:
            raise SiteUnreachable(f"the login stopped: there is no element '{step['selector']}' to {step['verb']}.")
        return await self._arrive(seconds)

    async def _reload(self) -> Landing:
        """Load the URL again in the same session."""
        async with within(self.settings.load_seconds):
            await self._navigated(self.settings.url)
        landing = await self._arrive(self.settings.load_seconds)
        return await self._reload() if await self._was_held(landing) else landing

    async def _was_held(self, landing: Landing) -> bool:
        """Return whether the agent stopped the page from loading another one by itself.

        From now on the page may, once it is loaded again.
        """
        if not (self._held and is_held(landing.notes)):
            return False
        await self._allow_documents()
        return True

    async def _navigated(self, url: str) -> str:
        """Load a URL that the user gave, which may be redirected anywhere. Return the error, or ""."""
        self._gate.is_bounded = False
        try:
            return str((await self._live.call("Page.navigate", url=url)).get("errorText", ""))
        finally:
            self._gate.is_bounded = True

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

    def _restoring(self, session: Session, saved: Sequence[dict[str, Any]]) -> list[asyncio.Future[msgspec.Raw]]:
        """Restore the cookies of a saved session."""
        cookies = list(saved)
        return [session.post("Network.setCookies", cookies=cookies)] if cookies else []

    async def _check_cookies(self, answer: asyncio.Future[msgspec.Raw]) -> None:
        try:
            await answer
        except CallRefused as refused:
            raise BadInput(
                f"the browser rejects the cookies of the saved session ({refused}): save the session again."
            ) from refused

    async def _fill_storage(self) -> bool:
        """Restore the local storage of a saved session. Return whether there was any for this origin."""
        own = [[name, value] for origin, name, value in self.settings.storage if origin == origin_of(self.settings.url)]
        put = f"for (const [name, value] of {json.dumps(own)}) localStorage.setItem(name, value)"
        if own:
            async with within(self.settings.event_seconds):
                await self._live.call("Runtime.evaluate", expression=put)
        return bool(own)
