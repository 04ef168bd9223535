"""Embedded journal: one SQLite file, one writer, any number of readers.

Theory of operation
    Facts are appended in groups, one transaction and one row per group. A group is acknowledged as a unit, so it must
    be stored as a unit. Whole rows go to the decoder without a step through SQLite for every fact: with 100 facts per
    row, checking and decoding a journal takes a fifth of the time.

    Durability. SQLite's write-ahead log with synchronous = FULL syncs the log before a commit returns, so an
    acknowledged group survives kill -9 and a power failure at any instant. A group that was not acknowledged is either
    stored completely or not at all: the checksums of the log discard a half-written transaction.

    Damage. SQLite detects a broken structure, but neither a changed byte inside a row nor a lost end. So groups form a
    chain of checksums that ends in a head (see `group_chain`), and a mark beside the file states how much was
    acknowledged, which reveals a lost log (see `writer_lock`). The whole chain is verified on opening, and everything
    read is verified again. This runs at memory speed; SQLite's own integrity check takes longer and detects less.

    One writer. Its lock is acquired first and held until the end. Readers take no lock of ours and never block the
    writer. Behind a symbolic link, the real file is locked.
"""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

from statecrawl.errors import DamagedJournal, StoreError
from statecrawl.journal.encoding import decode, encode
from statecrawl.journal.facts import Fact
from statecrawl.stores import sqlite_schema
from statecrawl.stores.group_chain import ChainEnd, GroupChain
from statecrawl.stores.store_errors import damaged, translated
from statecrawl.stores.writer_lock import WriterLock, acknowledged, lock_path

_ENDLESS = ChainEnd(1 << 62)  # more facts than any journal holds


class SqliteReader:
    """JournalReader over a file. Not thread-safe: one call at a time."""

    def __init__(self, chain: GroupChain) -> None:
        self._chain = chain

    def read(self, start: int = 0) -> Iterator[Fact]:
        return _facts(self._chain, start, self._chain.head())

    def close(self) -> None:
        self._chain.close()


class SqliteJournal(SqliteReader):
    """Journal over a file. Not thread-safe: one call at a time."""

    def __init__(self, chain: GroupChain, lock: WriterLock) -> None:
        super().__init__(chain)
        self._lock: WriterLock | None = lock

    def append(self, facts: Iterable[Fact]) -> int:
        if self._lock is None:
            raise ValueError("the journal is closed")
        lines = encode(facts)
        if not lines:
            return self._chain.head().facts
        end = self._chain.add(lines)
        with translated(self._chain.path):
            self._lock.mark(end.facts)
        return end.facts

    def close(self) -> None:
        lock, self._lock = self._lock, None
        if lock is not None:
            try:
                super().close()
            finally:
                lock.release()


def open_journal(path: Path) -> SqliteJournal:
    """Open a journal for writing; create it if it does not exist.

    Raises JournalInUse if it has a writer, DamagedJournal, NewerFormat, BadInput or StoreError.
    """
    path = sqlite_schema.real(path)
    sqlite_schema.check_place(path)
    with ExitStack() as stack:
        with translated(path):
            lock = WriterLock(path)
            stack.callback(lock.release)
            fresh = not path.exists()
            if fresh:
                lock.mark(0)  # reset the mark of an earlier journal of this name
        if fresh:
            sqlite_schema.create(path)
        chain = stack.enter_context(closing(GroupChain(path, sqlite_schema.connect(path, write=True))))
        end = _checked(chain)
        with translated(path):
            lock.mark(end.facts)
        stack.pop_all()
    return SqliteJournal(chain, lock)


def open_reader(path: Path) -> SqliteReader:
    """Open a journal for reading, even while another process writes it.

    Raises BadInput if there is none, DamagedJournal, NewerFormat or StoreError.
    """
    path = sqlite_schema.real(path)
    with ExitStack() as stack:
        chain = stack.enter_context(closing(GroupChain(path, sqlite_schema.connect(path, write=False))))
        _checked(chain)
        stack.pop_all()
    return SqliteReader(chain)


def salvage(broken: Path, fresh: Path) -> int:
    """Copy the intact part before the first damage into a new journal. Return the number of facts.

    Raises StoreError if the new journal exists or the old one cannot be opened at all.
    """
    with closing(GroupChain(broken, sqlite_schema.connect(broken, write=False))) as chain:
        if fresh.exists():
            raise StoreError(f"{fresh} exists: name a new file to salvage {broken} into.")
        with closing(open_journal(fresh)) as journal:
            return journal.append(_sound(chain))


def _facts(chain: GroupChain, start: int, head: ChainEnd) -> Iterator[Fact]:
    for first, lines in chain.batches(start, head):
        facts = decode(lines, first + 1)
        yield from facts if first >= start else facts[start - first :]


def _sound(chain: GroupChain) -> Iterator[Fact]:
    """Yield all facts before the first damage, regardless of the head."""
    try:
        yield from _facts(chain, 0, _ENDLESS)
    except DamagedJournal:
        return


def _checked(chain: GroupChain) -> ChainEnd:
    """Verify a whole chain and return its end. Raises DamagedJournal."""
    with translated(chain.path):
        promised = acknowledged(chain.path)  # read before the head, which may grow in the meantime
    head = chain.head()
    for _ in chain.batches(0, head):
        pass
    if head.facts < promised:
        what = f"{promised} facts were acknowledged, but it has only {head.facts}"
        mark = lock_path(chain.path).name
        unless = f"if you restored an older copy of it, remove {mark} and open it again"
        raise damaged(chain.path, what, head.facts, unless)
    return head
