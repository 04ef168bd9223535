"""Views: what each part of the page shows in each state, as far as it is distinguished. See `model.components`."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from statecrawl.model.component_tasks import EVERY_ROW, Pair, Unit, Value, View, beyond
from statecrawl.model.dependences import Aspect, Context
from statecrawl.model.open_ends import OpenEnds
from statecrawl.model.regions import Region
from statecrawl.model.restless_units import RestlessUnits

MOST_DIFFERENCES = 20_000  # between two states that are kept

Places = dict[str, list[Region]]  # place -> its regions


@dataclass(slots=True)
class PageViews:
    """Receives the regions of states, and what need not be distinguished."""

    places: list[Places] = field(default_factory=list)  # of each state
    views: list[View] = field(default_factory=list)  # of each state
    holders: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))  # place -> states that have it
    shown: dict[Unit, set[Value]] = field(default_factory=lambda: defaultdict(set))  # unit -> all its values
    rows: set[str] = field(default_factory=set)  # places
    open_ends: OpenEnds = field(default_factory=OpenEnds)
    restless: RestlessUnits = field(default_factory=RestlessUnits)
    _differences: dict[Pair, frozenset[Unit]] = field(default_factory=dict)  # two states -> units that differ

    # -- what is learnt --

    def found(self, places: Places) -> bool:
        """Learn the regions of a new state. Return whether a unit has a value that it never had before."""
        state, is_new = len(self.places), False
        self.places.append(places)
        self.views.append({})
        for place, among in places.items():
            if place not in self.holders and any(place.startswith(f"{row}>") for row in self.rows):
                self.rows.add(place)
            self.holders[place].append(state)
            for ordinal, region in enumerate(among):
                self.open_ends.seen((place, ordinal), region, state)
            for unit, value in self._show(state, place):
                is_new |= value not in self.shown[unit]
                self.shown[unit].add(value)
        return is_new

    def join(self, place: str) -> None:
        """Learn that a place holds rows."""
        self.rows.add(place)
        self._differences.clear()
        units = {unit for unit in self.shown if unit[0] == place}
        for unit in units:
            del self.shown[unit]
        for state in self.holders[place]:
            for unit in units & self.views[state].keys():
                del self.views[state][unit]
            for unit, value in self._show(state, place):
                self.shown[unit].add(value)

    def cut(self, unit: Unit, shape: str) -> list[int]:
        """Learn that a unit has an open end. Return the states in which it has this shape."""
        place, ordinal = unit
        self._differences.clear()
        states = [state for state in self.holders[place] if self.shape(unit, state) == shape]
        for state in states:
            self.views[state][unit] = self.open_ends.value(unit, self.places[state][place][ordinal])
        self.shown[unit].difference_update(self.open_ends.dropped(unit, shape))
        self.shown[unit].add(beyond(shape))
        return states

    # -- answers --

    def changed(self, before: int, after: int) -> frozenset[Unit]:
        """Return the units that differ between two states."""
        known = self._differences.get((before, after))
        if known is None:
            if len(self._differences) >= MOST_DIFFERENCES:
                self._differences.clear()
            differing = self.views[before].items() ^ self.views[after].items()
            known = self._differences[before, after] = frozenset([unit for unit, _ in differing])
        return known

    def regions(self, state: int, place: str) -> Sequence[Region]:
        """Return the regions of a state with this place."""
        return self.places[state].get(place, ())

    def region(self, unit: Unit, state: int) -> Region | None:
        """Return the region of a unit in a state."""
        place, ordinal = unit
        among = self.places[state].get(place, ())
        return among[ordinal] if 0 <= ordinal < len(among) else None

    def shape(self, unit: Unit, state: int) -> str | None:
        """Return the shape of a unit in a state; None if it is not there, and for all rows together."""
        region = self.region(unit, state)
        return None if region is None else region.shape

    def aspect(self, state: int, context: Context) -> object:
        """Return what an event that has this context can tell of a state; None if the unit is not there."""
        unit, aspect = context
        value = self.views[state].get(unit)
        if value is None or aspect is Aspect.VALUE:
            return value
        if not isinstance(value, str):  # rows
            is_present = aspect is Aspect.PRESENCE
            return min(sum(count for _, count in value), 2) if is_present else tuple(look for look, _ in value)
        return True if aspect is Aspect.PRESENCE else self.shape(unit, state)

    def is_reduced(self, state: int, spot: Unit) -> bool:
        """Whether the texts of a region are not distinguished, because it is a row or has an open end."""
        shape = self.shape(spot, state)
        return spot[0] in self.rows or (shape is not None and self.open_ends.is_cut(spot, shape))

    def is_loose(self, unit: Unit) -> bool:
        """Whether the values of a unit are not compared."""
        return unit[1] == EVERY_ROW or self.open_ends.has(unit) or unit in self.restless.units

    def _show(self, state: int, place: str) -> list[tuple[Unit, Value]]:
        """Set the values of a place in the view of a state, and return them."""
        among, shown = self.places[state][place], list[tuple[Unit, Value]]()
        if place in self.rows:
            looks = Counter(region.look for region in among)
            shown.append(((place, EVERY_ROW), tuple(sorted((look, min(count, 2)) for look, count in looks.items()))))
        else:
            units = [(place, ordinal) for ordinal in range(len(among))]
            shown += [(unit, self.open_ends.value(unit, region)) for unit, region in zip(units, among, strict=True)]
        self.views[state].update(shown)
        return shown
