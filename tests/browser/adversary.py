"""Crawls of the hostile pages, and what has to come of each: the attack costs one event, never the crawl.

Used by `test_hostile_pages.py` for the pages that take seconds, and by `python -m bench.adversary` for all of them.
"""

import asyncio
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from statecrawl.config.plan import CrawlLimits, CrawlPlan
from statecrawl.crawler.assembly import crawl
from statecrawl.crawler.loop import CrawlLoop
from statecrawl.crawler.outcome import Outcome
from statecrawl.journal.facts import CrawlEnded, Fact, StateFound
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.model.graph import UNEXPLORED
from statecrawl.stores.evidence import JOURNAL_NAME, EvidenceReader
from statecrawl.stores.sqlite_journal import open_reader
from tests.browser.pages.server import start

SAFE, ATTACK = "click button#safe", "click button#attack"
STILL_HERE = 'id="out">still here</p>'
CRAWL_SECONDS = 60.0  # a limit that no crawl here may need

HUNG, CRASHED, REFUSED = "EventHung", "EventCrashed", "EventRefused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """What has to come of an attack."""

    fails: str = ""  # the fact that is recorded of it; none: it leads somewhere
    says: str = ""  # what stands in the state that it leads to
    cut: bool = False  # that state is too large to be seen whole
    endless: bool = False  # there is a new state behind every event
    restless: bool = False  # the page changes by itself: what an event leads to is a matter of time
    event_seconds: float = 5.0
    load_seconds: float = 10.0
    states: int = 6  # after which a crawl of endless states ends
    slow: bool = False  # not for the tests: it takes time or memory, or is proved by something quicker


def hangs(**more: Any) -> Attack:
    return Attack(fails=HUNG, event_seconds=0.5, **more)


ATTACKS: dict[str, Attack] = {
    "alert-storm.html": hangs(),
    "beforeunload.html": Attack(says="Nothing wrong here"),
    "broken-text.html": Attack(says="\ufffd", endless=True),
    "clinging.html": Attack(says="attacked"),
    "crash.html": Attack(fails=CRASHED, event_seconds=30),
    "debugger.html": Attack(says="attacked"),
    "deep-nodes.html": Attack(says="attacked", cut=True, endless=True, event_seconds=10),
    "document-write.html": Attack(says="written"),
    "download.html": Attack(says="attacked"),
    "endless-frames.html": Attack(endless=True, restless=True, states=3, slow=True),
    "endless-loop.html": hangs(),
    "event-stream.html": Attack(endless=True, restless=True, states=3, event_seconds=1),
    "fickle.html": Attack(restless=True, slow=True),
    "frames.html": Attack(says="attacked", cut=True, endless=True),
    "fullscreen.html": Attack(says="refused"),
    "huge-fetch.html": Attack(restless=True, slow=True),
    "huge-image.html": Attack(endless=True, slow=True),
    "huge-navigation.html": Attack(restless=True, event_seconds=2, load_seconds=2, slow=True),
    "hung-navigation.html": hangs(load_seconds=1.5, slow=True),
    "impostor.html": Attack(says="Nothing wrong here"),
    "location-flood.html": Attack(fails=HUNG, event_seconds=2, load_seconds=1.5, slow=True),
    "long-names.html": Attack(says="long long"),
    "long-poll.html": Attack(says="waiting", slow=True),
    "memory.html": Attack(fails=CRASHED, event_seconds=30, slow=True),  # 4 GB, unless the browser is told otherwise
    "microtasks.html": hangs(),
    "million-nodes.html": Attack(
        says="attacked", cut=True, endless=True, states=3, event_seconds=30, load_seconds=30, slow=True
    ),
    "mutations.html": hangs(slow=True),
    "plain.html": Attack(says="attacked"),
    "popups.html": Attack(says="opened some"),
    "print.html": Attack(says="attacked"),
    "pushstate-flood.html": Attack(says="attacked"),
    "redirect-loop.html": Attack(fails=REFUSED),
    "restless.html": Attack(says="attacked", endless=True),
    "sandboxed.html": Attack(says="refused 4 of 4"),
    "self-closing.html": Attack(),
    "service-worker.html": Attack(says="attacked"),
    "strict-csp.html": Attack(says="refused 5 of 5"),
    "sweeper.html": Attack(says='Swept: <span id="swept"></span>'),  # it found nothing of ours
    "sync-requests.html": hangs(slow=True),
    "tampered.html": Attack(says="attacked"),
    "tampering.html": Attack(says="attacked"),
    "timers.html": Attack(says="attacked"),
    "unclosed-write.html": Attack(says="written"),
    "websocket.html": Attack(restless=True),
}


@dataclass(frozen=True, slots=True)
class Crawled:
    """A crawl that ended."""

    outcome: Outcome
    crawling: CrawlLoop
    facts: list[Fact]  # as the journal tells them
    left: list[str]  # of the browser: processes and files


class Den:
    """Where the browsers of a crawl live: a folder of their own for all that is temporary.

    Only the first process of a browser names the folder; the others are of its group, also when it has ended.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.groups: set[int] = set()  # one for each browser that was seen here

    def processes(self) -> dict[int, str]:
        """Id -> kind of each process of a browser that lives here: "browser", "renderer", "zygote" …"""
        running = {int(entry.name): _words(entry) for entry in Path("/proc").iterdir() if entry.name.isdigit()}
        groups = {pid: _group(pid) for pid, words in running.items() if words}
        self.groups |= {group for pid, group in groups.items() if group and f"{self.folder}/" in running[pid]}
        kinds = {
            pid: re.findall(r"--type=([\w-]+)", running[pid]) for pid, group in groups.items() if group in self.groups
        }
        return {pid: found[0] if found else "browser" for pid, found in kinds.items()}

    async def left(self) -> list[str]:
        """What is there after all have ended; the last one may need a moment."""
        for _ in range(100):
            if not self.processes():
                break
            await asyncio.sleep(0.02)
        return [*(f"{kind} {pid}" for pid, kind in self.processes().items()), *map(str, self.folder.iterdir())]


