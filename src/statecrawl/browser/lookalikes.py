"""Look-alikes: states that differ only in what a page notes for itself. Pure.

Theory of operation
    Pages write down things that users do not see: a class at the element under the pointer or with the focus, and
    numbers that distinguish elements and increase with each new one. Two states that are equal in everything else,
    including controls and text, are *look-alikes*. That alone does not make them one state, because a class may be all
    that distinguishes a selected row from others. Evidence decides what may be left out. It becomes a rule in the
    journal, so that all nodes distinguish states in the same way:

    Marks of pointer and focus. In a look-alike the pointer is moved away and the focus taken off. What changes then,
    while everything else and the visible text stay the same, was there because of them (`marks`): classes, `data-`
    attributes, and attributes without a value of custom elements. What other elements have at rest, at the same place
    and with the same value, has another meaning, and stays.

    Notes of fields. Frameworks note in the classes of a field and of its form whether it was touched or changed
    (ng-dirty). Classes in which look-alikes differ are left out if only fields with a value and forms carry them, and
    no style sheet of the page names them, so that they are invisible (`notes_of_fields`).

    Counters. Three look-alikes in a row that one page passed without a reset, and that differ only in numbers, each
    number greater than the one before, prove that these numbers are counters (`Lookalikes.counters`).
"""

import hashlib
import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise

from statecrawl.browser.dynamic_content import ComparedElement, Line, Rule, tree

ANYWHERE = ""  # the place of a rule that applies to every element
IDS = frozenset(("id", "name"))
REFERENCES = frozenset(("for", "list", "form", "headers", "href", "xlink:href", "usemap")) | {
    f"aria-{what}"
    for what in ("labelledby", "controls", "describedby", "owns", "activedescendant", "details", "flowto")
}
HASH = frozenset(("href", "xlink:href", "usemap"))  # these refer to an element only after a #
DATA = "data-"
FIELDS = frozenset(("input", "select", "textarea", "form"))
PRESSED = frozenset(("button", "submit", "reset", "image"))  # types of inputs without a value
DIGITS = re.compile(r"\d+")
LEAST_CHAIN = 3  # look-alikes in a row that prove a counter
MOST_SAME_MARKS = 4  # look-alikes with the same marks whose numbers are stored
MOST_ALIKE = 16  # look-alikes with any marks
MOST_COMPARED = 3  # with which a state is compared for notes of fields
MOST_NOTES = 40  # such comparisons in one crawl: each reads two normal forms
MOST_SLOTS = 2000  # numbers in one state; with more, nothing is a counter
LONGEST_NUMBER = 18  # digits
MOST_RESTS = 40  # in one crawl: each may cost a reset

Slot = tuple[str, str]  # an attribute, and its value with a star for each number: ("id", "row-*")


@dataclass(frozen=True, slots=True)
class Likeness:
    """The features of a state by which look-alikes are found."""

    skeleton: bytes  # digest of everything that look-alikes have in common
    marks: bytes  # digest of classes and data attributes, without numbers
    shape: bytes  # digest of the slots
    numbers: "array[int]"  # of all slots, in order
    slots: tuple[Slot, ...] = ()
    widths: tuple[int, ...] = ()  # how many numbers each slot has

    def compact(self) -> "Likeness":
        """Return what is stored of a state: there are many states, each with slots of thousands of elements."""
        return replace(self, slots=(), widths=())


def likeness(normal: str) -> Likeness:
    """Extract the features of a normal form."""
    common: list[str] = []
    noted: list[str] = []
    slots: list[Slot] = []
    widths: list[int] = []
    numbers = array("q")
    tag = ""
    for line in normal.split("\x1e"):
        what, _, value = line.partition("\x1f")[2].partition("\x1f")
        name = what[1:] if what[:1] == "@" else ""
        if what == "<":
            tag = value
        if name and _may_count(name, value) and (found := DIGITS.findall(value)):
            value = DIGITS.sub("*", value)
            slots.append((name, value))
            widths.append(len(found))
            numbers.extend(int(number[:LONGEST_NUMBER]) for number in found)
        elif what == "!":
            value = DIGITS.sub("*", value)
        (noted if name == "class" or _is_note(tag, name, value) else common).append(f"{what}\x1f{value}")
    if len(slots) > MOST_SLOTS:
        slots, widths, numbers = [], [], array("q")
    shape = _digest([f"{width} {name}={value}" for width, (name, value) in zip(widths, slots, strict=True)])
    return Likeness(_digest(common), _digest(noted), shape, numbers, tuple(slots), tuple(widths))


