"""What the agent of a page may answer, checked before it is believed.

The agent runs beside the scripts of the page, and a page may have broken it. An answer in any other shape than these is
the end of that page, and never of the crawl.
"""

from typing import Annotated, Any, Literal

import msgspec

from statecrawl.browser.devtools import well_formed
from statecrawl.errors import CallRefused
from statecrawl.politeness.control import Control

State = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{24}\Z")]
Count = Annotated[int, msgspec.Meta(ge=0)]


class AgentLocation(msgspec.Struct):
    """Where the page is."""

    state: State
    url: str
    quiet: bool
    notes: list[Any]
    scripts: State  # what tells the scripts of this document from others
    dialogs: Count
    back: bool  # the last event added to the history, and going back may do something
    lost: bool
    draws: bool  # the page does things when it is drawn
    status: Count  # of HTTP, with which the server answered; 0 when nobody knows
    leaving: bool  # another document is on its way
    born: float  # when this one began
    before: Any  # what the document before had left to say


class WalkAnswer(AgentLocation):
    """How a walk went."""

    done: Count
    states: list[State]
    fired: list[float]  # when each step was, in milliseconds since 1970; one more when the last has not ended
    why: Literal["end", "surprise", "moved", "gone", "late"]


class PackedState(msgspec.Struct):
    """A state in full, packed into texts: the browser hands over one text much faster than many parts."""

    html: str
    lines: str | None
    told: str  # the rest, in JSON


class StateAnswer(msgspec.Struct, frozen=True):
    """A state in full."""

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
    html: str = ""
    lines: str | None = None

    def __post_init__(self) -> None:
        told = (self.labels, self.selectors, self.given, self.controls)
        if any(len(each) != len(self.events) for each in told):
            raise ValueError("not every event is described once")


class ViewportPoint(msgspec.Struct):
    """A point of the viewport."""

    x: float
    y: float


class InputPlace(ViewportPoint):
    """Where trusted input should go."""

    kind: str
    extra: str | float | None
    to: ViewportPoint | None = None  # where something is dragged


SHAPES: dict[str, Any] = {
    "arrive": AgentLocation | None,
    "walk": WalkAnswer,
    "describe": PackedState,
    "place": InputPlace | None,
    "rest": bool,
    "styled": list[str],
    "rehash": list[State],
}


def checked(verb: str, answer: Any) -> Any:
    """The answer, unpacked where it is packed. Raises CallRefused when it is none that the agent would give."""
    try:
        taken = msgspec.convert(answer, SHAPES.get(verb, Any))
        return _unpacked(taken) if isinstance(taken, PackedState) else answer
    except msgspec.DecodeError as trouble:
        raise CallRefused(f"the agent's answer makes no sense: {trouble}") from trouble


def _unpacked(texts: PackedState) -> StateAnswer:
    try:
        looks = _LOOKS.decode(texts.told)
    except msgspec.DecodeError:
        looks = _LOOKS.decode(well_formed(texts.told.encode()))
    return msgspec.structs.replace(looks, html=texts.html, lines=texts.lines)


_LOOKS = msgspec.json.Decoder(StateAnswer)
