"""Journals of every format version are read, folded and reported."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from statecrawl.journal.facts import VERSION, CrawlStarted, Fact
from statecrawl.journal.fold import fold
from statecrawl.results.report import write_report
from statecrawl.results.status import folder_status
from statecrawl.stores.evidence import JOURNAL_NAME
from statecrawl.stores.sqlite_journal import open_journal, open_reader
from statecrawl.stores.sqlite_schema import LAYOUT_VERSION
from tests.cli.command import statecrawl
from tests.stores.formats.make import LINES, make

FORMATS = Path(__file__).parent / "formats"
VERSIONS = range(1, VERSION + 1)
FACTS = {1: 12, 2: 17, 3: 20, 4: 21, 5: 22}


@pytest.fixture
def crawl(tmp_path: Path, version: int) -> Path:
    """Make a crawl folder with a journal of an older release."""
    shutil.copy(FORMATS / f"format-{version}.journal", tmp_path / JOURNAL_NAME)
    return tmp_path


def lines(path: Path) -> bytes:
    """Return the content of the file, independently of our reader."""
    with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as connection:
        return b"".join(row[0] for row in connection.execute("SELECT lines FROM groups ORDER BY first"))


def facts(folder: Path) -> list[Fact]:
    with closing(open_reader(folder / JOURNAL_NAME)) as reader:
        return list(reader.read())


def test_every_version_of_the_format_and_the_layout_is_here() -> None:
    """A new version needs a journal written by its first release; see formats/make.py."""
    assert {path.name for path in FORMATS.glob("*.journal")} == {f"format-{version}.journal" for version in VERSIONS}
    layouts = set()
    for version in VERSIONS:
        path = FORMATS / f"format-{version}.journal"
        written = [json.loads(line) for line in lines(path).splitlines()]
        assert max(each["v"] for each in written) == version
        with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as connection:
            layouts |= {row[0] for row in connection.execute("PRAGMA user_version")}
    assert layouts == set(range(1, LAYOUT_VERSION + 1))
    kinds = {str(kind.__struct_config__.tag) for kind in Fact.__args__}
    assert {json.loads(line)["kind"] for line in LINES} == kinds, "every kind of fact stands in one of them"


@pytest.mark.parametrize("version", VERSIONS)
def test_it_is_read_and_would_be_written_in_the_same_bytes(crawl: Path, version: int) -> None:
    assert len(facts(crawl)) == FACTS[version]
    make(version, crawl / "again.journal")
    assert lines(crawl / "again.journal") == lines(crawl / JOURNAL_NAME)


@pytest.mark.parametrize("version", VERSIONS)
def test_it_means_what_it_meant(crawl: Path, version: int) -> None:
    found = fold(facts(crawl))
    progress = found.progress()
    assert (len(found.graph), found.graph.explored, progress.complete) == (3, 3, False)
    assert (found.fired, found.resets, len(found.graph.divergences)) == (4, 2, 1)
    assert len(found.failures) == 2
    assert found.ended == "max-events"
    assert found.reset_cost == (2.0 if version == 1 else 3.75)
    assert found.revision == (version >= 2)
    assert sum(found.external.values()) == (version >= 2)
    assert list(found.members) == (["node-1"] if version >= 3 else [])
    assert found.claims == ({"ul#menu": "node-1"} if version >= 5 else {})


@pytest.mark.parametrize("version", VERSIONS)
def test_it_is_reported_and_gone_on_with(crawl: Path, version: int) -> None:
    status = folder_status(crawl)
    assert (status["application"], status["states"], status["transitions"]) == ("tiny", 3, 3)
    assert write_report(crawl).is_file()
    before = facts(crawl)
    run = CrawlStarted(application="tiny", configuration={}, reset_cost=2.0, run=2)
    with closing(open_journal(crawl / JOURNAL_NAME)) as journal:
        assert journal.append([run]) == FACTS[version] + 1
    assert facts(crawl) == [*before, run]


@pytest.mark.product
@pytest.mark.parametrize("version", VERSIONS)
def test_it_is_not_resumed_under_other_rules_for_states(crawl: Path, version: int) -> None:
    """States of an older release have other ids, so resuming would find all of them again."""
    before = facts(crawl)
    statecrawl("crawl", "tiny", "--out", crawl).refused(2, "can be read, but neither resumed nor replayed")
    assert facts(crawl) == before
