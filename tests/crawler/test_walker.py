"""The walker: several new events in one walk are recorded one by one, and surprises where they happen."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from aiohttp import web

from statecrawl.config.plan import CrawlPlan
from statecrawl.crawler.assembly import crawl
from statecrawl.crawler.durations import EventTimes
from statecrawl.crawler.new_states import NewStates
from statecrawl.crawler.outcome import Outcome
from statecrawl.crawler.walker import Walker, walk_step_by_step
from statecrawl.crawler.walker_context import WalkerContext
from statecrawl.fleet.evidence_batch import EvidenceBatch
from statecrawl.fleet.outbox import Outbox
from statecrawl.journal.facts import EventAdded, EventHung, ExternalTransition
from statecrawl.ports.page import Ending, Page, Walked
from statecrawl.ports.traffic import ObservedExchange
from statecrawl.strategies.orders import Order, Step
from tests.browser.stage import Stand, document
from tests.crawler.house import ROOMS, crawled, explored, room_state
from tests.crawler.written_page import WrittenPage, nothing

pytestmark = pytest.mark.browser


def test_several_new_events_go_into_one_walk(tmp_path: Path) -> None:
    found = crawled(tmp_path)
    assert (found.outcome.states, found.outcome.transitions, found.outcome.complete) == (ROOMS, ROOMS**2, True)
    assert found.outcome.diverged == 0
    assert found.walks < ROOMS**2 * 0.7
    counts = [fact.fired or 0 for fact in explored(found.facts)]
    assert counts == sorted(set(counts)), "each event has its own place in the count"
    assert counts[-1] == found.outcome.events


REGRETS = document("""<p id=told>start</p><button id=leave>leave</button><button id=wait>wait</button><script>
  const told = byId('told');
  byId('wait').onclick = () => { fetch('/wait?0.3'); };
  byId('leave').onclick = () => {
    history.pushState(1, '', '#/left');
    told.textContent = 'left';
    byId('leave').remove();
    byId('wait').remove();
  };
  onpopstate = async () => { await fetch('/wait?1'); told.innerHTML = '<button id=again>again</button>'; };
