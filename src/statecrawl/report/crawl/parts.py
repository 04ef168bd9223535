"""Parts of the page: what each of them shows in words, where that can be seen, and which events lead there. Pure.

Theory of operation
    A crawl part by part follows *units* (`model.components`). Units of one place are the same part for people, such as
    the rows of a table, so their values are listed together. A value is told by what distinguishes it from the first
    value of its part, in the same way as states are (`state_names`), but from the elements of the part alone: its
    document is the first one that shows the value, without the parts inside.

    What opens what follows from the outcomes of tasks: an event of one part has changed values of this or other parts.
    Events that changed little come first, because they say more than those that replaced the whole page.

    The numbers of parts, values and events that are told have limits, so that the report of a large crawl stays small.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from statecrawl.model.component_tasks import BEYOND, EVERY_ROW, Unit, Value
from statecrawl.report.crawl.document import Element, shown_elements, tidied
from statecrawl.report.crawl.element_names import NamedDocument
from statecrawl.report.crawl.event_text import in_words
from statecrawl.report.crawl.page_parts import parts_of, with_containers
from statecrawl.report.crawl.part_labels import PartLabels
from statecrawl.report.crawl.part_names import LONGEST, PartNames, cuts_in_words
from statecrawl.report.crawl.part_pictures import Boxes, is_hidden, picture_of
from statecrawl.report.crawl.screens import Screen
from statecrawl.report.crawl.state_features import StateFeatures, features_of
from statecrawl.report.crawl.state_names import NAMELESS, state_names
from statecrawl.report.crawl.thumbnails import Thumbnail
from statecrawl.strategies.component_frontier import ComponentFrontier
from statecrawl.strategies.component_summary import CutPart

MOST_PARTS = 200
MOST_SHOWN = 24  # values of one part
MOST_WAYS = 3  # events that lead to one value
MOST_STATES = 20_000  # of a crawl that are counted
MOST_LABELLED = 100  # documents from which parts get their names
FURTHER = "further values, not distinguished"
FIRST, SAME, ANOTHER = "as at first", "the same words, but not the same look", "of another look"
HIDDEN = "not visible"
MOST_CLASSES = 2  # that are named
_NUMBERED = re.compile(r"(?:^| )\(\d+\)$")
CONDITIONS = frozenset(("checked", "current", "disabled", "expanded", "pressed", "selected", "tab"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """An event that led to a value of a part."""

    event: str  # in words
    part: int  # of the event; -1 if it is none of those that are told
    before: int  # value of the part before; -1 if it was not there
    state: int  # where it was fired


@dataclass(frozen=True, slots=True, kw_only=True)
class PartState:
    """A value of a part."""

    words: str
    state: int  # that shows it
    states: int  # that show it
    picture: Thumbnail | None  # where it is in the screenshot of the state
    ways: list[Way]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Parts of the page with the same place."""

    name: str
    place: str
    alike: int  # parts beside each other
    is_rows: bool  # whose number is not distinguished
    values: int  # of all of them
    shown: list[PartState]  # values that are told
    cut: tuple[str, ...]


@dataclass(slots=True)
class _Value:
    """A value while a crawl is read."""

    unit: Unit
    first: int  # state
    states: int = 0
    features: StateFeatures = field(default_factory=StateFeatures)
    classes: frozenset[str] = frozenset()
    is_hidden: bool = False
    picture: Thumbnail | None = None
    ways: list[tuple[int, Way]] = field(default_factory=list)  # with the number of parts that changed


