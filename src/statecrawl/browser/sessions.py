"""Fresh sessions: everything that an earlier one left behind is cleared, the address is loaded, and somebody logs in.

A reset makes a fresh session at the least price: cookies and everything the origins stored are cleared, and the
address is loaded again in the same page. `python -m bench resets` has the prices of the alternatives.
"""

import asyncio
import contextlib
import json
from collections.abc import Collection

import msgspec

from statecrawl.browser.asking import AskedTab, Left, origin_of
from statecrawl.browser.browsers import Browsers
from statecrawl.browser.coverage import Coverage
from statecrawl.browser.devtools import Session, ignore
from statecrawl.browser.tab import PageSettings, within
from statecrawl.browser.traffic import Ledger
from statecrawl.errors import BadInput, CallRefused, SiteUnreachable
from statecrawl.ports.page import Landing

WORN_EVENTS = 100  # at least, between two resets for the sake of memory alone
INSECURE = "if you trust that server although nobody vouches for it, say --insecure"
STORED = "local_storage,indexeddb,websql,service_workers,cache_storage,file_systems,shared_storage,storage_buckets"


class FreshTab(AskedTab):
    """A tab that can begin anew."""

    def __init__(
        self, browsers: Browsers, settings: PageSettings, ledger: Ledger | None = None, coverage: Coverage | None = None
    ) -> None:
        super().__init__(browsers, settings, ledger, coverage)
        self._clings = False  # the application does not let itself be left: every reset takes a new page

    def is_worn(self) -> bool:
        """Whether it should be reset even though nothing else asks for it: that would replace it, or its browser."""
        if self._browser is None or self.fired >= self.settings.recycle_events:
            return self._browser is not None
        return self.fired >= WORN_EVENTS and self._browsers.is_stale(self._browser)

    async def _reset(self, background: Collection[str]) -> Landing:
        await self._cover()
        if self._browser is not None and (
            self._clings or self.fired >= self.settings.recycle_events or self._browsers.is_stale(self._browser)
        ):
            await self._discard_healthy()
        known, self._background = self._background, set(background)
        if self._session is None:
            await self._open()
        elif known != self._background:
            await self._register()
        landing = await self._load_afresh()
        return await self._logged_in(landing)

    async def _load_afresh(self) -> Landing:
        """Clear everything that a session leaves behind, and load the address."""
        session = self._live
        settings = self.settings
        left = session.post("Runtime.evaluate", expression=self._expression("leave", ()))
        self._gate.end()
        posted = self._clearing(session)
        restored = self._restoring(session)
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
            problem = (await session.call("Page.navigate", url=settings.url)).get("errorText")
        if "ERR_TUNNEL" in (problem or "") and self._browsers.door_trouble:
            problem = self._browsers.door_trouble
        if problem:
            nobody_vouches = "ERR_CERT" in problem or "certificate:" in problem
            remedy = INSECURE if nobody_vouches else "check that the server runs and the address is right"
            raise SiteUnreachable(f"{settings.url} could not be loaded ({problem}): {remedy}.")
        watched = self._imports is not None
        landing = await self._arrive(settings.load_seconds)
        if not watched and self._imports is not None:
            return await self._load_afresh()  # modules were imported before anybody looked
        if landing.url.startswith("chrome-error:"):
            raise SiteUnreachable(f"{settings.url} could not be loaded: the browser shows an error page.")
        return landing

    async def _logged_in(self, landing: Landing) -> Landing:
        """Restore a saved session, or log in, where that is asked for."""
        settings = self.settings
        if settings.storage and await self._fill_storage():
            landing = await self._reload()
        for step in settings.login:
            landing = await self._act(step)
        if settings.agent.session and await self._ask("isLost", seconds=settings.event_seconds):
            raise SiteUnreachable(
                f"nobody is logged in at {landing.url} after the log-in steps: '{settings.agent.session}' is not there;"
                " check name, password and steps by doing them in a browser of your own."
            )
        return landing

    async def _act(self, step: dict[str, str]) -> Landing:
        """One step of a log-in, and what it led to."""
        session = self._live
        seconds = self.settings.load_seconds
        if "goto" in step:
            async with within(seconds):
                await session.call("Page.navigate", url=step["goto"])
            return await self._arrive(seconds)
        try:
            done = await self._ask("act", step["verb"], step["selector"], step.get("value", ""), seconds=seconds)
        except Left:
            done = True
        if not done:
            raise SiteUnreachable(f"the log-in stopped: there is no element '{step['selector']}' to {step['verb']}.")
        return await self._arrive(seconds)

    async def _reload(self) -> Landing:
        async with within(self.settings.load_seconds):
            await self._live.call("Page.navigate", url=self.settings.url)
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
