"""The server of the file browser lists the folders that the true model has, in its order."""

import asyncio
from typing import Any

import pytest
from aiohttp import ClientSession

from statecrawl.errors import UnknownName
from statecrawl.model.graph import INITIAL
from statecrawl.testbed.file_tree import PRESETS, START, file_tree
from statecrawl.testbed.sites.file_tree import site
from statecrawl.testbed.sites.server import start


async def _listings(preset: str, paths: list[str]) -> dict[str, list[str]]:
    """Path of a folder -> paths of those in it, as the server tells them."""
    running = await start(site(preset))
    told = {}
    try:
        async with ClientSession(running.url, raise_for_status=True) as browser:
            for path in paths:
                async with browser.get("/list", params={"path": path}) as answer:
                    names = await answer.json()
                told[path] = [f"{path}/{name}" if path else name for name in names]
    finally:
        await running.close()
    return told


@pytest.mark.parametrize("preset", PRESETS)
def test_listings_are_those_of_the_model(preset: str) -> None:
    truth = file_tree(preset).truth
    told = asyncio.run(_listings(preset, ["" if folder == START else folder for folder in truth.ids]))

    shown = [truth.vocabulary[event].logical for event in truth.events[INITIAL]]
    assert told[""] == shown  # at the start, the top and nothing else
    for folder in truth.ids[1:]:
        visible = [truth.vocabulary[event].logical for event in truth.events[truth.numbers[folder]]]
        assert told[folder] == [path for path in visible if path.rpartition("/")[0] == folder]


async def _missing() -> tuple[int, Any]:
    running = await start(site())
    try:
        async with ClientSession(running.url) as browser, browser.get("/list", params={"path": "no/such"}) as answer:
            return answer.status, await answer.text()
    finally:
        await running.close()


def test_a_folder_that_does_not_exist() -> None:
    assert asyncio.run(_missing()) == (404, "There is no folder no/such.\n")


def test_an_unknown_preset() -> None:
    with pytest.raises(UnknownName):
        site("linux")
