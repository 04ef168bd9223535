"""Parts of a page in its document: which element each part is, given their places. Pure.

The agent divides a page into regions and tells their places (`browser/agent/regions.js`). A document has the same
elements in the same order, so places that are known lead back to them: an element is a region if the place that it
would have is one of them. What would look like a region only because of its siblings may be taken for one, too; a name
or a picture of the wrong element is all that can come of it. Classes of html and body are parts without an element.
"""

import re
from collections import Counter
from collections.abc import Collection

from statecrawl.model.component_tasks import FIELD, Unit
from statecrawl.report.crawl.document import Element

INLINE = frozenset((
    "#document", "a", "b", "body", "button", "caption", "code", "em", "h1", "h2", "h3", "h4", "h5", "h6", "head",
    "html", "i", "img", "input", "label", "legend", "optgroup", "option", "p", "pre", "select", "shadow root", "small",
    "span", "strong", "summary", "tbody", "td", "textarea", "tfoot", "th", "thead", "title",
))  # fmt: skip
FIELDS = frozenset(("input", "select", "textarea"))
ROWS = frozenset(("dd", "dt", "li", "tr"))
_MAYBE_GENERATED = re.compile(r"[\d:«*]|^_r_")
ROLES_OF_ROWS = frozenset(("listitem", "row", "treeitem"))


def with_containers(places: Collection[str]) -> frozenset[str]:
    """Return places with those of all containers around them."""
    known = set[str]()
    for place in places:
        while place and place not in known:
            known.add(place)
            place = place.rpartition(">")[0]
    return frozenset(known)


def parts_of(root: Element, places: Collection[str]) -> dict[Unit, Element]:
    """Return the elements of a document that have these places, which must include those of their containers."""
    found: dict[Unit, Element] = {}
    counts: Counter[str] = Counter()
    pending = [(root, "")]
    while pending:
        element, around = pending.pop()
        place = next((place for place in _candidates(element, around, places) if place in places), None)
        if place is not None:
            found[place, counts[place]] = element
            counts[place] += 1
        if element.tag != "svg":
            inside = around if place is None else place
            pending += [(child, inside) for child in reversed(element.children) if isinstance(child, Element)]
    return found


def _candidates(element: Element, around: str, places: Collection[str]) -> list[str]:
    """Return the places that an element may have, the most likely first. Only generated ids are no places."""
    if element.tag in FIELDS:
        names = (element.attributes.get(name, "") for name in ("id", "name", "type"))
        return [_inside(around, FIELD + name) for name in (*names, element.tag) if name]
    if element.tag in INLINE or ((element.tag == "svg" or "-" in element.tag) and not _can_be_part(element)):
        return []
    role, id_ = element.role, element.attributes.get("id", "")
    if element.tag in ROWS or role in ROLES_OF_ROWS:
        return [_inside(around, element.tag)]
    if id_ and (f"#{id_}" in places or not _MAYBE_GENERATED.search(id_)):
        return [f"#{id_}"]
    first_class = element.attributes.get("class", "").partition(" ")[0]
    steps = [f"{element.tag}[{role}].{first_class}", f"{element.tag}[{role}]"] * bool(role)
    steps += [f"{element.tag}.{first_class}"] * bool(first_class)
    return [_inside(around, step) for step in (*steps, element.tag)]


def _can_be_part(element: Element) -> bool:
    """Whether a drawing or custom element has what makes it a part: a control inside, an id or a role."""
    return element.is_busy or bool(element.role) or "id" in element.attributes


def _inside(around: str, step: str) -> str:
    return f"{around}>{step}" if around else step
