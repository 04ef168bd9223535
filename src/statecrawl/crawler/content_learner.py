"""Search for dynamic content in one state: it is loaded again in sessions that share nothing with the crawl.

Two more pages repeat the path to a state with other random numbers, another clock and a cookie jar of their own. What
differs between all three loads is dynamic (see `browser.dynamic_content`). Nothing is learned from a path that may lead
elsewhere: one that goes back in the history, or on which an event once led to another state than before. Which states
are compared is decided by `crawler.rule_search`. A page with failed requests is not compared (`crawler.failures`).
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext

from statecrawl.browser.dynamic_content import Line, LoadComparison, compared, may_tick
from statecrawl.crawler.failures import Failures
from statecrawl.errors import PageLost, SiteUnreachable
from statecrawl.model.event import BACK, kind_of
from statecrawl.ports.page import Page, Walked, lines_of
from statecrawl.ports.recorder import WorkCount

Lines = tuple[Line, ...]

OTHERS = 2  # pages that are compared with the first
TICK = 1.1  # seconds after which a clock that shows seconds shows a different time


class ContentLearner:
    """Compares loads of the same state."""

    def __init__(
        self,
        make_page: Callable[[int], Awaitable[Page]],
        before_reset: Callable[[], Awaitable[None]],
        states: int,
        failures: Failures | None = None,
        rest: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`make_page(n)` opens a page in the n-th other world; at most `states` states are compared."""
        self._make_page = make_page
        self._before_reset = before_reset
        self.of = states
        self.left = states  # states that may still be compared
        self._failures = failures or Failures()
        self._rest = rest
        self._pages: list[Page] = []

    @property
    def is_done(self) -> bool:
        return self.left <= 0

    async def learn(
        self,
        normal: str,
        path: Sequence[str],
        tally: WorkCount,
        step: Callable[[], AbstractAsyncContextManager[None]] = nullcontext,
    ) -> LoadComparison:
        """Find dynamic content in a state, given its normal form and the events that lead to it from the first page.

        Each load, with the walk after it, is a `step`, which may be delayed.
        """
        if self.is_done or any(goes_back(event) for event in path):
            return LoadComparison()
        self.left -= 1
        loads: list[Lines] = []
        for pause in (0.0, TICK):
            loads = [lines_of(normal)]
            for number in range(1, OTHERS + 1):
                await self._rest(pause)
                async with step():
                    shown = await self._load(number, path, tally)
                if shown is None:
                    return LoadComparison()
                loads.append(shown)
            if not may_tick(loads):
                break  # otherwise the clock of a server may have shown the same second twice
        return compared(loads)

    async def _load(self, number: int, path: Sequence[str], tally: WorkCount) -> Lines | None:
        """What the page of a world shows at the end of a path; None when there is nothing to compare."""
        if len(self._pages) < number:
            self._pages.append(await self._make_page(number))
        page = self._pages[number - 1]
        walked = await self._walk(-number, page, path, tally)
        if walked.done < len(path) or walked.why.is_fatal:
            return None  # the path is not the same everywhere
        try:
            return lines_of((await page.describe(lines=True)).normal)
        except PageLost:
            return None

    async def _walk(self, number: int, page: Page, path: Sequence[str], tally: WorkCount) -> Walked:
        """Walk the path again, until all its requests are answered or are known to have no answer."""
        failures, cause = self._failures, "\n".join(("learning", *path))
        while True:
            await self._rest(failures.pause(number))
            await self._before_reset()
            tally.learning_resets += 1
            try:
                landing = await page.reset(failures.background)
            except SiteUnreachable:
                failures.unreachable()
                raise
            failures.loaded(number)
            walked = await page.walk(None, [(event, None) for event in path])
            tally.learning_events += walked.done
            if not failures.must_repeat(number, cause, (*landing.notes, *walked.notes)):
                return walked

    @property
    def page(self) -> Page | None:
        """One of the other pages, if one is open."""
        return self._pages[0] if self._pages else None

    @property
    def done(self) -> int:
        """How many states were compared."""
        return self.of - self.left

    async def renew(self) -> None:
        """Close the other pages, because other rules are in force from now on."""
        pages, self._pages = self._pages, []
        for page in pages:
            await page.close()

    async def close(self) -> None:
        """Close the other pages, and compare nothing more."""
        self.of, self.left = self.done, 0
        await self.renew()


def goes_back(event: str) -> bool:
    """Whether an event goes back in the history, so that its target depends on more than the state."""
    return kind_of(event) == BACK
