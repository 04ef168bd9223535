"""Walks that are void, because the page was not allowed to load another document."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from statecrawl.config.plan import CrawlPlan
from statecrawl.crawler.durations import EventTimes
from statecrawl.crawler.event_retries import MOST_MISSES
from statecrawl.crawler.new_states import NewStates
from statecrawl.crawler.walker import STAYS, Walker
from statecrawl.crawler.walker_context import WalkerContext
from statecrawl.fleet.evidence_batch import EvidenceBatch
from statecrawl.fleet.outbox import Outbox
from statecrawl.journal.facts import EventAdded, EventHung, ExternalTransition, TransitionExplored
from statecrawl.model.event import BACK
from statecrawl.ports.page import Ending, Walked
from statecrawl.ports.traffic import ObservedExchange
from statecrawl.strategies.orders import Order, Step
from tests.crawler.written_page import WrittenPage, nothing

GO = Order(reset=True, start="aa", steps=(("go", None),), sure=0)
LED = Walked(why=Ending.END, states=("bb",), landed="bb", back=True)
VOID = Walked(why=Ending.END, states=("bb",), landed="bb", held=True)
MOVED = Walked(why=Ending.MOVED, states=(), landed="cc", held=True)


@dataclass
class Kept(WrittenPage):
    """A page whose walks go as they are written; the last one again and again."""

    walks: list[Walked] = field(default_factory=list)

    async def walk(self, start: str | None, steps: Sequence[Step], *, sure: int | None = None) -> Walked:
        self.log += [event for event, _ in steps]
        return self.walks.pop(0) if len(self.walks) > 1 else self.walks[0]

    def take_traffic(self) -> list[ObservedExchange]:
        return []


def walker(tmp_path: Path, *walks: Walked) -> tuple[Walker, Kept, Outbox]:
    page, record = Kept(0, "12:00", walks=list(walks)), Outbox()
    record.known = {"aa", "bb"}
    plan = CrawlPlan(url="http://h/", out=tmp_path, screenshots=False)
    context = WalkerContext(NewStates(plan, record, EvidenceBatch(None), None, frozenset()), EventTimes(), nothing)
    context.new_states.inspection.judge("aa", ())
    return Walker(0, page, context), page, record


def test_an_event_whose_walks_are_void_each_time_is_given_up(tmp_path: Path) -> None:
    walking, _, record = walker(tmp_path, VOID)
    for _ in range(MOST_MISSES):
        assert record.take() == ()
        asyncio.run(walking.perform(GO))
    assert record.take() == (EventHung(state="aa", event="go", reason=STAYS),)


def test_a_page_is_not_believed_to_have_moved_when_the_way_back_is_void(tmp_path: Path) -> None:
    """It is closed then: the next event would be blamed for that."""
    walking, page, record = walker(tmp_path, LED, MOVED, LED, LED)
    asyncio.run(walking.perform(GO))
    assert walking.position is None
    asyncio.run(walking.perform(GO))
    assert page.log.count(BACK) == 2, "it is tried again"
    facts = record.take()
    assert EventAdded(state="bb", event=BACK) in facts
    assert TransitionExplored(state="bb", event=BACK, target="bb") in facts
    assert not [fact for fact in facts if isinstance(fact, ExternalTransition)]


def test_a_way_back_that_is_void_each_time_is_given_up(tmp_path: Path) -> None:
    walking, page, _ = walker(tmp_path)
    for _ in range(MOST_MISSES + 1):
        page.walks = [LED, VOID]
        asyncio.run(walking.perform(GO))
    assert page.log.count(BACK) == MOST_MISSES


def test_a_state_is_compared_late_although_the_first_walk_to_it_is_void(tmp_path: Path) -> None:
    walking, page, _ = walker(tmp_path, VOID, LED)
    asyncio.run(walking.compare_late("bb", ["go"]))
    assert page.log == ["reset", "go", "reset", "go"]
    walking, page, _ = walker(tmp_path, VOID)
    asyncio.run(walking.compare_late("bb", ["go"]))
    assert page.log == ["reset", "go", "reset", "go"], "not without end"
