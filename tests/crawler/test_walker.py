"""Walking: new events in one walk are recorded one by one, and what a server does not answer is not recorded."""

import asyncio
import os
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, cast

import pytest
from aiohttp import web

from statecrawl.config.plan import CrawlPlan
from statecrawl.crawler.assembly import crawl
from statecrawl.crawler.durations import EventTimes
from statecrawl.crawler.loop import CrawlLoop
from statecrawl.crawler.new_states import NewStates
from statecrawl.crawler.outcome import Outcome
from statecrawl.crawler.walker import Walker, walk_step_by_step
from statecrawl.crawler.walker_context import WalkerContext
from statecrawl.errors import SiteUnreachable
from statecrawl.fleet.evidence_batch import EvidenceBatch
from statecrawl.fleet.outbox import Outbox
from statecrawl.journal.facts import (
    EventAdded,
    EventHung,
    EventRefused,
    ExternalTransition,
    Fact,
    StateFound,
    TransitionDiverged,
    TransitionExplored,
)
from statecrawl.ports.page import Ending, Page, Walked
from statecrawl.ports.traffic import ObservedExchange
from statecrawl.stores.evidence import JOURNAL_NAME, EvidenceReader
from statecrawl.stores.sqlite_journal import open_reader
from statecrawl.strategies.orders import Order, Step
from tests.browser.late import never
from tests.browser.stage import Stand, document
from tests.cli.deaths import browsers_of
from tests.crawler.test_dynamic_content import WrittenPage, nothing

pytestmark = pytest.mark.browser

ROOMS = 6
# Every room has a door to every room, and what is behind a door depends only on the door.
HOUSE = document("""<h1>room 0</h1><script>
  BEGUN
  let room = 0;
  for (let door = 0; door < ROOMS; door += 1) {
    const button = document.body.appendChild(document.createElement('button'));
    button.id = 'door' + 'abcdef'[door];
    button.textContent = 'to ' + door;
    button.onclick = () => {
      OTHERWISE
      room = door;
      document.querySelector('h1').textContent = 'room ' + room;
    };
  }
</script>""").replace("ROOMS", str(ROOMS))


@dataclass
class Crawled:
    """A crawl of a house by greedy."""

    outcome: Outcome
    facts: list[Fact]
    walks: int


def crawled(tmp_path: Path, otherwise: str = "", *, begun: str = "", **changed: object) -> Crawled:
    walks = 0

    def told(_: CrawlLoop) -> None:
        nonlocal walks
        walks += 1

    async def run() -> Outcome:
        stand = Stand()
        stand.routes["/"] = HOUSE.replace("OTHERWISE", otherwise).replace("BEGUN", begun)
        stand.routes["/poll"] = stand.routes["/events"] = stand.routes["/watch"] = never
        await stand.open()
        plan = CrawlPlan(
            url=stand.url, out=tmp_path / "crawl", strategy="greedy", screenshots=False, learn_states=0, reset_cost=5.0
        )
        try:
            return await crawl(replace(plan, **changed), lambda _: None, told)  # type: ignore[arg-type]
        finally:
            await stand.close()

    outcome = asyncio.run(run())
    return Crawled(outcome, list(open_reader(tmp_path / "crawl" / JOURNAL_NAME).read()), walks)


def explored(facts: list[Fact]) -> list[TransitionExplored]:
    return [fact for fact in facts if isinstance(fact, TransitionExplored)]


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
    assert [(fact.state, fact.event) for fact in offered] == [(_room(found, 4), "click button#doorc (dismissed)")]
    assert found.outcome.complete
    assert found.walks < found.outcome.transitions


def test_the_event_that_hangs_is_the_one_that_is_blamed(tmp_path: Path) -> None:
    found = crawled(tmp_path, "if (room === 4 && door === 2) for (;;);", event_seconds=0.5)
    blamed = [(fact.state, fact.event) for fact in found.facts if isinstance(fact, EventHung)]
    assert blamed == [(_room(found, 4), "click button#doorc")]
    assert (found.outcome.states, found.outcome.transitions) == (ROOMS, ROOMS**2 - 1)
    assert found.walks < found.outcome.transitions


def test_long_polls_are_doubted_once_and_not_with_every_event(tmp_path: Path) -> None:
    begun = time.perf_counter()
    found = crawled(
        tmp_path,
        "fetch('/watch?' + door).catch(() => {});",
        begun="const poll = () => fetch('/poll?' + Math.random()).then(poll); poll(); new EventSource('/events');",
    )
    assert time.perf_counter() - begun < 45
    assert (found.outcome.states, found.outcome.transitions, found.outcome.complete) == (ROOMS, ROOMS**2, True)
    assert (found.outcome.diverged, found.outcome.external) == (0, 0)
    assert found.outcome.resets <= 1 + 2 * 2  # for what the first page asks for, and for what the events ask for


