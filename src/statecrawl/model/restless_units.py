"""Restless units: parts of a page that change by themselves, such as a clock."""

from collections import Counter, defaultdict
from collections.abc import Collection

from statecrawl.model.component_tasks import Unit

LEAST_EVENTS = 3  # different events after which a unit changed unexpectedly
LEAST_SHARE = 0.2  # of the repetitions since then, in which it did


class RestlessUnits:
    """Counts unexpected changes."""

    def __init__(self) -> None:
        self._blamed: dict[Unit, set[str]] = defaultdict(set)  # unit -> events after which it changed unexpectedly
        self._watched: Counter[Unit] = Counter()  # repetitions in which a blamed unit might have changed unexpectedly
        self._surprised: Counter[Unit] = Counter()  # and did
        self._units: set[Unit] = set()

    @property
    def units(self) -> Collection[Unit]:
        """Units that change by themselves."""
        return self._units

    def watch(self, units: Collection[Unit]) -> None:
        """Count a repetition in which nothing should have changed in these units."""
        self._watched.update([unit for unit in self._blamed if unit in units])

    def blame(self, units: Collection[Unit], event: str) -> bool:
        """Learn that these units changed unexpectedly. Return whether one of them turned out to be restless."""
        found = False
        for unit in units:
            self._blamed[unit].add(event)
            self._surprised[unit] += 1
            is_frequent = self._surprised[unit] > LEAST_SHARE * self._watched[unit]
            if len(self._blamed[unit]) >= LEAST_EVENTS and is_frequent and unit not in self._units:
                self._units.add(unit)
                found = True
        return found
