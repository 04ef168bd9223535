"""The trail of a page: which events it fired since its last reset, so that a new state can say how it was reached."""

import secrets
from typing import NamedTuple

MOST_STEPS = 2000  # between two new states; whoever needs more is not followed any further


class Witness(NamedTuple):
    """How a state was reached: see `journal.facts.StateFound`."""

    walk: str
    after: str | None
    steps: tuple[str, ...]


class Trail:
    """Of one page. A state that was found is where the next part of the trail begins: so each part is told once."""

    def __init__(self) -> None:
        self._walk = ""  # nothing: the trail is lost until the next reset
        self._after: str | None = None
        self._steps: list[str] = []

    def begin(self) -> None:
        """The application was opened anew."""
        self._walk, self._after, self._steps = secrets.token_hex(4), None, []

    def lose(self) -> None:
        """The page changed by itself: what it does from now on cannot be repeated by firing events."""
        self._walk, self._after, self._steps = "", None, []

    def fired(self, event: str) -> None:
        if self._walk:
            self._steps.append(event)
            if len(self._steps) > MOST_STEPS:
                self.lose()

    @property
    def witness(self) -> Witness | None:
        """How the state was reached that the page is in; None when nobody can tell."""
        return Witness(self._walk, self._after, tuple(self._steps)) if self._walk else None

    def found(self, state: str) -> None:
        """This state, which the page is in, was reported with its witness."""
        self._after, self._steps = state, []
