"""Chain of groups in a SQLite file: read in batches and verified link by link.

Theory of operation
    Each group carries a checksum of its lines, its position and the checksum of the previous group. The head, written
    in the same transaction as the last group, states where the chain ends and with which checksum. So any change,
    deletion, duplication or move of a group breaks a link.

    Each batch is a short transaction of its own, so a slow or stopped reader never makes the writer's log grow. Groups
    are only appended, so batches read at different times still fit together.
"""

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from statecrawl.stores.store_errors import damaged, translated

BATCH_BYTES = 1 << 20  # lines read at a time: makes the cost of a query negligible and fits in memory easily


@dataclass(frozen=True, slots=True)
class ChainEnd:
    """End of a chain: number of facts and last checksum."""

    facts: int = 0
    checksum: int = 0

    def grown(self, lines: bytes) -> "ChainEnd":
        """Return the end after one more group."""
        place = zlib.crc32(f"{self.facts} {self.checksum}\n".encode())
        return ChainEnd(self.facts + lines.count(b"\n"), zlib.crc32(lines, place))


class GroupChain:
    """Groups of one open file. The owner closes it."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection: sqlite3.Connection | None = connection

    def close(self) -> None:
        """Close the file. Closing twice is allowed; any other use afterwards raises ValueError."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with translated(self.path):
                connection.close()

    def head(self) -> ChainEnd:
        """Return the current end of the chain. Raises StoreError."""
        with translated(self.path):
            rows = self.connection.execute("SELECT facts, checksum FROM head").fetchall()
        if len(rows) != 1 or not all(isinstance(value, int) and value >= 0 for value in rows[0]):
            raise damaged(self.path, "its head cannot be read")
        return ChainEnd(*rows[0])

    def batches(self, start: int, head: ChainEnd) -> Iterator[tuple[int, bytes]]:
        """Yield the lines from the group that contains `start` to the head, in batches, each with its position.

        Raises DamagedJournal at the first broken link, after all groups before it.
        """
        if start >= head.facts > 0:
            return
        end = self._end_before(start)
        while end.facts < head.facts:
            with translated(self.path, end.facts):
                groups, grown = self._batch(end, head)
            yield end.facts, b"".join(groups)
            end = grown
        if end != head:
            raise damaged(self.path, "its last group does not match its head", end.facts)

    def add(self, lines: bytes) -> ChainEnd:
        """Append a group in one transaction and return the new end. Raises StoreError.

        The current end is read from the file, not cached: a writer interrupted just after a commit, by Ctrl-C for
        example, does not know about that commit.
        """
        with translated(self.path), self.connection as transaction:
            transaction.execute("BEGIN IMMEDIATE")
            end = self.head()
            grown = end.grown(lines)
            transaction.execute("INSERT INTO groups VALUES (?, ?, ?)", (end.facts, grown.checksum, lines))
            transaction.execute("UPDATE head SET facts = ?, checksum = ?", (grown.facts, grown.checksum))
        return grown

    @property
    def connection(self) -> sqlite3.Connection:
        if self._connection is None:
            raise ValueError("the journal is closed")
        return self._connection

    def _batch(self, end: ChainEnd, head: ChainEnd) -> tuple[list[bytes], ChainEnd]:
        groups: list[bytes] = []
        room, grown = BATCH_BYTES, end
        with closing(self.connection.cursor()) as rows:
            try:
                rows.execute(
                    "SELECT first, checksum, lines FROM groups WHERE first >= ? AND first < ? ORDER BY first",
                    (end.facts, head.facts),
                )
                for first, checksum, lines in rows:
                    if first != grown.facts or not isinstance(lines, bytes):
                        break
                    following = grown.grown(lines)
                    if checksum != following.checksum:
                        break
                    groups.append(lines)
                    grown = following
                    room -= len(lines)
                    if room <= 0:
                        break
            except sqlite3.DatabaseError:
                if not groups:
                    raise
        if not groups:
            raise damaged(self.path, f"fact {end.facts + 1} is missing or was changed", end.facts)
        return groups, grown

    def _end_before(self, start: int) -> ChainEnd:
        """Return the end of the chain before the group that contains this position."""
        with translated(self.path):
            rows = self.connection.execute(
                "SELECT first, checksum FROM groups WHERE first <= ? ORDER BY first DESC LIMIT 2", (start,)
            ).fetchall()
        return ChainEnd(rows[0][0], rows[1][1]) if len(rows) == 2 else ChainEnd()
