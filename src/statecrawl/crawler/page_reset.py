"""Resets of a page: the first page of the application is loaded until what it shows can be believed."""

import time

from statecrawl.crawler.failures import LOAD
from statecrawl.crawler.walker_context import WalkerContext
from statecrawl.errors import SiteUnreachable
from statecrawl.ports.page import BUSY, TOO_MANY, UNAVAILABLE, Landing, Page


class PageReset:
    """Resets the page of one walker."""

    def __init__(self, number: int, page: Page, context: WalkerContext) -> None:
        self.is_for_learning = False  # whether the next reset is needed only because of what is learned
        self._number = number
        self._page = page
        self._context = context
        self._url = context.new_states.plan.url

    async def load(self, *, is_repeated: bool) -> Landing:
        """Load the first page again and again while requests fail that may succeed the next time.

        `is_repeated` tells that the browser has shown the application before. Raises SiteUnreachable, BrowserError and
        OutOfTime.
        """
        landing = await self._load_once(is_repeated=is_repeated)
        while self._context.failures.must_repeat(self._number, LOAD, landing.notes):
            landing = await self._load_once(is_repeated=is_repeated)
        if landing.status == TOO_MANY or landing.status in UNAVAILABLE:
            raise self._unavailable(landing)
        return landing

    async def _load_once(self, *, is_repeated: bool) -> Landing:
        """Load the first page, after a pause if a request of it failed before."""
        context, failures = self._context, self._context.failures
        await context.new_states.politeness.rest(failures.pause(self._number))
        await context.before_reset()
        started = time.perf_counter()
        try:
            landing = await self._page.reset(failures.background)
        except SiteUnreachable:
            failures.unreachable()
            raise
        if landing.status in UNAVAILABLE and not any(note.kind == BUSY for note in landing.notes):
            raise self._unavailable(landing)
        seconds = time.perf_counter() - started
        if is_repeated:  # the first load also starts a browser or opens a page
            context.times.resets.append(seconds)
        budget = context.learning_budget
        if self.is_for_learning:
            self.is_for_learning = False
            budget.took(seconds)
        elif is_repeated and not budget.spent:
            budget.lasts = seconds
        context.recorder.tally.resets += 1
        failures.loaded(self._number)
        return landing

    def _unavailable(self, landing: Landing) -> SiteUnreachable:
        self._context.failures.unreachable()
        return SiteUnreachable(f"{self._url} answers with status {landing.status}: try again when the server is up.")
