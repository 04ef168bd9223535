"""Walks a browser to the states of an application, and says whether they are what statecrawl found.

Needs `pip install pytest playwright` and any Chrome or Chromium: the one that STATECRAWL_BROWSER names, one that is
installed, or Playwright's own. An application that wants a log-in gets it in `Walk.begin`.
"""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

import pytest
from playwright.sync_api import Browser, Dialog, Locator, Page, expect, sync_playwright

VARIABLE = "STATECRAWL_BROWSER"
PATIENCE = 10_000  # milliseconds, for an element to be there and still
PRESS, LONG_PRESS = 50, 800  # milliseconds
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
        page.set_default_timeout(PATIENCE)

    def begin(self, path: str) -> None:
        self._page.goto(self._origin + path)

    def fire(
        self,
        kind: str,
        selector: str,
        value: str = "",
        *,
        fields: Sequence[tuple[str, str]] = (),
        agrees: bool = True,
    ) -> None:
        """What a person would do there, after filling in the fields."""
        self._agrees = agrees
        for field, written in fields:
            self._fill(self._page.locator(field), written)
        if kind in BY_PAGE:
            BY_PAGE[kind](self._page, self._origin, selector)
        else:
            DEEDS[kind](self._page.locator(selector), value)

    @staticmethod
    def _fill(field: Locator, value: str) -> None:
        if field.evaluate("field => field.localName") == "select":
            field.select_option(value)
        else:
            field.fill(value)

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


def _write(element: Locator, value: str) -> None:
    field = element.element_handle()
    field.fill(value)
    field.dispatch_event("change")  # also when the page has taken the field away


def _leave(element: Locator, _: str) -> None:
    element.hover()
    element.page.mouse.move(0, 0)


def _blur(element: Locator, _: str) -> None:
    element.focus()
    element.blur()


def _press_long(element: Locator, _: str) -> None:
    element.click(delay=LONG_PRESS)


def _press(element: Locator, key: str) -> None:
    if element.evaluate("element => element === document.body"):
        element.page.keyboard.press(key)  # wherever the focus is
    else:
        element.press(key)


def _submit(form: Locator, _: str) -> None:
    form.evaluate(
        """form => {
            const button = form.querySelector("button:not([type]),[type=submit]");
            form.requestSubmit(button && !button.matches(":disabled") ? button : undefined);
        }"""
    )


def _scroll(element: Locator, _: str) -> None:
    element.evaluate(
        """element => {
            const turned = {bubbles: true, cancelable: true, deltaY: element.scrollHeight};
            element.dispatchEvent(new WheelEvent("wheel", turned));
            element.scrollTop = element.scrollHeight;
        }"""
    )


def _scroll_page(page: Page, _origin: str, _selector: str) -> None:
    page.mouse.wheel(0, page.evaluate("document.documentElement.scrollHeight"))


def _upload(element: Locator, _: str) -> None:
    element.set_input_files({"name": "example.txt", "mimeType": "text/plain", "buffer": b"a file of text\n"})


BY_PAGE: dict[str, Callable[[Page, str, str], object]] = {
    "back": lambda page, _origin, _selector: page.go_back(),
    "open": lambda page, origin, path: page.goto(origin + path),
    "scroll page": _scroll_page,
}
DEEDS: dict[str, Callable[[Locator, str], object]] = {
    "click": lambda element, _: element.click(delay=PRESS),
    "dblclick": lambda element, _: element.dblclick(),
    "contextmenu": lambda element, _: element.click(button="right"),
    "longpress": _press_long,
    "hover": lambda element, _: element.hover(),
    "leave": _leave,
    "focus": lambda element, _: element.focus(),
    "blur": _blur,
    "input": _write,
    "select": lambda element, value: element.select_option(value),
    "key": _press,
    "submit": _submit,
    "drag": lambda element, target: element.drag_to(element.page.locator(target)),
    "scroll": _scroll,
    "upload": _upload,
}
