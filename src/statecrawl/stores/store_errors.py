"""Translation of errors of SQLite and the operating system into statecrawl's own errors.

Every access of the journal to either is wrapped in `with translated(path)`, so none of their exceptions leaves it.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from statecrawl.errors import DamagedJournal, JournalInUse, StoreError

_IN_USE = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_DAMAGED = {
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_FORMAT,
    sqlite3.SQLITE_SCHEMA,
    # Our statements are fixed and correct for an intact file, so these errors are caused by the file
    sqlite3.SQLITE_ERROR,
    sqlite3.SQLITE_CONSTRAINT,
    sqlite3.SQLITE_MISMATCH,
}
_PRIMARY = 0xFF  # the low byte of an extended error code is the primary code


def damaged(path: Path, what: str, sound: int = 0, unless: str = "") -> DamagedJournal:
    """Make the error for a file whose first `sound` facts are intact. `unless` describes another possible cause."""
    remedy = (
        f"its first {sound} facts are intact and can be salvaged into a new journal"
        if sound
        else "no fact before the damage can be salvaged, so restore it from a copy or start a new one"
    )
    return DamagedJournal(f"{path} is not a valid journal: {what}; {remedy}{unless and '; '}{unless}.")


@contextmanager
def translated(path: Path, sound: int = 0) -> Iterator[None]:
    """Translate the errors of a block that accesses `path`, whose first `sound` facts have been verified."""
    try:
        yield
    except sqlite3.Error as error:
        raise translate(error, path, sound) from error
    except OSError as error:
        raise StoreError(f"{path} cannot be used: {error.strerror or error}.") from error


def translate(error: sqlite3.Error, path: Path, sound: int = 0) -> StoreError:
    """Return statecrawl's error for an error of SQLite."""
    code = getattr(error, "sqlite_errorcode", None)
    code = None if code is None else code & _PRIMARY
    if code in _IN_USE:
        return JournalInUse(f"{path} is locked by another program: close it there and try again ({error}).")
    if code in _DAMAGED:
        return damaged(path, str(error), sound)
    if code == sqlite3.SQLITE_FULL:
        return StoreError(f"{path} cannot grow, the disk is full: free some space and resume ({error}).")
    return StoreError(f"{path} cannot be used: check that it and its directory can be read and written ({error}).")