def _words(process: Path) -> str:
    """How a process was called; nothing when it has ended."""
    try:
        return (process / "cmdline").read_bytes().decode(errors="replace")
    except OSError:
        return ""


def _group(pid: int) -> int:
    """The group of a process; 0 when it has ended."""
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return 0


@contextmanager
def den() -> Iterator[Den]:
    """Have everything temporary made in a folder, also by the browser, whose sockets want its name to be short."""
    before, variable = tempfile.tempdir, os.environ.get("TMPDIR")
    with tempfile.TemporaryDirectory(prefix="den-") as folder:
        tempfile.tempdir = os.environ["TMPDIR"] = folder
        try:
            yield Den(Path(folder))
        finally:
            tempfile.tempdir = before
            del os.environ["TMPDIR"]
            if variable is not None:
                os.environ["TMPDIR"] = variable


async def crawled(plan: CrawlPlan, told: Callable[[CrawlLoop, Den], None] = lambda _, __: None) -> Crawled:
    """Crawl to the end, and see what is left then."""
    begun: list[CrawlLoop] = []

    def look(crawling: CrawlLoop) -> None:
        home.processes()  # so that none is forgotten
        told(crawling, home)

    with den() as home:
        outcome = await crawl(plan, begun.append, look)
        left = await home.left()
    reader = open_reader(plan.out / JOURNAL_NAME)
    try:
        return Crawled(outcome, begun[0], list(reader.read()), left)
    finally:
        reader.close()


