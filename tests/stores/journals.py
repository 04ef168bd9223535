"""Journals with groups of all sizes, and copies of them as a disk would show them."""

import shutil
from contextlib import closing
from pathlib import Path

from statecrawl.journal.facts import CrawlEnded, Fact
from statecrawl.stores.sqlite_journal import open_reader
from statecrawl.stores.sqlite_schema import beside

PAGE = 4096  # SQLite's default page size
CHANCE = 20  # fixes which places are damaged


def group(number: int) -> list[Fact]:
    """Make groups of all sizes, some smaller and some larger than a page."""
    return [CrawlEnded(reason=f"{number} {fact} " + "x" * (number * 631 % 5000)) for fact in range(1 + number % 4)]


def facts_of(groups: int) -> list[Fact]:
    return [fact for number in range(groups) for fact in group(number)]


def read(path: Path) -> list[Fact]:
    with closing(open_reader(path)) as reader:
        return list(reader.read())


def copy(path: Path, to: Path, *suffixes: str) -> Path:
    """Copy what a disk would contain now. Requires that only this process has the journal open."""
    for suffix in ("", *suffixes):
        shutil.copyfile(beside(path, suffix), beside(to, suffix))
    return to


def remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-lock"):
        beside(path, suffix).unlink(missing_ok=True)
