"""Marks: countable properties of a page, and the selection of marks that distinguish a state from all others.

A mark is a text, the value of a field, the fact that a field is filled, or an element with a tag, an attribute or a
class. All marks of a state follow from its normal form. `MARKS` in assets/conftest.py counts them in a page by the same
rules.

For each state, marks are chosen until no other state has the same number of each. Marks that people notice come first
(texts, then values of fields), classes last. The number of controls is always checked. Classes, attributes and elements
that depend on the position of the pointer or the focus are not marks, because these differ between crawl and test.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from statecrawl.ports.page import lines_of
from statecrawl.privacy.redaction import MARKER

SILENT = {"script", "style", "title", "noscript", "template"}  # elements whose text is not visible
LONGEST = 200  # characters of a mark
LEAST_TEXTS = 12  # texts that are always checked: the rarest ones of the state
CONTROLS = {"<a>", "<button>", "<input>", "<select>", "<textarea>"}  # elements whose number is always checked
STATES_OF_FIELDS = {"checked", "selected", "value"}
WRITABLE, FILLED = {"input", "textarea"}, "filled"
SHOWN = {"display", "visibility"}  # style declarations that affect visibility
UNFIT = {
    "id",
    "for",
    "name",
    "list",
    "form",
    "headers",
    "tabindex",
    "nonce",
    "style",
    "class",
    "aria-labelledby",
    "aria-describedby",
    "aria-controls",
    "aria-owns",
    "aria-activedescendant",
    "aria-details",
    "aria-errormessage",
    "aria-flowto",
}  # often generated, or refer to generated ids, which change with every visit
TEXT, FIELD, ARIA, STYLE, TAG, OTHER, CLASS = range(7)  # kinds of marks, the best first
_PASSING = re.compile(
    "hover|focus|press|ripple|anim|transition", re.IGNORECASE
)  # in names of elements, classes and attributes
_NOTICED = {"role", "hidden", "disabled", "open", "readonly"}

Marks = Mapping[str, int]


def marks_of(normal: str, *, values: bool = True, tags: bool = True) -> Counter[str]:
    """Count the marks of a state.

    Use `values=False` if texts and attributes were not stored, and `tags=False` if the crawl ignored elements that
    tests would count.
    """
    found: Counter[str] = Counter()
    open_tags = [""]
    for _, what, value, *_ in lines_of(normal):
        if what == "<":
            open_tags.append(str(value))
            found[f"<{value}>"] += tags and value != "shadow root"
        elif what == ">":
            open_tags.pop()
        elif open_tags and values:
            found.update(_of_line(open_tags[-1], str(what), " ".join(str(value).split())))
    return Counter({mark: count for mark, count in found.items() if count and _is_sound(mark)})


def _of_line(tag: str, what: str, value: str) -> Iterator[str]:
    name = what.removeprefix("@")
    if what == '"':
        if tag not in SILENT and value:
            yield f'"{value}'
    elif not what.startswith("@") or _PASSING.search(tag):
        return
    elif name == "class":
        yield from (f"{tag} .{token}" for token in value.split() if not _PASSING.search(token))
    elif name == "style":
        for declaration in value.split(";"):
            declared, _, to = declaration.partition(":")
            if declared.strip() in SHOWN:
                yield f"{tag} {declared.strip()}: {to.strip()}"
    elif name not in UNFIT and not _PASSING.search(name):
        yield f"{tag} @{name}={value}"
        if name == "value" and tag in WRITABLE and value not in ("", "*"):
            yield f"{tag} {FILLED}"  # all that is known if the value is a secret


def _is_sound(mark: str) -> bool:
    """Whether a test can count a mark: redacted values do not occur in the page."""
    return len(mark) <= LONGEST and MARKER not in mark and not mark.endswith("=*")


def kind_of(mark: str) -> int:
    """Return the kind of a mark; the smaller, the more reliable."""
    if mark.startswith('"'):
        return TEXT if len(mark) > 2 else OTHER
    if mark.startswith("<"):
        return TAG
    what = mark.partition(" ")[2]
    if what.startswith("."):
        return CLASS
    if not what.startswith("@"):
        return FIELD if what == FILLED else STYLE
    name = what[1:].partition("=")[0]
    if name in STATES_OF_FIELDS:
        return FIELD
    return ARIA if name.startswith("aria-") or name in _NOTICED else OTHER


def chosen(states: Sequence[Marks]) -> list[dict[str, int]]:
    """Return for each state enough marks, with their counts, to distinguish it from every other state."""
    common = Counter(mark for marks in states for mark in marks)
    return [_chosen(number, states, common) for number in range(len(states))]


def _chosen(number: int, states: Sequence[Marks], common: Marks) -> dict[str, int]:
    own = states[number]
    texts = sorted((mark for mark in own if kind_of(mark) == TEXT), key=lambda mark: (common[mark], mark))
    marks = {mark: own[mark] for mark in (*texts[:LEAST_TEXTS], *sorted(CONTROLS & own.keys()))}
    alike = [
        other
        for place, other in enumerate(states)
        if place != number and all(other.get(mark, 0) == count for mark, count in marks.items())
    ]
    while alike:
        other = alike.pop()
        differing = [mark for mark in own.keys() | other.keys() if own.get(mark, 0) != other.get(mark, 0)]
        if differing:  # otherwise only their events differ, which a test cannot check
            best = min(differing, key=lambda mark: (kind_of(mark), mark not in own, len(mark), mark))
            marks[best] = own.get(best, 0)
            alike = [each for each in alike if each.get(best, 0) == marks[best]]
    return marks
