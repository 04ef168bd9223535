"""Status of the directory of a crawl."""

import os
import time
from contextlib import closing
from pathlib import Path

from statecrawl.cli.status import folder_lines
from statecrawl.journal.facts import CrawlEnded, CrawlStarted, Fact, StateFound, TransitionExplored
from statecrawl.results.status import folder_status
from statecrawl.stores.evidence import JOURNAL_NAME
from statecrawl.stores.sqlite_journal import open_journal
from statecrawl.stores.writer_lock import lock_path


def begun(at: float) -> list[Fact]:
    started = CrawlStarted(application="http://h/", configuration={"strategy": "greedy"}, reset_cost=2.0, at=at)
    return [started, StateFound(state="aa", events=("x",), url="http://h/", at=at + 1.0)]


def test_the_status_of_a_running_crawl_shows_its_writer_and_duration(tmp_path: Path) -> None:
    with closing(open_journal(tmp_path / JOURNAL_NAME)) as journal:
        journal.append(begun(time.time() - 100))
        told = folder_status(tmp_path)
        assert (told["writer"], told["ending"]) == (os.getpid(), "it is still running")
        assert 100 <= told["seconds"] < 160
        assert told["runs"][0]["seconds"] == told["seconds"]
        assert f"process {os.getpid()} is writing it" in folder_lines(told)


def test_a_killed_crawl_lasted_until_its_last_write(tmp_path: Path) -> None:
    at = time.time() - 1000
    with closing(open_journal(tmp_path / JOURNAL_NAME)) as journal:
        journal.append(begun(at))
    os.utime(lock_path(tmp_path / JOURNAL_NAME), (at + 50, at + 50))
    told = folder_status(tmp_path)
    assert told["writer"] is None
    assert told["ending"].startswith("it was killed")
    assert abs(told["seconds"] - 50) < 1


def test_an_ended_crawl_lasted_until_its_end(tmp_path: Path) -> None:
    at = time.time() - 1000
    with closing(open_journal(tmp_path / JOURNAL_NAME)) as journal:
        journal.append([*begun(at), CrawlEnded(reason="max-time", at=at + 7.0)])
    told = folder_status(tmp_path)
    assert (told["writer"], told["ended_because"]) == (None, "max-time")
    assert abs(told["seconds"] - 7) < 0.01


def test_a_run_that_explores_nothing_does_not_change_the_strategy(tmp_path: Path) -> None:
    again = CrawlStarted(application="http://h/", configuration={"strategy": "menu"}, reset_cost=2.0, run=2)
    with closing(open_journal(tmp_path / JOURNAL_NAME)) as journal:
        journal.append([*begun(0.0), CrawlEnded(reason="complete"), again])
        assert folder_status(tmp_path)["strategy"] == "greedy"
        journal.append([TransitionExplored(state="aa", event="x", target="aa", fired=1, resets=1)])
    assert folder_status(tmp_path)["strategy"] == "menu"
