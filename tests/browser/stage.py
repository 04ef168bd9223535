"""A stage for the tests of the browser: a real Chromium, a real server, and pages that a test writes itself.

The server answers at two names of this machine, which are two origins to a browser. What a test serves is forgotten
after it. Pages are shared by all tests of a process that ask for the same settings: that they can be is what a reset
promises. A test that wants a page for itself says so.
"""

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aiohttp import web

from statecrawl.browser.browsers import Browsers
from statecrawl.browser.chromium import find_browser
from statecrawl.browser.page import BrowserPage
from statecrawl.browser.page_settings import PageSettings
from statecrawl.config.plan import CrawlPlan
from statecrawl.crawler.loop import CrawlLoop
from statecrawl.crawler.page_factory import page_settings
from statecrawl.ports.page import Ending, Landing, Note, Snapshot, Walked, lines_of

ENOUGH = 1 << 40  # bytes: this browser is never too large
MOST_SHARED = 3  # pages that are kept open: each is a process
CLOSING_SECONDS = 0.1  # for answers under way, some of which never end

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

# Pages that are no whole document get a place to write to, and a word for it.
BEGINNING = """<!DOCTYPE html><html lang=en><title>stage</title><link rel=icon href="data:,"><pre id=log></pre><script>
var log = (...words) => { document.getElementById('log').textContent += words.join('') + ' '; };
var byId = (id) => document.getElementById(id);
</script>"""


def document(html: str) -> str:
    """A whole document from a part of one."""
    return html if html.lower().startswith("<!doctype") else BEGINNING + html


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that the server got."""

    method: str
    path: str  # with its query
    headers: dict[str, str]
    body: str


class Stand:
    """The server."""

    def __init__(self) -> None:
        self.routes: dict[str, str | Handler] = {}
        self.asked: list[Asked] = []
        self.port = 0
        self._runner: web.AppRunner | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    @property
    def other(self) -> str:
        """The same server as another origin."""
        return f"http://localhost:{self.port}/"

    @property
    def paths(self) -> list[str]:
        """What was asked for."""
        return [asked.path for asked in self.asked]

    async def open(self) -> None:
        application = web.Application()
        application.router.add_route("*", "/{path:.*}", self._answer)
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=CLOSING_SECONDS)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self.port).start()
        self.port = int(self._runner.addresses[0][1])

    async def close(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(Asked(request.method, request.path_qs, dict(request.headers), await request.text()))
        told = self.routes.get(request.path)
        if told is None:
            return web.Response(status=404, text="nothing here")
        if not isinstance(told, str):
            return await told(request)
        kind = "text/javascript" if request.path.endswith(".js") else "text/html"
        return web.Response(text=told, content_type=kind, headers={"Cache-Control": "no-store"})


class View:
    """A page that shows something."""

    def __init__(self, page: BrowserPage, landing: Landing) -> None:
        self.page = page
        self.landing = landing

    async def look(self) -> Snapshot:
        return await self.page.describe(lines=True)

    async def events(self, part: str = "") -> list[str]:
        """The events of the state that have this in their names."""
        return [event for event in (await self.page.describe()).events if part in event]

    async def walk(self, *events: str) -> Walked:
        return await self.page.walk(None, [(event, None) for event in events])

    async def fire(self, *events: str) -> Walked:
        """Walk, and all of it must work."""
        walked = await self.walk(*events)
        assert (walked.why, walked.done) == (Ending.END, len(events)), (walked, await self.events())
        return walked

    async def text(self, place: str = "#log") -> str:
        """All text at a place: an id, or an id and the tags from there."""
        return " ".join(line[2] for line in lines_of((await self.look()).normal) if line[1] == '"' and line[0] == place)

    async def log(self, *events: str) -> list[str]:
        """The words that the page wrote down, since these events if any."""
        before = len((await self.text()).split()) if events else 0
        if events:
            await self.fire(*events)
        return (await self.text()).split()[before:]

    async def reset(self, background: Collection[str] = ()) -> Landing:
        self.landing = await self.page.reset(background)
        return self.landing


class Stage:
    """What a test works with."""

    def __init__(self) -> None:
        self.stand = Stand()
        self.browsers = Browsers(find_browser(), ENOUGH)
        self._shared: dict[str, BrowserPage] = {}  # by their settings, the one used last at the end
        self._own: list[BrowserPage] = []

    def settings(self, *, agent: dict[str, Any] | None = None, url: str = "", **page: Any) -> PageSettings:
        """The default settings of a crawl, some of them changed."""
        plan = CrawlPlan(url=url or self.stand.url, out=Path("unused"))
        usual = page_settings(plan, "agent", 0, frozenset())
        return dataclasses.replace(usual, agent=dataclasses.replace(usual.agent, **(agent or {})), **page)

    def page(self, **settings: Any) -> BrowserPage:
        """A page with settings of its own, closed after the test."""
        page = BrowserPage(self.browsers, self.settings(**settings))
        self._own.append(page)
        return page

    async def show(self, html: str, **settings: Any) -> View:
        """Serve this at the address of the crawl, and open it."""
        self.serve("/", html)
        page = await self._page(settings)
        return View(page, await page.reset())

    async def show_alone(self, html: str, **settings: Any) -> View:
        """The same, on a page that no other test uses."""
        self.serve("/", html)
        page = self.page(**settings)
        return View(page, await page.reset())

    async def _page(self, settings: dict[str, Any]) -> BrowserPage:
        key = repr(settings)
        page = self._shared.pop(key, None) or BrowserPage(self.browsers, self.settings(**settings))
        self._shared[key] = page
        if len(self._shared) > MOST_SHARED:
            await self._shared.pop(next(iter(self._shared))).close()
        return page

    async def events(self, html: str, **settings: Any) -> list[str]:
        """The events of a page, in order."""
        return await (await self.show(html, **settings)).events()

    async def state(self, html: str, **settings: Any) -> str:
        """The state that a page is in."""
        return (await self.show(html, **settings)).landing.state

    def serve(self, path: str, told: str | Handler) -> None:
        """Answer with a page, a script by its name, or whatever a handler says."""
        self.stand.routes[path] = document(told) if isinstance(told, str) and not path.endswith(".js") else told

    def serve_late(self, path: str, text: str, seconds: float, kind: str = "text/plain") -> None:
        """Answer with a text after a while."""

        async def answer(_: web.Request) -> web.Response:
            await asyncio.sleep(seconds)
            return web.Response(text=text, content_type=kind, headers={"Cache-Control": "no-store"})

        self.serve(path, answer)

    async def clear(self) -> None:
        """Forget what a test did."""
        own, self._own = self._own, []
        for page in own:
            await page.close()
        self.stand.routes.clear()
        self.stand.asked.clear()

    async def close(self) -> None:
        await self.clear()
        for page in self._shared.values():
            await page.close()
        await self.browsers.close()
        await self.stand.close()


def noted(walked: Walked | Landing, kind: str) -> list[Any]:
    """The contents of all notes of this kind."""
    return [note.what for note in walked.notes if note.kind == kind]


def kinds(notes: tuple[Note, ...]) -> set[str]:
    return {note.kind for note in notes}


def let_learn(crawling: CrawlLoop) -> None:
    """Let learning take all the time there is, for crawls whose result must not depend on the pace of the machine."""
    crawling.learn_without_limit()
