"""`statecrawl diff`."""

from pathlib import Path

from statecrawl.journal.facts import CrawlEnded, Fact, StateFound, TransitionExplored
from tests.cli.command import statecrawl
from tests.report.folders import snapshot, write_crawl

EVENT = 'click a "Go" #go in nav'


def crawl(folder: Path, second: str, text: str, *, ended: str = "complete") -> Path:
    facts: list[Fact] = [
        StateFound(state="aa", events=(EVENT,), url="http://app.test/"),
        StateFound(state=second, events=(EVENT,), url="http://app.test/"),
        TransitionExplored(state="aa", event=EVENT, target=second),
        TransitionExplored(state=second, event=EVENT, target="aa"),
        CrawlEnded(reason=ended),
    ]
    write_crawl(folder, facts, [snapshot("aa", [EVENT], "first"), snapshot(second, [EVENT], text)])
    return folder


def test_changes_are_listed(tmp_path: Path) -> None:
    old, new = crawl(tmp_path / "old", "bb", "Hello"), crawl(tmp_path / "new", "cc", "Hullo")
    done = statecrawl("diff", old, new, "--out", tmp_path / "diff.html")
    assert done.code == 7
    assert done.err == f"wrote {tmp_path / 'diff.html'}\n"
    lines = done.out.splitlines()
    assert lines[1] == "2 states and 2 transitions now: 1 identical states, 1 changed, 0 new, 0 removed"
    assert lines[2:] == [
        "changed states: 1",
        "  1 → 1: open the application, click “Go”",
        "    at /p",
        "      - text 'Hello'",
        "      + text 'Hullo'",
    ]
    assert "text &#x27;Hullo&#x27;" in (tmp_path / "diff.html").read_text()
    told = statecrawl("diff", old, new, "--json")
    assert told.code == 7
    assert told.objects[0]["states_changed"][0]["places"] == [["/p", ["text 'Hello'"], ["text 'Hullo'"]]]


def test_secrets_of_two_crawls_look_the_same(tmp_path: Path) -> None:
    old = crawl(tmp_path / "old", "bb", "Hello REDACTED-589c7054")
    new = crawl(tmp_path / "new", "cc", "Hello REDACTED-6badb6bc")
    assert "REDACTED-" not in statecrawl("diff", old, new).out


def test_a_warning_is_printed_for_an_incomplete_crawl(tmp_path: Path) -> None:
    old, new = crawl(tmp_path / "old", "bb", "Hello", ended="max-time"), crawl(tmp_path / "new", "bb", "Hello")
    warning = f"{old} is not complete (--max-time stopped the crawl)"
    done = statecrawl("diff", old, new, "--out", tmp_path / "diff.html").fine()
    assert done.out.startswith(f"warning: {warning}")
    assert done.out.count("warning:") == 1
    assert warning in (tmp_path / "diff.html").read_text()
    assert warning in statecrawl("diff", new, old, "--json").fine().objects[0]["warnings"][0]


def test_a_crawl_does_not_differ_from_itself(tmp_path: Path) -> None:
    old = crawl(tmp_path / "old", "bb", "Hello")
    assert statecrawl("diff", old, old).fine().out.endswith("now: no differences\n")


def test_a_missing_crawl_is_refused(tmp_path: Path) -> None:
    old = crawl(tmp_path / "old", "bb", "Hello")
    statecrawl("diff", old, tmp_path).refused(2, "there is no crawl in")
    statecrawl("diff", old, old, "--out", tmp_path / "no" / "diff.html").refused(2, "cannot write")
