"""The server of the file manager has the folders, files and jumps of the true model, in its order."""

import asyncio
from collections.abc import Iterable
from typing import Any

import pytest
from aiohttp import ClientSession

from statecrawl.testbed.elfinder import BUTTONS, PREVIEW_CONTROLS, THUMBNAILS, THUMBNAILS_IN, TOP, elfinder
from statecrawl.testbed.sites.elfinder import site
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


def test_every_folder_holds_what_the_model_says() -> None:
    truth = elfinder().truth
    states = [state for state in truth.ids if state.startswith("/")]
    assert states[0] == f"/{TOP}"
    for state, told in zip(states, answers(*(f"/folder?path={state[1:]}" for state in states)), strict=True):
        number = truth.numbers[state]
        assert [truth.vocabulary[event].logical for event in truth.events[number]] == [
            *PREVIEW_CONTROLS,
            *(f"file {file['path']}" for file in told["files"]),
            *(f"open {place + 1}" for place in range(len(told["jumps"]))),
            *(f"thumbnail {place + 1}" for place in range(told["thumbnails"])),
            *BUTTONS,
        ]
        skipped = len(PREVIEW_CONTROLS) + len(told["files"])
        targets = truth.targets[number][skipped : skipped + len(told["jumps"])]
        assert [truth.ids[target] for target in targets] == [f"/{jump['path']}" for jump in told["jumps"]]


def test_sorting_by_size_keeps_the_order_of_names() -> None:
    (told,) = answers(f"/folder?path={TOP}/documents")
    sizes = [file["size"] for file in told["files"]]
    assert len(sizes) > 9  # names end in -9, -10: their order is that of their numbers
    assert sizes == sorted(set(sizes))
    assert [file["name"] for file in told["files"]] == [f"file-{place + 1}" for place in range(len(sizes))]


def test_thumbnails_in_one_folder() -> None:
    (told,) = answers(f"/folder?path={THUMBNAILS_IN}")
    assert (told["files"], told["thumbnails"]) == ([], THUMBNAILS)


def test_every_preview_differs() -> None:
    shown = [state.removeprefix("preview/") for state in elfinder().truth.ids if state.startswith("preview/")]
    told = answers(*(f"/preview?path={path}" for path in shown))
    assert [each["title"] for each in told] == shown


@pytest.mark.parametrize(
    "address", ["/folder?path=nowhere", "/preview?path=home/file-99", "/preview?path=nowhere/file-1"]
)
def test_what_does_not_exist(address: str) -> None:
    assert answers(address) == [404]
