"""Dependences: which units an event depends on besides its own, and how much of them it looks at."""

from collections import defaultdict
from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple

from statecrawl.model.component_tasks import EVERY_ROW, EventOfUnit, Unit

MOST_CONTEXTS = 3  # units on which an event may depend


class Aspect(IntEnum):
    """What an event depends on of another unit. Coarse ones come first: they say more about other states."""

    PRESENCE = 0  # whether it is there; of rows, whether there are none, one or several
    SHAPE = 1  # which elements it has; of rows, which looks
    VALUE = 2  # all that it shows


def aspects_of(unit: Unit) -> list[Aspect]:
    """Return what an event may depend on, the coarsest aspect first. Rows have too many values."""
    return [aspect for aspect in Aspect if aspect is not Aspect.VALUE or unit[1] != EVERY_ROW]


class Context(NamedTuple):
    """A unit on which an event depends."""

    unit: Unit
    aspect: Aspect


class Dependences:
    """The contexts of all events."""

    def __init__(self) -> None:
        self._contexts: dict[EventOfUnit, tuple[Context, ...]] = {}
        self._users: dict[Unit, dict[EventOfUnit, None]] = defaultdict(dict)

    def of(self, event: EventOfUnit) -> tuple[Context, ...]:
        """Return the contexts of an event."""
        return self._contexts.get(event, ())

    def on(self, unit: Unit) -> Iterable[EventOfUnit]:
        """Return the events that depend on a unit."""
        return self._users.get(unit, {}).keys()

    def all(self) -> dict[EventOfUnit, tuple[Context, ...]]:
        """Return the contexts of all events that have any."""
        return dict(self._contexts)

    def aspects(self, event: EventOfUnit, unit: Unit) -> list[Aspect]:
        """Return the aspects of a unit that an event is not known to depend on, the coarsest first."""
        contexts = self.of(event)
        known = next((context.aspect for context in contexts if context.unit == unit), None)
        if known is None and len(contexts) >= MOST_CONTEXTS:
            return []
        return [aspect for aspect in aspects_of(unit) if known is None or aspect > known]

    def add(self, event: EventOfUnit, context: Context) -> bool:
        """Make an event depend on a unit, or on more of it. Return whether that is new."""
        if context.aspect not in self.aspects(event, context.unit):
            return False
        others = (other for other in self.of(event) if other.unit != context.unit)
        self._contexts[event] = (*others, context)
        self._users[context.unit][event] = None
        return True

    def replace(self, event: EventOfUnit, *contexts: Context) -> None:
        """Make an event depend on these units, and on no others."""
        for old in self._contexts.pop(event, ()):
            self._users[old.unit].pop(event, None)
        for context in contexts:
            self.add(event, context)

    def forget(self, place: str) -> list[EventOfUnit]:
        """Make no event depend on a unit of this place any more. Return the events that did."""
        forgotten: dict[EventOfUnit, None] = {}
        for unit in [unit for unit in self._users if unit[0] == place]:
            for event in self._users.pop(unit):
                self._contexts[event] = tuple(context for context in self._contexts[event] if context.unit != unit)
                forgotten[event] = None
        return list(forgotten)
