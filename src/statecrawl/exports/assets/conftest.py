"""Fixtures that walk a browser to the states of an application and check that they are as statecrawl found them.

Requires `pip install pytest playwright` and Chrome or Chromium: the program that STATECRAWL_BROWSER names, an installed
one, or that of Playwright. If the application requires a login, add it to `Walk.begin`. If its server stores what the
tests do, reset it in `Walk.begin` as well: each test starts with a new browser session, but not with a new server.
"""

import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Dialog, Error, Locator, Page, Route, sync_playwright

VARIABLE = "STATECRAWL_BROWSER"
DRAG_START, DRAG_STEPS = 5, 4  # pixels that start a drag, and moves on the way
PATIENCE = 10_000  # milliseconds to wait for a state or an element
LONGEST_REST = 2.5  # seconds to wait for responses of the server before an event
PAUSE = 30  # milliseconds between two checks of the page
LONGEST_TITLE = 300  # characters that statecrawl stores
EVENTS = Path(__file__).with_name("events.js").read_text(encoding="utf-8")
CLOCK = Path(__file__).with_name("clock.js").read_text(encoding="utf-8")
REPLACED = ("context was destroyed", "navigation", "detached")  # in messages of Playwright
NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chromium-headless-shell")
Step = tuple[str, tuple[str, ...], dict[str, object]]  # a method of `Walk` and its arguments
INTO_SHADOW, INTO_FRAME = " /shadow/ ", " /frame/ "  # parts of a selector, one for each tree

# Finds elements in shadow trees.
ENGINE = """(() => {
    const all = (root, selector) => {
        let roots = [root];
        let found = [];
        for (const part of selector.split(' /shadow/ ')) {
            found = roots.flatMap((each) => [...each.querySelectorAll(part)]);
            roots = found.map((each) => each.shadowRoot).filter(Boolean);
        }
        return found;
    };
    return { queryAll: all, query: (root, selector) => all(root, selector)[0] || null };
})()"""

# Counts marks in the page, as statecrawl does: texts, values of fields, tags, attributes, classes.
MARKS = """(wanted) => {
    const UNSEEN = new Set(['script', 'style', 'link', 'meta', 'template', 'noscript', 'base']);
    const counts = Object.fromEntries(wanted.map((mark) => [mark, 0]));
    const tidy = (text) => text.split(/\\s+/).filter(Boolean).join(' ');
    const add = (mark) => { if (mark in counts) counts[mark] += 1; };
    const isField = (tag, name) =>
        (tag === 'input' && (name === 'value' || name === 'checked')) || (tag === 'option' && name === 'selected');
    const styles = (tag, style) => {
        for (const name of ['display', 'visibility']) {
            const value = style.getPropertyValue(name);
            if (value) add(`${tag} ${name}: ${value}${style.getPropertyPriority(name) ? ' !important' : ''}`);
        }
    };
    const fields = (element, tag) => {
        if (tag === 'input' && (element.type === 'checkbox' || element.type === 'radio')) {
            if (element.checked) add('input @checked=');
        } else if ((tag === 'input' || tag === 'textarea') && element.value !== '') {
            add(`${tag} @value=${tidy(element.value)}`);
            add(`${tag} filled`);
        } else if (tag === 'option' && element.selected) add('option @selected=');
    };
    const attributes = (element, tag) => {
        for (const name of element.getAttributeNames().filter((each) => !isField(tag, each))) {
            const value = tidy(element.getAttribute(name));
            if (name === 'class') for (const token of new Set(value.split(' '))) add(`${tag} .${token}`);
            else if (name === 'style') styles(tag, element.style);
            else add(`${tag} @${name}=${value}`);
        }
    };
    const inner = (frame) => { try { return frame.contentDocument.documentElement; } catch { return null; } };
    const visit = (element, inHead) => {
        const tag = element.localName;
        if (UNSEEN.has(tag) || (inHead && tag !== 'title')) return;
        add(`<${tag}>`);
        attributes(element, tag);
        fields(element, tag);
        if (element.shadowRoot) inside(element.shadowRoot, tag);
        const root = tag === 'iframe' || tag === 'frame' ? inner(element) : null;
        if (root) visit(root, false);
        else if (tag !== 'textarea' && tag !== 'iframe' && tag !== 'frame') inside(element, tag);
    };
    const inside = (parent, tag) => {
        for (const node of parent.childNodes) {
            if (node.nodeType === 1) visit(node, tag === 'head');
            else if (node.nodeType === 3 && tag !== 'title' && tidy(node.data)) add('"' + tidy(node.data));
        }
    };
    if (document.documentElement) visit(document.documentElement, false);
    return counts;
}"""


