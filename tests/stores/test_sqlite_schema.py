"""Opening a path: a journal, another file, or nothing."""

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from statecrawl.errors import BadInput, DamagedJournal, JournalInUse, NewerFormat, StoreError
from statecrawl.journal.facts import CrawlEnded
from statecrawl.stores import sqlite_schema
from statecrawl.stores.sqlite_journal import open_journal, open_reader, salvage

FACT = CrawlEnded(reason="complete")
NOBODY = 65534


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "crawl ?#%41é.journal"


def write(path: Path, count: int = 1) -> None:
    with closing(open_journal(path)) as journal:
        for _ in range(count):
            journal.append([FACT])


def execute(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(statement)


@contextmanager
def as_nobody() -> Iterator[None]:
    """Skip as root, who has all permissions."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(user)


@contextmanager
def guarded(folder: Path) -> Iterator[None]:
    """Make a folder that we may read but not write."""
    folder.chmod(0o555)
    try:
        with as_nobody():
            yield
    finally:
        folder.chmod(0o755)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Make a folder that other users can access, unlike those of pytest."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


def test_a_journal_is_one_file_once_it_is_closed(path: Path) -> None:
    write(path)
    assert {file.name for file in path.parent.iterdir()} == {path.name, f"{path.name}-lock"}


def test_it_is_durable_and_says_whose_it_is(path: Path) -> None:
    write(path)
    with closing(sqlite_schema.connect(path, write=True)) as connection:
        for pragma, value in {
            "journal_mode": b"wal",
            "synchronous": 2,
            "application_id": sqlite_schema.APPLICATION_ID,
            "user_version": sqlite_schema.LAYOUT_VERSION,
        }.items():
            assert connection.execute(f"PRAGMA {pragma}").fetchone() == (value,)


def test_who_may_only_read_leaves_nothing_in_the_way_of_the_owner(open_folder: Path) -> None:
    path = open_folder / "j"
    write(path)
    path.chmod(0o444)
    open_folder.chmod(0o777)
    with as_nobody(), closing(open_reader(path)) as reader:
        assert list(reader.read()) == [FACT]
    assert {file.name for file in open_folder.iterdir()} == {"j", "j-lock"}


def test_a_half_made_journal_is_made_anew(path: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        sqlite_schema.beside(path, f"-new{suffix}").write_bytes(b"rubbish")
    write(path)
    with closing(open_reader(path)) as reader:
        assert list(reader.read()) == [FACT]


def test_missing(path: Path) -> None:
    with pytest.raises(BadInput, match=r"there is no journal .*: check the name"):
        open_reader(path)
    assert not list(path.parent.iterdir())


def test_in_a_folder_that_is_missing(tmp_path: Path) -> None:
    for opened in (open_reader, open_journal):
        with pytest.raises(BadInput, match=r"there is no directory .*nowhere for the journal j"):
            opened(tmp_path / "nowhere" / "j")


def test_a_folder(tmp_path: Path) -> None:
    for opened in (open_reader, open_journal):
        with pytest.raises(BadInput, match="is a directory: name a file in it"):
            opened(tmp_path)


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"", "the file is empty"), (b"just some notes\n" * 99, "not a database"), (b"\0" * 4096, "not a database")],
)
def test_something_else(path: Path, content: bytes, said: str) -> None:
    path.write_bytes(content)
    for opened in (open_reader, open_journal):
        with pytest.raises(DamagedJournal, match=f"is not a valid journal: .*{said}"):
            opened(path)
    assert path.read_bytes() == content


def test_the_database_of_another_program(path: Path) -> None:
    execute(path, "CREATE TABLE bookmarks (url)")
    for opened in (open_reader, open_journal):
        with pytest.raises(DamagedJournal, match="it is a database of another program"):
            opened(path)


def test_a_newer_layout(path: Path) -> None:
    write(path)
    execute(path, "PRAGMA user_version = 2")
    for opened in (open_reader, open_journal):
        with pytest.raises(NewerFormat, match="has layout version 2, and this statecrawl knows up to 1"):
            opened(path)


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("PRAGMA user_version = 0", "its layout version 0 never existed"),
        ("DROP TABLE groups", "no such table"),
        ("DROP TABLE head", "no such table"),
        ("DELETE FROM head", "its head cannot be read"),
        ("UPDATE head SET facts = -1", "its head cannot be read"),
        ("UPDATE head SET checksum = 'x'", "its head cannot be read"),
        ("UPDATE head SET facts = 2", "its last group does not match its head; its first 2 facts are intact"),
        ("UPDATE head SET facts = 9", "fact 4 is missing or was changed; its first 3 facts are intact"),
        (
            "UPDATE head SET checksum = 1",
            "its last group does not match its head; its first 3 facts are intact",
        ),
        ("DELETE FROM groups WHERE first = 1", "fact 2 is missing or was changed; its first 1 facts are intact"),
        ("DELETE FROM groups", "fact 1 is missing or was changed; no fact before"),
        (
            "UPDATE groups SET lines = 7 WHERE first = 2",
            "fact 3 is missing or was changed; its first 2 facts are intact",
        ),
        ("UPDATE groups SET checksum = 'x' WHERE first = 1", "fact 2 is missing or was changed"),
    ],
)
def test_tables_that_were_tampered_with(path: Path, statement: str, said: str) -> None:
    write(path, count=3)
    execute(path, statement)
    for opened in (open_reader, open_journal):
        with pytest.raises(DamagedJournal, match="is not a valid journal") as caught:
            opened(path)
        assert said in str(caught.value)


def test_a_log_without_its_journal_is_not_thrown_away(path: Path) -> None:
    log = sqlite_schema.beside(path, "-wal")
    log.write_bytes(b"facts")
    with pytest.raises(StoreError, match=r"is missing, but its log .* exists and may contain facts"):
        open_journal(path)
    assert log.read_bytes() == b"facts"
    log.unlink()
    write(path)


def test_a_journal_that_was_deleted_may_be_begun_again(path: Path) -> None:
    write(path, count=3)
    path.unlink()
    write(path)
    with closing(open_reader(path)) as reader:
        assert list(reader.read()) == [FACT]


def test_a_foreign_program_that_locks_the_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_schema, "BUSY_SECONDS", 0.05)
    write(path)
    with closing(open_journal(path)) as journal, closing(sqlite3.connect(path, isolation_level=None)) as foreign:
        foreign.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalInUse, match="is locked by another program: close it there and try again"):
            journal.append([FACT])
        foreign.execute("ROLLBACK")
        assert journal.append([FACT]) == 2


def test_a_folder_that_can_not_be_written(open_folder: Path) -> None:
    path = open_folder / "crawl.journal"
    with guarded(open_folder), pytest.raises(StoreError, match="cannot be used: Permission denied"):
        open_journal(path)
    write(path)
    with guarded(open_folder):
        with closing(open_reader(path)) as reader:
            assert list(reader.read()) == [FACT]
        with pytest.raises(StoreError, match="cannot be used"):
            salvage(path, open_folder / "fresh.journal")


def test_a_crashed_writers_log_in_a_folder_that_can_not_be_written(open_folder: Path) -> None:
    path = open_folder / "crawl.journal"
    with closing(open_journal(path)) as journal:
        journal.append([FACT])
        copy = open_folder / "copy.journal"
        copy.write_bytes(path.read_bytes())
        sqlite_schema.beside(copy, "-wal").write_bytes(sqlite_schema.beside(path, "-wal").read_bytes())
    with (
        guarded(open_folder),
        pytest.raises(StoreError, match="check that it and its directory can be read and written"),
    ):
        open_reader(copy)
    with closing(open_reader(copy)) as reader:
        assert list(reader.read()) == [FACT]


def test_a_file_that_can_not_be_read(open_folder: Path) -> None:
    path = open_folder / "crawl.journal"
    write(path)
    path.chmod(0o200)
    with (
        guarded(open_folder),
        pytest.raises(StoreError, match="check that it and its directory can be read and written"),
    ):
        open_reader(path)
