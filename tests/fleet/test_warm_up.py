"""Learning before nodes start: the rules it finds apply, and nodes do not wait for long."""

import asyncio
import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from statecrawl.browser.dynamic_content import Rule
from statecrawl.config.plan import CrawlPlan
from statecrawl.crawler.crawl_parts import CrawlParts
from statecrawl.crawler.loop import CrawlLoop
from statecrawl.fleet.evidence_batch import EvidenceBatch
from statecrawl.journal.facts import CostMeasured, EquivalenceRevised, Fact, StateFound
from statecrawl.journal.memory_journal import MemoryJournal
from statecrawl.ports.page import Ending, Landing, Snapshot, Walked
from statecrawl.ports.traffic import ObservedExchange
from statecrawl.strategies.orders import Step
from tests.crawler.written_page import WrittenPage, nothing

EVENTS = tuple(f"go {number}" for number in range(1000))  # more than there is time for


class Room(WrittenPage):
    """One room with a clock; its events lead nowhere."""

    def __init__(self, world: int, seconds: float, rules: Collection[Rule]) -> None:
        super().__init__(world, "")
        self.seconds = seconds
        self.obey(rules)

    def obey(self, rules: Collection[Rule]) -> None:
        self.clock = "" if ("#clock", "text") in rules else f"12:0{self.world}"

    async def reset(self, background: Collection[str] = ()) -> Landing:
        await asyncio.sleep(self.seconds if self.world else 0)
        return await super().reset(background)

    async def walk(self, start: str | None, steps: Sequence[Step], *, sure: int | None = None) -> Walked:
        await asyncio.sleep(0.01)
        return Walked(why=Ending.END, states=("aa",) * len(steps), landed="aa")

    async def describe(self, *, lines: bool = False) -> Snapshot:
        return replace(await super().describe(lines=lines), events=EVENTS, labels=EVENTS)

    async def rehash(self, forms: Sequence[tuple[str, str]]) -> list[str]:
        return ["aa"] * len(forms)

    def take_traffic(self) -> list[ObservedExchange]:
        return []


def learnt(monkeypatch: pytest.MonkeyPatch, seconds: float, waited: float) -> list[Fact]:
    """What is learnt of a room that takes so long to be loaded for a comparison, while others wait for so long."""
    monkeypatch.setattr("statecrawl.crawler.crawl_round.MOST_WAITED", waited)

    async def make_page(world: int, rules: frozenset[Rule]) -> WrittenPage:
        return Room(world, seconds, rules)

    async def learn() -> list[Fact]:
        plan = CrawlPlan(url="http://127.0.0.1/", out=Path("crawl"), screenshots=False)
        return await CrawlLoop(
            plan, CrawlParts(MemoryJournal(), EvidenceBatch(None), make_page, nothing, lambda: 0)
        ).learn()

    return asyncio.run(learn())


def test_rules_that_were_found_hold_before_others_start(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = learnt(monkeypatch, seconds=0.0, waited=10.0)
    revised = [fact.rules for fact in facts if isinstance(fact, EquivalenceRevised)]
    assert revised == [(("#clock", "text"),)]
    assert [fact.state for fact in facts if isinstance(fact, StateFound)] == ["aa"]
    assert isinstance(facts[-1], CostMeasured)


def test_others_do_not_wait_for_a_comparison_that_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = time.perf_counter()
    facts = learnt(monkeypatch, seconds=60.0, waited=0.2)
    assert time.perf_counter() - begun < 10.0
    assert not any(isinstance(fact, EquivalenceRevised) for fact in facts)
    assert len([fact for fact in facts if isinstance(fact, StateFound)]) == 1
