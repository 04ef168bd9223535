"""Answers of the page agent: their types, and the check that turns what a page sends into them.

The agent runs beside the scripts of the page, and a page may have broken it. An answer of any other shape ends that
page, but never the crawl.
"""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec

from statecrawl.browser.devtools import well_formed
from statecrawl.browser.walk_progress import LEAST_ERROR
from statecrawl.errors import CallRefused
from statecrawl.model.regions import Box, Regions
from statecrawl.politeness.control import Control
from statecrawl.ports.page import HELD, Note
from statecrawl.strategies.orders import Step

State = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{24}\Z")]
Count = Annotated[int, msgspec.Meta(ge=0)]
Answer = TypeVar("Answer")

IS_STATE = re.compile("[0-9a-f]{24}")
ACCESS_DENIED = frozenset({401, 403})  # HTTP status codes


@dataclass(slots=True)
class Departure:
    """Report of a walk whose document went away: how far the walk had come in it."""

    states: list[str] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    dialogs: int = 0
    fired: list[float] = field(default_factory=list)  # milliseconds since 1970; includes the step that left

    def fits(self, steps: Sequence[Step]) -> bool:
        """Return whether a walk of these steps can have passed these states and left with the next step."""
        known = len(self.states) < max(len(steps), 1) and all(IS_STATE.fullmatch(state) for state in self.states)
        return known and all(
            expected in (None, state) for state, (_, expected) in zip(self.states, steps, strict=False)
        )


class AgentLocation(msgspec.Struct):
    """Where the page is."""

    state: State
    url: str
    quiet: bool
    raw_notes: list[Any] = msgspec.field(name="notes")
    scripts: State  # digest of the scripts of this document
    dialogs: Count
    back: bool  # the last event added to the history, and going back may have an effect
    lost: bool  # the element that shows a login is missing
    draws: bool  # the page depends on being drawn
    status: Count  # HTTP status of the document; 0 when unknown
    leaving: bool  # another document is being loaded
    born: float  # when this document started
    before: Any  # report of the previous document, if it left one

    @property
    def notes(self) -> list[Note]:
        """The well-formed notes of the page."""
        return notes_of(self.raw_notes)

    @property
    def departure(self) -> Departure | None:
        """The report of the previous document, if it has the shape that an agent gives it.

        A page can change the report. A note that the document was held is dropped: a document that has left was not.
        """
        with suppress(ValueError, TypeError, KeyError):
            states = [str(state) for state in self.before["states"]]
            fired = [float(at) for at in self.before.get("fired") or ()]
            notes = [note for note in notes_of(self.before["notes"]) if note.kind != HELD]
            return Departure(states, notes, int(self.before["dialogs"]), fired)
        return None

    @property
    def is_logged_out(self) -> bool:
        """Whether the page shows that no user is logged in. A page with another error does not show that."""
        return self.lost and (self.status < LEAST_ERROR or self.status in ACCESS_DENIED)


class WalkAnswer(AgentLocation):
    """How a walk went."""

    done: Count
    states: list[State]
    fired: list[float]  # when each step started, in milliseconds since 1970; one more when the last has not ended
    why: Literal["end", "surprise", "moved", "gone", "late"]

    def at(self, place: AgentLocation, **changes: Any) -> "WalkAnswer":
        """Return the same walk with the page at another place, and with other changes."""
        there = {name: getattr(place, name) for name in AgentLocation.__struct_fields__}
        return msgspec.structs.replace(self, **{**there, **changes})


class PackedState(msgspec.Struct):
    """A full state description, packed into texts: the browser transfers one text much faster than many parts."""

    html: str
    lines: str | None
    details: str  # everything else, in JSON


class StateAnswer(msgspec.Struct, frozen=True):
    """A full state description."""

    state: State
    events: tuple[str, ...]
    labels: tuple[str, ...]
    selectors: tuple[str, ...]
    given: tuple[tuple[tuple[str, str | None], ...], ...]
    url: str
    title: str
    links: tuple[str, ...]
    addresses: tuple[tuple[str, str], ...]
    linked: tuple[Count, ...]
    submits: tuple[Count, ...]
    strings: tuple[str, ...]
    controls: tuple[Control, ...]
    denied: tuple[tuple[str, str], ...]
    forms: tuple[dict[str, Any], ...]
    cut: bool
    hidden: tuple[str, ...]
    containers: tuple[tuple[Count, str], ...]
    regions: Regions
    boxes: tuple[Box, ...] = ()
    html: str = ""
    lines: str | None = None

    def __post_init__(self) -> None:
        per_event = (self.labels, self.selectors, self.given, self.controls)
        if any(len(each) != len(self.events) for each in per_event):
            raise ValueError("not every event is described once")
        if any(not 0 <= position < len(self.events) for region in self.regions for position in region.events):
            raise ValueError("a region has an event that the state does not have")


class ViewportPoint(msgspec.Struct):
    """A point of the viewport."""

    x: float
    y: float


class InputPlace(ViewportPoint):
    """Where trusted input should go."""

    kind: str
    extra: str | int | float | None
    to: ViewportPoint | None = None  # where something is dragged


@dataclass(frozen=True, slots=True)
class Question(Generic[Answer]):
    """A question that the agent answers: the verb it listens to, and the shape of its answer."""

    verb: str
    shape: Any = Any


ARRIVE: Question[AgentLocation | None] = Question("arrive", AgentLocation | None)
WALK: Question[WalkAnswer] = Question("walk", WalkAnswer)
DESCRIBE: Question[StateAnswer] = Question("describe", PackedState)
PLACE: Question[InputPlace | None] = Question("place", InputPlace | None)
REST: Question[bool] = Question("rest", bool)
STYLED: Question[list[str]] = Question("styled", list[str])
REHASH: Question[list[str]] = Question("rehash", list[State])
# The callers of these use at most whether the answer is true: a document without an agent answers with null
IS_LOST: Question[Any] = Question("isLost")
HAS_ALL: Question[Any] = Question("hasAll")
ACT: Question[Any] = Question("act")
REFRESH: Question[Any] = Question("refresh")
HOW_FAR: Question[Any] = Question("howFar")
FIRE_ONE: Question[Any] = Question("fireOne")
LET_GO: Question[Any] = Question("letGo")
PASS_TIME: Question[Any] = Question("passTime")


def checked(question: Question[Answer], answer: Any) -> Answer:
    """Return the answer as a typed value. Raises CallRefused when no agent would answer like that."""
    try:
        typed = answer if question.shape is Any else msgspec.convert(answer, question.shape)
        return _unpacked(typed) if isinstance(typed, PackedState) else typed  # type: ignore[return-value]
    except msgspec.DecodeError as error:
        raise CallRefused(f"the agent's answer makes no sense: {error}") from error


def _unpacked(packed: PackedState) -> StateAnswer:
    try:
        state = _STATE_DECODER.decode(packed.details)
    except msgspec.DecodeError:
        state = _STATE_DECODER.decode(well_formed(packed.details.encode()))
    return msgspec.structs.replace(state, html=packed.html, lines=packed.lines)


_STATE_DECODER = msgspec.json.Decoder(StateAnswer)


def notes_of(raw: Iterable[Any]) -> list[Note]:
    """Return the well-formed notes among these."""
    return [Note(str(note[0]), note[1]) for note in raw if isinstance(note, list) and len(note) == 2]


def is_held(notes: Iterable[Note]) -> bool:
    """Return whether the agent has stopped the page from loading another document."""
    return any(note.kind == HELD for note in notes)
