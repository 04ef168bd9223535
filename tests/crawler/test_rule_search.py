"""The search for dynamic content: which states are compared, and how it stays within its share of the time."""

import asyncio
import weakref
from collections.abc import Callable
from itertools import count

import pytest

from statecrawl.browser.dynamic_content import LoadComparison
from statecrawl.crawler.content_learner import OTHERS, ContentLearner
from statecrawl.crawler.learning_budget import LearningBudget
from statecrawl.crawler.rule_search import MOST_TRIES, RuleSearch, skeleton_of
from statecrawl.errors import StoreError
from statecrawl.ports.recorder import WorkCount
from tests.crawler.written_page import House, WrittenPage, normal_form, nothing, snapshot

LONG_AGO = -1e9  # so long that any comparison is within its share


class Kept(str):
    """A text that says whether somebody holds it."""

    __slots__ = ("__weakref__",)


class Searched:
    """A search over a house whose pages show a clock."""

    def __init__(self, clock: Callable[[int], str] = lambda world: f"12:0{world}", begun: float = LONG_AGO) -> None:
        self.house = House(lambda world: WrittenPage(world, clock(world)))
        self.found: list[tuple[str, LoadComparison]] = []
        self.learner = ContentLearner(self.house.make_page, nothing, 20)
        self.allowance = LearningBudget(begun)
        self.search = RuleSearch(self.learner, WorkCount, lambda *told: self.found.append(told), self.allowance)

    def offer(self, state: str, more: str = "", path: tuple[str, ...] = ()) -> None:
        self.search.offer(state, snapshot(normal_form("12:00", "room 0", more)).normal, path)

    @property
    def compared(self) -> list[str]:
        return [state for state, _ in self.found]


def test_states_of_the_same_structure_are_compared_once() -> None:
    def offers(searching: Searched) -> None:
        for number, more in enumerate(("", "", "one", "two", "")):
            searching.offer(str(number), more)

    async def run() -> None:
        searching = Searched()
        working = asyncio.create_task(searching.search.run())
        offers(searching)
        await searching.search.drain()
        assert searching.compared == ["0", "2"]
        assert searching.learner.done == 2
        working.cancel()
        assert searching.found[0][1].rules == {("#clock", "text")}

    asyncio.run(run())


def test_the_more_states_have_one_structure_the_more_of_them_are_compared() -> None:
    async def run() -> None:
        searching = Searched(lambda _: "12:00")
        working = asyncio.create_task(searching.search.run())
        for number in range(1, 101):
            searching.offer(str(number))
        await searching.search.drain()
        working.cancel()
        assert searching.compared == ["1", "4", "16", "64"]

    asyncio.run(run())


def test_where_chance_made_two_loads_equal_more_states_are_compared() -> None:
    async def run() -> None:
        searching = Searched(lambda world: "12:00" if world == 1 else "12:01")
        working = asyncio.create_task(searching.search.run())
        for number in range(1, MOST_TRIES + 3):
            searching.offer(str(number))
            await searching.search.drain()
        working.cancel()
        assert searching.compared == [str(number) for number in range(1, MOST_TRIES + 2)]

    asyncio.run(run())


def test_no_more_states_wait_than_may_be_compared() -> None:
    """A site has a new structure on every page, and pages may be large."""
    searching = Searched()
    offered = [Kept(f"#n{number}\x1f<\x1fp") for number in range(100)]
    for number, normal in enumerate(offered):
        searching.search.offer(str(number), normal, ())
    kept = [weakref.ref(normal) for normal in offered]
    del offered, normal
    assert sum(each() is not None for each in kept) == searching.learner.of


def test_a_path_that_goes_back_is_not_compared() -> None:
    async def run() -> None:
        searching = Searched()
        searching.offer("0", path=("go", "back"))
        assert not searching.search.is_busy

    asyncio.run(run())


def test_the_share_of_the_time_is_kept_until_there_is_nothing_else_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each load takes seconds of a clock that only loading moves: there is no time for the second of a comparison."""

    async def run() -> None:
        ticks = count()
        monkeypatch.setattr("statecrawl.crawler.learning_budget.time.perf_counter", lambda: float(next(ticks)))
        searching = Searched(begun=0.0)
        working = asyncio.create_task(searching.search.run())
        searching.offer("0")
        searching.offer("1", "more")
        for _ in range(100):
            await asyncio.sleep(0)
        assert (searching.compared, len(searching.house.pages)) == ([], 1)
        assert searching.search.is_busy
        await searching.search.drain()
        assert searching.compared == ["0", "1"]
        working.cancel()

    asyncio.run(run())


def test_a_crawl_that_ends_does_not_wait_for_the_search() -> None:
    async def run() -> None:
        searching = Searched()
        working = asyncio.create_task(searching.search.run())
        searching.offer("0")
        await asyncio.sleep(0)
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
        await searching.search.drain()

    asyncio.run(run())


def test_a_failed_search_is_not_waited_for() -> None:
    def full(*_: object) -> None:
        raise StoreError("no space")

    async def run() -> None:
        searching = Searched()
        search = RuleSearch(searching.learner, WorkCount, full, searching.allowance)
        working = asyncio.create_task(search.run())
        for more in ("", "one"):
            search.offer(more, snapshot(normal_form("12:00", "room 0", more)).normal, ())
            await asyncio.wait({working})
        async with asyncio.timeout(5):
            await search.drain()
        with pytest.raises(StoreError):
            await working

    asyncio.run(run())


def test_the_search_uses_no_more_pages_than_the_learner() -> None:
    async def run() -> None:
        searching = Searched()
        working = asyncio.create_task(searching.search.run())
        for number, more in enumerate(("", "one")):
            searching.offer(str(number), more)
        await searching.search.drain()
        working.cancel()
        assert len(searching.house.pages) == OTHERS
        await searching.learner.renew()
        assert [page.log[-1] for page in searching.house.pages] == ["close"] * OTHERS

    asyncio.run(run())


def test_the_structure_of_a_page() -> None:
    def skeleton(more: str, room: str = "room 0") -> object:
        return skeleton_of(snapshot(normal_form("12:00", room, more)).normal)

    assert skeleton("") == skeleton("", "room 9") != skeleton("x") == skeleton("y")


def test_a_comparison_that_new_rules_break_off_counts_as_well() -> None:
    async def run() -> None:
        opening = asyncio.Event()

        async def never(_: int) -> WrittenPage:
            opening.set()
            await asyncio.Event().wait()
            raise AssertionError

        learner = ContentLearner(never, nothing, 20)
        allowance = LearningBudget(LONG_AGO)
        search = RuleSearch(learner, WorkCount, lambda *_: None, allowance)
        working = asyncio.create_task(search.run())
        search.offer("0", snapshot(normal_form("12:00", "room 0", "")).normal, ())
        await opening.wait()
        working.cancel()
        await asyncio.wait({working})
        assert allowance.spent == allowance.lasts > 0

    asyncio.run(run())
