"""Units, values and tasks of `model.components`, and what can be said of them without knowing a crawl."""

import re
from collections import Counter
from dataclasses import dataclass, field

from statecrawl.model.regions import Region

EVERY_ROW = -1  # ordinal of the unit that holds all rows of a place
FIELD = ":"  # begins the last step of the place of a field
BEYOND = "…"  # begins the value of an open end that is no longer distinguished
_NUMBER = re.compile(r"\d+")
_QUOTED = re.compile(r'"[^"]*"')
_ORDINAL = re.compile(r" #\d+$")

Pair = tuple[int, int]  # state, position of the event in it
Unit = tuple[str, int]  # place, ordinal among the regions of that place
Value = str | tuple[tuple[str, int], ...]
EventOfUnit = tuple[Unit, str]
Task = tuple[Unit, object, str, tuple[object, ...]]  # unit, value, event, values of the context
Offer = tuple[Unit, object]  # unit and value of tasks; see `Components.shown_offers`
View = dict[Unit, Value]


@dataclass(slots=True)
class TaskRecord:
    """What is known about one task."""

    outcomes: list[Pair] = field(default_factory=list)  # state before, state after; the first firing comes first
    fired: int = 0
    left: dict[Pair, None] = field(default_factory=dict)  # unexplored pairs, in the order in which they were found


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenEnd:
    """A unit with more values than are distinguished."""

    unit: Unit
    event: str  # that made new values again and again; of events that are alike, the name that they share
    example: str  # the event itself, or one of those that are alike
    fired: int  # times that it made a new value before the unit was cut
    values: int  # seen so far
    kept: int  # distinguished


def beyond(shape: str) -> str:
    """Return the value that all contents of an open end have which are not distinguished."""
    return f"{BEYOND} {shape}"


def form_of(place: str) -> str | None:
    """Return the place around a field; None if the place is not that of a field."""
    around, _, step = place.rpartition(">")
    return around if step.startswith(FIELD) else None


def are_nested(one: str, other: str) -> bool:
    """Whether one of two places is inside the other."""
    return one.startswith(f"{other}>") or other.startswith(f"{one}>")


def adds_rows(fewer: list[Region], more: list[Region]) -> bool:
    """Whether the second list is the first with further rows of one template, of which one was there before."""
    if not fewer or len(fewer) >= len(more):
        return False
    added = Counter((region.shape, region.look, region.content) for region in more)
    added.subtract((region.shape, region.look, region.content) for region in fewer)
    if any(count < 0 for count in added.values()):
        return False
    shapes = {shape for (shape, _, _), count in added.items() if count}
    return len(shapes) == 1 and any(region.shape in shapes for region in fewer)


def relaxed_name(name: str, *, is_loose: bool) -> str:
    """Return the name of an event without numbers and without its ordinal; in rows also without texts."""
    plain = _ORDINAL.sub("", name)
    return _NUMBER.sub("0", _QUOTED.sub('""', plain) if is_loose else plain)
