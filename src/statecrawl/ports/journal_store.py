"""Interface to the store of a crawl's journal.

Implemented by `journal.memory_journal.MemoryJournal` (a list) and `stores.sqlite_journal.SqliteJournal` (a file). One
contract test suite runs over all implementations. A position in a journal is the number of facts before it; 0 is the
start.
"""

from collections.abc import Iterable, Iterator
from typing import Protocol

from statecrawl.journal.facts import Fact


class JournalReader(Protocol):
    """Journal opened for reading, possibly while another process writes it."""

    def read(self, start: int = 0) -> Iterator[Fact]:
        """Iterate over the facts from a position to the end of the journal at the time of the call, in order.

        Yields all readable facts, then raises DamagedJournal or NewerFormat if the next one cannot be read.
        """

    def close(self) -> None:
        """Release all resources. Closing twice is allowed; any other use of a closed journal raises ValueError."""


class Journal(JournalReader, Protocol):
    """Journal opened for appending. There is never more than one writer."""

    def append(self, facts: Iterable[Fact]) -> int:
        """Append a group of facts, all or none, and return the position after them.

        When this returns, the group is durable: it survives a crash and a power failure.
        Raises StoreError when the group could not be stored.
        """
