"""Retries of events that fail: a failure becomes a fact only when it is unlikely to be an accident.

Theory of operation
    An event that hangs, kills its page or ends the session costs that page. It is fired once more before that becomes a
    fact, step by step and on a fresh page: the machine may have been busy, another program may have killed the page, or
    the session may have expired. After MOST_FUTILE retries in a row that failed again, events that hang are believed at
    once. So is an event that has ended the session twice in another state. When the whole browser is gone, which is
    more often the fault of users and of systems out of memory, the event is fired a few more times. A walk during which
    this process was stopped proves nothing if it ended by a timeout.

    A page that is in another state whenever a walk starts cannot put off the end of the crawl for ever: after
    MOST_MISSES such walks a pair is given up. The same holds for a page that reports each time that it was not allowed
    to load another document; a real page reports that once.
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field

from statecrawl.ports.page import BACKGROUND, CAPPED, FAILED, Walked
from statecrawl.strategies.orders import StateEvent

MOST_MISSES = 10  # walks to one pair that never started, because the page was elsewhere by then, or that are void
MOST_BROWSER_LOSSES = 4  # browsers lost during the same event, until the event is blamed
MOST_FUTILE = 3  # retries in a row that hung again, until events that hang are believed
MOST_PAUSES = 5  # walks to one pair during which this process was stopped, until their outcome is believed
TIMEOUT_NOTES = (CAPPED, FAILED, BACKGROUND)  # kinds of notes that report a timeout


@dataclass(slots=True)
class EventRetries:
    """Failures of events that have not become facts yet, in one process."""

    suspects: set[StateEvent] = field(default_factory=set)  # pairs at which, or on the path to which, a page was lost
    session_enders: set[str] = field(default_factory=set)  # events that have logged the user out twice
    _misses: Counter[StateEvent] = field(default_factory=Counter)  # pair -> walks to it that never started, or are void
    _browser_losses: Counter[StateEvent] = field(default_factory=Counter)  # pair -> browsers lost while it was fired
    _pauses: Counter[StateEvent] = field(default_factory=Counter)  # pair -> walks to it during which we were stopped
    _futile: int = 0  # retries in a row that hung again

    def proves_nothing(self, goal: StateEvent, walked: Walked) -> bool:
        """Whether a walk must be repeated: a document was not loaded yet, or a timeout ended it during a pause."""
        if walked.held:
            return True
        if not walked.paused or not (walked.why.is_fatal or any(note.kind in TIMEOUT_NOTES for note in walked.notes)):
            return False
        self._pauses[goal] += 1
        return self._pauses[goal] <= MOST_PAUSES

    def count_miss(self, pair: StateEvent) -> int:
        """Count a walk to a pair that could not start, or is void; return how many there were."""
        self._misses[pair] += 1
        return self._misses[pair]

    def is_accident(self, pairs: Collection[StateEvent]) -> bool:
        """Whether the loss of a browser is not blamed on the events that were to be fired."""
        self._browser_losses.update(pairs)
        if max(self._browser_losses[pair] for pair in pairs) >= MOST_BROWSER_LOSSES:
            return False
        self.suspects.update(pairs)
        return True

    def must_repeat(self, pairs: Collection[StateEvent], *, surely: bool = False) -> bool:
        """Whether events that hung or lost their page are fired once more; `surely` also when retries are futile."""
        if self.suspects.issuperset(pairs):
            self._futile += not surely
            return False
        if self._futile >= MOST_FUTILE and not surely:
            return False
        self.suspects.update(pairs)
        return True

    def succeeded(self, pair: StateEvent) -> None:
        """An event led to a state."""
        if pair in self.suspects:
            self._futile = 0
