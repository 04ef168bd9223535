"""The embedded journal: one SQLite file, one writer, any number of readers.

Theory of operation
    Facts are appended in groups, one transaction and one row each. One row per group, not per fact: a group is what is
    acknowledged, so it is what must be whole; and whole rows go to the decoder without a step through SQLite for
    every fact. To check and decode a journal takes a fifth of the time with 100 facts a row that it takes with one.

    Durability. SQLite's write-ahead log with synchronous = FULL syncs the log before a commit returns, so a group
    that was acknowledged survives kill -9 and power loss at any instant. A group that was not may be there or not, as a
    whole: the log's own checksums cut off a half-written transaction.

    Damage. SQLite notices a broken structure, but neither a changed byte inside a row nor a lost end. So groups form a
    chain of checksums that ends in a head (see `chain`), and a mark beside the file says how far it was acknowledged,
    which betrays a log that was lost (see `lock`). The whole chain is checked on opening, and again whatever is
    read: at memory speed, where SQLite's own integrity check would take longer and see less.

    One writer. Its lock is taken first and held until the end. Readers take no lock of ours and never hold up the
    writer. Behind a symbolic link it is the real file that is locked.
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
    """The JournalReader port over a file; one call at a time."""

    def __init__(self, chain: GroupChain) -> None:
        self._chain = chain

    def read(self, start: int = 0) -> Iterator[Fact]:
        return _facts(self._chain, start, self._chain.head())

    def close(self) -> None:
        self._chain.close()


class SqliteJournal(SqliteReader):
    """The Journal port over a file; one call at a time."""

    def __init__(self, chain: GroupChain, lock: WriterLock) -> None:
        super().__init__(chain)
        self._lock: WriterLock | None = lock

    def append(self, facts: Iterable[Fact]) -> int:
        if self._lock is None:
            raise ValueError("this journal was closed")
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
    """Open a journal for writing, making it when there is none.

    Raises JournalInUse when it has a writer, DamagedJournal, NewerFormat, BadInput or StoreError.
    """
    path = sqlite_schema.real(path)
    sqlite_schema.check_place(path)
    with ExitStack() as stack:
        with translated(path):
            lock = WriterLock(path)
            stack.callback(lock.release)
            fresh = not path.exists()
            if fresh:
                lock.mark(0)  # forget what an earlier journal of this name had acknowledged
        if fresh:
            sqlite_schema.create(path)
        chain = stack.enter_context(closing(GroupChain(path, sqlite_schema.connect(path, write=True))))
        end = _checked(chain)
        with translated(path):
            lock.mark(end.facts)
        stack.pop_all()
    return SqliteJournal(chain, lock)


def open_reader(path: Path) -> SqliteReader:
    """Open a journal for reading, also while another process writes it.

    Raises BadInput when there is none, DamagedJournal, NewerFormat or StoreError.
    """
    path = sqlite_schema.real(path)
    with ExitStack() as stack:
        chain = stack.enter_context(closing(GroupChain(path, sqlite_schema.connect(path, write=False))))
        _checked(chain)
        stack.pop_all()
    return SqliteReader(chain)


def salvage(broken: Path, fresh: Path) -> int:
    """Copy the sound beginning of a damaged journal into a new one; returns the number of facts.

    Raises StoreError when the new one exists or the old one can not be opened at all.
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
    """All facts before the first damage, whatever the head says."""
    try:
        yield from _facts(chain, 0, _ENDLESS)
    except DamagedJournal:
        return


def _checked(chain: GroupChain) -> ChainEnd:
    """The end of a chain, once all of it has proved sound. Raises DamagedJournal."""
    with translated(chain.path):
        promised = acknowledged(chain.path)  # asked before the head, which may grow meanwhile
    head = chain.head()
    for _ in chain.batches(0, head):
        pass
    if head.facts < promised:
        what = f"{promised} facts were acknowledged and only {head.facts} are there"
        mark = lock_path(chain.path).name
        unless = f"if you restored an older copy of it, remove {mark} and open it again"
        raise damaged(chain.path, what, head.facts, unless)
    return head
