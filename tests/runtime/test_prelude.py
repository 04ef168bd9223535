"""What is learnt before nodes start: however little time there is for it, what was found holds."""

import asyncio
from collections.abc import Collection, Sequence
from pathlib import Path

import pytest

from statecrawl.browser.volatile import Rule
from statecrawl.journal.facts import CostMeasured, EquivalenceRevised, Fact, StateFound
from statecrawl.journal.memory import MemoryJournal
from statecrawl.ports.page import Ending, Landing, Walked
from statecrawl.ports.traffic import Seen
from statecrawl.runtime.crawling import Crawling, Parts
from statecrawl.runtime.noding import Parcel
from statecrawl.runtime.plan import CrawlPlan
from statecrawl.strategies.orders import Step
from tests.runtime.test_learning import WrittenPage, nothing

WAITED = 0.2  # seconds


class Room(WrittenPage):
    """One room with a clock; its only event leads nowhere. To compare it takes longer than others wait for that."""

    async def reset(self, background: Collection[str] = ()) -> Landing:
        await asyncio.sleep(WAITED if self.world else 0)
        return await super().reset(background)

    async def walk(self, start: str | None, steps: Sequence[Step], *, sure: int | None = None) -> Walked:
        await asyncio.sleep(0.01)
        return Walked(why=Ending.END, states=("aa",) * len(steps), landed="aa")

    async def rehash(self, forms: Sequence[tuple[str, str]]) -> list[str]:
        return ["aa"] * len(forms)

    def take_traffic(self) -> list[Seen]:
        return []


def test_rules_that_were_found_hold_however_short_the_time_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("statecrawl.runtime.crawling.MOST_WAITED", WAITED)

    async def make_page(world: int, rules: frozenset[Rule]) -> WrittenPage:
        return Room(world, "" if ("#clock", "text") in rules else f"12:0{world}")

    async def learn() -> list[Fact]:
        plan = CrawlPlan(url="http://127.0.0.1/", out=Path("crawl"), screenshots=False)
        return await Crawling(plan, Parts(MemoryJournal(), Parcel(None), make_page, nothing, lambda: 0)).learn()

    facts = asyncio.run(learn())
    revised = [fact.rules for fact in facts if isinstance(fact, EquivalenceRevised)]
    assert revised == [(("#clock", "text"),)]
    assert [fact.state for fact in facts if isinstance(fact, StateFound)] == ["aa"]
    assert isinstance(facts[-1], CostMeasured)
