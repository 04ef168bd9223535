"""The SQLite journal against the world: kill -9, power loss, full disks and other processes."""

import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.errors import DamagedJournal, JournalInUse, StoreError
from statecrawl.journal.facts import CrawlEnded, Fact
from statecrawl.journal.memory_journal import MemoryJournal
from statecrawl.stores.sqlite_journal import SqliteJournal, open_journal, open_reader
from statecrawl.stores.sqlite_schema import beside
from statecrawl.stores.writer_lock import lock_path
from tests.stores.journals import CHANCE, PAGE, copy, facts_of, group, read, remove

WRITER = """
import sys
from pathlib import Path
from statecrawl.journal.facts import CrawlEnded
from statecrawl.stores.sqlite_journal import open_journal

journal = open_journal(Path(sys.argv[1]))
number = sum(1 for fact in journal.read() if fact.reason.startswith("first "))
print("open", flush=True)
while len(sys.argv) == 2:
    size = 1 + number * 7 % 40
    padding = "x" * (number * 131 % 900)
    reasons = [f"{'then' if fact else 'first'} {number} {fact} {size} {padding}" for fact in range(size)]
    journal.append([CrawlEnded(reason=reason) for reason in reasons])
    print(number, flush=True)
    number += 1
sys.stdin.read()
"""
# Crashes


def test_kill_at_any_moment_loses_nothing_acknowledged_and_leaves_nothing_half(path: Path) -> None:
    chance = Random(CHANCE)
    acknowledged = least = 0
    for _ in range(8):
        with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"open\n"
            awaited = [writer.stdout.readline() for _ in range(chance.randrange(4))]  # some groups on any disk
            least += len(awaited)
            time.sleep(chance.uniform(0, 0.25))
            writer.send_signal(signal.SIGKILL)
            for line in [*awaited, *writer.stdout.read().splitlines(keepends=True)]:
                if line.endswith(b"\n"):
                    acknowledged = int(line) + 1
        whole = [fact.reason.split()[:4] for fact in read(path) if isinstance(fact, CrawlEnded)]
        groups = 0
        while whole:
            size = 1 + groups * 7 % 40
            expected = [["then" if fact else "first", str(groups), str(fact), str(size)] for fact in range(size)]
            assert whole[:size] == expected
            del whole[:size]
            groups += 1
        assert acknowledged <= groups <= acknowledged + 1
        acknowledged = groups
    assert acknowledged >= least > 8


def test_power_loss_at_any_byte_of_the_log_leaves_whole_groups(
    path: Path, journal: SqliteJournal, tmp_path: Path
) -> None:
    for number in range(3):
        journal.append(group(number))
    journal.close()  # these are checkpointed: no log is needed for them
    with closing(open_journal(path)) as journal:
        sizes = []
        for number in range(3, 12):
            journal.append(group(number))
            sizes.append(beside(path, "-wal").stat().st_size)
        disk = copy(path, tmp_path / "disk", "-wal")
    log = beside(disk, "-wal").read_bytes()
    base = disk.read_bytes()
    chance = Random(CHANCE)
    offsets = {0, 1, 31, 32, 33, *sizes, *(size - 1 for size in sizes), *chance.sample(range(len(log)), 150)}
    for offset in sorted(offsets):
        remove(disk)
        disk.write_bytes(base)
        torn = log[:offset] + (chance.randbytes(200) if offset % 2 else b"")
        beside(disk, "-wal").write_bytes(torn)
        synced = 3 + sum(size <= offset for size in sizes)
        if offset % 3:
            assert read(disk) == facts_of(synced)
        with closing(open_journal(disk)) as after:
            assert list(after.read()) == facts_of(synced)
            after.append(group(synced))
        assert read(disk) == facts_of(synced + 1)


def test_power_loss_between_any_two_groups(path: Path, journal: SqliteJournal, tmp_path: Path) -> None:
    for number in range(120):  # enough to see the log being checkpointed and begun again
        journal.append(group(number * 4 + 3))
        if number % 10 == 9:
            disk = copy(path, tmp_path / "disk", "-wal", "-lock")
            assert read(disk) == list(journal.read())
            remove(disk)


def test_power_loss_in_the_middle_of_a_checkpoint(path: Path, journal: SqliteJournal, tmp_path: Path) -> None:
    for number in range(20):
        journal.append(group(number))
    disk = copy(path, tmp_path / "disk", "-wal")
    old, log = disk.read_bytes(), beside(disk, "-wal").read_bytes()
    journal.close()
    new = path.read_bytes()
    old = old.ljust(len(new), b"\0")
    chance = Random(CHANCE)
    for _ in range(40):
        remove(disk)
        pages = [chance.choice((old, new))[at : at + PAGE] for at in range(0, len(new), PAGE)]
        disk.write_bytes(b"".join(pages))
        beside(disk, "-wal").write_bytes(log)
        assert read(disk) == facts_of(20)


