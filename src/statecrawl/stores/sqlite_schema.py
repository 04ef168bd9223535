"""SQLite file of a journal: tables, settings and creation.

    groups (first, checksum, lines)   one row per group: position of its first fact, chained checksum, and its facts in
                                      the journal's encoding
    head (id, facts, checksum)        one row: number of facts, and the checksum of the last group

A new file is created under a temporary name, made durable, and only then renamed. So there is never a partial journal,
and an empty file is not a journal.
"""

import os
import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path

from statecrawl.errors import BadInput, NewerFormat, StoreError
from statecrawl.stores.store_errors import damaged, translated

APPLICATION_ID = 0x53436A6C  # "SCjl", in the file's header: identifies the database for `file` and for us
LAYOUT_VERSION = 1  # rises when an older release could not read or write the tables
BUSY_SECONDS = 10.0  # readers that recover the log of a crashed writer hold their lock only for a moment
SIDE_FILES = ("-wal", "-shm", "-journal")  # files that SQLite may create beside a database

_IDENTITY = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {LAYOUT_VERSION};"
_SCHEMA = """
PRAGMA journal_mode = WAL;
BEGIN;
CREATE TABLE groups (first INTEGER PRIMARY KEY, checksum INTEGER NOT NULL, lines BLOB NOT NULL);
CREATE TABLE head (id INTEGER PRIMARY KEY, facts INTEGER NOT NULL, checksum INTEGER NOT NULL);
INSERT INTO head VALUES (0, 0, 0);
COMMIT;
"""
_DURABLE = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA fullfsync = ON;
PRAGMA checkpoint_fullfsync = ON;
"""  # the last two make a difference on macOS, where a plain fsync stops at the drive's cache


_READ_ONLY = "PRAGMA query_only = ON;"


def create(path: Path) -> None:
    """Create an empty journal. Requires the writer's lock. Raises StoreError."""
    left_over = beside(path, "-wal")
    with translated(path):
        if left_over.exists() and left_over.stat().st_size:
            raise StoreError(
                f"{path} is missing, but its log {left_over.name} exists and may contain facts:"
                f" restore {path.name}, or remove the log, or choose another journal."
            )
        draft = beside(path, "-new")
        for name in (draft, *(beside(draft, suffix) for suffix in SIDE_FILES)):
            name.unlink(missing_ok=True)
        with closing(sqlite3.connect(draft, isolation_level=None)) as connection:
            connection.executescript(_SCHEMA + _IDENTITY)
        _make_durable(draft)
        draft.rename(path)
        _make_durable(path.parent)


def connect(path: Path, *, write: bool) -> sqlite3.Connection:
    """Open an existing journal and check that it is one.

    Raises BadInput if there is none, DamagedJournal, NewerFormat, JournalInUse or StoreError.
    """
    check_place(path)
    with translated(path):
        if not path.exists():
            raise BadInput(f"there is no journal {path}: check the name.")
        if not path.stat().st_size:
            raise damaged(path, "the file is empty")
    if write:
        return _open(path, "mode=rw", _DURABLE)
    # A process with write permission removes the side files that SQLite creates for reading; existing ones are kept. A
    # process without it would leave them behind, and the owner could not write into them.
    try:
        if beside(path, "-wal").exists():
            return _open(path, "mode=ro", "")
        return _open(path, "mode=rw", _READ_ONLY) if _is_writable(path) else _open(path, "immutable=1", "")
    except StoreError as error:
        if type(error) is not StoreError or _has_log(path):
            raise
        return _open(path, "immutable=1", "")  # the directory is not writable, so SQLite cannot create its side files


def check_place(path: Path) -> None:
    """Raise BadInput if there cannot be a file at this path."""
    with translated(path):
        if path.is_dir():
            raise BadInput(f"{path} is a directory: name a file in it.")
        if not path.parent.is_dir():
            raise BadInput(
                f"there is no directory {path.parent} for the journal {path.name}: create it or check the name."
            )


def real(path: Path) -> Path:
    """Resolve a symbolic link: the lock and SQLite's side files belong beside the real file."""
    with translated(path):
        return Path(os.path.realpath(path)) if path.is_symlink() else path


def beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _open(path: Path, mode: str, settings: str) -> sqlite3.Connection:
    with translated(path), ExitStack() as stack:
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?{mode}",
            uri=True,
            timeout=BUSY_SECONDS,
            isolation_level=None,  # we start transactions ourselves
            check_same_thread=False,  # calls may come from a worker thread, one at a time
        )
        stack.callback(connection.close)
        connection.text_factory = bytes  # a damaged row may claim to be text; its checksum decides
        _check_identity(connection, path)
        connection.executescript(settings)
        stack.pop_all()
    return connection


def _check_identity(connection: sqlite3.Connection, path: Path) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION_ID:
        raise damaged(path, "it is a database of another program")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > LAYOUT_VERSION:
        raise NewerFormat(
            f"{path} has layout version {version}, and this statecrawl knows up to {LAYOUT_VERSION}:"
            " use a newer statecrawl to open it."
        )
    if version != LAYOUT_VERSION:
        raise damaged(path, f"its layout version {version} never existed")


def _is_writable(path: Path) -> bool:
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _has_log(path: Path) -> bool:
    log = beside(path, "-wal")
    return log.exists() and log.stat().st_size > 0


def _make_durable(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
