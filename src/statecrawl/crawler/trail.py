"""The trail of a page: the events it fired since its last reset, which tell how a new state was reached."""

import secrets
from typing import NamedTuple

MOST_STEPS = 2000  # between two new states; a longer trail is given up


class Witness(NamedTuple):
    """How a state was reached: see `journal.facts.StateFound`."""

    walk: str
    after: str | None
    steps: tuple[str, ...]


class Trail:
    """Trail of one page. Each new state starts the next part of the trail, so each part is reported once."""

    def __init__(self) -> None:
        self._walk = ""  # empty: the trail is lost until the next reset
        self._after: str | None = None
        self._steps: list[str] = []

    def begin(self) -> None:
        """The application was opened anew."""
        self._walk, self._after, self._steps = secrets.token_hex(4), None, []

    def lose(self) -> None:
        """The page changed on its own, so what follows cannot be repeated by firing events."""
        self._walk, self._after, self._steps = "", None, []

    def fired(self, event: str) -> None:
        if self._walk:
            self._steps.append(event)
            if len(self._steps) > MOST_STEPS:
                self.lose()

    @property
    def witness(self) -> Witness | None:
        """How the present state of the page was reached; None if that is unknown."""
        return Witness(self._walk, self._after, tuple(self._steps)) if self._walk else None

    def found(self, state: str) -> None:
        """The present state of the page was reported with its witness."""
        self._after, self._steps = state, []
