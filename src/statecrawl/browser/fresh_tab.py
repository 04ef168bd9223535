"""Fresh sessions: everything that an earlier one left behind is cleared, the address is loaded, and somebody logs in.

Who was logged in once stays so, as long as the session lasts: see `browser.saved_session`.

A reset makes a fresh session at the least price: cookies and everything the origins stored are cleared, and the
address is loaded again in the same page. `python -m bench resets` has the prices of the alternatives.
"""

import asyncio
import contextlib
import json
from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from statecrawl.browser.agent_calls import AgentTab, DocumentLeft, is_held, origin_of
from statecrawl.browser.awake_clock import PageStuck, within
from statecrawl.browser.browsers import Browsers
from statecrawl.browser.coverage import Coverage
from statecrawl.browser.devtools import Session, ignore
from statecrawl.browser.saved_session import Items, SavedSession, cookie_settings, fields_of
from statecrawl.browser.tab import PageSettings
from statecrawl.browser.traffic import KeptTraffic
from statecrawl.errors import BadInput, CallRefused, SiteUnreachable
from statecrawl.ports.page import Landing

MOST_LOOKS = 3  # at sessions that others have saved meanwhile
WORN_EVENTS = 100  # at least, between two resets for the sake of memory alone
INSECURE = "if you trust that server although nobody vouches for it, say --insecure"
Traces = tuple[Items, Items, float]  # local and session storage, and the bytes of everything else that is stored
STORED = "local_storage,indexeddb,websql,service_workers,cache_storage,file_systems,shared_storage,storage_buckets"


