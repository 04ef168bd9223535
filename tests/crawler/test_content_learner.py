"""Search for dynamic content over pages written by hand: what differs between worlds is found, and nothing else."""

import asyncio
from collections.abc import Sequence
from functools import partial

import pytest

from statecrawl.browser.dynamic_content import LoadComparison, Rule
from statecrawl.crawler.content_learner import OTHERS, ContentLearner
from statecrawl.ports.page import Ending
from statecrawl.ports.recorder import WorkCount
from tests.crawler.written_page import House, Lines, WrittenPage, normal_form, nothing, snapshot


def learn(house: House, seen: Lines, path: Sequence[str] = (), tally: WorkCount | None = None) -> set[Rule]:
    compared = asyncio.run(
        ContentLearner(house.make_page, nothing, 1).learn(snapshot(seen).normal, path, tally or WorkCount())
    )
    return set(compared.rules)


def ticking(world: int) -> WrittenPage:
    return WrittenPage(world, f"12:0{world}")


def test_what_differs_from_world_to_world_is_dynamic() -> None:
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
