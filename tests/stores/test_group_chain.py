"""The chain: batches of any size give the same facts, and all facts before a damage are readable."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from statecrawl.errors import DamagedJournal, StoreError
from statecrawl.journal.facts import CrawlEnded, Fact
from statecrawl.stores import group_chain
from statecrawl.stores.group_chain import ChainEnd
from statecrawl.stores.sqlite_journal import open_journal, open_reader, salvage

GROUPS = [[CrawlEnded(reason=f"{group}.{fact}") for fact in range(1 + group % 3)] for group in range(20)]
FACTS: list[Fact] = [fact for group in GROUPS for fact in group]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "crawl.journal"
    with closing(open_journal(path)) as journal:
        for group in GROUPS:
            journal.append(group)
    return path


@pytest.mark.parametrize("size", [1, 100, 250, 1 << 20])
def test_batches_of_any_size_give_the_same_facts(path: Path, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group_chain, "BATCH_BYTES", size)
    with closing(open_reader(path)) as reader:
        for start in range(len(FACTS) + 1):
            assert list(reader.read(start)) == FACTS[start:]


@pytest.mark.parametrize("size", [1, 250, 1 << 20])
def test_what_comes_before_a_damage_is_given_before_it(path: Path, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group_chain, "BATCH_BYTES", size)
    with closing(open_reader(path)) as reader, closing(sqlite3.connect(path, isolation_level=None)) as vandal:
        vandal.execute("UPDATE groups SET lines = replace(lines, '7.1', '7.2')")
        sound = sum(map(len, GROUPS[:7]))
        given: list[Fact] = []
        with pytest.raises(
            DamagedJournal, match=f"fact {sound + 1} is missing or was changed; its first {sound} facts"
        ):
            given.extend(reader.read())
        assert given == FACTS[:sound]
    with pytest.raises(StoreError, match="exists: name a new file"):
        salvage(path, path)
    rescued = path.with_name("rescued.journal")
    assert salvage(path, rescued) == sound
    with closing(open_journal(rescued)) as journal:
        assert list(journal.read()) == FACTS[:sound]


def test_a_reading_stops_when_its_journal_is_closed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group_chain, "BATCH_BYTES", 1)
    reader = open_reader(path)
    reading = reader.read()
    next(reading)
    reader.close()
    with pytest.raises(ValueError, match="the journal is closed"):
        list(reading)


def test_each_link_depends_on_everything_before_it() -> None:
    ends = {
        ChainEnd().grown(b"a\n").grown(b"b\n"),
        ChainEnd().grown(b"b\n").grown(b"b\n"),
        ChainEnd(1).grown(b"b\n"),
        ChainEnd().grown(b"b\n"),
    }
    assert len({end.checksum for end in ends}) == 4
    assert ChainEnd().grown(b"a\nb\n").facts == 2
