"""Replaying: a browser goes again where a crawl has been, and says whether it is still so.

Theory of operation
    A folder holds the model, the rules by which its states were told apart, and what was asked for. That is enough to
    open the same application under the same rules and to walk: from a fresh session, along the path on which the state
    was found (`journal.witnesses`), comparing the state after each event with the one that it led to. Where no such
    path was recorded, or it is longer than MOST_EVENTS, the shortest path in the model is walked instead.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path

from statecrawl.browser.browsers import Browsers
from statecrawl.browser.chromium import find_browser
from statecrawl.browser.page import BrowserPage
from statecrawl.config.plan import CrawlPlan
from statecrawl.config.secrets import check_key
from statecrawl.crawler.http_client import HttpClient
from statecrawl.crawler.page_factory import PageFactory
from statecrawl.crawler.politeness import politeness_of
from statecrawl.crawler.resume import check_identity
from statecrawl.crawler.server_reset import reset_server
from statecrawl.errors import BadInput
from statecrawl.journal.fold import FoldedCrawl, Pair, fold
from statecrawl.journal.witnesses import WitnessPaths, witness_paths_of
from statecrawl.model.graph import Graph
from statecrawl.ports.page import Ending
from statecrawl.stores.evidence import journal_of
from statecrawl.stores.sqlite_journal import open_reader
from statecrawl.strategies.orders import Step

MOST_EVENTS = 500  # of a path that is walked again as it was; a longer one takes too long


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """How the way to a state went."""

    state: str
    way: tuple[str, ...]  # the events
    done: int  # of them
    arrived: bool
    trouble: str = ""  # for people, when it did not arrive
    url: str = ""  # where the page was in the end


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """How far an application agrees with its model."""

    states: int  # that were walked to
    arrived: int
    transitions: int  # that were gone on the way, each counted once
    agreed: int
    unreachable: int  # states to which no way is known
    failed: tuple[Replay, ...] = ()

    @property
    def agreement(self) -> float:
        """The part of the states that are where they were; 1 when there was nothing to look at."""
        return self.arrived / self.states if self.states else 1.0


class Replayer:
    """A browser at an application whose model is known."""

    def __init__(self, plan: CrawlPlan, crawl: FoldedCrawl, page: BrowserPage) -> None:
        self._plan = plan
        self._graph: Graph = crawl.graph
        self._paths: WitnessPaths = witness_paths_of(crawl, MOST_EVENTS)
        self._page = page

    def steps(self, state: int) -> list[Step]:
        """The events to a state, each with the state that it led to."""
        graph, pairs = self._graph, self._paths.to(state)
        reached = [*(before for before, _ in pairs[1:]), state]
        return [
            (graph.event(before, position).local, graph.ids[after])
            for (before, position), after in zip(pairs, reached, strict=False)
        ]

    def is_reachable(self, state: int) -> bool:
        return self._paths.is_reachable(state)

    async def go(
        self, state: int, pause: float = 0.0, told: Callable[[int, str], None] = lambda _step, _event: None
    ) -> Replay:
        """Walk to a state in a fresh session; `told` hears of each event before it is fired.

        Raises SiteUnreachable and BrowserError; BadInput when the way holds secrets that the plan has no key for.
        """
        graph, steps = self._graph, self.steps(state)
        way = tuple(event for event, _ in steps)
        if not self.is_reachable(state):
            return Replay(state=graph.ids[state], way=(), done=0, arrived=False, trouble="no way to it is known")
        check_key(self._plan, way)
        await reset_server(self._plan.resetting, HttpClient.of(self._plan))
        landing = await self._page.reset()
        here, url = landing.state, landing.url
        if here != graph.ids[0]:
            trouble = f"the application begins in another state than it did ({here[:8]} instead of {graph.ids[0][:8]})"
            return Replay(state=graph.ids[state], way=way, done=0, arrived=False, trouble=trouble, url=url)
        for number, (event, expected) in enumerate(steps):
            await asyncio.sleep(pause)
            told(number, event)
            walked = await self._page.walk(here, [(event, expected)])
            if walked.why is not Ending.END or walked.landed is None:
                trouble = _said(event, walked.why, walked.landed, walked.reason)
                return Replay(state=graph.ids[state], way=way, done=number, arrived=False, trouble=trouble, url=url)
            here = walked.landed
        return Replay(state=graph.ids[state], way=way, done=len(steps), arrived=True, url=url)

    async def verify(self, sample: int | None, seed: int, told: Callable[[int, int, Replay], None]) -> Verification:
        """Walk to states, all or so many; `told` hears how many are done, of how many, and how the last walk went.

        The longest paths come first: a walk also visits every state whose own path is the beginning of it.
        """
        states = [state for state in range(len(self._graph)) if self.is_reachable(state)]
        unreachable = len(self._graph) - len(states)
        if sample is not None and sample < len(states):
            states = sorted(random.Random(seed).sample(states, sample))
        beginnings = _PathPrefixes()
        ends = {state: beginnings.of(self.steps(state))[-1] for state in states}
        visited: set[int] = set()  # beginnings of paths
        failed: dict[int, Replay] = {}
        gone: dict[Pair, bool] = {}
        for state in sorted(states, key=lambda state: beginnings.length(ends[state]), reverse=True):
            if ends[state] in visited:
                continue
            replay, pairs = await self.go(state), self._paths.to(state)
            for step, pair in enumerate(pairs[: replay.done + (not replay.arrived)]):
                gone[pair] = gone.get(pair, True) and step < replay.done
            visited.update(beginnings.of(self.steps(state))[: replay.done + replay.arrived])
            if not replay.arrived:
                failed[state] = replay
            done = sum(ends[state] in visited or state in failed for state in states)
            told(done, len(states), replay)
        return Verification(
            states=len(states),
            arrived=len(states) - len(failed),
            transitions=len(gone),
            agreed=sum(gone.values()),
            unreachable=unreachable,
            failed=tuple(failed[state] for state in sorted(failed)),
        )


class _PathPrefixes:
    """Gives every beginning of a path a number; paths that begin alike share them."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, Step], int] = {}
        self._lengths = [0]

    def of(self, steps: Sequence[Step]) -> list[int]:
        """The numbers of all beginnings of a path: first that of the empty path, last that of the whole."""
        found = [0]
        for length, step in enumerate(steps, start=1):
            number = self._numbers.setdefault((found[-1], step), len(self._lengths))
            if number == len(self._lengths):
                self._lengths.append(length)
            found.append(number)
        return found

    def length(self, number: int) -> int:
        return self._lengths[number]


