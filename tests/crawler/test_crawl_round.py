"""Rounds of a crawl over pages written by hand: how they end, and what they leave to the next one."""

import asyncio
import gc
import warnings
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from statecrawl.browser.dynamic_content import LoadComparison, Rule
from statecrawl.config.plan import CrawlLimits, CrawlPlan
from statecrawl.crawler.crawl_parts import CrawlParts
from statecrawl.crawler.lookalike_comparison import MOST_WAITING, LookalikeComparison
from statecrawl.crawler.loop import CrawlLoop
from statecrawl.errors import PageLost
from statecrawl.fleet.evidence_batch import EvidenceBatch
from statecrawl.journal.facts import CrawlEnded, EventRefused, StateFound, TransitionExplored
from statecrawl.journal.memory_journal import MemoryJournal
from statecrawl.journal.refusal_reasons import DANGEROUS
from statecrawl.ports.page import Ending, Landing, OutOfTime, Page, Snapshot, Walked
from statecrawl.ports.traffic import ObservedExchange
from statecrawl.strategies.orders import Step
from tests.crawler.written_page import WrittenPage, nothing

CLOCK, ROOM = ("#clock", "text"), ("#room", "text")


class Still(WrittenPage):
    """A page whose events change nothing. What it does besides is up to a test."""

    house: "Stillness"

    async def reset(self, background: Collection[str] = ()) -> Landing:
        await self.house.on_reset(self)
        return await super().reset(background)

    async def walk(self, start: str | None, steps: Sequence[Step], *, sure: int | None = None) -> Walked:
        await self.house.on_walk(self)
        return Walked(why=Ending.END, states=("aa",) * len(steps), landed="aa")

    async def describe(self, *, lines: bool = False) -> Snapshot:
        return replace(await super().describe(lines=lines), events=self.house.events, labels=self.house.events)

    async def rehash(self, forms: Sequence[tuple[str, str]]) -> list[str]:
        await self.house.on_rehash(self)
        return ["aa"] * len(forms)

    def obey(self, rules: Collection[tuple[str, str]]) -> None:
        self.clock = "" if CLOCK in rules else self.clock

    def take_traffic(self) -> list[ObservedExchange]:
        return []

    async def wait_for_traffic(self) -> None:
        await self.house.on_release(self)


async def _nothing(_: Still) -> None:
    """Most pages do nothing of interest."""


Doing = Callable[[Still], Awaitable[None]]


class Stillness:
    """A crawl of such pages, which show a clock that is dynamic if `ticks`."""

    def __init__(self, *, ticks: bool = False, turns: bool = False, events: int = 1, **changed: Any) -> None:
        self.events = tuple(f"go {number}" for number in range(events))
        self.on_reset: Doing = _nothing
        self.on_walk: Doing = _nothing
        self.on_rehash: Doing = _nothing
        self.on_release: Doing = _nothing
        self.pages: list[Still] = []
        self.journal = MemoryJournal()
        self._ticks = ticks
        plan = CrawlPlan(
            url="http://127.0.0.1/", out=Path("crawl"), reset_cost=3.0, screenshots=False, traffic=False,
            learn_states=20 if ticks else 0,
        )  # fmt: skip
        self.crawling = CrawlLoop(
            replace(plan, **changed),
            CrawlParts(self.journal, EvidenceBatch(None), self._page, nothing, lambda: 0, resets_server=turns),
        )

    async def _page(self, world: int, rules: frozenset[Rule]) -> Page:
        page = Still(world, f"12:0{world}" if self._ticks and CLOCK not in rules else "")
        page.house = self
        self.pages.append(page)
        return page

    def ended(self) -> str:
        outcome = asyncio.run(self.crawling.run())
        assert [fact.reason for fact in self.journal.read() if isinstance(fact, CrawlEnded)] == [outcome.ended_because]
        return outcome.ended_because


def test_a_crawl_can_be_stopped_while_look_alikes_are_compared_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LookalikeComparison, "next_left", lambda _: ("aa", ()))
    still = Stillness()

    async def stopped(page: Still) -> None:
        if "reset" in page.log:
            still.crawling.stop("interrupted")
            raise OutOfTime

    still.on_reset = stopped
    assert still.ended() == "interrupted"