def _digest(lines: list[str]) -> bytes:
    return hashlib.blake2b("\x1e".join(lines).encode(errors="replace"), digest_size=16).digest()


def _is_note(tag: str, name: str, value: str) -> bool:
    """Return whether a page may use an attribute for an invisible note."""
    return name.startswith(DATA) or (value == "" and name != "" and "-" in tag)


def _may_count(name: str, value: str) -> bool:
    if name in HASH:
        return value.startswith("#")
    return name in IDS or name in REFERENCES or name.startswith(DATA)


@dataclass(slots=True)
class Lookalikes:
    """Index of states by what look-alikes have in common."""

    rests: int = 0  # how often a page was put at rest
    notes: int = 0  # how often normal forms were compared for notes of fields
    _known: dict[bytes, list[tuple[str, Likeness]]] = field(default_factory=dict)

    def met(self, state: str, normal: str) -> Likeness | None:
        """Add a new state. Return its features, or None when it has no look-alike."""
        like = likeness(normal)
        similar = self._known.setdefault(like.skeleton, [])
        similar.append((state, like.compact()))
        same = [number for number, (_, each) in enumerate(similar) if each.marks == like.marks]
        if len(same) > MOST_SAME_MARKS:
            del similar[same[1]]  # the first stays: counters of the others start from it
        elif len(similar) > MOST_ALIKE:
            del similar[1]
        return like if len(similar) > 1 else None

    @property
    def is_exhausted(self) -> bool:
        """Whether the limit of rests is reached."""
        return self.rests >= MOST_RESTS

    def has_other_marks(self, like: Likeness) -> bool:
        """Return whether there is a look-alike with other classes or data attributes, which a rest may explain."""
        return any(each.marks != like.marks for _, each in self._known[like.skeleton])

    def wants_rest(self, state: str, like: Likeness) -> bool:
        """Return whether a page should be put at rest because of this state."""
        if self.is_exhausted or not self.has_other_marks(like):
            return False
        self.rests += 1
        return True

    def marked_otherwise(self, like: Likeness) -> list[str]:
        """Return the last look-alikes with other classes or data attributes, within the limit of comparisons."""
        others = [state for state, each in self._known[like.skeleton] if each.marks != like.marks][-MOST_COMPARED:]
        if self.notes >= MOST_NOTES:
            return []
        self.notes += len(others)
        return others

    def counters(self, state: str, like: Likeness, trail: Sequence[str]) -> frozenset[Rule]:
        """Return the counters that a state and its look-alikes prove; `trail` has the states since the last reset."""
        alike = {
            other: known
            for other, known in self._known[like.skeleton]
            if (known.marks, known.shape) == (like.marks, like.shape)
        }
        chain = [alike[other] for other in dict.fromkeys((*trail, state)) if other in alike]
        if len(chain) < LEAST_CHAIN or not like.slots:
            return frozenset()
        ends = tuple(accumulate(like.widths))
        places = (slice(end - width, end) for end, width in zip(ends, like.widths, strict=True))
        series = [
            (slot, [tuple(each.numbers[place]) for each in chain])
            for slot, place in zip(like.slots, places, strict=True)
        ]
        counted = [(slot, numbers) for slot, numbers in series if len(set(numbers)) > 1]
        if not counted or not all(_rises(numbers) for _, numbers in counted):
            return frozenset()
        templates = {slot for slot, _ in counted}
        return frozenset(
            (ANYWHERE, f"@{name}={value}") for name, value in templates if name in IDS or name.startswith(DATA)
        )


def _rises(numbers: Sequence[tuple[int, ...]]) -> bool:
    """Return whether each item is greater than the one before, wherever they differ."""
    steps = pairwise(numbers)
    return all(old != new and all(a <= b for a, b in zip(old, new, strict=True)) for old, new in steps)


def data_attributes(rules: Iterable[Rule]) -> frozenset[str]:
    """Return the names of data attributes in rules about counters."""
    return frozenset(name for _, what in rules if (name := what[1:].partition("=")[0]).startswith(DATA))


