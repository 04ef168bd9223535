"""Walks a browser to the states of an application, and says whether they are what statecrawl found.

Needs `pip install pytest playwright` and any Chrome or Chromium: the one that STATECRAWL_BROWSER names, one that is
installed, or Playwright's own. If the application needs a login, add it to `Walk.begin`. If its server keeps what the
tests do, reset it in `Walk.begin` as well: each test begins with a fresh browser session, but not with a fresh server.
"""

import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Dialog, Error, Locator, Page, Route, sync_playwright

VARIABLE = "STATECRAWL_BROWSER"
PATIENCE = 10_000  # milliseconds, for a state to be reached or an element to be there
MOMENT = 1.5  # seconds for an element to come to where a pointer can reach it
PAUSE = 30  # milliseconds between two looks at the page
LONGEST_TITLE = 300  # characters that statecrawl keeps
PRESS, LONG_PRESS = 50, 800  # milliseconds
NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chromium-headless-shell")
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

# Has every shadow tree be one that can be looked into.
OPEN_SHADOWS = """(() => {
    const attach = Element.prototype.attachShadow;
    Element.prototype.attachShadow = function attachShadow(init) {
        return attach.call(this, { ...init, mode: 'open' });
    };
})()"""

# Counts marks in the page, as statecrawl does: texts, what is in fields, tags, attributes, classes.
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

# What a pointer at the centre of an element hits: it, its label, or nothing of it. Then, where a pointer may reveal it.
REACH = """(element) => {
    const middle = (box) => ({ x: box.left + box.width / 2, y: box.top + box.height / 2 });
    const isShown = (node) =>
        node.checkVisibility({ visibilityProperty: true }) && node.getBoundingClientRect().width > 0;
    const up = (node) => {
        let at = node.assignedSlot || node.parentNode;
        while (at && at.nodeType !== 1) at = at.host || null;
        return at;
    };
    element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    const at = middle(element.getBoundingClientRect());
    let hit = document.elementFromPoint(at.x, at.y);
    while (hit && hit.shadowRoot) {
        const deeper = hit.shadowRoot.elementFromPoint(at.x, at.y);
        if (!deeper || deeper === hit) break;
        hit = deeper;
    }
    for (let node = isShown(element) ? hit : null; node; node = up(node)) {
        if (node === element) return { hits: 'element' };
        if (node.localName === 'label' && node.control === element) return { hits: 'label' };
    }
    let around = up(element);
    while (around && !isShown(around)) around = up(around);
    return around ? { hits: '', ...middle(around.getBoundingClientRect()) } : { hits: '' };
}"""

# What a pointer would do, for an element that no pointer reaches.
DISPATCH = """(element, kind) => {
    const more = { bubbles: true, cancelable: true, composed: true, view: window };
    const point = (type, extra) => {
        const Kind = type.startsWith('pointer') || type === 'click' ? PointerEvent : MouseEvent;
        element.dispatchEvent(new Kind(type, { ...more, ...extra }));
    };
    const moves = ['pointerover', 'pointerenter', 'mouseover', 'mouseenter', 'pointermove', 'mousemove'];
    for (const type of moves) point(type, { bubbles: !type.endsWith('enter') });
    if (kind === 'hover') return;
    const button = kind === 'contextmenu' ? 2 : 0;
    for (let detail = 1; detail <= (kind === 'dblclick' ? 2 : 1); detail += 1) {
        for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup']) point(type, { button, detail });
        if (button === 0) point('click', { detail });
    }
    if (kind === 'dblclick' || kind === 'contextmenu') point(kind, { button, detail: 2 });
}"""

# What a keyboard would do, for an element that cannot have the focus.
TYPE = """(element, key) => {
    const more = { key, bubbles: true, cancelable: true, composed: true };
    if (element.dispatchEvent(new KeyboardEvent('keydown', more))) {
        element.dispatchEvent(new KeyboardEvent('keypress', more));
    }
    element.dispatchEvent(new KeyboardEvent('keyup', more));
}"""

# Writes into a field that is not shown.
WRITE = """(element, value) => {
    const owner = element.localName === 'textarea' ? HTMLTextAreaElement : HTMLInputElement;
    if ('value' in element) Object.getOwnPropertyDescriptor(owner.prototype, 'value').set.call(element, value);
    else element.textContent = value;
    const more = { bubbles: true, composed: true, data: value, inputType: 'insertText' };
    element.dispatchEvent(new InputEvent('input', more));
}"""


def pytest_addoption(parser: pytest.Parser) -> None:
    with suppress(ValueError):  # pytest-base-url has the same option
        parser.addoption("--base-url", help="Where the application is now, as in http://localhost:8000.")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    program = os.environ.get(VARIABLE) or next(filter(None, map(shutil.which, NAMES)), None)
    with sync_playwright() as playwright:
        playwright.selectors.register("deep", ENGINE)
        browser = playwright.chromium.launch(executable_path=program)
        yield browser
        browser.close()


@pytest.fixture
def walk(chromium: Browser, request: pytest.FixtureRequest) -> Iterator["Walk"]:
    origin = str(request.config.getoption("--base-url") or request.module.ORIGIN).rstrip("/")
    context = chromium.new_context(
        viewport={"width": 1280, "height": 800},
        locale="en-US",
        timezone_id="UTC",
        reduced_motion="reduce",
        accept_downloads=False,
    )
    context.add_init_script(OPEN_SHADOWS)
    yield Walk(context.new_page(), origin, [origin, *request.module.OTHERS])
    context.close()


