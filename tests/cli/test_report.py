"""`statecrawl report` and `statecrawl status` of the directory of a crawl."""

from pathlib import Path

from statecrawl.ports.page import Note
from tests.cli.command import statecrawl
from tests.report.folders import FIRST, facts_of, snapshot, write_crawl


def crawl_in(tmp_path: Path) -> Path:
    folder = tmp_path / "crawl"
    write_crawl(folder, facts_of("hello"), [snapshot(FIRST, ["click b"], "hello")], [Note("error", "boom")])
    return folder


def test_a_report_is_written_and_replaced(tmp_path: Path) -> None:
    folder = crawl_in(tmp_path)
    index = folder / "report" / "index.html"
    assert statecrawl("report", folder).fine().out == f"{index}\n"
    stale = folder / "report" / "states" / "dead.js"
    stale.write_text("")
    statecrawl("report", folder).fine()
    assert {path.name for path in (folder / "report").iterdir()} == {"index.html", "data.js", "assets", "states"}
    assert not stale.exists(), "what is not of this crawl is gone"
    assert not list(folder.glob(".report*")), "and no draft is left"


def test_status_of_a_directory(tmp_path: Path) -> None:
    folder = crawl_in(tmp_path)
    assert statecrawl("status", folder).fine().out.splitlines() == [
        "hello by greedy, ended by hello: the crawl was stopped",
        "2 states, 2 of 4 transitions",
        "2 events, 1 reset, cost 4, 10.0 s in 1 run",
        "  - the application threw 1 uncaught error (boom)",
        "  - the crawl was ended by hello",
        "  - 1 event was not fired: hello",
        "  - the page hung after 1 event (hello)",
        "  - 1 event led to different states (click a hello)",
        "problems: 1 exception, 1 nondeterministic, 1 hung, 1 refused",
        "report: none; statecrawl report writes one",
    ]
    (told,) = statecrawl("status", folder, "--json").fine().objects
    assert (told["states"], told["transitions"], told["unexplored"], told["closed"]) == (2, 2, 2, 2)
    assert told["runs"] == [{"number": 1, "began": 1000.0, "ended": "hello", "seconds": 10.0}]


def test_a_directory_without_a_crawl(tmp_path: Path) -> None:
    for command in ("report", "status"):
        statecrawl(command, tmp_path).refused(
            2, "there is no crawl in", "name a directory that was written by statecrawl crawl"
        )
