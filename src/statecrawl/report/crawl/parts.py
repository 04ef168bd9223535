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

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from statecrawl.model.component_tasks import EVERY_ROW, Unit, Value
from statecrawl.report.crawl.document import Element
from statecrawl.report.crawl.element_names import NamedDocument
from statecrawl.report.crawl.event_text import in_words
from statecrawl.report.crawl.page_parts import parts_of, with_containers
from statecrawl.report.crawl.part_labels import PartLabels
from statecrawl.report.crawl.part_looks import UNSEEN, PartLook, look_of
from statecrawl.report.crawl.part_names import PartNames, cuts_in_words
from statecrawl.report.crawl.part_pictures import Boxes, is_hidden, picture_of
from statecrawl.report.crawl.part_words import rows_in_words, values_in_words
from statecrawl.report.crawl.screens import Screen
from statecrawl.report.crawl.thumbnails import Thumbnail
from statecrawl.strategies.component_frontier import ComponentFrontier
from statecrawl.strategies.component_summary import CutPart

MOST_PARTS = 200
MOST_SHOWN = 24  # values of one part
MOST_WAYS = 3  # events that lead to one value
MOST_STATES = 20_000  # of a crawl that are counted
MOST_LABELLED = 100  # documents from which parts get their names
MOST_KEPT = 12  # of those that are compared to choose them


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
    number: int  # among the values of its part
    first: int  # state
    states: int = 0
    look: PartLook = UNSEEN
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
    _looks: dict[str, PartLook] = field(default_factory=dict)  # of rows, by their digests

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
        components, rows = self.frontier.components, self.frontier.components.rows()
        for state in range(min(len(self.frontier.graph), MOST_STATES)):
            for unit, value in components.view(state).items():
                number = self._numbers.get(unit[0])
                if number is None or (unit[1] != EVERY_ROW and unit[0] in rows):
                    continue
                values = self._values[number]
                known = values.get(value)
                if known is None:
                    known = values[value] = _Value(unit, len(values), state)
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
                known.look = look_of(elements[unit], inner, has_no_room=is_hidden(boxes, unit))

    def _read_rows(self, state: int, place: str, elements: Mapping[Unit, Element], inner: set[int]) -> None:
        for ordinal, region in enumerate(self.frontier.components.regions(state, place)):
            if region.look not in self._looks and (place, ordinal) in elements:
                self._looks[region.look] = look_of(elements[place, ordinal], inner)

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
        looks = {value: known.look for value, known in shown.items()}
        words = rows_in_words(looks, self._looks) if is_rows else values_in_words(looks)
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

    def _find_ways(self) -> None:
        """Find the events that led to each value."""
        components = self.frontier.components
        for task in components.fired():
            for before, after in components.record(task).outcomes:
                changed = components.changed_units(before, after)
                reached = [(unit, value) for unit in changed if (value := self._reached(unit, after)) is not None]
                if any(len(value.ways) < MOST_KEPT for _, value in reached):
                    self._add_ways(reached, before, after, self._numbers.get(task[0][0], -1), len(changed))

    def _reached(self, unit: Unit, state: int) -> _Value | None:
        """Return what is told of the value of a unit in a state."""
        number, value = self._numbers.get(unit[0]), self.frontier.components.view(state).get(unit)
        return None if number is None or value is None else self._values[number].get(value)

    def _add_ways(
        self, reached: Iterable[tuple[Unit, _Value]], before: int, after: int, part: int, changes: int
    ) -> None:
        graph = self.frontier.graph
        position = next((at for at, target in enumerate(graph.targets[before]) if target == after), None)
        if position is None:
            return
        event = in_words(graph.event(before, position).local)
        for unit, value in reached:
            earlier = self._reached(unit, before)
            number = -1 if earlier is None or earlier.number >= MOST_SHOWN else earlier.number
            if len(value.ways) < MOST_KEPT:
                value.ways.append((changes, Way(event=event, part=part, before=number, state=before)))

    def of_state(self, state: int) -> list[tuple[int, int]]:
        """Return the parts of a state, each with the number of the value that it shows."""
        view = self.frontier.components.view(state) if state < MOST_STATES else ()
        known = ((self._numbers.get(unit[0], -1), self._reached(unit, state)) for unit in view)
        return sorted({(number, value.number) for number, value in known if value is not None})

    def of_screens(self, screens: Iterable[Screen]) -> list[list[tuple[int, int]]]:
        """Return for each screen its parts, each with the number of values that its states show."""
        found = []
        for screen in screens:
            values = {shown for state in screen.states for shown in self.of_state(state)}
            found.append(sorted(Counter(number for number, _ in values).items()))
        return found


def _told(ways: Iterable[Way]) -> list[Way]:
    """Return the first ways that read differently."""
    distinct = {(way.event, way.part): way for way in reversed([*ways])}
    return [*distinct.values()][::-1][:MOST_WAYS]
