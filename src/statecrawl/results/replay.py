"""Replay: walk a browser to the states of a crawl again, and compare.

Theory of operation
    The directory of a crawl stores the model, the rules for dynamic content, and the settings. That is enough to open
    the application under the same rules. A walk starts in a fresh session, follows the path on which the state was
    found (`journal.witnesses`), and compares the state after each event with the recorded one. If no such path was
    recorded, or it is longer than MOST_EVENTS, the walk follows the shortest path in the model instead.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, replace
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

MOST_EVENTS = 500  # longest recorded path that is walked as it is; a longer one takes too long


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """Result of a walk to one state."""

    state: str
    path: tuple[str, ...]  # events that should lead to the state
    fired: int  # how many of them led where they should
    arrived: bool
    problem: str = ""  # why the walk did not reach the state, as text
    url: str = ""  # of the page at the end of the walk


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """Comparison of an application with its model."""

    states: int  # that were tried
    arrived: int  # states that were reached
    transitions: int  # on the paths, each counted once
    agreed: int  # transitions that lead where the model says
    unreachable: int  # states without a known path
    failed: tuple[Replay, ...] = ()

    @property
    def agreement(self) -> float:
        """Share of the tried states that were reached; 1 if none was tried."""
        return self.arrived / self.states if self.states else 1.0


class Replayer:
    """Walks one browser page through an application whose model is known."""

    def __init__(self, plan: CrawlPlan, crawl: FoldedCrawl, page: BrowserPage) -> None:
        self._plan = plan
        self._graph: Graph = crawl.graph
        self._paths: WitnessPaths = witness_paths_of(crawl, MOST_EVENTS)
        self._page = page

    def steps(self, state: int) -> list[Step]:
        """Return the events on the path to a state, each with the state that it led to."""
        graph, pairs = self._graph, self._paths.to(state)
        reached = [*(before for before, _ in pairs[1:]), state]
        return [
            (graph.event(before, position).local, graph.ids[after])
            for (before, position), after in zip(pairs, reached, strict=False)
        ]

    def is_reachable(self, state: int) -> bool:
        return self._paths.is_reachable(state)

    async def go(
        self, state: int, pause: float = 0.0, on_event: Callable[[int, str], None] = lambda _step, _event: None
    ) -> Replay:
        """Walk to a state in a fresh session; `on_event` is called before each event is fired.

        Raises SiteUnreachable and BrowserError; BadInput if the path contains secrets and the plan has no key for them.
        """
        graph, steps = self._graph, self.steps(state)
        path = tuple(event for event, _ in steps)
        result = Replay(state=graph.ids[state], path=path, fired=0, arrived=False)
        if not self.is_reachable(state):
            return replace(result, path=(), problem="there is no known path to it")
        check_key(self._plan, path)
        await reset_server(self._plan.resetting, HttpClient.of(self._plan))
        landing = await self._page.reset()
        here, result = landing.state, replace(result, url=landing.url)
        if here != graph.ids[0]:
            problem = f"the application starts in a different state now ({here[:8]} instead of {graph.ids[0][:8]})"
            return replace(result, problem=problem)
        for number, (event, expected) in enumerate(steps):
            await asyncio.sleep(pause)
            on_event(number, event)
            walked = await self._page.walk(here, [(event, expected)])
            if walked.why is not Ending.END or walked.landed is None:
                problem = _problem(event, walked.why, walked.landed, walked.reason)
                return replace(result, fired=number, problem=problem)
            here = walked.landed
        return replace(result, fired=len(steps), arrived=True)

    async def verify(
        self, sample: int | None, seed: int, on_progress: Callable[[int, int, Replay], None]
    ) -> Verification:
        """Walk to all states or to a sample of them.

        `on_progress` is called after each walk with the number of states visited, their total, and the walk's result.
        The longest paths come first, because a walk also visits every state whose path is a prefix of it.
        """
        states = [state for state in range(len(self._graph)) if self.is_reachable(state)]
        unreachable = len(self._graph) - len(states)
        if sample is not None and sample < len(states):
            states = sorted(random.Random(seed).sample(states, sample))
        prefixes = _PathPrefixes()
        ends = {state: prefixes.of(self.steps(state))[-1] for state in states}
        visited: set[int] = set()  # prefixes of paths
        failed: dict[int, Replay] = {}
        agreed: dict[Pair, bool] = {}
        for state in sorted(states, key=lambda state: prefixes.length(ends[state]), reverse=True):
            if ends[state] in visited:
                continue
            replay, pairs = await self.go(state), self._paths.to(state)
            for step, pair in enumerate(pairs[: replay.fired + (not replay.arrived)]):
                agreed[pair] = agreed.get(pair, True) and step < replay.fired
            visited.update(prefixes.of(self.steps(state))[: replay.fired + replay.arrived])
            if not replay.arrived:
                failed[state] = replay
            done = sum(ends[state] in visited or state in failed for state in states)
            on_progress(done, len(states), replay)
        return Verification(
            states=len(states),
            arrived=len(states) - len(failed),
            transitions=len(agreed),
            agreed=sum(agreed.values()),
            unreachable=unreachable,
            failed=tuple(failed[state] for state in sorted(failed)),
        )


class _PathPrefixes:
    """Numbers for the prefixes of paths; paths with a common prefix share its number."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, Step], int] = {}
        self._lengths = [0]

    def of(self, steps: Sequence[Step]) -> list[int]:
        """Return the numbers of all prefixes of a path, from the empty prefix to the whole path."""
        numbers = [0]
        for length, step in enumerate(steps, start=1):
            number = self._numbers.setdefault((numbers[-1], step), len(self._lengths))
            if number == len(self._lengths):
                self._lengths.append(length)
            numbers.append(number)
        return numbers

    def length(self, number: int) -> int:
        return self._lengths[number]


def _problem(event: str, why: Ending, landed: str | None, reason: str) -> str:
    match why:
        case Ending.GONE:
            return f"'{event}' no longer exists"
        case Ending.SURPRISE:
            return f"'{event}' now leads to another state ({(landed or '')[:8]})"
        case Ending.MOVED:
            return f"the page changed by itself before '{event}'"
        case _:
            return f"'{event}' ended the page: {reason or why}"


def read_model(folder: Path) -> FoldedCrawl:
    """Read the model of the crawl in a directory. Raises BadInput if there is none."""
    with closing(open_reader(journal_of(folder))) as journal:
        crawl = fold(journal.read())
    if not len(crawl.graph):
        raise BadInput(f"the crawl in {folder} has no states yet.")
    return crawl


@asynccontextmanager
async def replayer(plan: CrawlPlan, crawl: FoldedCrawl, *, headed: bool = False) -> AsyncIterator[Replayer]:
    """Yield a replayer with a browser, visible if `headed`. Raises BrowserMissing; BadInput for an old crawl."""
    check_identity(crawl, str(plan.out))
    pace = (await politeness_of(plan)).pace
    browsers = Browsers(find_browser(plan.browser, headed=headed), plan.recycle_bytes, headed=headed, pace=pace)
    page = await PageFactory(plan, browsers, may_hold=False).make(0, frozenset(crawl.rules))
    try:
        yield Replayer(plan, crawl, page)
    finally:
        await page.close()
        await browsers.close()
