"""The seam to where a crawl's journal is kept.

Implemented by `journal.memory_journal.MemoryJournal` (a list) and `stores.sqlite_journal.SqliteJournal` (a file); one
contract suite runs over all of them. A position in a journal is the number of facts before it: 0 is the beginning.
"""

from collections.abc import Iterable, Iterator
from typing import Protocol

from statecrawl.journal.facts import Fact


class JournalReader(Protocol):
    """A journal one may look at, perhaps while another process writes it."""

    def read(self, start: int = 0) -> Iterator[Fact]:
        """The facts from a position up to the journal's end as it was at the time of the call, in order.

        Raises DamagedJournal or NewerFormat where the facts stop being readable, after those before were given.
        """

    def close(self) -> None:
        """Release everything held; closing twice is fine, any other use after it is a ValueError."""


class Journal(JournalReader, Protocol):
    """A journal one may add to. There is never more than one writer."""

    def append(self, facts: Iterable[Fact]) -> int:
        """Add a group of facts, all or none, and return the position after them.

        The return is the acknowledgement: from then on no crash and no power loss takes the group away.
        Raises StoreError when the group could not be kept.
        """
