"""Journals in virtual time. No fault destroys them, except that a power cut removes the facts written last."""

from collections.abc import Callable, Iterable

from statecrawl.journal.facts import CrawlEnded, Fact


class WriteRefused(Exception):
    """The journal refuses to write: it has another writer now, or has lost facts."""


class SimulatedJournal:
    """Facts, and their incarnation, which changes after each loss."""

    def __init__(self, clock: Callable[[], float] = lambda: 0.0) -> None:
        self.facts: list[Fact] = []
        self.times: list[float] = []  # time at which each was written
        self.incarnation = 0
        self._clock = clock
        self.ended_at: int | None = None  # number of facts when the crawl was first declared over

    def write(self, facts: Iterable[Fact]) -> None:
        for fact in facts:
            self.facts.append(fact)
            self.times.append(self._clock())
            if isinstance(fact, CrawlEnded) and self.ended_at is None:
                self.ended_at = len(self.facts)

    def cut_power(self, lost: int) -> None:
        """Lose the facts written last."""
        length = max(1, len(self.facts) - lost)
        if self.ended_at is None:
            del self.facts[length:], self.times[length:]
            self.incarnation += 1


class FencedJournal(SimulatedJournal):
    """Journal with one writer at a time: once another writer leads, facts of an earlier one are refused."""

    def __init__(self, clock: Callable[[], float] = lambda: 0.0) -> None:
        super().__init__(clock)
        self._fence = 0

    def lead(self) -> int:
        """Return the number of a new writer; earlier writers are refused from now on."""
        self._fence += 1
        return self._fence

    def append(self, facts: Iterable[Fact], fence: int, incarnation: int) -> None:
        """Raises WriteRefused."""
        if fence != self._fence or incarnation != self.incarnation:
            raise WriteRefused
        self.write(facts)
