"""Events of a state: their kinds, and the prefixes and suffixes of event ids."""

from dataclasses import dataclass

# Prefixes of event ids
OPENS = "open "  # opens a URL that the application offers
TRIES = "try "  # opens a guessed URL; if the server responds with an error, there is no page
UNOPENED = "unopened "  # stands for a URL that is not opened; never fired
# Event ids and suffixes
BACK = "back"  # goes back in the history; its target depends on the path to the state
DISMISSED = " (dismissed)"  # fires the event and dismisses its dialogs; see agent/walk.js
ACCEPTED = " (accepted)"  # would fire the event and accept its dialogs, which is dangerous
_OPENING = OPENS, TRIES


@dataclass(frozen=True, slots=True, kw_only=True)
class EventKind:
    """Everything that differs between kinds of events outside of the page agent, whose table is in agent/kinds.js."""

    phrase: str = ""  # what a person does, followed by the element; "": the event has no element
    acts: bool = False  # it uses a control, so it is checked for danger
    needs_value: bool = False  # it needs a value or a key besides its element
    needs_element: bool = False  # it needs other elements: a target, or the fields of a form


EVENT_KINDS = {
    "click": EventKind(phrase="click", acts=True),
    "dblclick": EventKind(phrase="double-click", acts=True),
    "contextmenu": EventKind(phrase="right-click"),
    "hover": EventKind(phrase="point at"),
    "leave": EventKind(phrase="move away from"),
    "focus": EventKind(phrase="go to"),
    "blur": EventKind(phrase="leave"),
    "input": EventKind(phrase="write into", needs_value=True),
    "select": EventKind(phrase="choose in", acts=True, needs_value=True),
    "upload": EventKind(phrase="upload a file to"),
    "key": EventKind(phrase="press", acts=True, needs_value=True),
    "submit": EventKind(phrase="submit", acts=True, needs_element=True),
    "drag": EventKind(phrase="drag", acts=True, needs_element=True),
    "longpress": EventKind(phrase="press long on", acts=True),
    "scroll": EventKind(phrase="scroll"),
    "back": EventKind(),
    "open": EventKind(acts=True),
}
KINDS = tuple(EVENT_KINDS)


def kind_of(name: str) -> str:
    """Return the kind of an event, given its id."""
    return name.partition(" ")[0]


def opened_url(name: str) -> str | None:
    """Return the URL that an event opens, given its id; None if it opens none."""
    return name.partition(" ")[2] if name.startswith(_OPENING) else None


@dataclass(frozen=True, slots=True)
class Event:
    """Enabled event of a state.

    `local` identifies the event in its state and is used to fire it; `logical` identifies the same event in other
    states.
    """

    local: str
    logical: str

    @classmethod
    def named(cls, name: str) -> "Event":
        """Make an event with one id for both purposes, as in generated models."""
        return cls(name, name)