def _room(found: Crawled, number: int) -> str:
    """The state of a room: where its door leads."""
    return next(fact.target for fact in explored(found.facts) if fact.event == f"click button#door{'abcdef'[number]}")


# Doors that ask the server what is behind them; nothing happens when it does not say.
ASKING = document("""<h1>room 0</h1><script>
  for (let door = 0; door < ROOMS; door += 1) {
    const button = document.body.appendChild(document.createElement('button'));
    button.id = 'door' + 'abcdef'[door];
    button.textContent = 'to ' + door;
    button.onclick = async () => {
      const answer = await fetch('/room/' + door).catch(() => null);
      if (answer && answer.ok) document.querySelector('h1').textContent = 'room ' + await answer.text();
    };
  }
</script><a id=hall href=/hall>hall</a>""").replace("ROOMS", str(ROOMS))
HALL = document("<h1>hall</h1><a id=back href=/>back</a>")


class House:
    """A server that goes down after so many requests, or for some of them."""

    def __init__(self, *, lasts: int = 10**9, walled: int | None = None, status: int = 0) -> None:
        self.stand = Stand()
        self.left = lasts
        self.walled = walled
        self.status = status  # with which it answers when it is down; 0: not at all
        self.page = ASKING
        self.stand.routes["/"] = self.answer
        self.stand.routes["/hall"] = self.answer
        for door in range(ROOMS):
            self.stand.routes[f"/room/{door}"] = self.answer

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.left -= 1
        if self.left < 0 or request.path == f"/room/{self.walled}":
            if self.status:
                return web.Response(status=self.status)
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        if "room" in request.path:
            return web.Response(text=request.path[-1])
        return web.Response(text=HALL if request.path == "/hall" else self.page, content_type="text/html")


def crawled_house(house: House, out: Path, **changed: object) -> CrawlLoop:
    begun: list[CrawlLoop] = []

    async def run() -> None:
        await house.stand.open()
        plan = CrawlPlan(
            url=house.stand.url, out=out, strategy="greedy", screenshots=False, learn_states=0, reset_cost=5.0
        )
        try:
            await crawl(replace(plan, **changed), begun.append, lambda _: None)  # type: ignore[arg-type]
        finally:
            await house.stand.close()

    asyncio.run(run())
    return begun[-1]


@pytest.mark.parametrize("status", [0, 503])
@pytest.mark.parametrize("strategy", ["greedy", "probability"])
def test_what_a_server_that_is_down_does_not_answer_is_no_fact(tmp_path: Path, status: int, strategy: str) -> None:
    house = House(lasts=20, status=status)
    with pytest.raises(SiteUnreachable):
        crawled_house(house, tmp_path / "crawl", strategy=strategy)
    facts = list(open_reader(tmp_path / "crawl" / JOURNAL_NAME).read())
    assert len(facts) > 10
    assert not any(isinstance(fact, TransitionDiverged | EventRefused | EventHung) for fact in facts)
    house.left = 10**9
    outcome = crawled_house(house, tmp_path / "crawl", strategy=strategy).outcome()
    assert (outcome.states, outcome.transitions) == (ROOMS + 1, ROOMS * (ROOMS + 1) + 1)
    assert (outcome.complete, outcome.diverged, outcome.refused) == (True, 0, 0)


def test_what_never_answers_is_how_the_application_is(tmp_path: Path) -> None:
    outcome = crawled_house(House(walled=3), tmp_path / "crawl").outcome()
    assert (outcome.states, outcome.transitions, outcome.complete) == (ROOMS, (ROOMS - 1) * (ROOMS + 1) + 1, True)
    assert outcome.diverged == 0
    assert outcome.resets <= 4  # it was doubted twice, its address was not any more; once, the hall waited for the gate


@pytest.mark.parametrize(("deaths", "crashed"), [(3, 0), (4, 1)])
def test_an_event_is_blamed_for_the_death_of_its_browser_only_in_the_end(
    tmp_path: Path, deaths: int, crashed: int
) -> None:
    """Somebody kills browsers, and three times running while the same event is fired."""
    house, died = House(), 0

    async def deadly(request: web.Request) -> web.StreamResponse:
        nonlocal died
        if died < deaths:
            died += 1
            for browser in browsers_of(os.getpid()):
                os.kill(browser, signal.SIGKILL)
        return await house.answer(request)

    house.stand.routes["/room/3"] = deadly
    outcome = crawled_house(house, tmp_path / "crawl").outcome()
    assert (outcome.complete, outcome.crashed, outcome.diverged) == (not crashed, crashed, 0)
    assert outcome.transitions == ROOMS * (ROOMS + 1) + 1 - crashed


SWALLOWED = 5.0  # seconds: longer than a page waits for an answer


