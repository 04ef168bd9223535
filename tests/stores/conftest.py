"""A journal that is open for writing, and its path."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from statecrawl.stores.sqlite_journal import SqliteJournal, open_journal


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "crawl.journal"


@pytest.fixture
def journal(path: Path) -> Iterator[SqliteJournal]:
    with closing(open_journal(path)) as journal:
        yield journal