def pytest_addoption(parser: pytest.Parser) -> None:
    with suppress(ValueError):  # pytest-base-url has the same option
        parser.addoption("--base-url", help="Base URL of the application, such as http://localhost:8000.")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    program = os.environ.get(VARIABLE) or next(filter(None, map(shutil.which, NAMES)), None)
    with sync_playwright() as playwright:
        playwright.selectors.register("deep", ENGINE)
        browser = playwright.chromium.launch(executable_path=program)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def walks(chromium: Browser, request: pytest.FixtureRequest) -> Iterator["Walks"]:
    origin = str(request.config.getoption("--base-url") or request.module.ORIGIN).rstrip("/")
    walks = Walks(chromium, origin, [origin, *request.module.OTHERS])
    yield walks
    walks.close()


@pytest.fixture
def walk(walks: "Walks") -> "Plan":
    return Plan(walks)


class Plan:
    """The steps of a test. They are taken when all of them are known."""

    def __init__(self, walks: "Walks") -> None:
        self._walks = walks
        self._steps: list[Step] = []

    def begin(self, path: str) -> None:
        self._steps.append(("begin", (path,), {}))

    def fire(self, kind: str, selector: str, value: str = "", **more: object) -> None:
        self._steps.append(("fire", (kind, selector, value), more))

    def arrives(self, **state: object) -> None:
        self._steps.append(("arrives", (), state))

    def ends(self, path: str | None = None, **state: object) -> None:
        self.arrives(**state)
        self._walks.take(self._steps, path)


class Walks:
    """Successive walks, each in its own session.

    If the path of a test starts with the whole path of the previous test, it continues in the same session, as the
    crawl did.
    """

    def __init__(self, browser: Browser, origin: str, servers: Sequence[str]) -> None:
        self._browser = browser
        self._origin = origin
        self._servers = servers
        self._walk: Walk | None = None
        self._taken: list[Step] = []

    def take(self, steps: list[Step], path: str | None) -> None:
        """Take all steps, and check that the URL has this path. The first failure ends the session."""
        done = len(self._taken)
        if self._walk is None or self._taken != steps[:done]:
            self.close()
            self._walk, done = self._begin(), 0
        self._taken = steps
        try:
            for method, values, more in steps[done:]:
                getattr(self._walk, method)(*values, **more)
            self._walk.is_at(path)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        if self._walk is not None:
            self._walk.close()
        self._walk, self._taken = None, []

    def _begin(self) -> "Walk":
        context = self._browser.new_context(
            viewport={"width": 1280, "height": 800},
            locale="en-US",
            timezone_id="UTC",
            reduced_motion="reduce",
            accept_downloads=False,
        )
        context.add_init_script(CLOCK)
        return Walk(context.new_page(), self._origin, self._servers)