class Flaky:
    """A page whose script, style sheet and data come from the server, which drops some of the requests."""

    PAGE = document(
        "<h1>nothing</h1><button id=more>more</button><link rel=stylesheet href=/style.css>"
        "<script src=/app.js></script>"
    )
    APP = (
        "fetch('/data').then((answer) => answer.text()).then((text) => {"
        " document.querySelector('h1').textContent = text; });"
        "byId('more').onclick = () => fetch('/more').then((answer) => answer.text()).then((text) => {"
        " document.querySelector('h1').textContent += text; });"
    )
    KINDS: ClassVar = {
        "/": (PAGE, "text/html"), "/app.js": (APP, "text/javascript"), "/style.css": ("h1 { color: red }", "text/css"),
        "/data": ("data", "text/plain"), "/more": (" and more", "text/plain"),
    }  # fmt: skip

    def __init__(self, path: str, drops: Callable[[int], bool], *, half: bool = False, swallows: bool = False) -> None:
        self.stand = Stand()
        self.asked = 0  # for that path
        self._path, self._drops, self._half, self._swallows = path, drops, half, swallows
        for each in self.KINDS:
            self.stand.routes[each] = self.answer

    async def answer(self, request: web.Request) -> web.StreamResponse:
        text, kind = self.KINDS[request.path]
        dropped = False
        if request.path == self._path:
            self.asked += 1
            dropped = self._drops(self.asked)
        if not dropped:
            return web.Response(text=text, content_type=kind)
        half = web.StreamResponse(headers={"Content-Length": str(len(text)), "Content-Type": kind})
        if self._half:
            await half.prepare(request)
            await half.write(text[:2].encode())
        if self._swallows:
            await asyncio.sleep(SWALLOWED)
        assert request.transport is not None
        request.transport.abort()
        return half


def crawled_flaky(flaky: Flaky, out: Path) -> Outcome:
    async def run() -> Outcome:
        await flaky.stand.open()
        limits = CrawlPlan(url="http://127.0.0.1/", out=out).limits
        plan = CrawlPlan(
            url=flaky.stand.url, out=out, screenshots=False, learn_states=0, reset_cost=5.0, strategy="greedy",
            limits=replace(limits, states=4),
        )  # fmt: skip
        try:
            return await crawl(plan, lambda _: None, lambda _: None)
        finally:
            await flaky.stand.close()

    return asyncio.run(run())


def titles(out: Path) -> list[str]:
    """What the states show that were found."""
    reader = EvidenceReader(out)
    found = [fact.state for fact in open_reader(out / JOURNAL_NAME).read() if isinstance(fact, StateFound)]
    return [(reader.html(state) or "").partition("<h1>")[2].partition("</h1>")[0] for state in found]


def kinds(outcome: Outcome) -> list[str]:
    return [each.kind for each in outcome.qualifications]


@pytest.mark.parametrize("half", [False, True], ids=["not at all", "half of it"])
@pytest.mark.parametrize("path", ["/app.js", "/data", "/more"])
def test_what_does_not_come_once_is_asked_for_again(tmp_path: Path, path: str, half: bool) -> None:
    flaky = Flaky(path, lambda time: time == 2 if path == "/more" else time == 1, half=half)
    outcome = crawled_flaky(flaky, tmp_path / "crawl")
    assert titles(tmp_path / "crawl") == [f"data{' and more' * times}" for times in range(4)]
    assert kinds(outcome) == ["unfinished"], "errors of a page that was cut off say nothing about the application"


@pytest.mark.parametrize("half", [False, True], ids=["not at all", "half of it"])
@pytest.mark.parametrize("path", ["/data", "/more"])
def test_what_is_swallowed_once_is_asked_for_again(tmp_path: Path, path: str, half: bool) -> None:
    first = 2 if path == "/more" else 1
    flaky = Flaky(path, lambda time: time == first, half=half, swallows=True)
    crawled_flaky(flaky, tmp_path / "crawl")
    assert titles(tmp_path / "crawl") == [f"data{' and more' * times}" for times in range(4)]


def test_a_first_page_of_which_a_part_never_comes_is_crawled_as_it_is(tmp_path: Path) -> None:
    outcome = crawled_flaky(Flaky("/data", lambda _: True), tmp_path / "crawl")
    assert titles(tmp_path / "crawl")[0] == "nothing"
    assert outcome.resets <= 4
    assert "error" in kinds(outcome)


def test_what_the_server_says_is_not_there_is_not_asked_for_again(tmp_path: Path) -> None:
    flaky = Flaky("/data", lambda _: False)
    del flaky.stand.routes["/style.css"]
    assert crawled_flaky(flaky, tmp_path / "crawl").resets == 1


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


def test_how_long_a_load_takes_is_not_told_by_the_first_which_starts_the_browser(tmp_path: Path) -> None:
    walking, context, _ = walker(Wanderer(0, "12:00"), tmp_path)
    lasts = []
    for _ in range(2):
        asyncio.run(walking.reset())
        lasts.append(context.learning_budget.lasts > 0)
    assert lasts == [False, True]
