"""Screens: states that a person would call the same page. Pure.

Two states are on the same screen if their URLs have the same pattern (`urls.url_patterns`) and what can be seen of them
has the same *skeleton*: the tree of elements without texts, with equal siblings counted once and in no order. So a list
is the same screen with three rows and with thirty, sorted or not, and an open dialog or another tab panel is another
screen. Elements that only mark up text (`b`, `span`, …) and the content of pictures are left out, and so are classes
and styles: they change with every focus.

A skeleton is a digest, so it needs no memory. Documents are read without recursion, however deep they are.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b

from statecrawl.report.crawl.document import Element
from statecrawl.urls.url_patterns import UrlPatterns

DIGEST_BYTES = 8
# Elements that mark up text: what is in them belongs to the element around them
TRANSPARENT = {"#document", "shadow root", "abbr", "b", "bdi", "bdo", "cite", "code", "del", "dfn", "em", "font"} | {
    "i", "ins", "kbd", "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "u", "var"
}  # fmt: skip
LEFT_OUT = frozenset(("br", "col", "colgroup", "datalist", "hr", "option", "optgroup", "wbr"))
OPAQUE = frozenset(
    ("audio", "canvas", "map", "math", "object", "picture", "svg", "video")
)  # their content is a picture
KINDS_OF_INPUT = frozenset(("button", "checkbox", "file", "image", "radio", "range", "reset", "submit"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """States that look alike."""

    pattern: str  # of their URLs
    states: tuple[int, ...]  # in the order in which they were found


def skeleton_of(root: Element) -> str:
    """Return a digest of the structure that can be seen of a document; empty if there is nothing in it.

    It is computed from the innermost elements outwards.
    """
    inside: dict[Element, set[str]] = {root: set()}
    order, pending = list[Element](), [root]
    while pending:
        element = pending.pop()
        order.append(element)
        inner = [] if element.tag in OPAQUE else element.children
        pending += [child for child in inner if isinstance(child, Element) and _counts(child)]
    for element in reversed(order):
        parts = inside.pop(element, set())
        if element is root:
            return _hash("", parts) if parts else ""
        around = inside.setdefault(element.parent or root, set())
        if element.tag in TRANSPARENT:
            around |= parts
        else:
            around.add(_hash(_kind(element), parts))
    return ""


def screens_of(states: Iterable[tuple[str, str]]) -> list[Screen]:
    """Group states, given the URL and skeleton of each, into screens in the order in which they were found."""
    patterns, members = UrlPatterns(), dict[tuple[str, str], list[int]]()
    for number, (url, skeleton) in enumerate(states):
        members.setdefault((_pattern(patterns, url), skeleton), []).append(number)
    return [Screen(pattern=pattern, states=tuple(numbers)) for (pattern, _), numbers in members.items()]


def _pattern(patterns: UrlPatterns, url: str) -> str:
    try:
        return patterns.of(url) if url else ""
    except ValueError:  # no URL
        return url


def _counts(element: Element) -> bool:
    return element.is_shown and element.tag not in LEFT_OUT


def _kind(element: Element) -> str:
    """Return what an element is, whatever it says."""
    type_ = element.attributes.get("type", "") if element.tag == "input" else ""
    return f"{element.tag} {element.role} {type_ if type_ in KINDS_OF_INPUT else ''}"


def _hash(kind: str, parts: set[str]) -> str:
    text = f"{kind}\n{' '.join(sorted(parts))}"
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES).hexdigest()