def test_an_interruption_at_any_moment_leaves_a_journal_that_can_go_on(path: Path, journal: SqliteJournal) -> None:
    class CtrlCError(Exception):
        pass

    def interrupt(*_: object) -> None:
        raise CtrlCError

    def strike(ready: threading.Lock, delay: float) -> None:
        with ready:
            time.sleep(delay)
        signal.pthread_kill(this, signal.SIGUSR1)

    chance = Random(CHANCE)
    usual = signal.signal(signal.SIGUSR1, interrupt)
    told: list[Fact] = []
    interrupted, this = 0, threading.get_ident()
    begin = time.perf_counter()
    for number in range(-10, 0):
        journal.append(group(number))
        told += group(number)
    append = (time.perf_counter() - begin) / 10  # seconds, on this disk
    try:
        for number in range(150):
            ready = threading.Lock()
            ready.acquire()
            timer = threading.Thread(target=strike, args=(ready, chance.uniform(0, 2) * append))
            timer.start()  # before the signal may come: a thread is not started by halves
            try:
                ready.release()
                journal.append(group(number))
                told += group(number)
                while True:  # until the signal comes, which may be just before a sleep begins
                    time.sleep(0.001)
            except CtrlCError:
                interrupted += 1
            finally:
                timer.join()
    finally:
        signal.signal(signal.SIGUSR1, usual)
    journal.append(group(150))
    told += group(150)
    assert list(journal.read()) == read(path)
    kept = {str(fact) for fact in read(path)}
    assert interrupted == 150
    assert all(str(fact) in kept for fact in told)


# Full disks


def test_a_full_disk_loses_nothing_and_can_be_resumed(journal: SqliteJournal) -> None:
    journal.append(group(0))
    connection = journal._chain.connection
    connection.execute("PRAGMA max_page_count = 5")
    with pytest.raises(StoreError, match="the disk is full: free some space and resume"):
        journal.append([CrawlEnded(reason="x" * 50_000)])
    assert list(journal.read()) == facts_of(1)
    connection.execute("PRAGMA max_page_count = 1000000")
    journal.append(group(1))
    assert list(journal.read()) == facts_of(2)


# Other processes


def test_a_second_writer_is_turned_away_until_the_first_is_gone(path: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(path), "idle"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == b"open\n"
        with pytest.raises(JournalInUse, match=f"is being written by process {first.pid}"):
            open_journal(path)
        second = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        assert second.returncode
        assert "JournalInUse" in second.stderr
        assert read(path) == []
        first.send_signal(signal.SIGKILL)
        first.wait()
    with closing(open_journal(path)) as journal:
        journal.append(group(0))


def test_a_symbolic_link_is_the_journal_it_leads_to(path: Path, journal: SqliteJournal, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    link, chained = tmp_path / "folder" / "link.journal", tmp_path / "chained.journal"
    link.symlink_to("../crawl.journal")
    chained.symlink_to(link)
    journal.append(group(0))
    for name in (link, chained):
        with pytest.raises(JournalInUse, match=r"crawl\.journal is being written by process"):
            open_journal(name)
        assert read(name) == facts_of(1)
    journal.close()
    with closing(open_journal(chained)) as journal:
        with pytest.raises(JournalInUse):
            open_journal(path)
        journal.append(group(1))
        lost = copy(path, tmp_path / "lost", "-lock")
    assert read(path) == read(link) == facts_of(2)
    link.unlink()
    link.symlink_to(lost)
    with pytest.raises(DamagedJournal, match="3 facts were acknowledged, but it has only 1"):
        read(link)
    assert not [name for name in tmp_path.rglob("*-lock") if name not in (lock_path(path), lock_path(lost))]


def test_a_link_to_nothing_makes_the_journal_where_it_leads(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.journal"
    link.symlink_to(path.name)
    with closing(open_journal(link)) as journal:
        journal.append(group(0))
    assert link.is_symlink()
    assert read(path) == facts_of(1)


def test_a_name_that_no_file_can_have(tmp_path: Path) -> None:
    for opened in (open_journal, open_reader):
        with pytest.raises(StoreError, match="cannot be used: File name too long"):
            opened(tmp_path / ("x" * 300))


def test_readers_follow_a_writer_that_is_at_work(path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"open\n"
        with closing(open_reader(path)) as reader:
            seen: list[Fact] = []
            for _ in range(30):
                acknowledged = int(writer.stdout.readline())
                seen += reader.read(len(seen))
                assert f"first {acknowledged} " in "".join(f.reason for f in seen if isinstance(f, CrawlEnded))
            assert seen == list(reader.read())[: len(seen)]
        writer.kill()


# The same as a list


@settings(max_examples=12, deadline=None)
@given(st.lists(st.none() | st.lists(st.builds(CrawlEnded, reason=st.text()), max_size=4), max_size=8))
def test_it_behaves_like_a_list_through_any_closing_and_opening(steps: list[list[CrawlEnded] | None]) -> None:
    model = MemoryJournal()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "crawl.journal"
        journal = open_journal(path)
        for step in steps:
            if step is None:
                journal.close()
                journal = open_journal(path)
            else:
                assert journal.append(step) == model.append(step)
        assert list(journal.read()) == list(model.read())
        journal.close()
        assert read(path) == list(model.read())


def test_a_look_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    with closing(open_journal(path)) as journal:
        journal.append([CrawlEnded(reason="x")])
    before = {each.name for each in tmp_path.iterdir()}
    with closing(open_reader(path)) as reader:
        assert len(list(reader.read())) == 1
    assert {each.name for each in tmp_path.iterdir()} == before
    assert not beside(path, "-wal").exists()
