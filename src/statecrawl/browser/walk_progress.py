"""The course of a walk: which steps are left, and how far it has come."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from statecrawl.journal.refusal_reasons import NO_PAGE
from statecrawl.model.event import TRIES
from statecrawl.ports.page import Ending, Note
from statecrawl.strategies.orders import Step

LEAST_ERROR = 400  # the first status of HTTP that reports an error


@dataclass(slots=True)
class WalkProgress:
    """A walk while it is under way."""

    start: str | None  # where the next stretch begins
    steps: list[Step]  # that are left
    sure: int  # how many of them are not new
    states: list[str] = field(default_factory=list)  # so far
    notes: list[Note] = field(default_factory=list)
    why: Ending = Ending.END
    landed: str = ""
    dialogs: int = 0
    back: bool = False
    whole: tuple[Step, ...] = ()  # as they are known outside
    fired: list[tuple[int, float]] = field(default_factory=list)  # which step, and when in milliseconds since 1970

    def tell_times(self, fired: Sequence[float]) -> None:
        """When each step of the present stretch was fired."""
        self.fired += enumerate(fired, len(self.whole) - len(self.steps))

    def has_no_page(self, status: int, passed: int) -> bool:
        """Whether the document that came after so many steps is an error page at a URL that was only guessed.

        The walk ends then. The page need not be replaced: the next reset leaves it.
        """
        fired = self.steps[passed : passed + 1]
        if status < LEAST_ERROR or not fired or not fired[0][0].startswith(TRIES):
            return False
        self.why, self.landed = Ending.STRAYED, f"{NO_PAGE}{status}"
        return True

    @property
    def reason(self) -> str:
        """Why there is nothing to go on from, for people."""
        if self.why is not Ending.STRAYED:
            return ""
        return self.landed if self.landed.startswith(NO_PAGE) else f"it led to {self.landed}"

    def take(self, steps: int, landed: str) -> bool:
        """So many steps are taken, and the last has led to this state; whether to go on from there.

        Not when it was new: it loaded another document or imported a module, about which there may be more to tell.
        """
        expected = self.steps[steps - 1][1]
        self.start, self.steps, self.sure = landed, self.steps[steps:], self.sure - steps
        foreseen = expected in (None, landed) and (self.sure >= 0 or not self.steps)
        self.why = Ending.END if foreseen else Ending.SURPRISE
        return self.why is Ending.END and bool(self.steps)
