"""Removal of a crawl that found nothing, so that a failed start leaves no directory behind."""

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from statecrawl.errors import StatecrawlError
from statecrawl.stores.evidence import JOURNAL_NAME, NOTES_NAME
from statecrawl.stores.sqlite_journal import open_reader
from statecrawl.stores.traffic import FOLDER
from statecrawl.stores.writer_lock import WriterLock, lock_path

LOG_SUFFIXES = ("-wal", "-shm")  # of the files that SQLite keeps beside a journal


def delete_empty_crawl(folder: Path) -> bool:
    """Delete journal and evidence of a crawl that recorded no fact; return whether that was done.

    Nothing is deleted while another process writes the journal. Files of other kinds stay: settings, keys, tokens, logs
    of nodes, and whatever the user has put there.
    """
    path = folder / JOURNAL_NAME
    if not path.exists():
        return False
    with suppress(StatecrawlError, OSError), _locked(path):
        with closing(open_reader(path)) as reader:
            if any(True for _ in reader.read()):
                return False
        for file in (path, *(path.with_name(path.name + suffix) for suffix in LOG_SUFFIXES), folder / NOTES_NAME):
            file.unlink(missing_ok=True)
        for name in ("states", FOLDER):
            shutil.rmtree(folder / name, ignore_errors=True)
        lock_path(path).unlink()
        return True
    return False


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keep other writers out. Raises JournalInUse if there is one."""
    lock = WriterLock(path)
    try:
        yield
    finally:
        lock.release()
