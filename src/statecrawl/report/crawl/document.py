"""Documents: the elements of a state, as a tree, read from its normal form. Pure.

Pages choose everything in a normal form. So trees are read without recursion, the number of lines is limited, and lines
that do not belong together make a tree, too: an element that was never closed ends with the document.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from statecrawl.ports.page import LINE_END, PLAIN_FIELDS
from statecrawl.privacy.redaction import without_hashes

MOST_LINES = 50_000  # of one state; the rest is not read
MOST_DEEP = 512  # elements inside each other, as many as parsers of HTML allow; what is deeper is not read
MOST_PARTS = 300  # elements and texts of one whose words are read
LONGEST_TEXT = 60  # characters of a text that is part of a name
LONGEST_READ = 600  # characters of a text before it is tidied
WORDLESS = frozenset(("head", "link", "meta", "noscript", "script", "style", "template", "title"))  # show no text
# What is inside an item, such as the branches of a tree, and what is in fields and pictures is no part of its words
NO_WORDS = frozenset(("datalist", "dl", "ol", "option", "select", "svg", "table", "textarea", "ul"))
ROLES_OF_CONTENT = frozenset(("dialog", "group", "listbox", "menu", "tabpanel", "tree"))
_SPACE = re.compile(r"\s+")


@dataclass(slots=True, eq=False)
class Element:
    """An element of a document."""

    tag: str
    parent: "Element | None" = None
    attributes: dict[str, str] = field(default_factory=dict)
    children: "list[Element | str]" = field(default_factory=list)
    is_hidden: bool = False
    role: str = ""  # that the page gave it
    is_busy: bool = False  # an event belongs to it or to an element inside

    @property
    def is_shown(self) -> bool:
        """Whether it can be seen if the elements around it can."""
        return not self.is_hidden and self.tag not in WORDLESS and "hidden" not in self.attributes

    def is_set(self, name: str) -> bool:
        """Whether an attribute such as `aria-checked` is set."""
        return self.attributes.get(name, "").lower() == "true"


def read_document(normal: str) -> Element:
    """Return the root of a document, given its normal form."""
    at = root = Element("#document")
    depth = 0
    for line in normal.split(LINE_END, MOST_LINES)[:MOST_LINES]:
        fields = line.split("\x1f")
        if len(fields) < PLAIN_FIELDS:
            continue
        what, value = fields[1], fields[2]
        depth += (what == "<") - (what == ">" and depth > 0)
        if depth > MOST_DEEP or (depth == MOST_DEEP and what == ">"):
            continue
        if what == "<":
            inner = Element(value, at)
            at.children.append(inner)
            at = inner
        elif what == ">":
            at = at.parent or root
        else:
            _learn(at, what, value)
    return root


def _learn(element: Element, what: str, value: str) -> None:
    """Learn from a line about an open element."""
    if what == '"':
        element.children.append(value)
    elif what == "!":
        _mark_busy(element)
    elif what == "-":
        element.is_hidden = True
    elif what[:1] == "@":
        element.attributes[what[1:]] = value
        if what == "@role":
            element.role = value.strip().lower()


def _mark_busy(element: Element) -> None:
    """Mark an element and those around it, as far as that is not known."""
    at: Element | None = element
    while at is not None and not at.is_busy:
        at.is_busy = True
        at = at.parent


def shown_elements(root: Element, leave_out: Callable[[Element], bool] = lambda _: False) -> Iterator[Element]:
    """Yield what can be seen of an element and everything in it, in order, except what is left out with its content."""
    pending = [root]
    while pending:
        element = pending.pop()
        if element.is_shown and not leave_out(element):
            yield element
            pending += [child for child in reversed(element.children) if isinstance(child, Element)]


def texts_of(
    root: Element, leave_out: Callable[[Element], bool] = lambda _: False, most: int = MOST_LINES
) -> Iterator[str]:
    """Yield the texts that can be seen in an element, in order, looking at so many elements and texts at most."""
    pending: list[Element | str] = [root]
    while pending and most > 0:
        most -= 1
        each = pending.pop()
        if isinstance(each, str):
            yield each
        elif each.is_shown and not leave_out(each):
            pending += reversed(each.children)


def words_of(element: Element) -> str:
    """Return the words of an element itself as one short line, without lists, fields and pictures inside."""
    words = ""
    for text in texts_of(element, lambda inner: inner is not element and _is_no_label(inner), MOST_PARTS):
        words += f"{text} "
        if len(words) > LONGEST_READ:
            break
    return tidied(words)


def _is_no_label(element: Element) -> bool:
    return element.tag in NO_WORDS or element.role in ROLES_OF_CONTENT or element.is_set("aria-hidden")


def tidied(text: str, longest: int = LONGEST_TEXT) -> str:
    """Return text of a page as one short line, without control characters and marks of direction."""
    text = without_hashes(_SPACE.sub(" ", text[:LONGEST_READ]))
    if not text.isprintable():
        text = "".join(letter for letter in text if unicodedata.category(letter)[0] != "C")
    text = text.strip()
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip()}…"