def _said(event: str, why: Ending, landed: str | None, reason: str) -> str:
    match why:
        case Ending.GONE:
            return f"'{event}' is not there any more"
        case Ending.SURPRISE:
            return f"'{event}' leads to another state now ({(landed or '')[:8]})"
        case Ending.MOVED:
            return f"the page changed by itself before '{event}'"
        case _:
            return f"'{event}' ended the page: {reason or why}"


def read_model(folder: Path) -> FoldedCrawl:
    """The model in a folder. Raises BadInput when there is none."""
    with closing(open_reader(journal_of(folder))) as journal:
        crawl = fold(journal.read())
    if not len(crawl.graph):
        raise BadInput(f"the crawl in {folder} has not found a state yet.")
    return crawl


@asynccontextmanager
async def replayer(plan: CrawlPlan, crawl: FoldedCrawl, *, headed: bool = False) -> AsyncIterator[Replayer]:
    """A browser at the application, to be seen if `headed`. Raises BrowserMissing; BadInput for an old crawl."""
    check_identity(crawl, str(plan.out))
    pace = (await politeness_of(plan)).pace
    browsers = Browsers(find_browser(plan.browser, headed=headed), plan.recycle_bytes, headed=headed, pace=pace)
    page = await PageFactory(plan, browsers, may_hold=False).make(0, frozenset(crawl.rules))
    try:
        yield Replayer(plan, crawl, page)
    finally:
        await page.close()
        await browsers.close()
