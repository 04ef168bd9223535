"""A crawl that runs out of time ends in good order, whatever the cancelled pages were doing."""

import asyncio
from collections.abc import Collection, Sequence
from pathlib import Path

import pytest

from statecrawl.browser.dynamic_content import Rule
from statecrawl.config.plan import CrawlLimits, CrawlPlan
from statecrawl.crawler.crawl_parts import CrawlParts
from statecrawl.crawler.lookalike_comparison import RulesRevised
from statecrawl.crawler.loop import CrawlLoop
from statecrawl.errors import BrowserLost, PageLost, SiteUnreachable
from statecrawl.fleet.evidence_batch import EvidenceBatch
from statecrawl.journal.memory_journal import MemoryJournal
from statecrawl.ports.page import Landing, OutOfTime, Walked
from statecrawl.ports.traffic import ObservedExchange
from statecrawl.strategies.orders import Step
from tests.crawler.written_page import WrittenPage, nothing

TROUBLES = [
    None,
    BrowserLost("gone"),
    PageLost("gone"),
    SiteUnreachable("gone"),
    RulesRevised(frozenset({("p", "text")})),
]


class Endless(WrittenPage):
    """A page whose events never end, and that is in trouble when somebody does not wait for that."""

    trouble: Exception | None = None

    async def walk(self, start: str | None, steps: Sequence[Step], *, sure: int | None = None) -> Walked:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            if self.trouble is not None:
                raise self.trouble from None
            raise
        raise AssertionError

    def take_traffic(self) -> list[ObservedExchange]:
        return []


@pytest.mark.parametrize("pages", [1, 2])
@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda trouble: type(trouble).__name__)
def test_what_is_broken_off_costs_nothing_that_was_found(trouble: Exception | None, pages: int) -> None:
    async def make_page(world: int, _: frozenset[Rule]) -> WrittenPage:
        page = Endless(world, "12:00")
        page.trouble = trouble
        return page

    async def run() -> tuple[str, int]:
        plan = CrawlPlan(
            url="http://127.0.0.1/", out=Path("crawl"), pages=pages, learn_states=0, reset_cost=3.0, screenshots=False,
            limits=CrawlLimits(seconds=0.2),
        )  # fmt: skip
        parts = CrawlParts(MemoryJournal(), EvidenceBatch(None), make_page, nothing, lambda: 0)
        outcome = await CrawlLoop(plan, parts).run()
        return outcome.ended_because, outcome.states

    assert asyncio.run(run()) == ("max-time", 1)


class Delayed(Endless):
    """A page that waits before each load, and shows something dynamic when somebody has ended the crawl."""

    crawling: CrawlLoop | None = None

    async def reset(self, background: Collection[str] = ()) -> Landing:
        if self.crawling is not None and self.crawling.ended_because:
            raise OutOfTime
        return await super().reset(background)

    async def walk(self, start: str | None, steps: Sequence[Step], *, sure: int | None = None) -> Walked:
        assert self.crawling is not None
        self.crawling.stop("interrupted")
        raise RulesRevised(frozenset({("p", "text")}))


def test_nothing_is_loaded_after_the_crawl_was_stopped() -> None:
    async def make_page(world: int, _: frozenset[Rule]) -> WrittenPage:
        page = Delayed(world, "12:00")
        page.crawling = crawling
        return page

    plan = CrawlPlan(
        url="http://127.0.0.1/", out=Path("crawl"), learn_states=0, reset_cost=3.0, screenshots=False, traffic=False
    )
    crawling = CrawlLoop(plan, CrawlParts(MemoryJournal(), EvidenceBatch(None), make_page, nothing, lambda: 0))
    assert asyncio.run(crawling.run()).ended_because == "interrupted"
