"""Walks a browser to the states of an application, and says whether they are what statecrawl found.

Needs `pip install pytest playwright` and any Chrome or Chromium: the one that STATECRAWL_BROWSER names, one that is
installed, or Playwright's own. An application that wants a log-in gets it in `Walk.begin`.
"""

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect, sync_playwright

VARIABLE = "STATECRAWL_BROWSER"
NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chromium-headless-shell")


def pytest_addoption(parser: pytest.Parser) -> None:
    with suppress(ValueError):  # pytest-base-url has the same option
        parser.addoption("--base-url", help="Where the application is now, as in http://localhost:8000.")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    program = os.environ.get(VARIABLE) or next(filter(None, map(shutil.which, NAMES)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program)
        yield browser
        browser.close()


@pytest.fixture
def walk(chromium: Browser, request: pytest.FixtureRequest) -> Iterator["Walk"]:
    origin = request.config.getoption("--base-url") or request.module.ORIGIN
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, locale="en-US")
    yield Walk(context.new_page(), str(origin).rstrip("/"))
    context.close()


class Walk:
    """A page in a session of its own."""

    def __init__(self, page: Page, origin: str) -> None:
        self._page = page
        self._origin = origin
        self._agrees = True  # how dialogs are answered
        page.on("dialog", self._answer)

    def begin(self, path: str) -> None:
        self._page.goto(self._origin + path)

    def fire(self, kind: str, selector: str, value: str = "", *, agrees: bool = True) -> None:
        """What a person would do there."""
        self._agrees = agrees
        element = self._page.locator(selector)
        match kind:
            case "click":
                element.click()
            case "dblclick":
                element.dblclick()
            case "contextmenu":
                element.click(button="right")
            case "hover":
                element.hover()
            case "focus":
                element.focus()
            case "input":
                element.fill(value)
                element.dispatch_event("change")
            case "select":
                element.select_option(value)
            case "back":
                self._page.go_back()
            case _:
                raise ValueError(kind)

    def arrives(
        self, *, title: str | None, path: str | None, there: Sequence[str], texts: Sequence[str], gone: Sequence[str]
    ) -> None:
        """Whether the page is, or gets, into a state: by its title, address, elements and words."""
        if title is not None:
            expect(self._page).to_have_title(title)
        if path is not None:
            expect(self._page).to_have_url(self._origin + path)
        for selector in there:
            expect(self._page.locator(selector)).to_be_attached()
        body = self._page.locator("body")
        for text in texts:
            expect(body).to_contain_text(text)
        for text in gone:
            expect(body).not_to_contain_text(text)

    def _answer(self, dialog: Dialog) -> None:
        if self._agrees:
            dialog.accept()
        else:
            dialog.dismiss()