class Walk:
    """A page in a session of its own."""

    def __init__(self, page: Page, origin: str, servers: Sequence[str]) -> None:
        self._page = page
        self._origin = origin
        self._servers = tuple(f"{server}/" for server in servers)
        self._agrees = True  # how dialogs are answered
        page.on("dialog", self._answer)
        page.on("popup", lambda opened: opened.close())
        page.route(lambda url: not url.startswith(self._servers), self._stay)
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
            self._fill(self._found(field), written)
        if kind in BY_PAGE:
            BY_PAGE[kind](self._page, self._origin, selector)
        elif kind == "drag":
            self._found(selector).drag_to(self._found(value))
        else:
            DEEDS[kind](self._found(selector), value)

    def arrives(self, *, title: str | None, path: str | None, marks: Mapping[str, int]) -> None:
        """Whether the page is, or gets, into a state: by its title, the path of its URL, and what can be counted."""
        expected: dict[str, object] = dict(marks)
        if title is not None:
            expected["title"] = title
        if path is not None:
            expected["path"] = path
        until = time.monotonic() + PATIENCE / 1000
        while (wrong := self._wrong(expected)) and time.monotonic() < until:
            self._page.wait_for_timeout(PAUSE)
        if wrong:
            pytest.fail(f"the page is not in the state that it should be in; expected and found: {wrong}")

    def _wrong(self, expected: Mapping[str, object]) -> dict[str, tuple[object, object]]:
        """What is not as it should be; everything, while another page is being loaded."""
        try:
            found: dict[str, object] = self._page.evaluate(MARKS, list(expected))
            found["title"] = " ".join(self._page.title().split())[:LONGEST_TITLE]
            found["path"] = urlsplit(self._page.url).path or "/"
        except Error:
            found = {}
        return {mark: (value, found.get(mark)) for mark, value in expected.items() if found.get(mark) != value}

    def _found(self, selector: str) -> Locator:
        *frames, last = selector.split(INTO_FRAME)
        if not frames:
            return self._page.locator(f"deep={last}")
        inner = self._page.frame_locator(f"deep={frames[0]}")
        for frame in frames[1:]:
            inner = inner.frame_locator(f"deep={frame}")
        return inner.locator(f"deep={last}")

    @staticmethod
    def _fill(field: Locator, value: str) -> None:
        if field.evaluate("field => field.localName") == "select":
            field.select_option(value)
        else:
            _write(field, value)

    def _stay(self, route: Route) -> None:
        """Keep the page at the application: statecrawl did not follow what leads elsewhere."""
        if route.request.is_navigation_request() and route.request.frame == self._page.main_frame:
            route.abort("aborted")
        else:
            route.continue_()

    def _answer(self, dialog: Dialog) -> None:
        if self._agrees:
            dialog.accept()
        else:
            dialog.dismiss()


def _hit(element: Locator) -> str:
    """What a pointer at an element hits, if need be after pointing at what is around it: it, its label, or nothing."""
    until = time.monotonic() + MOMENT
    while True:
        place = element.evaluate(REACH)
        if place["hits"] or time.monotonic() > until:
            return str(place["hits"])
        if "x" in place:
            element.page.mouse.move(place["x"], place["y"])
        element.page.wait_for_timeout(PAUSE)


def _point(kind: str) -> Callable[[Locator, str], None]:
    """Do something with the pointer: at the element, else at its label, else by events that say so."""

    def do(element: Locator, _: str) -> None:
        if hit := _hit(element):
            GESTURES[kind](element, hit != "element")
            return
        label = element.evaluate_handle("element => (element.labels && element.labels[0]) || null").as_element()
        if kind == "click" and label is not None and label.is_visible():
            label.click(delay=PRESS)
        else:
            element.evaluate(DISPATCH, kind)

    return do


def _write(element: Locator, value: str) -> None:
    field = element.element_handle()
    if field.is_visible():
        field.fill(value)
    else:
        field.evaluate(WRITE, value)
    field.dispatch_event("change")  # also when the page has taken the field away


def _leave(element: Locator, _: str) -> None:
    DEEDS["hover"](element, "")
    element.page.mouse.move(0, 0)


def _blur(element: Locator, _: str) -> None:
    element.focus()
    element.blur()


def _press(element: Locator, key: str) -> None:
    if element.evaluate("element => element === document.body"):
        element.page.keyboard.press(key)  # wherever the focus is
        return
    element.focus()
    if element.evaluate("element => element.matches(':focus')"):
        element.page.keyboard.press(key)
    else:
        element.evaluate(TYPE, key)


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


# With True, what the pointer hits is not the element, but stands for it.
GESTURES: dict[str, Callable[[Locator, bool], object]] = {
    "click": lambda element, force: element.click(delay=PRESS, force=force),
    "dblclick": lambda element, force: element.dblclick(force=force),
    "contextmenu": lambda element, force: element.click(button="right", force=force),
    "longpress": lambda element, force: element.click(delay=LONG_PRESS, force=force),
    "hover": lambda element, force: element.hover(force=force),
}
BY_PAGE: dict[str, Callable[[Page, str, str], object]] = {
    "back": lambda page, _origin, _selector: page.go_back(),
    "open": lambda page, origin, path: page.goto(origin + path),
    "scroll page": _scroll_page,
}
DEEDS: dict[str, Callable[[Locator, str], object]] = {
    **{kind: _point(kind) for kind in GESTURES},
    "leave": _leave,
    "focus": lambda element, _: element.focus(),
    "blur": _blur,
    "input": _write,
    "select": lambda element, value: element.select_option(value),
    "key": _press,
    "submit": _submit,
    "scroll": _scroll,
    "upload": _upload,
}
