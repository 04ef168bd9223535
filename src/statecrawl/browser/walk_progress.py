"""Progress of a walk: which steps are left, and how far it has come."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from statecrawl.journal.refusal_reasons import NO_PAGE
from statecrawl.model.event import TRIES
from statecrawl.ports.page import Ending, Note
from statecrawl.strategies.orders import Step

LEAST_ERROR = 400  # the first HTTP status that reports an error


@dataclass(slots=True)
class WalkProgress:
    """Progress of one walk."""

    start: str | None  # where the walk in the current document starts
    steps: list[Step]  # left to take
    sure: int  # how many of them lead to a known state
    states: list[str] = field(default_factory=list)  # so far
    notes: list[Note] = field(default_factory=list)
    why: Ending = Ending.END
    landed: str = ""
    dialogs: int = 0
    back: bool = False
    whole: tuple[Step, ...] = ()  # with the event names that the crawl knows
    fired: list[tuple[int, float]] = field(default_factory=list)  # step, and milliseconds since 1970

    def record_times(self, fired: Sequence[float]) -> None:
        """Record when each step in the current document was fired."""
        self.fired += enumerate(fired, len(self.whole) - len(self.steps))

    def has_no_page(self, status: int, passed: int) -> bool:
        """Return whether the document loaded after `passed` steps is an error page at a URL that was only guessed.

        The walk ends then. The page need not be replaced: the next reset leaves it.
        """
        fired = self.steps[passed : passed + 1]
        if status < LEAST_ERROR or not fired or not fired[0][0].startswith(TRIES):
            return False
        self.why, self.landed = Ending.STRAYED, f"{NO_PAGE}{status}"
        return True

    @property
    def reason(self) -> str:
        """Why the walk left the application, in words."""
        if self.why is not Ending.STRAYED:
            return ""
        return self.landed if self.landed.startswith(NO_PAGE) else f"it led to {self.landed}"

    def take(self, steps: int, landed: str) -> bool:
        """Mark this many steps as taken, the last to this state. Return whether the walk continues from there.

        It does not after a new step: that loaded another document or imported a module, which the caller inspects.
        """
        expected = self.steps[steps - 1][1]
        self.start, self.steps, self.sure = landed, self.steps[steps:], self.sure - steps
        predicted = expected in (None, landed) and (self.sure >= 0 or not self.steps)
        self.why = Ending.END if predicted else Ending.SURPRISE
        return self.why is Ending.END and bool(self.steps)