class Walk:
    """A page in its own session."""

    def __init__(self, page: Page, origin: str, servers: Sequence[str]) -> None:
        self._page = page
        self._origin = origin
        self._servers = tuple(f"{server}/" for server in servers)
        self._agrees = True  # whether to accept dialogs
        page.on("dialog", self._answer)
        page.on("popup", lambda opened: opened.close())
        page.route(lambda url: not url.startswith(self._servers), self._stay)
        page.set_default_timeout(PATIENCE)

    def begin(self, path: str) -> None:
        self._page.goto(self._origin + path)

    def close(self) -> None:
        self._page.context.close()

    def fire(
        self,
        kind: str,
        selector: str,
        value: str = "",
        *,
        fields: Sequence[tuple[str, str]] = (),
        share: float = 0.0,
        agrees: bool = True,
    ) -> None:
        """Fill in the fields, then fire an event as a person would.

        A drag with a `share` ends at a place of the visible part of its target: a share of its width and height.
        """
        self._agrees = agrees
        self._ask("advance")
        for field, written in fields:
            self._fill(self._locate(field), written)
        if kind in BY_PAGE:
            BY_PAGE[kind](self._page, self._origin, selector)
        elif kind == "drag" and share:
            self._drag(self._locate(selector), self._locate(value), share, within=selector == value)
        elif kind == "drag":
            self._locate(selector).drag_to(self._locate(value))
        elif kind in BY_PLAYWRIGHT:
            BY_PLAYWRIGHT[kind](self._locate(selector), value)
        else:
            self._do(self._locate(selector), kind, value)

    def arrives(self, *, title: str | None, marks: Mapping[str, int]) -> None:
        """Wait until the page is in a state, according to its title and marks; fail if it is not."""
        expected: dict[str, object] = dict(marks)
        if title is not None:
            expected["title"] = title
        until = time.monotonic() + PATIENCE / 1000
        self._settle()
        while (wrong := self._wrong(expected)) and time.monotonic() < until:
            self._page.wait_for_timeout(PAUSE)
            self._settle()
        if wrong:
            pytest.fail(f"the page is not in the expected state; expected and actual values: {wrong}")

    def is_at(self, path: str | None) -> None:
        """Fail if the URL of the page does not have this path, if one is expected."""
        actual = urlsplit(self._page.url).path or "/"
        if path not in (None, actual):
            pytest.fail(f"the path of the URL is {actual}; expected {path}")

    def _settle(self) -> None:
        """Wait until the page has settled, as the crawl did before each event, with a time limit for its server.

        If a page never settles, because it sends requests continually, wait twice as long.
        """
        until = time.monotonic() + LONGEST_REST
        while not self._ask("settle") and time.monotonic() < until + LONGEST_REST:
            if time.monotonic() > until:
                self._ask("forget")
            self._page.wait_for_timeout(PAUSE)

    def _ask(self, what: str) -> bool:
        """Call a method of the page's clock. Return False while another page is loading."""
        try:
            return self._page.evaluate(f"window.__clock ? window.__clock.{what}() : true") is True
        except Error:
            return False

    def _wrong(self, expected: Mapping[str, object]) -> dict[str, tuple[object, object]]:
        """Return the differences to the expected state; everything while another page is loading."""
        try:
            found: dict[str, object] = self._page.evaluate(MARKS, list(expected))
            found["title"] = " ".join(self._page.title().split())[:LONGEST_TITLE]
        except Error:
            found = {}
        return {mark: (value, found.get(mark)) for mark, value in expected.items() if found.get(mark) != value}

    def _locate(self, selector: str) -> Locator:
        *frames, last = selector.split(INTO_FRAME)
        if not frames:
            return self._page.locator(f"deep={last}")
        inner = self._page.frame_locator(f"deep={frames[0]}")
        for frame in frames[1:]:
            inner = inner.frame_locator(f"deep={frame}")
        return inner.locator(f"deep={last}")

    def _drag(self, element: Locator, target: Locator, share: float, *, within: bool) -> None:
        """Drag with the mouse in steps; within one element, from the opposite place."""
        target.scroll_into_view_if_needed()
        element.scroll_into_view_if_needed()
        x, y = self._place(element, 1 - share if within else 0.5)
        to_x, to_y = self._place(target, share)
        mouse = self._page.mouse
        mouse.move(x, y)
        mouse.down()
        mouse.move(x + DRAG_START, y)
        mouse.move(to_x, to_y, steps=DRAG_STEPS)
        mouse.move(to_x, to_y)
        mouse.up()

    def _place(self, element: Locator, share: float) -> tuple[float, float]:
        """Return a point in the visible part of an element."""
        box = element.bounding_box() or {"x": 0, "y": 0, "width": 0, "height": 0}
        view = self._page.viewport_size or {"width": 1280, "height": 800}
        left, right = max(box["x"], 0), min(box["x"] + box["width"], view["width"])
        top, bottom = max(box["y"], 0), min(box["y"] + box["height"], view["height"])
        return left + (right - left) * share, top + (bottom - top) * share

    def _fill(self, field: Locator, value: str) -> None:
        kind = field.evaluate("field => field.localName === 'input' ? field.type : field.localName")
        if kind == "select":
            field.select_option(value)
        elif kind in ("checkbox", "radio"):
            field.check(force=True)
        else:
            self._do(field, "fill", value)

    @staticmethod
    def _do(element: Locator, kind: str, value: str) -> None:
        try:
            element.evaluate(EVENTS, [kind, value])
        except Error as gone:  # another page replaced this one
            if not any(words in gone.message for words in REPLACED):
                raise

    def _stay(self, route: Route) -> None:
        """Block navigation out of the application, which statecrawl did not follow either."""
        if route.request.is_navigation_request() and route.request.frame == self._page.main_frame:
            route.abort("aborted")
        else:
            route.continue_()

    def _answer(self, dialog: Dialog) -> None:
        if self._agrees:
            dialog.accept()
        else:
            dialog.dismiss()


def _scroll_page(page: Page, _origin: str, _selector: str) -> None:
    page.mouse.wheel(0, page.evaluate("document.documentElement.scrollHeight"))


def _upload(element: Locator, _: str) -> None:
    element.set_input_files({"name": "example.txt", "mimeType": "text/plain", "buffer": b"a file of text\n"})


BY_PAGE: dict[str, Callable[[Page, str, str], object]] = {
    "back": lambda page, _origin, _selector: page.go_back(),
    "open": lambda page, origin, path: page.goto(origin + path),
    "scroll page": _scroll_page,
}
BY_PLAYWRIGHT: dict[str, Callable[[Locator, str], object]] = {
    "select": lambda element, value: element.select_option(value),
    "upload": _upload,
}
