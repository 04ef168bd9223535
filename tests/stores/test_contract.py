"""Contract of all Journal implementations."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from statecrawl.journal.facts import CrawlEnded, Fact
from statecrawl.journal.memory_journal import MemoryJournal
from statecrawl.ports.journal_store import Journal, JournalReader
from statecrawl.stores.sqlite_journal import open_journal, open_reader

JOURNALS: dict[str, Callable[[Path], Journal]] = {"list": lambda _: MemoryJournal(), "sqlite": open_journal}


def facts(*names: object) -> list[Fact]:
    return [CrawlEnded(reason=str(name)) for name in names]


@pytest.fixture(params=JOURNALS)
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Journal]:
    with closing(JOURNALS[request.param](tmp_path / "crawl.journal")) as journal:
        yield journal


def test_a_new_journal_is_empty(journal: Journal) -> None:
    assert list(journal.read()) == []
    assert list(journal.read(5)) == []


def test_facts_are_read_in_the_order_of_appending(journal: Journal) -> None:
    assert journal.append(facts(1, 2)) == 2
    assert journal.append(iter(facts(3))) == 3
    assert list(journal.read()) == facts(1, 2, 3)


def test_an_empty_group_is_no_group(journal: Journal) -> None:
    assert journal.append([]) == 0
    assert journal.append(facts(1)) == 1
    assert journal.append([]) == 1


def test_reading_may_start_at_any_position(journal: Journal) -> None:
    for size in range(1, 6):
        journal.append(facts(*range(size)))
    whole = list(journal.read())
    for start in range(len(whole) + 2):
        assert list(journal.read(start)) == whole[start:]


def test_a_reading_ends_where_the_journal_ended_when_it_was_asked_for(journal: Journal) -> None:
    journal.append(facts(1, 2))
    reading = journal.read()
    journal.append(facts(3))
    assert next(reading) == facts(1)[0]
    journal.append(facts(4))
    assert list(reading) == facts(2)
    assert list(journal.read(2)) == facts(3, 4)


def test_a_group_is_added_as_a_whole_or_not_at_all(journal: Journal) -> None:
    def failing() -> Iterator[Fact]:
        yield from facts(2)
        raise LookupError

    journal.append(facts(1))
    with pytest.raises(LookupError):
        journal.append(failing())
    assert journal.append(facts(3)) == 2
    assert list(journal.read()) == facts(1, 3)


def test_a_closed_journal_says_so(journal: Journal) -> None:
    journal.append(facts(1))
    journal.close()
    journal.close()
    with pytest.raises(ValueError, match="closed"):
        journal.append(facts(2))
    with pytest.raises(ValueError, match="closed"):
        journal.read()


def test_a_reader_is_a_journal_without_append(tmp_path: Path) -> None:
    path = tmp_path / "crawl.journal"
    with closing(open_journal(path)) as journal:
        journal.append(facts(1, 2))
        reader: JournalReader = open_reader(path)
        with closing(reader):
            assert list(reader.read(1)) == facts(2)
            journal.append(facts(3))
            assert list(reader.read()) == facts(1, 2, 3)
        reader.close()
