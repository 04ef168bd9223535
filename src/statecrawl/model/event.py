"""Events of a state, and the prefixes and suffixes of event ids."""

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
