"""Features of a state: what a person would name it after. Pure.

A page has a title, a route and headings. What changes on it is told by its dialogs, selected tabs, expanded and checked
items, and, if all of these are equal, by its texts and the content of its fields. Roles and `aria-` attributes count
first; class names such as `active` count only where pages commonly use them instead.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from sys import intern
from urllib.parse import urlsplit

from statecrawl.report.crawl.document import Element, texts_of, tidied, words_of
from statecrawl.report.crawl.element_names import NamedDocument

MOST_OF_A_KIND = 200  # features of one kind
DIALOGS = frozenset(("alertdialog", "dialog"))
POPUPS = frozenset(("listbox", "menu", "tooltip"))
CHECKED = frozenset(("checkbox", "menuitemcheckbox", "menuitemradio", "radio", "switch"))
ROWS = frozenset(("li", "listitem", "row", "tr"))
SELECTED = frozenset(("gridcell", "option", "row", "treeitem"))
TYPED = frozenset(("", "date", "email", "month", "number", "search", "tel", "text", "time", "url", "week", "color"))
CURRENT = frozenset(("active", "current", "is-active", "is-selected", "selected"))  # classes
OPENED = frozenset(("expanded", "is-expanded", "is-open", "open", "opened"))  # classes
ITEMS = frozenset(("a", "button", "li", "tab"))  # elements of which such a class tells something
SECRET = "REDACTED"  # noqa: S105 — the beginning of a mark that replaces a secret


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
    document = NamedDocument(root)
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


def _named(is_one: Callable[[Element], bool]) -> Callable[[NamedDocument], Iterable[str]]:
    def find(document: NamedDocument) -> Iterable[str]:
        return _distinct(document.name(element) for element in document.marked if is_one(element))

    return find


def _summary(element: Element) -> Element:
    """Return the part of an expanded element that names it."""
    inner = (child for child in element.children if isinstance(child, Element) and child.tag == "summary")
    return next(inner, element)


def _expanded(document: NamedDocument) -> Iterable[str]:
    """Expanded items, except those that only tell that a menu of the same name is open."""
    menus = set(KINDS["menu"](document))
    names = (document.name(_summary(element)) for element in document.marked if _is_expanded(element))
    return _distinct(name for name in names if name not in menus)


def _dialogs(document: NamedDocument) -> Iterable[str]:
    """Captions of open dialogs; a dialog without any text has an empty one."""
    dialogs = [element for element in document.marked if _is_dialog(element)]
    return dict.fromkeys(document.dialog_name(dialog) for dialog in dialogs[:MOST_OF_A_KIND])


def _checked(document: NamedDocument) -> Iterable[str]:
    checked = [element for element in document.marked if _is_checked(element)]
    return _distinct(document.field_name(element) for element in checked[:MOST_OF_A_KIND])


def _options(document: NamedDocument) -> Iterable[str]:
    """Chosen options of lists, except those that are chosen because they are the first of their list."""
    options = (each for each in document.marked if each.tag == "option" and "selected" in each.attributes)
    return _distinct(words_of(option) for option in options if not _is_first(option))


def _is_first(option: Element) -> bool:
    return option.parent is not None and next(iter(option.parent.children), None) is option


def _fields(document: NamedDocument) -> Iterable[str]:
    """Values of fields that are typed into, except secrets."""
    values = (
        element.attributes.get("value", "")
        for element in document.marked
        if element.tag == "textarea" or (element.tag == "input" and element.attributes.get("type", "") in TYPED)
    )
    return _distinct(tidied(value) for value in values if SECRET not in value)


def _texts(document: NamedDocument) -> Iterable[str]:
    """Texts that can be seen, except those of lists of options."""
    texts = texts_of(document.root, lambda element: element.tag in ("option", "svg", "textarea"))
    return _distinct(tidied(text) for text in texts if not text.isspace())


def _rows(document: NamedDocument) -> Iterable[str]:
    """The number of rows and list items, which tells lists of equal rows apart."""
    rows = sum(element.tag in ROWS or element.role in ROWS for element in document.shown)
    return (f"{rows} {'row' if rows == 1 else 'rows'}",) if rows else ()


def _distinct(texts: Iterable[str]) -> Iterable[str]:
    known: dict[str, None] = {}
    for text in texts:
        if any(map(str.isalnum, text)):
            known[intern(text)] = None  # many states have the same texts
            if len(known) == MOST_OF_A_KIND:
                break
    return known


KINDS: dict[str, Callable[[NamedDocument], Iterable[str]]] = {
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
