"""The SQLite journal against damage: flipped bits, lost logs and shorter files, and what can be salvaged."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from statecrawl.errors import DamagedJournal, StoreError
from statecrawl.stores.sqlite_journal import SqliteJournal, open_journal, open_reader, salvage
from statecrawl.stores.sqlite_schema import beside
from statecrawl.stores.writer_lock import lock_path
from tests.stores.journals import CHANCE, PAGE, copy, facts_of, group, read, remove


def flips(content: bytes, count: int) -> Iterator[bytes]:
    """Change one byte: each byte of the database header, then random ones."""
    chance = Random(CHANCE)
    for place in [*range(100), *chance.choices(range(len(content)), k=count)]:
        yield content[:place] + bytes([content[place] ^ chance.choice((1, 2, 128, 255))]) + content[place + 1 :]


def test_a_flipped_byte_is_noticed_or_harmless(path: Path, journal: SqliteJournal, tmp_path: Path) -> None:
    for number in range(30):
        journal.append(group(number))
    journal.close()
    noticed: list[str] = []
    broken = tmp_path / "broken"
    for turn, content in enumerate(flips(path.read_bytes(), 500)):
        remove(broken)
        broken.write_bytes(content)
        try:
            if turn % 2:
                assert read(broken) == facts_of(30)
            else:
                with closing(open_journal(broken)) as opened:
                    assert list(opened.read()) == facts_of(30)
        except StoreError as error:
            noticed.append(str(error))
    assert all(str(broken) in message for message in noticed)
    assert len(noticed) > 300


def test_a_damaged_log_is_noticed_or_harmless(path: Path, journal: SqliteJournal, tmp_path: Path) -> None:
    for number in range(12):
        journal.append(group(number))
    broken = copy(path, tmp_path / "broken", "-wal", "-lock")
    base, log, mark = broken.read_bytes(), beside(broken, "-wal").read_bytes(), lock_path(broken).read_bytes()
    journal.close()
    shorter = [log[:size] for size in range(0, len(log), 5000)]
    noticed: list[str] = []
    for content in [*flips(log, 100), *shorter]:
        remove(broken)
        broken.write_bytes(base)
        beside(broken, "-wal").write_bytes(content)
        lock_path(broken).write_bytes(mark)
        try:
            assert read(broken) == facts_of(12)
        except DamagedJournal as error:
            noticed.append(str(error))
    assert all("facts were acknowledged, but it has only" in message for message in noticed)
    assert len(noticed) > 100


def test_a_lost_log_is_noticed_and_the_rest_can_be_salvaged(path: Path, journal: SqliteJournal, tmp_path: Path) -> None:
    journal.append(group(0))
    journal.close()
    with closing(open_journal(path)) as journal:
        journal.append(group(1))
        lost = copy(path, tmp_path / "lost", "-lock")
    message = "3 facts were acknowledged, but it has only 1; its first 1 facts are intact and can be salvaged"
    for opened in (open_reader, open_journal):
        with pytest.raises(DamagedJournal, match=message):
            opened(lost)
    assert salvage(lost, tmp_path / "fresh") == 1
    assert read(tmp_path / "fresh") == facts_of(1)


def test_an_older_copy_can_be_used_once_the_mark_is_removed(path: Path, journal: SqliteJournal, tmp_path: Path) -> None:
    journal.append(group(0))
    journal.close()
    older = copy(path, tmp_path / "older")
    with closing(open_journal(path)) as journal:
        journal.append(group(1))
    copy(older, path)
    message = r"if you restored an older copy of it, remove crawl\.journal-lock and open it again\.$"
    for opened in (open_reader, open_journal):
        with pytest.raises(DamagedJournal, match=message):
            opened(path)
    lock_path(path).unlink()
    with closing(open_journal(path)) as journal:
        assert list(journal.read()) == facts_of(1)


def test_a_shorter_file_is_noticed(path: Path, journal: SqliteJournal, tmp_path: Path) -> None:
    for number in range(30):
        journal.append(group(number))
    journal.close()
    content = path.read_bytes()
    broken = tmp_path / "broken"
    for size in [*range(0, len(content), PAGE), *Random(CHANCE).sample(range(len(content)), 40)]:
        remove(broken)
        broken.write_bytes(content[:size])
        with pytest.raises(DamagedJournal, match="is not a valid journal"):
            read(broken)


def test_a_damaged_journal_can_be_salvaged_up_to_the_damage(path: Path, journal: SqliteJournal, tmp_path: Path) -> None:
    for number in range(30):
        journal.append(group(number))
    journal.close()
    content = path.read_bytes()
    place = content.index(b"20 0 x")
    path.write_bytes(content[:place] + b"9" + content[place + 1 :])
    sound = len(facts_of(20))
    with pytest.raises(DamagedJournal, match=f"fact {sound + 1} is missing or was changed; its first {sound} facts"):
        read(path)
    assert salvage(path, tmp_path / "fresh") == sound
    assert read(tmp_path / "fresh") == facts_of(20)
