"""A crawl that recorded nothing is removed; every other one stays."""

from contextlib import closing
from pathlib import Path

from statecrawl.journal.facts import CrawlStarted
from statecrawl.stores.empty_crawl import delete_empty_crawl
from statecrawl.stores.evidence import JOURNAL_NAME, EvidenceWriter
from statecrawl.stores.sqlite_journal import open_journal


def start_crawl(folder: Path) -> None:
    """Create the files of a crawl that has recorded no fact."""
    with closing(EvidenceWriter(folder)), closing(open_journal(folder / JOURNAL_NAME)):
        pass


def test_a_crawl_without_facts_is_deleted(tmp_path: Path) -> None:
    start_crawl(tmp_path)
    assert delete_empty_crawl(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_other_files_stay(tmp_path: Path) -> None:
    start_crawl(tmp_path)
    (tmp_path / "notes.txt").write_text("mine")
    assert delete_empty_crawl(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_crawl_with_facts_stays(tmp_path: Path) -> None:
    start_crawl(tmp_path)
    with closing(open_journal(tmp_path / JOURNAL_NAME)) as journal:
        journal.append([CrawlStarted(application="tiny", configuration={}, reset_cost=2.0)])
    before = set(tmp_path.iterdir())
    assert not delete_empty_crawl(tmp_path)
    assert set(tmp_path.iterdir()) == before


def test_a_crawl_that_another_process_writes_stays(tmp_path: Path) -> None:
    start_crawl(tmp_path)
    before = set(tmp_path.iterdir())
    with closing(open_journal(tmp_path / JOURNAL_NAME)):
        assert not delete_empty_crawl(tmp_path)
        assert before <= set(tmp_path.iterdir())


def test_a_directory_without_a_crawl_stays(tmp_path: Path) -> None:
    (tmp_path / "states").mkdir()
    assert not delete_empty_crawl(tmp_path)
    assert (tmp_path / "states").is_dir()
