"""A crawl by the real command whose processes are killed at moments that a seed chooses, until it is complete.

What a death costs is counted where it cannot be embellished: the application is the pager, which asks its server once
for every event and once for every load, so whatever is fired is seen there, also what nobody lived to write down.
"""

import asyncio
import contextlib
import os
import random
import signal
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from typing import Self

from aiohttp import web

from statecrawl.browser.chromium import PROFILE
from statecrawl.errors import EXIT_BROWSER
from statecrawl.journal.facts import Fact
from statecrawl.journal.fold import FoldedCrawl, fold
from statecrawl.stores.evidence import JOURNAL_NAME
from statecrawl.stores.sqlite_journal import open_reader
from statecrawl.testbed.catalogue import application
from statecrawl.testbed.model_match import mismatch
from statecrawl.testbed.sites import server
from statecrawl.testbed.sites.pager import site
from statecrawl.testbed.sites.site import Handler, Site, SiteRoute
from tests.cli.command import Running

LATENCY = 0.03  # seconds that the application's server takes to answer
VICTIMS = ("python", "browser", "both")
SHORTEST, LONGEST = 0.2, 3.0  # seconds between a start and a death: from before the browser is there
MOST_SECONDS = 90.0  # for the last run, which nobody disturbs
QUIET = ("--learn-states", "0", "--no-screenshots", "--no-report", "--reset-cost", "5", "--quiet", "--json")


class Served:
    """A pager that counts what it is asked for, in a thread of its own; it can be stopped and started again."""

    def __init__(self, pages: int, latency: float = LATENCY) -> None:
        self.asked = 0
        self.url = ""
        self._site = Site(folder="pager", routes=tuple(map(self._counted, site(pages).routes)))
        self._latency = latency
        self._loop = asyncio.new_event_loop()
        self._running: server.Running | None = None
        self._thread = Thread(target=self._loop.run_forever)
        self._mended = Event()

    def __enter__(self) -> Self:
        self._thread.start()
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.mend()
        self.stop()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def start(self) -> None:
        """At the same port each time."""
        port = int(self.url.rstrip("/").rpartition(":")[2]) if self.url else 0
        starting = server.start(self._site, port=port, latency=self._latency)
        self._running = asyncio.run_coroutine_threadsafe(starting, self._loop).result()
        self.url = self._running.url

    def stop(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            asyncio.run_coroutine_threadsafe(running.close(), self._loop).result()

    def stall(self) -> None:
        """Take what comes, and say nothing: as a network that swallows everything."""
        self._mended.clear()
        self._loop.call_soon_threadsafe(self._mended.wait)

    def mend(self) -> None:
        self._mended.set()

    def _counted(self, route: SiteRoute) -> SiteRoute:
        return SiteRoute(route.method, route.path, self._counting(route.handler))

    def _counting(self, handler: Handler) -> Handler:
        async def answer(request: web.Request) -> web.StreamResponse:
            self.asked += 1
            return await handler(request)

        return answer


@dataclass(slots=True, kw_only=True)
class Survived:
    """A crawl that was killed again and again, and completed."""

    kills: list[str] = field(default_factory=list)
    runs: int = 0  # of the command
    codes: list[int] = field(default_factory=list)  # with which it ended
    asked: int = 0  # requests: one for every event and every load
    crawl: FoldedCrawl = field(default_factory=FoldedCrawl)
    wrong: str | None = None  # in which the model differs from the true one

    @property
    def unwritten(self) -> int:
        """Events and loads that nobody lived to write down."""
        return self.asked - self.crawl.fired - self.crawl.resets


def killed_crawl(pages: int, folder: Path, seed: int, kills: int) -> Survived:
    """Crawl a pager of so many pages through so many deaths, and then to the end."""
    chance = random.Random(seed)
    survived = Survived()
    with Served(pages) as pager:
        while not survived.codes or survived.codes[-1] != 0:
            with crawling(pager.url, folder) as running:
                survived.runs += 1
                while len(survived.kills) < kills and _lives_for(running, chance.uniform(SHORTEST, LONGEST)):
                    victim = chance.choice(VICTIMS)
                    survived.kills.append(victim)
                    if not _kill(running, victim):
                        break
                done = running.ended(MOST_SECONDS)
                survived.codes.append(done.code)
                expected = {0, -signal.SIGKILL, EXIT_BROWSER} if survived.kills else {0}
                assert done.code in expected, done
                assert "Traceback" not in done.err, done.err
        survived.asked = pager.asked
    survived.crawl = fold(facts_in(folder))
    survived.wrong = mismatch(survived.crawl.graph, application(f"pager:{pages}").truth)
    return survived


def facts_in(folder: Path) -> list[Fact]:
    with closing(open_reader(folder / JOURNAL_NAME)) as reader:
        return list(reader.read())


@contextmanager
def crawling(url: str, folder: Path, *more: str) -> Iterator[Running]:
    """The command at work."""
    running = Running("crawl", url, "--out", folder, *QUIET, *more, cwd=folder.parent)
    try:
        yield running
    finally:
        for browser in browsers_of(running.pid):
            _end(browser)
        running.end()


def _lives_for(running: Running, seconds: float) -> bool:
    """Whether it is still there after so long."""
    deadline = time.monotonic() + seconds
    while running.is_there() and time.monotonic() < deadline:
        time.sleep(0.01)
    return running.is_there()


def _kill(running: Running, victim: str) -> bool:
    """Whether the command was spared."""
    browsers = browsers_of(running.pid)
    if victim != "browser":
        os.kill(running.pid, signal.SIGKILL)
    if victim != "python":
        for browser in browsers:
            _end(browser)
    return victim == "browser"


def browsers_of(process: int) -> list[int]:
    """The browsers that a process has started, by the names of their profiles: also when it is dead."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            arguments = (entry / "cmdline").read_text(errors="replace")
            if f"{PROFILE}{process}-" in arguments and "--type=" not in arguments:
                found.append(int(entry.name))
    return found


def _end(browser: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(browser, signal.SIGKILL)
