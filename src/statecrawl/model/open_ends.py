"""Open ends: units to which events give new values again and again, such as the month of a calendar."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from statecrawl.model.component_tasks import OpenEnd, Unit, beyond
from statecrawl.model.regions import Region

MOST_VALUES = 3  # new values that one event may make in a row
MOST_ALIKE = 8  # new values that one event may make in all
MOST_KEPT = 12  # values that other events had made before, and that stay distinguished

Kind = tuple[Unit, str]  # a unit, and the shape that its values share


class _Cut(NamedTuple):
    kept: frozenset[str]  # values that are distinguished
    event: str
    example: str


class OpenEnds:
    """The contents of all units, and which of them are distinguished."""

    def __init__(self) -> None:
        self._first_seen: dict[Unit, dict[str, int]] = defaultdict(dict)  # unit -> content -> first state with it
        self._contents: dict[Kind, dict[str, None]] = defaultdict(dict)
        # event -> content that it made -> how many it had made in a row
        self._made: dict[Kind, dict[str, dict[str, int]]] = defaultdict(dict)
        self._cuts: dict[Kind, _Cut] = {}
        self._units: set[Unit] = set()

    def seen(self, unit: Unit, region: Region, state: int) -> None:
        """Learn what a unit shows in a new state."""
        self._first_seen[unit].setdefault(region.content, state)
        self._contents[unit, region.shape][region.content] = None

    def is_first(self, unit: Unit, region: Region, state: int) -> bool:
        """Whether an event that led to this state might have made a new value that is still distinguished."""
        return (unit, region.shape) not in self._cuts and self._first_seen[unit][region.content] == state

    def made(self, unit: Unit, region: Region, before: str, events: Iterable[str], example: str) -> bool:
        """Learn that an event has made a new value, under each of its names. Return whether this opens an end."""
        kind = unit, region.shape
        for event in events:
            made = self._made[kind].setdefault(event, {})
            made.setdefault(region.content, made.get(before, 0) + 1)
            if made[region.content] > MOST_VALUES or len(made) > MOST_ALIKE:
                self._cuts[kind] = _Cut(frozenset(islice(self._contents[kind], MOST_KEPT)), event, example)
        if kind in self._cuts:
            self._units.add(unit)
        return kind in self._cuts

    def has(self, unit: Unit) -> bool:
        """Whether some values of a unit are not distinguished."""
        return unit in self._units

    def is_cut(self, unit: Unit, shape: str) -> bool:
        """Whether not all values of this shape are distinguished."""
        return (unit, shape) in self._cuts

    def value(self, unit: Unit, region: Region) -> str:
        """Return the content of a region, or what stands for all contents that are not distinguished."""
        cut = self._cuts.get((unit, region.shape))
        return region.content if cut is None or region.content in cut.kept else beyond(region.shape)

    def dropped(self, unit: Unit, shape: str) -> set[str]:
        """Return the contents of an open end that are no longer distinguished."""
        return self._contents[unit, shape].keys() - self._cuts[unit, shape].kept

    def listed(self) -> list[OpenEnd]:
        """Return the units with more values than are distinguished."""
        return [
            OpenEnd(
                unit=unit,
                event=cut.event,
                example=cut.example,
                fired=len(self._made[unit, shape][cut.event]),
                values=len(self._contents[unit, shape]),
                kept=len(cut.kept),
            )
            for (unit, shape), cut in self._cuts.items()
        ]
