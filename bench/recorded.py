"""A crawl in Chromium whose tasks are written down, so that others can do exactly the same."""

import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from statecrawl.browser.page import BrowserPage
from statecrawl.config.plan import CrawlLimits, CrawlPlan, Scope
from statecrawl.crawler.assembly import crawl
from statecrawl.crawler.loop import CrawlLoop
from statecrawl.crawler.outcome import Outcome
from statecrawl.model.graph import Graph
from statecrawl.ports.page import Landing, Page, Walked
from statecrawl.strategies.orders import Step

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Segment:
    """What is done between two resets: the positions of the events fired, in order."""

    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A crawl and what it did."""

    outcome: Outcome
    segments: list[Segment]  # of the first page
    crawling: CrawlLoop
    cpu: dict[str, float]  # process -> CPU seconds for each event


@contextmanager
def served(app: str, latency_ms: int = 0) -> Iterator[tuple[str, int]]:
    """An application of the testbed in a process of its own: its address and process id."""
    command = [sys.executable, "-m", "statecrawl", "apps", "serve", app, "--port", "0", "--latency", str(latency_ms)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        line = server.stdout.readline() if server.stdout else ""
        yield line.split(" at ")[1].split(" ")[0], server.pid
    finally:
        server.terminate()
        server.wait()


@contextmanager
def planned(url: str, strategy: str, pages: int, max_events: int | None = None) -> Iterator[CrawlPlan]:
    """A crawl without pictures, of which nothing is kept."""
    with tempfile.TemporaryDirectory(prefix="statecrawl-bench-") as folder:
        yield CrawlPlan(
            url=url,
            out=Path(folder) / "crawl",
            strategy=strategy,
            model="states",  # as many events as the other crawlers
            pages=pages,
            limits=CrawlLimits(events=max_events),
            scope=Scope(allow_dangerous=True),
            learn_states=0,
            screenshots=False,
            reset_cost=8.0,
        )


def recorded(
    url: str, *, strategy: str = "greedy", pages: int = 1, max_events: int | None = None, server: int | None = None
) -> Recorded:
    """Crawl, with journal and strategy and without pictures, and write down the tasks."""
    trail = _Trail()
    begun: list[CrawlLoop] = []
    cpu: dict[str, float] = {}
    last = [0.0]
    used = sum(os.times()[:2])  # by us, before

    def told(crawling: CrawlLoop) -> None:
        events = crawling.recorder.tally.events
        if events and time.perf_counter() - last[0] > 1:  # the browser is gone when the crawl is over
            last[0] = time.perf_counter()
            seconds = cpu_seconds(server)
            seconds["crawler"] -= used
            cpu.update({process: each / events for process, each in seconds.items()})

    with trail.kept(), planned(url, strategy, pages, max_events) as plan:
        outcome = asyncio.run(crawl(plan, begun.append, told))
    crawling = begun[0]
    return Recorded(outcome=outcome, segments=trail.segments(crawling.crawl.graph), crawling=crawling, cpu=cpu)


class _Trail:
    """The events that the first page fires, in their order."""

    def __init__(self) -> None:
        self._page: Page | None = None
        self._last = ""  # state
        self._fired: list[list[tuple[str, str]]] = []  # after each reset: state, event

    @contextmanager
    def kept(self) -> Iterator[None]:
        reset, walk = BrowserPage.reset, BrowserPage.walk

        async def resetting(page: BrowserPage, background: Collection[str] = ()) -> Landing:
            self._page = self._page or page
            if page is self._page:
                self._fired.append([])
            return await reset(page, background)

        async def walking(
            page: BrowserPage, start: str | None, steps: Sequence[Step], *, sure: int | None = None
        ) -> Walked:
            walked = await walk(page, start, steps, sure=sure)
            if page is self._page:
                states = (start or self._last, *walked.states)
                self._last = states[-1]
                self._fired[-1] += [
                    (state, event) for state, (event, _) in zip(states, steps[: walked.done], strict=False)
                ]
            return walked

        with patch.object(BrowserPage, "reset", resetting), patch.object(BrowserPage, "walk", walking):
            yield

    def segments(self, graph: Graph) -> list[Segment]:
        return [
            Segment(tuple(graph.position(graph.numbers[state], event) for state, event in fired))
            for fired in self._fired
            if fired
        ]


def cpu_seconds(server: int | None) -> dict[str, float]:
    """CPU seconds used so far by this process, the server, and the kinds of Chromium's processes."""
    used = {"crawler": sum(os.times()[:2])}
    if server is not None:
        used["server"] = _used(server)
    for pid in _descendants(os.getpid()):
        if pid == server:
            continue
        try:
            command = Path(f"/proc/{pid}/cmdline").read_text(errors="replace")
        except OSError:
            continue
        named = re.search(r"--type=([a-z-]+)", command)
        kind = named[1] if named else "browser"
        used[kind] = used.get(kind, 0.0) + _used(pid)
    return used


def _descendants(pid: int) -> list[int]:
    family = [pid]
    for member in family:
        try:
            for task in Path(f"/proc/{member}/task").iterdir():
                family += map(int, (task / "children").read_text().split())
        except (OSError, ValueError):
            continue
    return family[1:]


def _used(pid: int) -> float:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(stat[11]) + int(stat[12])) / TICKS
    except (OSError, ValueError, IndexError):
        return 0.0