class FreshTab(AgentTab):
    """A tab that can begin anew."""

    def __init__(
        self,
        browsers: Browsers,
        settings: PageSettings,
        ledger: KeptTraffic | None = None,
        coverage: Coverage | None = None,
    ) -> None:
        super().__init__(browsers, settings, ledger, coverage)
        self._form_url = ""  # where the last log-in found its form
        self._stopped = False  # a step of the last log-in was kept from leaving the scope
        self._clings = False  # the application does not let itself be left: every reset takes a new page
        self._traces: Traces | None = None  # of the session after the last reset; None: not known, or too many
        self._is_renewed = False  # it passes for reset
        self._is_outdated = False  # the agent has other settings now

    def is_worn(self) -> bool:
        """Whether it should be reset even though nothing else asks for it: that would replace it, or its browser."""
        if self._browser is None or self.fired >= self.settings.recycle_events:
            return self._browser is not None
        return self.fired >= WORN_EVENTS and self._browsers.is_stale(self._browser)

    async def _left(self) -> Traces | None:
        """What the session holds; None when it may be known to the server, too, or cannot be told."""
        origin, session, root = origin_of(self.settings.url), self._live, self._chromium.connection.root
        if self.settings.login or self.settings.storage or self._origins - {origin}:
            return None
        try:
            async with within(self.settings.event_seconds):
                if (await root.call("Storage.getCookies", browserContextId=self._context))["cookies"]:
                    return None
                used = await session.call("Storage.getUsageAndQuota", origin=origin)
                _, local, of_session = await self._stored(session, origin)
        except (PageStuck, CallRefused):  # a slow disk, or an origin that stores nothing: no fault of the page
            return None
        return local, of_session, float(used["usage"])

    async def _forget(self) -> None:
        """Have a document do nothing any more, not even when it is left."""
        async with within(self.settings.event_seconds):
            await self._live.call("Runtime.evaluate", expression=self._expression("leave", ()))

    async def _reset(self, background: Collection[str]) -> Landing:
        self._traces, self._is_renewed, self._gate.led_out = None, False, ""
        await self._cover()
        if self._browser is not None and (
            self._clings or self.fired >= self.settings.recycle_events or self._browsers.is_stale(self._browser)
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
        """Begin with the session of an earlier log-in, while it lasts, or else log in."""
        logins, rules = self.settings.logins, self.settings.agent.rules
        for _ in range(MOST_LOOKS):
            if (saved := logins.saved) is None:
                break
            landing = await self._load_afresh(saved)
            if not await self._is_ended(landing, saved) and not logins.is_changed(rules, landing.state):
                return landing
            if logins.saved is saved:  # else somebody else has logged in meanwhile
                logins.saved = None
        async with logins.lock:
            landing = await (self._log_in() if logins.saved is None else self._load_afresh(logins.saved))
        logins.begins(rules, landing.state)
        return landing

    async def _log_in(self) -> Landing:
        """Log in, and load the page where that leads with what was saved of it, if that works."""
        logins = self.settings.logins
        landing = await self._entered()
        if not logins.is_kept:
            return landing
        saved = await self._saved(landing)
        with contextlib.suppress(BadInput):  # the browser does not take its own cookies
            again = await self._load_afresh(saved)
            if not await self._is_ended(again, saved):
                logins.saved = saved
                return again
        logins.is_kept = False
        return await self._entered()

    async def _entered(self) -> Landing:
        """Do the steps; once more without a scope, if they fail and the agent stopped a way out of it."""
        logins, self._stopped = self.settings.logins, False
        if not logins.roams:
            try:
                landing = await self._logged_in(await self._load_afresh())
                if not self._stopped or self.settings.agent.session or not await self._shows_form():
                    return landing
            except SiteUnreachable:
                if not self._stopped:
                    raise
            logins.roams = True
        return await self._roaming()

    async def _roaming(self) -> Landing:
        """Do the steps wherever they lead, and come back."""
        self._roams = self._is_outdated = True
        try:
            await self._register()
            landing = await self._logged_in(await self._load_afresh())
        finally:
            self._roams = False
        await self._register()
        self._is_outdated = False
        return landing if self._in_scope(landing.url) else await self._reload()

    async def _is_lost(self) -> bool:
        return bool(await self._ask("isLost", seconds=self.settings.event_seconds))

    async def _shows_form(self) -> bool:
        """Whether the page has all fields that the log-in fills in."""
        fields = fields_of(self.settings.login)
        return bool(fields) and bool(await self._ask("hasAll", fields, seconds=self.settings.event_seconds))

    async def _is_ended(self, landing: Landing, saved: SavedSession) -> bool:
        """Whether a saved session does not make anybody logged in any more."""
        if self.settings.agent.session:
            return await self._is_lost()
        return saved.is_ended(landing.url, landing.status, form=await self._shows_form())

    async def _saved(self, landing: Landing) -> SavedSession:
        """What makes this page logged in."""
        session, seconds = self._live, self.settings.event_seconds
        async with within(seconds):
            told = await self._chromium.connection.root.call("Storage.getCookies", browserContextId=self._context)
            storage = [await self._stored(session, origin) for origin in sorted(self._origins)]
        return SavedSession(
            url=landing.url,
            cookies=cookie_settings(told["cookies"]),
            storage=tuple(storage),
            form_url=self._form_url,
            shows_form=await self._shows_form(),
        )

    async def _stored(self, session: Session, origin: str) -> tuple[str, Items, Items]:
        """What the page has stored."""
        return origin, await self._items(session, origin, local=True), await self._items(session, origin, local=False)

    async def _items(self, session: Session, origin: str, *, local: bool) -> Items:
        """Of one of the two storages; nothing for an origin of which no frame is open."""
        place = {"securityOrigin": origin, "isLocalStorage": local}
        try:
            told = await session.call("DOMStorage.getDOMStorageItems", storageId=place)
        except CallRefused:
            return ()
        return tuple((str(name), str(value)) for name, value in told["entries"])

    async def _load_afresh(self, saved: SavedSession | None = None) -> Landing:
        """Clear everything that a session leaves behind, and load the address, or where a saved session begins."""
        filling = "" if saved is None else saved.filling()
        if not filling:
            return await self._load_cleared(saved)
        added = await self._live.call("Page.addScriptToEvaluateOnNewDocument", source=filling)
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
                await left  # the next document must not begin before this one has forgotten,
            for answer in posted:
                with contextlib.suppress(CallRefused):
                    await answer  # nor before all is cleared
            for answer in restored:
                await self._taken(answer)
            problem = await self._navigated(url)
        if "ERR_TUNNEL" in problem and self._browsers.door_trouble:
            problem = self._browsers.door_trouble
        if problem:
            nobody_vouches = "ERR_CERT" in problem or "certificate:" in problem
            remedy = INSECURE if nobody_vouches else "check that the server runs and the address is right"
            raise SiteUnreachable(f"{url} could not be loaded ({problem}): {remedy}.")
        watched = self._imports is not None
        landing = await self._arrive(settings.load_seconds)
        if not watched and self._imports is not None:
            return await self._load_cleared(saved)  # modules were imported before anybody looked
        if await self._leads_on(landing):
            return await self._load_cleared(saved)
        self._end_gate()
        if landing.url.startswith("chrome-error:"):
            raise SiteUnreachable(f"{url} could not be loaded: the browser shows an error page.")
        return landing

    async def _logged_in(self, landing: Landing) -> Landing:
        """Restore a saved session, or log in, where that is asked for."""
        settings = self.settings
        if settings.storage and await self._fill_storage():
            landing = await self._reload()
        if settings.login:
            landing = await self._steps(landing)
        if settings.agent.session and await self._is_lost():
            raise SiteUnreachable(
                f"nobody is logged in at {landing.url} after the log-in steps: '{settings.agent.session}' is not there;"
                " check name, password and steps by doing them in a browser of your own."
            )
        return landing

    async def _steps(self, landing: Landing) -> Landing:
        """The steps of a log-in. They may send what changes something, also where nothing else may."""
        self.settings.logins.made += 1
        self._gate.read_only = self._gate.is_bounded = False
        self._form_url = ""
        try:
            for step in self.settings.login:
                if "goto" not in step:
                    self._form_url = self._form_url or landing.url
                landing = await self._act(step)
                self._stopped = self._stopped or any(note.kind == "boundary" for note in landing.notes)
        finally:
            self._gate.read_only, self._gate.is_bounded = self.settings.read_only, True
        return landing

    async def _act(self, step: dict[str, str]) -> Landing:
        """One step of a log-in, and what it led to."""
        seconds = self.settings.load_seconds
        if "goto" in step:
            async with within(seconds):
                await self._live.call("Page.navigate", url=step["goto"])
            return await self._arrive(seconds)
        try:
            done = await self._ask("act", step["verb"], step["selector"], step.get("value", ""), seconds=seconds)
        except DocumentLeft:
            done = True
        if not done:
            raise SiteUnreachable(f"the log-in stopped: there is no element '{step['selector']}' to {step['verb']}.")
        return await self._arrive(seconds)

    async def _reload(self) -> Landing:
        """Load the address again in the same session."""
        async with within(self.settings.load_seconds):
            await self._navigated(self.settings.url)
        landing = await self._arrive(self.settings.load_seconds)
        return await self._reload() if await self._leads_on(landing) else landing

    async def _leads_on(self, landing: Landing) -> bool:
        """Whether a page was kept from loading another one by itself. From now on it may, once it is loaded again."""
        if not (self._held and is_held(landing.notes)):
            return False
        await self._let_go()
        return True

    async def _navigated(self, url: str) -> str:
        """Load an address that the user gave, which may be redirected anywhere; why that failed, if it did."""
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
        """Put back the cookies of a saved session."""
        cookies = list(saved)
        return [session.post("Network.setCookies", cookies=cookies)] if cookies else []

    async def _taken(self, answer: asyncio.Future[msgspec.Raw]) -> None:
        try:
            await answer
        except CallRefused as refused:
            raise BadInput(
                f"the browser does not take the cookies of the saved session ({refused}): save the session again."
            ) from refused

    async def _fill_storage(self) -> bool:
        """Put back the local storage of a saved session; whether there was anything for this origin."""
        own = [[name, value] for origin, name, value in self.settings.storage if origin == origin_of(self.settings.url)]
        put = f"for (const [name, value] of {json.dumps(own)}) localStorage.setItem(name, value)"
        if own:
            async with within(self.settings.event_seconds):
                await self._live.call("Runtime.evaluate", expression=put)
        return bool(own)
