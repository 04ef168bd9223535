"""Stored HTML as a tree of elements, with the selectors that tests on it need.

Chromium writes documents with all their end tags, so every tag but those of void elements is closed. Selectors are a
small part of CSS: tags, #ids, .classes and [attributes], combined by a space (inside) or by + (right after).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])
UNSEEN = frozenset(("head", "script", "style", "template", "noscript"))
INSIDE, AFTER = " ", "+"

_PART = re.compile(r"""([#.]?)([\w-]+)|\[([\w-]+)(?:="([^"]*)")?\]""")
_STEP = re.compile(r"\s*(\+)\s*|\s+")


@dataclass(eq=False, slots=True)
class Element:
    """An element, or the document."""

    tag: str
    attributes: dict[str, str]
    parent: "Element | None" = None
    before: "Element | None" = None  # the element right before it
    children: "list[Element | str]" = field(default_factory=list)

    @property
    def is_visible(self) -> bool:
        """Whether nothing hides this element or one around it, as far as the HTML tells."""
        is_closed = self.tag == "dialog" and "open" not in self.attributes
        hides = is_closed or "hidden" in self.attributes or self.tag in UNSEEN
        return not hides and (self.parent is None or self.parent.is_visible)

    @property
    def text(self) -> str:
        """Return the visible text, with single spaces."""
        return " ".join(" ".join(self._texts()).split())

    def _texts(self) -> Iterator[str]:
        for child in self.children:
            if isinstance(child, str):
                yield child
            elif child.is_visible:
                yield from child._texts()

    def all(self) -> "Iterator[Element]":
        """Yield this element and those inside it, in document order."""
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.all()

    def select(self, selector: str) -> "Iterator[Element]":
        """Yield the elements that match a selector, from this one on inwards. Raises ValueError if it is invalid."""
        steps = _parsed(selector)
        return (element for element in self.all() if _matches(element, steps, len(steps) - 1))


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.document = self.open = Element("", {})

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        siblings = [child for child in self.open.children if isinstance(child, Element)]
        element = Element(
            tag, {name: value or "" for name, value in attrs}, self.open, siblings[-1] if siblings else None
        )
        self.open.children.append(element)
        if tag not in VOID:
            self.open = element

    def handle_endtag(self, tag: str) -> None:
        if self.open.tag == tag and self.open.parent is not None:
            self.open = self.open.parent

    def handle_data(self, data: str) -> None:
        self.open.children.append(data)


def parsed_html(html: str) -> Element:
    """Return the document that was stored as this HTML."""
    builder = _Builder()
    builder.feed(html)
    builder.close()
    return builder.document


Steps = list[tuple[str, list[tuple[str, str, str, str | None]]]]  # how to get there, and the parts of a compound


def _parsed(selector: str) -> Steps:
    steps: Steps = []
    at, how = 0, INSIDE
    while True:
        compound: list[tuple[str, str, str, str | None]] = []
        while (part := _PART.match(selector, at)) is not None:
            compound.append((part[1] or "", part[2] or "", part[3] or "", part[4]))
            at = part.end()
        if not compound:
            raise ValueError(f"'{selector}' is not a selector that can be used here")
        steps.append((how, compound))
        if at == len(selector):
            return steps
        step = _STEP.match(selector, at)
        if step is None:
            raise ValueError(f"'{selector}' is not a selector that can be used here")
        at, how = step.end(), step[1] or INSIDE


def _matches(element: Element, steps: Steps, last: int) -> bool:
    how, parts = steps[last]
    if not all(_has(element, *part) for part in parts):
        return False
    if last == 0:
        return True
    if how == AFTER:
        return element.before is not None and _matches(element.before, steps, last - 1)
    around = element.parent
    while around is not None and not _matches(around, steps, last - 1):
        around = around.parent
    return around is not None


def _has(element: Element, mark: str, name: str, attribute: str, value: str | None) -> bool:
    if attribute:
        return attribute in element.attributes and value in (None, element.attributes[attribute])
    if mark == "#":
        return element.attributes.get("id") == name
    if mark == ".":
        return name in element.attributes.get("class", "").split()
    return element.tag == name