@dataclass(slots=True)
class PartReader:
    """Reads the parts of a crawl: first all documents in order, then the rest."""

    frontier: ComponentFrontier
    _numbers: dict[str, int] = field(default_factory=dict)  # place -> part
    _values: list[dict[Value, _Value]] = field(default_factory=list)  # part -> values
    _firsts: dict[int, list[tuple[Unit, Value]]] = field(default_factory=dict)  # state -> what it is the first to show
    _places: frozenset[str] = frozenset()
    _labels: PartLabels = field(init=False)
    _labelled: int = 0
    _looks: dict[str, StateFeatures] = field(default_factory=dict)  # of rows
    _classes: dict[str, frozenset[str]] = field(default_factory=dict)  # likewise

    def __post_init__(self) -> None:
        changing = self.frontier.components.changing()
        by_values = Counter[str]()
        for (place, _), values in changing.items():
            by_values[place] = max(by_values[place], len(values))
        for place, _ in sorted(by_values.items(), key=lambda item: (-item[1], item[0]))[:MOST_PARTS]:
            self._numbers[place] = len(self._numbers)
            self._values.append({})
        self._places = with_containers(self._numbers)
        self._labels = PartLabels(self._places)
        self._count()

    def _count(self) -> None:
        """Find the values of all parts, the first state that shows each, and how many do."""
        components = self.frontier.components
        for state in range(min(len(self.frontier.graph), MOST_STATES)):
            for unit, value in components.view(state).items():
                number = self._numbers.get(unit[0])
                if number is None or (unit[1] != EVERY_ROW and unit[0] in components.rows()):
                    continue
                known = self._values[number].get(value)
                if known is None:
                    known = self._values[number][value] = _Value(unit, state)
                    self._firsts.setdefault(state, []).append((unit, value))
                known.states += 1

    def add(self, state: int, root: Element, boxes: Boxes) -> None:
        """Read a document, given the boxes of its regions, which may be missing."""
        firsts = self._firsts.pop(state, None)
        if not firsts:
            return
        elements = {("", 0): root} | parts_of(root, self._places)
        if self._labelled < MOST_LABELLED:
            self._labelled += 1
            self._labels.add(NamedDocument(root))
        inner = {id(element) for element in elements.values() if element is not root}
        for unit, value in firsts:
            known = self._values[self._numbers[unit[0]]][value]
            alike = [unit] if unit[1] != EVERY_ROW else [each for each in elements if each[0] == unit[0]]
            known.picture = picture_of(boxes, alike)
            if unit[1] == EVERY_ROW:
                self._read_rows(state, unit[0], elements, inner)
            elif unit in elements:
                known.features = _features_of(elements[unit], inner)
                known.is_hidden = is_hidden(boxes, unit) and not _is_framed(elements[unit])
                known.classes = _classes_of(elements[unit], inner)

    def _read_rows(self, state: int, place: str, elements: Mapping[Unit, Element], inner: set[int]) -> None:
        for ordinal, region in enumerate(self.frontier.components.regions(state, place)):
            if region.look not in self._looks and (place, ordinal) in elements:
                kinds = _features_of(elements[place, ordinal], inner).kinds
                conditions = {kind: found for kind, found in kinds.items() if kind in CONDITIONS}
                self._looks[region.look] = StateFeatures(kinds=conditions)
                self._classes[region.look] = _classes_of(elements[place, ordinal], inner)

    def names(self) -> PartNames:
        """Return the names of the parts."""
        return PartNames(self._labels.labels())

    def parts(self, cuts: Iterable[CutPart]) -> list[Part]:
        """Return the parts, those with the most values first."""
        self._find_ways()
        names, cut_at = self.names(), dict[str, list[CutPart]]()
        for cut in cuts:
            cut_at.setdefault(cut.place, []).append(cut)
        return [
            self._part(place, number, names, cuts_in_words(cut_at.get(place, []), names))
            for place, number in self._numbers.items()
        ]

    def _part(self, place: str, number: int, names: PartNames, cut: tuple[str, ...]) -> Part:
        values = self._values[number]
        units = {value.unit for value in values.values()}
        is_rows = (place, EVERY_ROW) in units
        shown = dict([*values.items()][:MOST_SHOWN])
        words = self._rows_in_words(shown) if is_rows else _values_in_words(shown)
        return Part(
            name=names.of(place, several=is_rows or len(units) > 1),
            place=place,
            alike=len(units),
            is_rows=is_rows,
            values=len(values),
            shown=[
                PartState(
                    words=text,
                    state=value.first,
                    states=value.states,
                    picture=value.picture,
                    ways=_told([way for _, way in sorted(value.ways, key=lambda each: each[0])]),
                )
                for text, value in zip(words, shown.values(), strict=True)
            ],
            cut=cut,
        )

    def _rows_in_words(self, values: Mapping[Value, _Value]) -> list[str]:
        """Tell how many rows there are: one or several, of each look."""
        counts = [value for value in values if isinstance(value, tuple)]
        looks = [*dict.fromkeys(look for value in counts for look, _ in value)]
        called = _without_base(state_names([self._looks.get(look, StateFeatures()) for look in looks]))
        classes = [self._classes.get(look, frozenset()) for look in looks]
        told = [text or _class_difference(classes[0], those) for text, those in zip(called, classes, strict=True)]
        words = {
            look: text or ANOTHER * bool(number) for number, (look, text) in enumerate(zip(looks, told, strict=True))
        }
        return [", ".join(_rows(words[look], count) for look, count in value) or "none" for value in counts]

    def _find_ways(self) -> None:
        """Find the events that led to each value."""
        components, graph = self.frontier.components, self.frontier.graph
        for task in components.fired():
            for before, after in components.record(task).outcomes:
                changed = components.changed_units(before, after)
                event = next((at for at, target in enumerate(graph.targets[before]) if target == after), None)
                for unit in changed if event is not None else ():
                    self._add_way(unit, before, after, task[0], graph.event(before, event or 0).local, len(changed))

    def _add_way(self, unit: Unit, before: int, after: int, by: Unit, event: str, changes: int) -> None:
        number = self._numbers.get(unit[0])
        earlier, later = (self.frontier.components.view(state).get(unit) for state in (before, after))
        known = None if number is None or later is None else self._values[number].get(later)
        if known is None or number is None:
            return
        values = [*self._values[number]][:MOST_SHOWN]
        way = Way(
            event=in_words(event),
            part=self._numbers.get(by[0], -1),
            before=values.index(earlier) if earlier in values else -1,
            state=before,
        )
        known.ways.append((changes, way))

    def of_screens(self, screens: Iterable[Screen]) -> list[list[tuple[int, int]]]:
        """Return for each screen its parts, each with the number of values that its states show."""
        view, size = self.frontier.components.view, min(len(self.frontier.graph), MOST_STATES)
        found = []
        for screen in screens:
            values: dict[int, set[Value]] = {}
            for state in screen.states:
                for unit, value in view(state).items() if state < size else ():
                    if unit[0] in self._numbers and value in self._values[self._numbers[unit[0]]]:
                        values.setdefault(self._numbers[unit[0]], set()).add(value)
            found.append([(number, len(values[number])) for number in sorted(values)])
        return found


