"""Looks of a part of the page: what its states are told apart by, without the parts inside. Pure."""

import re
from dataclasses import dataclass, field

from statecrawl.report.crawl.document import Element, shown_elements
from statecrawl.report.crawl.state_features import StateFeatures, features_of

_GENERATED = re.compile(r"\d{3}|(?=[a-f]*\d)[a-f\d]{6}")  # names that tell nobody anything
CONDITIONS = frozenset(("checked", "current", "disabled", "expanded", "pressed", "selected", "tab"))  # features of rows


@dataclass(frozen=True, slots=True, kw_only=True)
class PartLook:
    """What can be seen of a part."""

    features: StateFeatures = field(default_factory=StateFeatures)
    classes: frozenset[str] = frozenset()
    is_hidden: bool = False  # takes no room in the page

    @property
    def as_row(self) -> "PartLook":
        """The look of a row, whose texts do not count."""
        conditions = {kind: found for kind, found in self.features.kinds.items() if kind in CONDITIONS}
        return PartLook(features=StateFeatures(kinds=conditions), classes=self.classes)


UNSEEN = PartLook()


def look_of(element: Element, others: set[int], *, has_no_room: bool = False) -> PartLook:
    """Return the look of an element. `others` are the ids of the elements of all parts; headings are texts here."""
    return PartLook(
        features=StateFeatures(kinds=features_of("", "", _alone(element, others)).kinds),
        classes=_classes_of(element, others),
        is_hidden=has_no_room and not _is_framed(element),
    )


def _is_framed(element: Element) -> bool:
    """Whether an element is in a frame: where it is in the page is not known."""
    above = element.parent
    while above is not None and above.tag not in ("iframe", "frame"):
        above = above.parent
    return above is not None


def _classes_of(element: Element, others: set[int]) -> frozenset[str]:
    """Return the classes that can be seen in an element, without the parts inside it."""
    shown = shown_elements(element, lambda inner: inner is not element and id(inner) in others)
    names = (name for inner in shown for name in inner.attributes.get("class", "").split())
    return frozenset(name for name in names if not _GENERATED.search(name))


def _alone(element: Element, others: set[int]) -> Element:
    """Return an element without the parts inside it."""
    copies = {id(element): Element(element.tag, None, element.attributes, [], element.is_hidden, element.role)}
    root, pending = copies[id(element)], [element]
    while pending:
        at = pending.pop()
        copy = copies[id(at)]
        for child in at.children:
            if isinstance(child, str):
                copy.children.append(child)
            elif id(child) not in others:
                inner = Element(child.tag, copy, child.attributes, [], child.is_hidden, child.role)
                copies[id(child)] = inner
                copy.children.append(inner)
                pending.append(child)
    document = Element("#document")
    document.children.append(root)
    root.parent = document
    return document