async def attacked(page: str, out: Path, url: str = "") -> Crawled:
    """Crawl a hostile page, or one like it at another address, as a user would, only less patiently."""
    expected = ATTACKS[page]
    serving = await start()
    try:
        return await crawled(
            CrawlPlan(
                url=url or serving.url + page,
                out=out,
                screenshots=False,
                learn_states=0,
                reset_cost=2.0,
                event_seconds=expected.event_seconds,
                load_seconds=expected.load_seconds,
                limits=CrawlLimits(seconds=CRAWL_SECONDS, states=expected.states if expected.endless else None),
            )
        )
    finally:
        await serving.close()


def troubles(page: str, found: Crawled) -> list[str]:
    """What is not as it has to be after the crawl of a hostile page."""
    expected = ATTACKS[page]
    return [
        *_of_journal(found),
        *_of_end(found.outcome, expected),
        *(f"left behind: {thing}" for thing in found.left),
        *_of_model(found.crawling, expected),
    ]


def _of_journal(found: Crawled) -> Iterator[str]:
    again = FoldedCrawl()
    for fact in found.facts:
        again.apply(fact)
    if again.graph.ids != found.crawling.crawl.graph.ids or again.progress() != found.crawling.crawl.progress():
        yield "the journal tells of another crawl"
    if not isinstance(found.facts[-1], CrawlEnded):
        yield "the journal does not tell how it ended"
    if sum(isinstance(fact, StateFound) for fact in found.facts) != found.outcome.states:
        yield "a state was found twice"


def _of_end(outcome: Outcome, expected: Attack) -> Iterator[str]:
    usual = "max-states" if expected.endless else "complete"
    if outcome.ended_because != usual and not expected.restless:
        yield f"it ended because {outcome.ended_because}, not {usual}"
    if outcome.ended_because == "max-time":
        yield "it did not end by itself"


def _of_model(crawling: CrawlLoop, expected: Attack) -> Iterator[str]:
    graph = crawling.crawl.graph
    targets = [
        {graph.event(state, place).local: target for place, target in enumerate(graph.targets[state])}
        for state in range(len(graph))
    ]
    if not {SAFE, ATTACK} <= targets[0].keys():
        yield f"the first state has other events: {[*targets[0]]}"
        return
    safe = targets[0][SAFE]
    if expected.restless:
        if not any(STILL_HERE in evidence_of(crawling).html(state) for state in graph.ids):
            yield "the state behind the safe event was not found"
    elif safe == UNEXPLORED:
        yield "the safe event was not fired"
    elif STILL_HERE not in evidence_of(crawling).html(graph.ids[safe]):
        yield "the safe event leads elsewhere"
    elif targets[safe][SAFE] != safe and not expected.endless:
        yield "the state behind the safe event was not explored"
    taken = [events[ATTACK] for events in targets if events.get(ATTACK, UNEXPLORED) != UNEXPLORED]
    yield from _of_attack(crawling, taken[0] if taken else UNEXPLORED, expected)


def evidence_of(crawling: CrawlLoop) -> EvidenceReader:
    """What was kept by a crawl that is over."""
    return EvidenceReader(crawling.plan.out)


def _of_attack(crawling: CrawlLoop, target: int, expected: Attack) -> Iterator[str]:
    graph = crawling.crawl.graph
    failures = {
        (graph.event(*pair).local, type(failure).__name__)
        for pair, kinds in crawling.crawl.failures.items()
        for failure in kinds
    }
    if not expected.restless and failures != ({(ATTACK, expected.fails)} if expected.fails else set()):
        yield f"what failed: {sorted(failures)}"
    if expected.fails or (expected.restless and target == UNEXPLORED):
        if target != UNEXPLORED:
            yield f"the attack leads to state {target}"
    elif target == UNEXPLORED:
        yield "the attack was not explored"
    elif expected.says not in evidence_of(crawling).html(graph.ids[target]):
        yield f"the attack leads to {evidence_of(crawling).html(graph.ids[target])[:500]}"
    elif expected.cut and not evidence_of(crawling).about(graph.ids[target])["cut"]:
        yield "nothing was cut off"