def _told(ways: Iterable[Way]) -> list[Way]:
    """Return the first ways that read differently."""
    distinct = {(way.event, way.part): way for way in reversed([*ways])}
    return [*distinct.values()][::-1][:MOST_WAYS]


def _rows(look: str, count: int) -> str:
    words = "several" if count > 1 else "one"
    return f"{words} ({look})" if look else words


def _values_in_words(values: Mapping[Value, _Value]) -> list[str]:
    """Tell what distinguishes each value from the first, and that from the second."""
    features = [value.features for value in values.values()]
    words = _without_base(state_names(features))
    if len(features) > 1 and not words[0]:
        words[0] = _without_base(state_names(features[1::-1]))[1]
    classes = [value.classes for value in values.values()]
    words = [text or _class_difference(classes[0], those) for text, those in zip(words, classes, strict=True)]
    told = [
        FURTHER if isinstance(value, str) and value.startswith(BEYOND) else text
        for value, text in zip(values, words, strict=True)
    ]
    plain = [HIDDEN if value.is_hidden else SAME if number else FIRST for number, value in enumerate(values.values())]
    return [text or other for text, other in zip(told, plain, strict=True)]


def _class_difference(one: frozenset[str], other: frozenset[str]) -> str:
    """Tell the second apart from the first by its classes, which the authors of an application know."""
    for word, classes in (("class", other - one), ("without class", one - other)):
        if classes:
            return f"{word} {', '.join(repr(tidied(name, LONGEST)) for name in sorted(classes)[:MOST_CLASSES])}"
    return ""


def _without_base(names: Iterable[str]) -> list[str]:
    """Remove the name that stands for no heading and no title, and the numbers of those that are called the same."""
    return [_NUMBERED.sub("", name.removeprefix(NAMELESS).removeprefix(" - ")).strip() for name in names]


def _features_of(element: Element, others: set[int]) -> StateFeatures:
    """Return what distinguishes an element, without the parts inside it. Headings are texts like others here."""
    return StateFeatures(kinds=features_of("", "", _alone(element, others)).kinds)


def _is_framed(element: Element) -> bool:
    """Whether an element is in a frame: where it is in the page is not known."""
    above = element.parent
    while above is not None and above.tag not in ("iframe", "frame"):
        above = above.parent
    return above is not None


def _classes_of(element: Element, others: set[int]) -> frozenset[str]:
    """Return the classes that can be seen in an element, without the parts inside it."""
    shown = shown_elements(element, lambda inner: inner is not element and id(inner) in others)
    return frozenset(name for inner in shown for name in inner.attributes.get("class", "").split())


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
