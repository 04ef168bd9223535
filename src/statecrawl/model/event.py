"""Events: what can be fired in a state."""

from dataclasses import dataclass

OPENS = "open "  # how the name of an event begins that opens a URL which the application offers,
TRIES = "try "  # and one which is only guessed: where the server answers with an error, there is no page
UNOPENED = "unopened "  # how the name of an event begins that stands for a URL that is left out; nothing fires it
BACK = "back"  # name of the event that goes back in the history: where it leads depends on the way to its state
DISMISSED = " (dismissed)"  # ends the name of an event whose dialogs are answered with no; see agent/walk.js
ACCEPTED = " (accepted)"  # ends the name of an event whose dialogs, against all caution, would be answered with yes
_OPENING = OPENS, TRIES
KINDS = (
    *(
        "click",
        "dblclick",
        "contextmenu",
        "hover",
        "leave",
        "focus",
        "blur",
        "input",
        "select",
        "upload",
        "key",
        "submit",
    ),
    *("drag", "longpress", "scroll", "back", "open"),
)


def kind_of(name: str) -> str:
    """The kind of an event, by its name."""
    return name.partition(" ")[0]


def opened_url(name: str) -> str | None:
    """The URL that an event opens, by the name of the event; None when it opens none."""
    return name.partition(" ")[2] if name.startswith(_OPENING) else None


@dataclass(frozen=True, slots=True)
class Event:
    """One enabled event of one state.

    `local` fires it again in that state and is unique there; `logical` recognises the same event in other states.
    """

    local: str
    logical: str

    @classmethod
    def named(cls, name: str) -> "Event":
        """An event whose one name serves both purposes, as in generated models."""
        return cls(name, name)
