"""Learning what is volatile, over pages written by hand: what differs between worlds is found, and nothing else."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest

from statecrawl.browser.dynamic_content import LoadComparison, Rule
from statecrawl.crawler.dynamic_content import OTHERS, ContentLearner
from statecrawl.errors import PageLost
from statecrawl.ports.page import FAILED, Ending, Landing, Note, Page, Snapshot, Walked
from statecrawl.ports.recorder import WorkCount
from statecrawl.ports.traffic import ObservedExchange
from statecrawl.strategies.orders import Step
from tests.crawler.crawl_folder import joined

Lines = tuple[tuple[Any, ...], ...]


async def nothing() -> None:
    """No server has to be reset."""


def normal_form(clock: str, room: str, more: str = "") -> Lines:
    """The normal form of a page with a clock, the name of the room one is in, a button, and perhaps more."""
    place = "/html/body"
    told: list[tuple[Any, ...]] = [("/html", "<", "html"), (place, "<", "body")]
    for number, (step, text) in enumerate(
        (
            ("#clock", clock),
            ("#room", room),
            *((f"#p{n}", "text") for n in range(8)),
            *([("#more", more)] if more else []),
        )
    ):
        told += [(step, "<", "p"), (step, '"', text), (step, ">", "p")]
        if number == 1:
            told += [
                ("#go", "<", "button", 1),
                ("#go", '"', "go"),
                ("", "!", "click button#go"),
                ("#go", ">", "button"),
            ]
    return (*told, (place, ">", "body"), ("/html", ">", "html"))


def snapshot(told: Lines) -> Snapshot:
    return Snapshot(
        state="aa",
        events=("go",),
        labels=("go",),
        url="",
        title="",
        html="",
        normal=joined(told),
        links=(),
        forms=(),
        cut=False,
    )


@dataclass
class WrittenPage:
    """A house of rooms: "go" leads to the next. `clock` is what this world shows."""

    world: int
    clock: str
    walks_to: int = 9  # beyond this room the event is gone
    ending: Ending = Ending.GONE
    is_lost: bool = False
    fails: int = 0  # walks that lead nowhere, because what was asked for does not come
    room: int = -1
    more: str = ""  # content that other pages do not have
    log: list[str] = field(default_factory=list)

    async def reset(self, background: Collection[str] = ()) -> Landing:
        self.room = 0
        self.log.append("reset")
        return Landing(state="aa", url="")

    async def renew(self) -> bool:
        return False

    async def walk(self, start: str | None, steps: Sequence[Step], *, sure: int | None = None) -> Walked:
        assert start is None, "its state has another id in another world"
        assert all(expected is None for _, expected in steps)
        self.log += [event for event, _ in steps]
        if self.fails:
            self.fails -= 1
            failed = Note(FAILED, ["GET", "http://host/room", "no answer"])
            return Walked(why=Ending.END, states=("aa",) * len(steps), notes=(failed,))
        taken = min(len(steps), self.walks_to)
        self.room += taken
        why = Ending.END if taken == len(steps) else self.ending
        return Walked(why=why, states=("bb",) * taken)

    async def describe(self, *, lines: bool = False) -> Snapshot:
        if self.is_lost:
            raise PageLost("the page changed while it was looked at")
        return snapshot(normal_form(self.clock, f"room {self.room}", self.more) if lines else ())

    def obey(self, rules: Collection[tuple[str, str]]) -> None:
        raise AssertionError("its rules do not change")

    async def rehash(self, forms: Sequence[tuple[str, str]]) -> list[str]:
        raise AssertionError("its rules do not change")

    async def rest(self) -> bool:
        raise AssertionError("it is not the pointer that makes worlds differ")

    async def styled(self, attributes: Collection[str]) -> frozenset[str]:
        raise AssertionError("nobody looks at styles here")

    async def picture(self) -> bytes:
        raise AssertionError("nobody needs one")

    async def wait_for_traffic(self) -> None:
        pass

    def take_traffic(self) -> list[ObservedExchange]:
        raise AssertionError("other worlds have none")

    async def close(self) -> None:
        self.log.append("close")


class House:
    """Makes pages in other worlds, and remembers them."""

    def __init__(self, page: Callable[[int], WrittenPage]) -> None:
        self.pages: list[WrittenPage] = []
        self._page = page

    async def make_page(self, world: int) -> Page:
        self.pages.append(self._page(world))
        return self.pages[-1]


def learn(house: House, seen: Lines, path: Sequence[str] = (), tally: WorkCount | None = None) -> set[Rule]:
    compared = asyncio.run(
        ContentLearner(house.make_page, nothing, 1).learn(snapshot(seen).normal, path, tally or WorkCount())
    )
    return set(compared.rules)


def ticking(world: int) -> WrittenPage:
    return WrittenPage(world, f"12:0{world}")


def test_what_differs_from_world_to_world_is_volatile() -> None:
    assert learn(House(ticking), normal_form("12:00", "room 0")) == {("#clock", "text")}


def test_a_page_that_is_the_same_everywhere_teaches_nothing() -> None:
    assert learn(House(lambda world: WrittenPage(world, "12:00")), normal_form("12:00", "room 0")) == set()


def test_the_way_to_the_state_is_walked_again_in_each_world() -> None:
    house, tally = House(ticking), WorkCount()
    assert learn(house, normal_form("12:00", "room 2"), ["go", "go"], tally) == {("#clock", "text")}
    assert [page.world for page in house.pages] == [1, 2]
    assert [page.log for page in house.pages] == [["reset", "go", "go"]] * OTHERS
    assert (tally.learning_events, tally.learning_resets) == (4, 2)
    assert (tally.events, tally.resets) == (0, 0), "they are not part of the crawl"


def test_re_walks_that_end_elsewhere_teach_nothing() -> None:
    """The test above would prove nothing if it did not matter where the pages are."""
    assert learn(House(ticking), normal_form("12:00", "room 2")) == set()


def test_a_path_that_goes_back_is_not_walked_again() -> None:
    house = House(ticking)
    for back in ("back", "back (dismissed)"):
        assert learn(house, normal_form("12:00", "room 1"), ["go", back, "go"]) == set()
    assert house.pages == []


def test_a_way_that_is_not_there_everywhere_teaches_nothing() -> None:
    for ending in (Ending.GONE, Ending.HUNG, Ending.CRASHED, Ending.STRAYED):
        house, tally = House(partial(WrittenPage, clock="x", walks_to=1, ending=ending)), WorkCount()
        assert learn(house, normal_form("12:00", "room 2"), ["go", "go"], tally) == set()
        assert len(house.pages[0].log) == 3
        assert len(house.pages) == 1, "there is nothing to compare any more"
        assert (tally.learning_events, tally.learning_resets) == (1, 1)


def test_a_page_that_is_lost_teaches_nothing() -> None:
    house = House(lambda world: WrittenPage(world, f"12:0{world}", is_lost=world == 2))
    assert learn(house, normal_form("12:00", "room 0")) == set()


def test_a_way_on_which_something_did_not_come_is_walked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("statecrawl.crawler.failures.PAUSES", (0.01, 0.01, 0.01))
    house, tally = House(lambda world: WrittenPage(world, f"12:0{world}", fails=world % 2)), WorkCount()
    assert learn(house, normal_form("12:00", "room 1"), ["go"], tally) == {("#clock", "text")}
    assert [page.log for page in house.pages] == [["reset", "go"] * 2, ["reset", "go"]]
    assert (tally.learning_events, tally.learning_resets) == (3, 3)


def test_so_many_states_and_no_more() -> None:
    house = House(ticking)

    async def run() -> list[set[Rule]]:
        learner = ContentLearner(house.make_page, nothing, 2)
        found: list[set[Rule]] = []
        for _ in range(4):
            assert learner.is_done == (len(found) >= 2)
            found.append(
                {*(await learner.learn(snapshot(normal_form("12:00", "room 0")).normal, (), WorkCount())).rules}
            )
        assert learner.is_done
        await learner.close()
        return found

    assert asyncio.run(run()) == [{("#clock", "text")}] * 2 + [set()] * 2
    assert len(house.pages) == OTHERS, "the same pages for every state"
    assert [page.log for page in house.pages] == [["reset", "reset", "close"]] * OTHERS


def test_nothing_is_opened_when_nothing_is_to_be_learnt() -> None:
    house = House(ticking)

    async def run() -> set[Rule]:
        learner = ContentLearner(house.make_page, nothing, 0)
        assert learner.is_done
        found = await learner.learn(snapshot(normal_form("12:00", "room 0")).normal, (), WorkCount())
        await learner.close()
        return set(found.rules)

    assert asyncio.run(run()) == set()
    assert house.pages == []


def test_after_closing_nothing_more_is_learnt_and_closing_twice_is_fine() -> None:
    house = House(ticking)

    async def run() -> None:
        learner = ContentLearner(house.make_page, nothing, 5)
        await learner.learn(snapshot(normal_form("12:00", "room 0")).normal, (), WorkCount())
        await learner.close()
        await learner.close()
        assert learner.is_done
        assert await learner.learn(snapshot(normal_form("12:00", "room 0")).normal, (), WorkCount()) == LoadComparison()

    asyncio.run(run())
    assert [page.log for page in house.pages] == [["reset", "close"]] * OTHERS
