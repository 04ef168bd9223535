"""`statecrawl crawl` in a real Chromium: the command as people and machines run it."""

import json
import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import pytest

from statecrawl.cli.main import main
from statecrawl.journal.facts import CrawlEnded, EventRefused, Fact, TransitionExplored
from statecrawl.journal.fold import fold
from statecrawl.stores.evidence import JOURNAL_NAME
from statecrawl.stores.sqlite_journal import open_journal, open_reader
from tests.cli.command import STYLED, Done, Running, statecrawl

pytestmark = pytest.mark.browser

DOCUMENTED = {"url", "states", "transitions", "events", "resets", "cost", "diverged", "hung", "seconds"} | {
    *("events_per_second", "complete", "ended_because")
}
PROGRESS = re.compile(r"\d+ states?, \d+ of \d+ transitions, \d+ events?, \d+ resets?, \d+ events/s, \d+ s")
PAGE = """<!doctype html><title>a page</title>
<h1 id="head">Home</h1>
<button onclick="head.textContent = 'About'">About</button>
<button onclick="head.textContent = 'Gone'">Delete</button>
<button onclick="head.textContent = 'History'">Order history</button>
"""
SOME_STATES = 6  # of test-ria's 39: the crawl is under way

Command = Callable[..., Done]


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Nothing on standard error, which is what is looked at here."""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    """The address of a page of our own."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text(PAGE)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path / "site"))) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """The command in this process, which saves the time of starting one."""
    monkeypatch.chdir(tmp_path)
    for name in STYLED:
        monkeypatch.delenv(name, raising=False)

    def command(*args: str | Path) -> Done:
        monkeypatch.setattr("sys.argv", ["statecrawl", "crawl", *map(str, args)])
        with pytest.raises(SystemExit) as ended:
            main()
        assert isinstance(ended.value.code, int)
        return Done(ended.value.code, *capfd.readouterr())

    return command


def test_a_bundled_application_from_the_first_run_to_the_last(tmp_path: Path, here: Command) -> None:
    folder = tmp_path / "crawl"
    (told,) = statecrawl("crawl", "tiny", "--out", folder, "--json", cwd=tmp_path).fine().objects
    assert told.keys() >= DOCUMENTED
    assert (told["states"], told["transitions"], told["unexplored"]) == (4, 13, 0)
    assert (told["complete"], told["ended_because"]) == (True, "complete")
    assert told["diverged"] == told["hung"] == told["refused"] == 0
    assert told["events"] >= 13
    assert told["resets"] >= 1
    assert told["cost"] == told["events"] + told["reset_cost"] * told["resets"]
    assert told["url"].startswith("http://127.0.0.1:")
    crawl = fold(facts(folder))
    assert crawl.progress().complete
    for state in crawl.graph.ids:
        kept = {path.name.removeprefix(state) for path in (folder / "states").glob(f"{state}*")}
        assert kept == {".html.gz", ".json.gz", ".jpg"}
        assert (folder / "states" / f"{state}.jpg").read_bytes().startswith(b"\xff\xd8\xff")

    again = here("tiny", "--out", folder).fine()
    assert again.out.splitlines()[0] == "4 states, 13 transitions: complete, every event was fired"
    assert again.out.splitlines()[-3:] == [
        f"journal and evidence: {folder}/",
        "the model equals the true model of the application",
        f"the report is {folder}/report/index.html",
    ]
    assert fold(facts(folder)).graph.same_as(crawl.graph)

    here("viol8", "--out", folder).refused(2, "holds a crawl with application tiny, not viol8", "--out")
    here("tiny", "--out", folder, "-e", "exact").refused(2, "holds a crawl with equivalence content, not exact")
    with closing(open_journal(folder / JOURNAL_NAME)):
        here("tiny", "--out", folder).refused(3, "is being written by process")
    assert fold(facts(folder)).graph.same_as(crawl.graph), "whoever was refused has changed nothing"


def test_an_address_with_limits_and_dangers(site: str, here: Command, tmp_path: Path) -> None:
    done = here(site, "--json", "--learn-states", "0", "--no-screenshots", "--quiet").fine()
    (told,) = done.objects
    folder = tmp_path / f"crawl-{site.removeprefix('http://').rstrip('/').replace(':', '-')}"
    assert told["url"] == site
    assert done.err == ""
    assert (told["states"], told["refused"], told["complete"]) == (3, 3, False), "Delete is fired in no state"
    assert [(each["kind"], each["count"]) for each in told["qualifications"]] == [("refused", 3)]
    assert {fact.event for fact in facts(folder) if isinstance(fact, EventRefused)} == {'click button "Delete"'}
    assert not list((folder / "states").glob("*.jpg"))

    (told,) = (
        here(site, "--json", "--learn-states", "0", "--allow-dangerous", "--max-states", "2", "--out", "other")
        .fine()
        .objects
    )
    assert (told["states"], told["complete"], told["ended_because"]) == (2, False, "max-states")


def test_progress_is_a_line_now_and_then_where_there_is_no_terminal(
    site: str, here: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("statecrawl.cli.progress.LINE_SECONDS", 0.0)
    monkeypatch.setattr("statecrawl.cli.progress.REFRESH_SECONDS", 0.01)
    done = here(site, "--learn-states", "0", "--no-screenshots").fine()
    lines = done.err.splitlines()
    assert len(lines) >= 5
    assert [line for line in lines if not PROGRESS.fullmatch(line)] == []
    told = [
        json.loads(line)
        for line in here(site, "--learn-states", "0", "--out", "machine", "--json").fine().err.splitlines()
    ]
    assert {each["kind"] for each in told} == {"progress"}
    assert [each["events"] for each in told] == sorted(each["events"] for each in told)
    assert (told[-1]["states"], told[-1]["pages"], told[-1]["browsers"]) == (3, 1, 1)
    assert here(site, "--learn-states", "0", "--out", "other", "--quiet").fine().err == ""


def test_a_server_that_does_not_answer(here: Command, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    here(f"127.0.0.1:{port}").refused(
        5, f"http://127.0.0.1:{port} could not be loaded (net::ERR_CONNECTION_REFUSED): check that the server runs"
    )
    here("tiny", "--ignore", "((").refused(2, "'((' is not a CSS selector: correct it in --ignore")
    here("tiny", "--reset-command", "exit 7").refused(
        5, "the server could not be reset: 'exit 7' ended with exit code 7."
    )
    assert list(tmp_path.iterdir()) == [], "a crawl that could not start leaves no directory"


@pytest.mark.parametrize(
    ("path", "options", "reason"),
    [
        ("missing", (), "the start page answers with status 404"),
        ("", ("--scope", "/app/"), "the start page leads to {site}, which is out of scope"),
    ],
)
def test_a_crawl_that_sees_nothing_of_the_application_fails(
    site: str, here: Command, tmp_path: Path, path: str, options: tuple[str, ...], reason: str
) -> None:
    done = here(f"{site}{path}", *options, "--out", tmp_path / "out", "--learn-states", "0", "--quiet", "--json")
    (result,) = done.objects
    assert (done.code, result["complete"]) == (5, False)
    assert done.err == f"statecrawl: nothing of the application was crawled: {reason.format(site=site)}.\n"


def test_ctrl_c_keeps_what_was_found_and_the_same_command_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    command = ("crawl", "test-ria", "--out", folder, "--learn-states", "0", "--no-screenshots", "--json", "--quiet")
    with TemporaryDirectory(dir="/tmp") as temporary:  # a short name: Chromium puts a socket there
        running = Running(*command, cwd=tmp_path, env={"TMPDIR": temporary})
        try:
            wait_until(lambda: len(list(folder.glob("states/*.json.gz"))) >= SOME_STATES)
            done = running.press_ctrl_c()
            assert running.leaves_nobody()
        finally:
            running.end()
        assert list(Path(temporary).iterdir()) == [], "the browser is gone, and its profile"
    assert done.code == 130
    assert (
        done.err == f"statecrawl: interrupted: the results are in {folder}, and the same command resumes the crawl.\n"
    )
    (told,) = done.objects
    assert (told["complete"], told["ended_because"]) == (False, "interrupted")
    kept = facts(folder)
    assert isinstance(kept[-1], CrawlEnded)
    assert kept[-1].reason == "interrupted"
    explored = [fact for fact in kept if isinstance(fact, TransitionExplored)]
    assert len(explored) == told["transitions"] > 0

    (later,) = statecrawl(*command, "--max-events", str(told["events"] + 60), cwd=tmp_path).fine().objects
    assert (later["ended_because"], later["diverged"]) == ("max-events", 0), "states are known again, at another port"
    assert later["transitions"] > told["transitions"]
    assert facts(folder)[: len(kept)] == kept


def facts(folder: Path) -> list[Fact]:
    with closing(open_reader(folder / JOURNAL_NAME)) as reader:
        return list(reader.read())


def wait_until(is_so: Callable[[], bool], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)
