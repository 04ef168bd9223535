"""The server of the site of shared clips has the clips and voters of the true model, in its order."""

import asyncio
from collections.abc import Iterable
from typing import Any

import pytest
from aiohttp import ClientSession

from statecrawl.testbed.clip_marks import AUTHORS, CLIPS, TABS, USERS, VOTED, clip_marks
from statecrawl.testbed.sites.clip_marks import NICKNAMES, site
from statecrawl.testbed.sites.server import start


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


def test_every_page_lists_its_clips() -> None:
    for page, told in zip(VOTED, answers(*(f"/clips/{page}" for page in VOTED)), strict=True):
        clips = told["clips"]
        assert [clip["number"] for clip in clips] == list(range(1, CLIPS + 1))
        assert [clip["votes"] > 0 for clip in clips] == [clip["number"] <= VOTED[page] for clip in clips]
        if page in TABS:
            assert [clip["author"] for clip in clips] == [AUTHORS[clip["number"] % len(AUTHORS)] for clip in clips]
        else:
            assert all("author" not in clip and clip["source"] for clip in clips)
        assert told["profile"] is (page in USERS)


def test_every_pop_up_lists_the_voters_of_the_model() -> None:
    truth = clip_marks().truth
    clips = [(page, clip + 1) for page, voted in VOTED.items() for clip in range(voted)]
    pages = dict(zip(VOTED, answers(*(f"/clips/{page}" for page in VOTED)), strict=True))
    for (page, clip), told in zip(clips, answers(*(f"/voters/{page}/{clip}" for page, clip in clips)), strict=True):
        events = [truth.vocabulary[event].logical for event in truth.events[truth.numbers[f"{page}/clip {clip}"]]]
        known = [voter["name"] if voter["profile"] else NICKNAMES.index(voter["name"]) for voter in told]
        assert [f"voter {name}" for name in known] == events[events.index("close") + 1 :]
        assert len(told) == pages[page]["clips"][clip - 1]["votes"]


def test_no_nickname_is_that_of_a_user() -> None:
    assert len({*NICKNAMES, *USERS}) == len(NICKNAMES) + len(USERS)


@pytest.mark.parametrize(
    "address", ["/clips/zoe", "/voters/zoe/1", "/voters/hana/12", "/voters/ann/0", "/voters/ann/one"]
)
def test_what_does_not_exist(address: str) -> None:
    assert answers(address) == [404]
