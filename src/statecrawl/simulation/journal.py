"""Journals in virtual time: what no fault takes away, save one: a power cut may take what was written last."""

from collections.abc import Callable, Iterable

from statecrawl.journal.facts import CrawlEnded, Fact


class WriteRefused(Exception):
    """The journal does not take this: somebody else writes it now, or it is not what it was."""


class SimulatedJournal:
    """Facts, and which incarnation of them this is: another one after each loss."""

    def __init__(self, clock: Callable[[], float] = lambda: 0.0) -> None:
        self.facts: list[Fact] = []
        self.times: list[float] = []  # when each of them was written
        self.incarnation = 0
        self._clock = clock
        self.ended_at: int | None = None  # how many facts there were when the crawl was first said to be over

    def write(self, facts: Iterable[Fact]) -> None:
        for fact in facts:
            self.facts.append(fact)
            self.times.append(self._clock())
            if isinstance(fact, CrawlEnded) and self.ended_at is None:
                self.ended_at = len(self.facts)

    def cut_power(self, lost: int) -> None:
        """What was written last is gone."""
        kept = max(1, len(self.facts) - lost)
        if self.ended_at is None:
            del self.facts[kept:], self.times[kept:]
            self.incarnation += 1


class FencedJournal(SimulatedJournal):
    """A journal with one writer at a time: once another has begun to lead, an earlier one's facts are refused."""

    def __init__(self, clock: Callable[[], float] = lambda: 0.0) -> None:
        super().__init__(clock)
        self._fence = 0

    def lead(self) -> int:
        """Whoever leads from now on has this number; those before are refused."""
        self._fence += 1
        return self._fence

    def append(self, facts: Iterable[Fact], fence: int, incarnation: int) -> None:
        """Raises Refused."""
        if fence != self._fence or incarnation != self.incarnation:
            raise WriteRefused
        self.write(facts)
