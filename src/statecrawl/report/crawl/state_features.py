"""Features of a state: what a person would name it after. Pure.

A page has a title, a route and headings. What changes on it is told by its dialogs, selected tabs, expanded and checked
items, and, if all of these are equal, by its texts and the content of its fields. Roles and `aria-` attributes count
first; class names such as `active` count only where pages commonly use them instead.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from sys import intern
from urllib.parse import urlsplit

from statecrawl.report.crawl.document import Element, shown_elements, texts_of, tidied, words_of

MOST_OF_A_KIND = 200  # features of one kind
DIALOGS = frozenset(("alertdialog", "dialog"))
POPUPS = frozenset(("listbox", "menu", "tooltip"))
CHECKED = frozenset(("checkbox", "menuitemcheckbox", "menuitemradio", "radio", "switch"))
ROWS = frozenset(("li", "listitem", "row", "tr"))
SELECTED = frozenset(("gridcell", "option", "row", "treeitem"))
TYPED = frozenset(("", "date", "email", "month", "number", "search", "tel", "text", "time", "url", "week", "color"))
LEVELS = {f"h{level}": level for level in range(1, 7)}
CURRENT = frozenset(("active", "current", "is-active", "is-selected", "selected"))  # classes
OPENED = frozenset(("expanded", "is-expanded", "is-open", "open", "opened"))  # classes
ITEMS = frozenset(("a", "button", "li", "tab"))  # elements of which such a class tells something
SECRET = "REDACTED"  # noqa: S105 — the beginning of a mark that replaces a secret
NOTHING = re.compile(r"[^\w]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class StateFeatures:
    """What a state can be named after."""

    title: str = ""
    route: str = ""
    headings: tuple[tuple[int, str], ...] = ()  # each with its level; those of dialogs are left out
    # Features by kind, in the order in which they distinguish states: see KINDS
    kinds: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def has_same(self, other: "StateFeatures", kind: str) -> bool:
        """Whether another state has the same features of a kind."""
        return self.kinds.get(kind, ()) == other.kinds.get(kind, ())


def features_of(url: str, title: str, root: Element) -> StateFeatures:
    """Return the features of a state, given its document (`read_document`), which may be empty."""
    document = _Document(root)
    kinds = {kind: tuple(find(document)) for kind, find in KINDS.items()}
    route = route_of(url)
    return StateFeatures(
        title=tidied(title),
        route=route,
        headings=tuple((level, words) for level, element, words in document.headings() if not _is_in_dialog(element)),
        kinds={kind: found for kind, found in (kinds | {"route": (route,)}).items() if found},
    )


def route_of(url: str) -> str:
    """Return the path of a URL with its query and fragment, as short text."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return tidied(url)
    query, fragment = f"?{parts.query}" * bool(parts.query), f"#{parts.fragment}" * bool(parts.fragment)
    return tidied(f"{parts.path}{query}{fragment}")


class _Document:
    """A document, with what is needed to find the name of an element."""

    def __init__(self, root: Element) -> None:
        self.root = root
        self.shown = list(shown_elements(root))
        self.marked = [element for element in self.shown if element.attributes]  # all others say only what they contain
        self._by_id = {element.attributes["id"]: element for element in self.marked if "id" in element.attributes}
        self._labels = {each.attributes["for"]: each for each in self.marked if "for" in each.attributes}

    def headings(self) -> Iterator[tuple[int, Element, str]]:
        """Yield level, element and words of each heading."""
        for element in self.shown:
            level = _level(element)
            if level and (words := words_of(element)):
                yield level, element, words

    def name(self, element: Element) -> str:
        """Return the name of an element as a screen reader would read it."""
        return self._given_name(element) or words_of(element) or tidied(element.attributes.get("title", ""))

    def field_name(self, element: Element) -> str:
        """Return the name of a field, from its label if it has one."""
        given = self._given_name(element)
        label = self._labels.get(element.attributes.get("id", "")) or _around(element, "label")
        if given or label is not None:
            return given or words_of(label or element)
        attributes = (tidied(element.attributes.get(name, "")) for name in ("title", "placeholder", "value", "name"))
        return _after(element) or next((text for text in attributes if text), "")

    def dialog_name(self, element: Element) -> str:
        """Return the caption of a dialog: its name, its first heading, or its first words."""
        if given := self._given_name(element):
            return given
        for inner in shown_elements(element):
            if (_level(inner) or inner.tag in ("caption", "legend")) and (words := words_of(inner)):
                return words
        return next((words for words in map(tidied, texts_of(element)) if not NOTHING.fullmatch(words)), "")

    def _given_name(self, element: Element) -> str:
        ids = element.attributes.get("aria-labelledby", "").split()
        named = " ".join(words_of(self._by_id[each]) for each in ids if each in self._by_id)
        return tidied(named) or tidied(element.attributes.get("aria-label", ""))


def _level(element: Element) -> int:
    """Return the level of a heading; 0 for everything else."""
    if element.role != "heading":
        return LEVELS.get(element.tag, 0)
    return LEVELS.get(f"h{element.attributes.get('aria-level')}", 2)


def _around(element: Element, tag: str) -> Element | None:
    """Return the element with this tag around another one."""
    above = element.parent
    while above is not None and above.tag != tag:
        above = above.parent
    return above


