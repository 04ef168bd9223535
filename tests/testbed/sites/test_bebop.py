"""The server of the bibliography has lists as long as those of the true model, and the same pagers."""

import asyncio
from collections.abc import Iterable
from typing import Any

import pytest
from aiohttp import ClientSession

from statecrawl.testbed.bebop import AUTHORS, PAGE, TYPES, YEARS, bebop
from statecrawl.testbed.sites.bebop import site
from statecrawl.testbed.sites.server import start

PANELS = {"author": AUTHORS, "year": YEARS, "type": TYPES}


async def _answers(addresses: Iterable[str]) -> list[Any]:
    """What the server says; the status where it says no."""
    running = await start(site())
    told: list[Any] = []
    try:
        async with ClientSession(running.url) as browser:
            for address in addresses:
                async with browser.get(address) as answer:
                    told.append(await answer.json() if answer.ok else answer.status)
    finally:
        await running.close()
    return told


def answers(*addresses: str) -> list[Any]:
    return asyncio.run(_answers(addresses))


def _address(panel: str, value: str, page: int) -> str:
    return f"/publications?panel={panel}&value={value}&page={page}"


@pytest.mark.parametrize("panel", PANELS)
def test_values_to_filter_by(panel: str) -> None:
    (told,) = answers(f"/panels/{panel}")
    assert {each["value"]: each["count"] for each in told} == PANELS[panel]
    assert [each["value"] for each in told] == list(PANELS[panel])


@pytest.mark.parametrize("panel", PANELS)
def test_every_page_of_every_list(panel: str) -> None:
    pages = [(value, count, page) for value, count in PANELS[panel].items() for page in range(1, -(-count // PAGE) + 1)]
    truth = bebop().truth
    seen: dict[str, list[int]] = {value: [] for value in PANELS[panel]}
    for (value, count, page), told in zip(
        pages, answers(*(_address(panel, *each[::2]) for each in pages)), strict=True
    ):
        state = f"{panel}/{value}" if page == 1 else f"{panel}/{value}/page-{page}"
        events = [truth.vocabulary[event].logical for event in truth.events[truth.numbers[state]]]
        buttons = [f"details {place + 1}" for place in range(len(told["publications"]))]
        assert events == [*events[:70], *buttons, *(turn["to"] for turn in told["turns"])]
        assert (told["count"], told["page"]) == (count, page)
        for publication in told["publications"]:
            assert value in (publication["authors"] if panel == "author" else publication[panel])
            seen[value].append(publication["number"])
    for value, count in PANELS[panel].items():
        assert len(set(seen[value])) == len(seen[value]) == count


def test_the_same_publications_each_time() -> None:
    address = _address("type", "article", 18)
    assert answers(address) == answers(address)


def test_details_differ() -> None:
    count = sum(TYPES.values())
    told = answers(*(f"/publications/{number}" for number in range(count)))
    assert len({each["key"] for each in told}) == count


@pytest.mark.parametrize(
    "address",
    [
        "/panels/publisher",
        "/publications",
        _address("author", "nobody", 1),
        _address("author", "knuth", 2),
        _address("author", "knuth", 0),
        "/publications?panel=author&value=knuth&page=two",
        "/publications/700",
        "/publications/last",
    ],
)
def test_what_does_not_exist(address: str) -> None:
    assert answers(address) == [404]
