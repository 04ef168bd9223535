"""Journal in memory, for tests, simulations and crawls that need not outlive their process."""

from collections.abc import Iterable, Iterator

from statecrawl.journal.facts import Fact


class MemoryJournal:
    """Journal stored in a list. Facts are immutable, so they are not encoded."""

    def __init__(self, facts: Iterable[Fact] = ()) -> None:
        self._facts = list(facts)
        self._closed = False

    def append(self, facts: Iterable[Fact]) -> int:
        self._check_open()
        self._facts += list(facts)  # the iterable is consumed first, so all facts are added or none
        return len(self._facts)

    def read(self, start: int = 0) -> Iterator[Fact]:
        self._check_open()
        return iter(self._facts[start:])

    def close(self) -> None:
        self._closed = True

    def _check_open(self) -> None:
        if self._closed:
            raise ValueError("the journal is closed")