def marks(before: Sequence[Line], after: Sequence[Line], known: frozenset[Rule] = frozenset()) -> frozenset[Rule]:
    """Return the marks of pointer and focus, given a state before and at rest; none when anything else differs.

    A class that marks them at two places does so everywhere, unless an element has it at rest: the same class may show
    which tab is selected.
    """
    if [line for line in before if line[1] == "!"] != [line for line in after if line[1] == "!"]:
        return frozenset()
    if list(_shown(before)) != list(_shown(after)):
        return frozenset()
    one, other = tree(before), tree(after)
    try:
        found = set(_toggled(one, other))
    except _Differs:
        return frozenset()
    gone, came = set(_lost(one, other)), set(_lost(other, one))
    resting = {noted for element in other.everything() for noted in _noted(element)} - came
    found -= {(place, what) for place, what, _ in gone & resting}
    places = {what: place for place, what in known if what[:1] == "."}
    classes_at_rest = {what for _, what, _ in resting}
    found |= {
        (ANYWHERE, what)
        for place, what in found
        if what[:1] == "." and places.get(what, place) != place and what not in classes_at_rest
    }
    return frozenset(found)


def _shown(lines: Iterable[Line]) -> Iterator[str]:
    """Return the visible texts."""
    hidden = 0  # depth inside the outermost hidden element
    for line in lines:
        match line[1]:
            case "-":
                hidden = 1
            case "<" if hidden:
                hidden += 1
            case ">" if hidden:
                hidden -= 1
            case '"' if not hidden:
                yield str(line[2])
            case _:
                pass


def notes_of_fields(one: Sequence[Line], other: Sequence[Line]) -> frozenset[Rule]:
    """Return the classes in which two states differ, if only fields and forms have them, and nothing else differs."""
    if [line for line in one if line[1] == "!"] != [line for line in other if line[1] == "!"]:
        return frozenset()
    trees = tree(one), tree(other)
    try:
        words = {what for _, what in _toggled(*trees)}
    except _Differs:
        return frozenset()
    elements = (element for each in trees for element in each.everything() if not _is_field(element))
    used = {f".{word}" for element in elements for word in _words(element)}
    if any(not word.startswith(".") or word in used for word in words):
        return frozenset()
    return frozenset((ANYWHERE, word) for word in words)


def _is_field(element: ComparedElement) -> bool:
    return element.tag in FIELDS and element.attributes.get("@type", "").lower() not in PRESSED


class _Differs(Exception):
    """The states differ in more than classes and data attributes."""


def _toggled(one: ComparedElement, other: ComparedElement) -> Iterator[Rule]:
    """Return rules that make two trees equal. A rule names the place of an element with the class."""
    same = (one.tag, one.carries, one.texts) == (other.tag, other.carries, other.texts)
    if not same or len(one.inside) != len(other.inside):
        raise _Differs
    for name in one.attributes.keys() | other.attributes.keys():
        if one.attributes.get(name) == other.attributes.get(name):
            continue
        if name == "@class":
            yield from ((one.place, f".{word}") for word in _words(one) - _words(other))
            yield from ((other.place, f".{word}") for word in _words(other) - _words(one))
        elif _is_note(one.tag, name[1:], one.attributes.get(name, "") or other.attributes.get(name, "")):
            yield (one if name in one.attributes else other).place, name
        else:
            raise _Differs
    for here, there in zip(one.inside, other.inside, strict=True):
        yield from _toggled(here, there)


def _lost(one: ComparedElement, other: ComparedElement) -> Iterator[tuple[str, str, str]]:
    """Return what elements of the first tree have and those of the second lack."""
    for here, there in zip(one.everything(), other.everything(), strict=True):
        still = {noted[1:] for noted in _noted(there)}
        yield from (noted for noted in _noted(here) if noted[1:] not in still)


def _noted(element: ComparedElement) -> Iterator[tuple[str, str, str]]:
    """Return possible marks of pointer and focus: place of the element, class or attribute, and its value."""
    yield from ((element.place, f".{word}", "") for word in _words(element))
    for name, value in element.attributes.items():
        if name != "@class" and _is_note(element.tag, name[1:], value):
            yield element.place, name, value


def _words(element: ComparedElement) -> frozenset[str]:
    return frozenset(element.attributes.get("@class", "").split(" ")) - {""}