def _after(element: Element) -> str:
    """Return the text directly after an element."""
    around = element.parent.children if element.parent is not None else []
    text = next((after for before, after in pairwise(around) if before is element), "")
    return tidied(text) if isinstance(text, str) else ""


def _is_dialog(element: Element) -> bool:
    return (
        element.role in DIALOGS
        or element.is_set("aria-modal")
        or (element.tag == "dialog" and "open" in element.attributes)
    )


def _is_in_dialog(element: Element) -> bool:
    above: Element | None = element
    while above is not None and not _is_dialog(above):
        above = above.parent
    return above is not None


def _is_tab(element: Element) -> bool:
    return element.role == "tab" and element.is_set("aria-selected")


def _is_current(element: Element) -> bool:
    if element.role == "tab":
        return False
    if element.attributes.get("aria-current", "false").lower() not in ("", "false"):
        return True
    return _is_item_with(element, CURRENT)


def _is_item_with(element: Element, classes: frozenset[str]) -> bool:
    return element.tag in ITEMS and not classes.isdisjoint(element.attributes.get("class", "").lower().split())


def _is_expanded(element: Element) -> bool:
    is_open = element.is_set("aria-expanded") or (element.tag == "details" and "open" in element.attributes)
    return is_open or _is_item_with(element, OPENED)


def _is_disabled(element: Element) -> bool:
    return "disabled" in element.attributes or element.is_set("aria-disabled")


def _is_checked(element: Element) -> bool:
    return (element.tag == "input" and "checked" in element.attributes) or (
        element.role in CHECKED and element.is_set("aria-checked")
    )


def _is_selected(element: Element) -> bool:
    return element.role in SELECTED and element.is_set("aria-selected")


def _named(is_one: Callable[[Element], bool]) -> Callable[[_Document], Iterable[str]]:
    def find(document: _Document) -> Iterable[str]:
        return _distinct(document.name(element) for element in document.marked if is_one(element))

    return find


def _summary(element: Element) -> Element:
    """Return the part of an expanded element that names it."""
    inner = (child for child in element.children if isinstance(child, Element) and child.tag == "summary")
    return next(inner, element)


def _expanded(document: _Document) -> Iterable[str]:
    """Expanded items, except those that only tell that a menu of the same name is open."""
    menus = set(KINDS["menu"](document))
    names = (document.name(_summary(element)) for element in document.marked if _is_expanded(element))
    return _distinct(name for name in names if name not in menus)


def _dialogs(document: _Document) -> Iterable[str]:
    """Captions of open dialogs; a dialog without any text has an empty one."""
    dialogs = [element for element in document.marked if _is_dialog(element)]
    return dict.fromkeys([document.dialog_name(dialog) for dialog in dialogs][:MOST_OF_A_KIND])


def _checked(document: _Document) -> Iterable[str]:
    return _distinct(document.field_name(element) for element in document.marked if _is_checked(element))


def _options(document: _Document) -> Iterable[str]:
    """Chosen options of lists, except those that are chosen because they are the first of their list."""
    options = (each for each in document.marked if each.tag == "option" and "selected" in each.attributes)
    return _distinct(words_of(option) for option in options if not _is_first(option))


def _is_first(option: Element) -> bool:
    return option.parent is not None and next(iter(option.parent.children), None) is option


def _fields(document: _Document) -> Iterable[str]:
    """Values of fields that are typed into, except secrets."""
    values = (
        element.attributes.get("value", "")
        for element in document.marked
        if element.tag == "textarea" or (element.tag == "input" and element.attributes.get("type", "") in TYPED)
    )
    return _distinct(tidied(value) for value in values if SECRET not in value)


def _texts(document: _Document) -> Iterable[str]:
    """Texts that can be seen, except those of lists of options."""
    texts = texts_of(document.root, lambda element: element.tag in ("option", "svg", "textarea"))
    return _distinct(tidied(text) for text in texts if not text.isspace())


def _rows(document: _Document) -> Iterable[str]:
    """The number of rows and list items, which tells lists of equal rows apart."""
    rows = sum(element.tag in ROWS or element.role in ROWS for element in document.shown)
    return (f"{rows} {'row' if rows == 1 else 'rows'}",) if rows else ()


def _distinct(texts: Iterable[str]) -> Iterable[str]:
    known: dict[str, None] = {}
    for text in texts:
        if not NOTHING.fullmatch(text):
            known[intern(text)] = None  # many states have the same texts
            if len(known) == MOST_OF_A_KIND:
                break
    return known


KINDS: dict[str, Callable[[_Document], Iterable[str]]] = {
    "dialog": _dialogs,
    "tab": _named(_is_tab),
    "current": _named(_is_current),
    "route": lambda _: (),
    "menu": _named(lambda element: element.role in POPUPS),
    "expanded": _expanded,
    "checked": _checked,
    "pressed": _named(lambda element: element.is_set("aria-pressed")),
    "selected": _named(_is_selected),
    "option": _options,
    "heading": lambda document: _distinct(words for _, _, words in document.headings()),
    "text": _texts,
    "field": _fields,
    "disabled": _named(_is_disabled),
    "count": _rows,
}
