"""The lock of a journal's one writer, and the mark of what was acknowledged.

Theory of operation
    Beside the journal lies a small file, `<journal>-lock`. The writer holds an operating-system lock (flock) on it for
    as long as it lives; the lock goes with the process, however it dies, so there is nothing to clean up after a crash.
    The file itself stays: to remove it would let two processes lock two files of the same name.

    Why not lock the journal itself: SQLite uses the kind of lock that a process loses as soon as it closes *any* handle
    of the file. For the same reason nothing here ever opens the journal except through SQLite.

    The file holds one line: the writer's process id, how many facts it has acknowledged, and a checksum of the two. It
    is written after a group has become durable and is not itself made durable. So a mark found later never promises
    more than was kept; when the journal holds less than the mark says, something was lost (say, the write-ahead log was
    deleted or damaged) that SQLite alone can not notice. A mark that can not be read promises nothing.
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
    """What the last writer said of itself."""

    process: int
    facts: int

    def encoded(self) -> bytes:
        line = b"process %-10d facts %-20d" % (self.process, self.facts)
        return b"%s %08x\n" % (line, zlib.crc32(line))

    @classmethod
    def decoded(cls, text: bytes) -> "WriterMark | None":
        """The mark in this text; None when it is not one."""
        words = text.split()
        if len(words) != 5 or not (words[1].isdigit() and words[3].isdigit()):
            return None
        mark = cls(process=int(words[1]), facts=int(words[3]))
        return mark if mark.encoded() == text else None


def lock_path(journal: Path) -> Path:
    return journal.with_name(f"{journal.name}-lock")


def acknowledged(journal: Path) -> int:
    """How many facts this journal's last writer acknowledged, as far as is known. Raises OSError."""
    try:
        mark = WriterMark.decoded(lock_path(journal).read_bytes()[:_MAX_BYTES])
    except FileNotFoundError:
        return 0
    return 0 if mark is None else mark.facts


def writer(journal: Path) -> int | None:
    """The process that writes a journal now, if one on this machine does. Raises OSError.

    The lock is only tried where the process that had it last is alive: whoever is about to begin is not in the way.
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
    """When facts were acknowledged last, in seconds since 1970, as far as is known."""
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
    """Held from construction to `release`. Raises JournalInUse when another writer holds it, OSError as it comes."""

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
        """Note that this many facts are durable. Raises OSError."""
        os.pwrite(self._handle, WriterMark(process=os.getpid(), facts=facts).encoded(), 0)

    def release(self) -> None:
        """Let others write; only once."""
        os.close(self._handle)
