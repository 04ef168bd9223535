"""The applications whose components are known show all their component states, and only those, when used by hand."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import product

import pytest

from statecrawl.testbed.component_truth import seen_component_states
from statecrawl.testbed.component_truths import component_truth
from statecrawl.testbed.desk import AGENDA, KINDS, MAIL, MENUS, PAGES, QUESTIONS, SPEEDS
from statecrawl.testbed.sites.registry import site_named
from statecrawl.testbed.sites.server import start
from tests.browser.stage import Stage, View


class Visitor:
    """Somebody who uses an application, and stores what it shows after each step."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.documents: list[str] = []

    async def look(self) -> None:
        self.documents.append((await self.view.look()).html)

    async def do(self, *words: str) -> None:
        """Fire, one after the other, the first event with each of these in its name."""
        for word in words:
            events = await self.view.events(word)
            assert events, (word, await self.view.events())
            await self.view.fire(events[0])
            await self.look()

    async def click(self, *texts: str) -> None:
        await self.do(*(f'"{text}"' for text in texts))


@asynccontextmanager
async def visitor(stage: Stage, app: str) -> AsyncIterator[Visitor]:
    running = await start(site_named(app))
    try:
        page = stage.page(url=running.url)
        visiting = Visitor(View(page, await page.reset()))
        await visiting.look()
        yield visiting
    finally:
        await running.close()


async def use_widgets(visiting: Visitor) -> None:
    await visiting.click(*(f"channel {channel} to {level}" for channel in (1, 2) for level in (1, 2, 0)))


async def use_linked(visiting: Visitor) -> None:
    """The third widget shows its note while the fourth shows 2, the second has other values while the first shows 1."""
    await visiting.click("Widget 4 to 1", "Widget 4 to 2", *(f"Widget 3 to {value}" for value in (1, 2, 0)))
    await visiting.click("Widget 4 to 0", *(f"Widget 3 to {value}" for value in (1, 2)))
    await visiting.click("Widget 2 to 1", "Widget 2 to 2", "Widget 1 to 2", "Widget 1 to 1")
    await visiting.click("Widget 2 to 4", "Widget 2 to 5", "Widget 1 to 0")


async def use_basket(visiting: Visitor) -> None:
    await visiting.click("Add tea", "Add jam", "Add rice", "Add")
    for _ in range(4):
        await visiting.click("Edit", "Cancel", "Remove")
    await visiting.click("Add jam", "Edit", "Save", "Edit", "Save")


async def use_calendar(visiting: Visitor) -> None:
    await visiting.do("#previous", "#previous", "#next", "#next", "#next")
    await visiting.click("16", "Guests", "Reminder", "Remind me", "Remind me", "Plan")
    await visiting.do("#close")
    await visiting.click("18")


async def use_desk(visiting: Visitor) -> None:
    for menu, items in MENUS.items():
        await visiting.click(menu, menu)
        for item in items:
            await visiting.click(menu, item)
    await visiting.click(*QUESTIONS, QUESTIONS[-1], *AGENDA[1:], *MAIL[1:])
    for header in ("Pages", "Pages", "Name", "Name"):
        await visiting.click(header, *["Next"] * (PAGES - 1))
    await visiting.do(*(f"#folder-{name} " for name in ("letters", "answered", "answered", "letters", "pictures")))
    await visiting.do("input", "Send", "input", "Send")
    await visiting.do("#order", "Cancel")
    for kind, speed in product(KINDS, SPEEDS):
        await visiting.do("#order", "Continue", "Back")
        await visiting.do(*([kind] if kind != KINDS[0] else []), "Continue", *([speed] if speed != SPEEDS[0] else []))
        await visiting.do("Continue", "Finish")
    await visiting.click("Dismiss", "Dismiss")
    await visiting.view.reset()
    await visiting.do('"Dismiss" in section#notices #2')


USES: dict[str, Callable[[Visitor], Awaitable[None]]] = {
    "widgets:2,3": use_widgets,
    "linked:4,3": use_linked,
    "basket": use_basket,
    "calendar": use_calendar,
    "desk": use_desk,
}


NOT_ALWAYS_THERE = {"row", "folder answered"}


@pytest.mark.parametrize("app", USES)
async def test_all_component_states_are_seen_and_every_document_shows_one_of_each_component(
    stage: Stage, app: str
) -> None:
    truth = component_truth(app)
    async with visitor(stage, app) as visiting:
        await USES[app](visiting)
    shown = [seen_component_states(truth, [document]) for document in visiting.documents]
    assert truth.all_states() - frozenset().union(*shown) == frozenset()
    always = sorted(component.name for component in truth.components if component.name not in NOT_ALWAYS_THERE)
    named = [sorted(name for name, _ in each if name not in NOT_ALWAYS_THERE) for each in shown]
    assert [names for names in named if names != always] == []
