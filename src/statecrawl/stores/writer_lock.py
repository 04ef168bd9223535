"""Lock of a journal's single writer, and the mark of the acknowledged facts.

Theory of operation
    A small file, `<journal>-lock`, lies beside the journal. The writer holds an operating-system lock (flock) on it for
    its whole lifetime. The system releases the lock when the process ends for any reason, so a crash needs no cleanup.
    The file itself stays: removing it would allow two processes to lock two files of the same name.

    The journal itself is not locked, because SQLite uses a kind of lock that a process loses as soon as it closes *any*
    handle of the file. For the same reason, the journal is only ever opened through SQLite.

    The file contains one line: the process id of the writer, the number of facts it has acknowledged, and a checksum of
    both. The line is written after a group has become durable and is not itself made durable. So a mark never promises
    more than was stored. If the journal contains fewer facts than the mark says, something was lost that SQLite alone
    cannot detect, such as a deleted or damaged write-ahead log. An unreadable mark promises nothing.
"""

import fcntl
import os
import zlib
from dataclasses import dataclass
from pathlib import Path

from statecrawl.errors import JournalInUse

_MAX_BYTES = 64  # one line: a process id, a count, a checksum


@dataclass(frozen=True, slots=True, kw_only=True)
class WriterMark:
    """Mark of the last writer."""

    process: int
    facts: int

    def encoded(self) -> bytes:
        line = b"process %-10d facts %-20d" % (self.process, self.facts)
        return b"%s %08x\n" % (line, zlib.crc32(line))

    @classmethod
    def decoded(cls, text: bytes) -> "WriterMark | None":
        """Parse a mark; None if the text is not a valid one."""
        words = text.split()
        if len(words) != 5 or not (words[1].isdigit() and words[3].isdigit()):
            return None
        mark = cls(process=int(words[1]), facts=int(words[3]))
        return mark if mark.encoded() == text else None


def lock_path(journal: Path) -> Path:
    return journal.with_name(f"{journal.name}-lock")


def acknowledged(journal: Path) -> int:
    """Return the number of facts that the last writer acknowledged; 0 if unknown. Raises OSError."""
    try:
        mark = WriterMark.decoded(lock_path(journal).read_bytes()[:_MAX_BYTES])
    except FileNotFoundError:
        return 0
    return 0 if mark is None else mark.facts


def writer(journal: Path) -> int | None:
    """Return the id of the process on this machine that writes a journal now, if any. Raises OSError.

    The lock is tested only if the last writer is alive, so that the test does not disturb a starting writer.
    """
    try:
        handle = os.open(lock_path(journal), os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        mark = WriterMark.decoded(os.pread(handle, _MAX_BYTES, 0))
        return mark.process if mark and _is_alive(mark.process) and _is_locked(handle) else None
    finally:
        os.close(handle)


def last_written(journal: Path) -> float | None:
    """Return when facts were last acknowledged, in seconds since 1970; None if unknown."""
    try:
        return lock_path(journal).stat().st_mtime
    except OSError:
        return None


def _is_locked(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return process > 0


class WriterLock:
    """Lock held from construction to `release`. Raises JournalInUse if another writer holds it, and OSError."""

    def __init__(self, journal: Path) -> None:
        self._handle = os.open(lock_path(journal), os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            mark = WriterMark.decoded(os.pread(self._handle, _MAX_BYTES, 0))
            os.close(self._handle)
            who = "another process" if mark is None else f"process {mark.process}"
            raise JournalInUse(
                f"{journal} is being written by {who}: wait until it ends, or choose another journal."
            ) from error
        except OSError:
            os.close(self._handle)
            raise

    def mark(self, facts: int) -> None:
        """Record that this many facts are durable. Raises OSError."""
        os.pwrite(self._handle, WriterMark(process=os.getpid(), facts=facts).encoded(), 0)

    def release(self) -> None:
        """Release the lock. Call this only once."""
        os.close(self._handle)
