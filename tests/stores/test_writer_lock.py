"""The writer's lock and its mark."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from statecrawl.errors import JournalInUse
from statecrawl.stores.writer_lock import WriterLock, WriterMark, acknowledged, last_written, lock_path, writer

HOLD = """
import sys
from pathlib import Path
from statecrawl.stores.writer_lock import WriterLock
lock = WriterLock(Path(sys.argv[1]))
lock.mark(5)
print("held", flush=True)
sys.stdin.read()
"""


def test_only_one_holds_it_even_within_a_process(tmp_path: Path) -> None:
    path = tmp_path / "j"
    lock = WriterLock(path)
    with pytest.raises(JournalInUse, match="is being written by another process"):
        WriterLock(path)
    lock.mark(0)
    with pytest.raises(JournalInUse, match=f"is being written by process {os.getpid()}: wait until it ends"):
        WriterLock(path)
    lock.release()
    WriterLock(path).release()


def test_it_goes_with_its_process_however_that_dies(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        assert acknowledged(path) == 5
        with pytest.raises(JournalInUse, match=f"process {holder.pid}"):
            WriterLock(path)
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    WriterLock(path).release()


def test_the_mark_says_how_far_was_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "j"
    assert acknowledged(path) == 0
    lock = WriterLock(path)
    for facts in (0, 7, 10**15, 3):
        lock.mark(facts)
        assert acknowledged(path) == facts
    lock.release()


def test_a_mark_that_can_not_be_read_promises_nothing(tmp_path: Path) -> None:
    path = tmp_path / "j"
    sound = WriterMark(process=1, facts=7).encoded()
    for place in range(len(sound)):
        for flipped in (sound[:place] + bytes([sound[place] ^ 1]) + sound[place + 1 :], sound[:place]):
            lock_path(path).write_bytes(flipped)
            assert acknowledged(path) == 0
    lock_path(path).write_bytes(b"\xb2" * 64)  # a superscript two is a digit, but not a number
    assert acknowledged(path) == 0


def test_what_the_operating_system_refuses_is_not_hidden(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        WriterLock(tmp_path / "nowhere" / "j")


def test_who_writes_is_said_as_long_as_somebody_does(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    assert writer(path) is None
    assert last_written(path) is None
    lock = WriterLock(path)
    lock.mark(3)
    assert writer(path) == os.getpid()
    lock.release()
    assert writer(path) is None
    assert abs((last_written(path) or 0.0) - time.time()) < 60
    lock_path(path).write_bytes(WriterMark(process=2**30, facts=1).encoded())  # nobody has such a number
    assert writer(path) is None
    lock_path(path).write_bytes(b"what is no mark")
    assert writer(path) is None