def test_a_crawl_can_be_stopped_while_ids_are_computed_again() -> None:
    """The page of the walker is of no use, so another one is loaded, which waits for the server."""
    still = Stillness(ticks=True, events=200)
    fresh: list[Still] = []

    async def lost(_: Still) -> None:
        fresh[:] = still.pages
        raise PageLost("it is gone")

    async def stopped(page: Still) -> None:
        if fresh and page not in fresh:
            still.crawling.stop("interrupted")
            raise OutOfTime

    still.on_reset, still.on_rehash = stopped, lost
    assert still.ended() == "interrupted"
    assert len(still.pages) == len(fresh) + 1
    assert [page.log[-1] for page in still.pages] == ["close"] * len(still.pages)


@pytest.mark.parametrize(("pages", "world"), [(1, 0), (2, 1)])
def test_rules_that_are_found_while_others_take_effect_hold_as_well(pages: int, world: int) -> None:
    """Ids are computed again by a page that nobody has broken off: with several walkers, by one of the learner."""
    still, asked = Stillness(ticks=True, events=200, pages=pages), list[int]()

    async def found(page: Still) -> None:
        if not asked:
            still.crawling._run.rules.add("aa", LoadComparison(rules=frozenset({ROOM})))
        asked.append(page.world)

    async def slow(page: Still) -> None:
        await asyncio.sleep(0.001)

    still.on_rehash, still.on_walk = found, slow
    assert still.ended() == "complete"
    assert set(still.crawling.crawl.rules) == {CLOCK, ROOM}
    assert asked[0] == world


def test_a_walk_that_never_gets_its_turn_leaves_nothing_behind() -> None:
    still = Stillness(turns=True, events=3, pages=2, limits=CrawlLimits(seconds=0.3))

    async def forever(_: Still) -> None:
        await asyncio.Event().wait()

    still.on_walk = forever
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert still.ended() == "max-time"
        gc.collect()


def test_a_page_that_is_kept_for_the_next_rules_is_closed_when_time_ends_meanwhile() -> None:
    still = Stillness(ticks=True, events=200, limits=CrawlLimits(seconds=0.5))
    asked: list[Still] = []

    async def asks(page: Still) -> None:
        asked.append(page)

    async def forever(page: Still) -> None:
        if asked and "close" not in page.log:
            await asyncio.Event().wait()

    still.on_rehash, still.on_release = asks, forever
    assert still.ended() == "max-time"
    assert asked[0].log[-1] == "close"


def test_no_more_look_alikes_are_kept_when_rules_change_than_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    still, doubles = Stillness(learn_states=1), list[int]()

    def count(comparison: LookalikeComparison) -> None:
        doubles.append(len(comparison.waiting))

    monkeypatch.setattr(LookalikeComparison, "next_left", count)
    for number in range(MOST_WAITING + 10):
        still.crawling._run.rules.forms.add(f"{number:x}", "", f"#p\x1f@id\x1frow-{number}")
    assert still.ended() == "complete"
    assert 1 < doubles[0] <= MOST_WAITING


def test_what_merging_forbids_is_not_learnt_from_any_more() -> None:
    """Two states became one, and in one of them the event must not be fired."""
    still, toggle = Stillness(), "click a 'Toggle'"
    crawling = still.crawling
    crawling.recorder.record(
        StateFound(state="a1", events=(toggle,)),
        StateFound(state="a2", events=(toggle,)),
        StateFound(state="b", events=("go",)),
        EventRefused(state="a2", event=toggle, reason=f"{DANGEROUS}it says so"),
        TransitionExplored(state="a1", event=toggle, target="b"),
    )
    for state in ("a1", "a2", "b"):
        crawling._run.rules.forms.add(state, "", "#p\x1f<\x1fp")
    crawling._run.rules.forms.paths |= {"a1": (), "b": (toggle,)}
    crawling._revise(frozenset({CLOCK}), {"a1": "a", "a2": "a", "b": "b"})
    assert crawling._run.rules.forms.paths == {"a": ()}
