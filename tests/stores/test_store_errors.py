"""No exception of SQLite or the operating system leaves the package untranslated."""

import sqlite3
from pathlib import Path

import pytest

from statecrawl.errors import DamagedJournal, JournalInUse, StoreError
from statecrawl.stores.store_errors import damaged, translated

PATH = Path("crawl.journal")
CODES = {name: getattr(sqlite3, name) for name in dir(sqlite3) if name.startswith("SQLITE_") and name.count("_") == 1}
ERRORS = [error for error in vars(sqlite3).values() if isinstance(error, type) and issubclass(error, sqlite3.Error)]


def said(error: Exception, sound: int = 0) -> StoreError:
    with pytest.raises(StoreError) as caught, translated(PATH, sound):
        raise error
    assert caught.value.__cause__ is error
    assert str(PATH) in str(caught.value)
    return caught.value


@pytest.mark.parametrize("kind", [*ERRORS, OSError, PermissionError])
def test_every_kind_of_error_becomes_ours(kind: type[Exception]) -> None:
    said(kind("some text"))


@pytest.mark.parametrize("code", CODES.values(), ids=CODES)
def test_every_code_becomes_ours_with_its_extended_forms(code: int) -> None:
    for extension in (0, 1, 7):
        error = sqlite3.OperationalError("some text")
        error.sqlite_errorcode = code | extension << 8
        said(error)


@pytest.mark.parametrize(
    ("code", "kind", "words"),
    [
        (sqlite3.SQLITE_BUSY, JournalInUse, "locked by another program"),
        (sqlite3.SQLITE_CORRUPT, DamagedJournal, "its first 9 facts are intact and can be salvaged"),
        (sqlite3.SQLITE_NOTADB, DamagedJournal, "is not a valid journal"),
        (sqlite3.SQLITE_FULL, StoreError, "the disk is full"),
        (sqlite3.SQLITE_CANTOPEN, StoreError, "check that it and its directory can be read and written"),
    ],
)
def test_the_sentence_says_what_to_do(code: int, kind: type[StoreError], words: str) -> None:
    error = sqlite3.OperationalError("some text")
    error.sqlite_errorcode = code
    ours = said(error, sound=9)
    assert type(ours) is kind
    assert words in str(ours)
    assert "some text" in str(ours)


def test_an_error_of_ours_passes_unchanged() -> None:
    ours = damaged(PATH, "it is broken")
    with pytest.raises(DamagedJournal) as caught, translated(PATH):
        raise ours
    assert caught.value is ours
    assert "restore it from a copy" in str(ours)