</script>""")


def test_a_crawl_is_not_complete_while_one_of_its_pages_still_looks_around(tmp_path: Path) -> None:
    """One page goes back in the history, and finds a state by that, when the other has nothing left to do."""

    async def wait(request: web.Request) -> web.StreamResponse:
        await asyncio.sleep(float(request.query_string))
        return web.Response(text="waited")

    async def run() -> Outcome:
        stand = Stand()
        stand.routes.update({"/": REGRETS, "/wait": wait})
        await stand.open()
        plan = CrawlPlan(
            url=stand.url, out=tmp_path / "crawl", pages=2, screenshots=False, learn_states=0, reset_cost=5.0
        )
        try:
            return await crawl(plan, lambda _: None, lambda _: None)
        finally:
            await stand.close()

    outcome = asyncio.run(run())
    assert (outcome.states, outcome.unexplored, outcome.complete) == (3, 0, True)


def test_a_limit_of_events_is_kept(tmp_path: Path) -> None:
    limits = CrawlPlan(url="http://127.0.0.1/", out=tmp_path).limits
    found = crawled(tmp_path, limits=replace(limits, events=30))
    assert found.outcome.ended_because == "max-events"
    assert 30 <= found.outcome.events <= 31  # the last walk may have begun with a step to get there
    assert found.walks < found.outcome.transitions


def test_a_limit_of_events_is_kept_by_all_pages_together(tmp_path: Path) -> None:
    limits = CrawlPlan(url="http://127.0.0.1/", out=tmp_path).limits
    found = crawled(tmp_path, limits=replace(limits, events=25), pages=3)
    assert 25 <= found.outcome.events <= 25 + 4  # what two other pages had begun, with a step to get there


def test_a_dialog_belongs_to_the_event_that_opened_it(tmp_path: Path) -> None:
    found = crawled(tmp_path, "if (room === 4 && door === 2) confirm('Leave?');")
    offered = [fact for fact in found.facts if isinstance(fact, EventAdded)]
    assert [(fact.state, fact.event) for fact in offered] == [(room_state(found, 4), "click button#doorc (dismissed)")]
    assert found.outcome.complete
    assert found.walks < found.outcome.transitions


def test_the_event_that_hangs_is_the_one_that_is_blamed(tmp_path: Path) -> None:
    found = crawled(tmp_path, "if (room === 4 && door === 2) for (;;);", event_seconds=0.5)
    blamed = [(fact.state, fact.event) for fact in found.facts if isinstance(fact, EventHung)]
    assert blamed == [(room_state(found, 4), "click button#doorc")]
    assert (found.outcome.states, found.outcome.transitions) == (ROOMS, ROOMS**2 - 1)
    assert found.walks < found.outcome.transitions


def test_long_polls_cause_one_repeat_and_not_one_with_every_event(tmp_path: Path) -> None:
    begun = time.perf_counter()
    found = crawled(
        tmp_path,
        "fetch('/watch?' + door).catch(() => {});",
        at_start="const poll = () => fetch('/poll?' + Math.random()).then(poll); poll(); new EventSource('/events');",
    )
    assert time.perf_counter() - begun < 45
    assert (found.outcome.states, found.outcome.transitions, found.outcome.complete) == (ROOMS, ROOMS**2, True)
    assert (found.outcome.diverged, found.outcome.external) == (0, 0)
    assert found.outcome.resets <= 1 + 2 * 2  # for what the first page asks for, and for what the events ask for


def test_no_document_out_of_scope_is_requested_while_ways_to_others_are_found(tmp_path: Path) -> None:
    stand = Stand()

    async def leave(_: web.Request) -> web.Response:
        raise web.HTTPFound(f"{stand.other}out")

    async def run() -> Outcome:
        stand.routes["/"] = document("<a href=/leave>leave</a><a href=/next>next</a>")
        stand.routes["/leave"], stand.routes["/next"] = leave, document("<a href=/leave>leave</a>")
        await stand.open()
        try:
            plan = CrawlPlan(url=stand.url, out=tmp_path / "crawl", screenshots=False, learn_states=0)
            return await crawl(plan, lambda _: None, lambda _: None)
        finally:
            await stand.close()

    outcome = asyncio.run(run())
    assert (outcome.states, outcome.transitions, outcome.complete) == (2, 3, True)
    assert "/leave" in stand.paths
    assert "/out" not in stand.paths


class Restless:
    """A page that is elsewhere after each walk, without an event."""

    def __init__(self) -> None:
        self.asked: list[tuple[str | None, str]] = []

    async def walk(self, start: str | None, steps: Sequence[Step], *, sure: int | None = None) -> Walked:
        self.asked.append((start, steps[0][0]))
        if start == "b":
            return Walked(why=Ending.MOVED, states=(), landed="c")
        return Walked(why=Ending.END, states=("b",), landed="b")


def test_a_page_that_moves_between_two_steps_does_not_fire_the_second() -> None:
    """Nobody has judged where it is then."""
    page = Restless()
    walked = asyncio.run(walk_step_by_step(cast("Page", page), "a", [("first", "b"), ("second", None)]))
    assert page.asked == [("a", "first"), ("b", "second")]
    assert (walked.why, walked.states, walked.landed) == (Ending.MOVED, ("b",), "c")


class Wanderer(WrittenPage):
    """A page on which each event leads to `b`, and which then goes to `c` by itself."""

    async def walk(self, start: str | None, steps: Sequence[Step], *, sure: int | None = None) -> Walked:
        if start == "b":
            return Walked(why=Ending.MOVED, states=(), landed="c")
        return Walked(why=Ending.END, states=("b",), landed="b")

    def take_traffic(self) -> list[ObservedExchange]:
        return []


def walker(page: WrittenPage, tmp_path: Path) -> tuple[Walker, WalkerContext, Outbox]:
    plan, record = CrawlPlan(url="http://h/", out=tmp_path, screenshots=False), Outbox()
    context = WalkerContext(NewStates(plan, record, EvidenceBatch(None), None, frozenset()), EventTimes(), nothing)
    return Walker(0, page, context), context, record


def test_after_a_page_has_moved_between_two_steps_it_is_known_where_it_is(tmp_path: Path) -> None:
    """What is learnt from it would be told of another state."""
    walking, context, record = walker(Wanderer(0, "12:00"), tmp_path)
    order = Order(reset=True, start="aa", steps=(("first", "b"), ("second", None)), sure=1)
    for state in ("aa", "b"):
        context.new_states.inspection.judge(state, ())
    context.retries.suspects.add(order.goal)
    asyncio.run(walking.perform(order))
    assert walking.position == "c"
    assert record.take() == (ExternalTransition(state="b", target="c", incident=1),)


def test_the_first_load_which_starts_the_browser_does_not_count_as_a_duration(tmp_path: Path) -> None:
    walking, context, _ = walker(Wanderer(0, "12:00"), tmp_path)
    lasts = []
    for _ in range(2):
        asyncio.run(walking.reset())
        lasts.append(context.learning_budget.lasts > 0)
    assert lasts == [False, True]
