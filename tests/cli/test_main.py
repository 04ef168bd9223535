"""Every deliberate error: one sentence on standard error, the documented exit code, nothing on standard output."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from statecrawl.__main__ import INTERRUPTED
from statecrawl.errors import EXIT_INTERRUPTED
from statecrawl.journal.facts import CrawlStarted, StateFound, TransitionExplored
from statecrawl.lab.measurement import measure
from statecrawl.lab.subjects import subject
from statecrawl.stores.sqlite_journal import open_journal
from statecrawl.stores.sqlite_schema import LAYOUT_VERSION, SIDE_FILES
from statecrawl.strategies.settings import StrategySettings
from tests.cli.command import ENVIRONMENT, Command, Done, arguments, statecrawl

WRONG_REQUESTS = [  # what was asked, and what the answer must say
    ("simulate alltoro", "did you mean altoro"),
    ("simulate qqqq", "known: altoro, bebop"),
    ("simulate tiny -s gredy", "did you mean greedy"),
    ("compare tiny -s gredy", "did you mean greedy"),
    ("compare tiny alltoro", "did you mean altoro"),
    ("export tiny --format grafml", "did you mean graphml"),
    ("export tiny --out model.txt", "add --format"),
    ("simulate hypercube:x", "hypercube:10"),
    ("simulate hypercube:99", "between 1 and 16"),
    ("simulate widgets:1", "widgets:6,5"),
    ("simulate widgets:9,99", "choose smaller numbers"),
    ("simulate tiny:3", "takes no parameters"),
    ("simulate file-tree:nginx", "file-tree:httpd"),
    ("simulate tiny --runs 3", "--order random"),
    ("simulate tiny --runs 0", "--runs"),
    ("simulate tiny --reset-cost -1", "--reset-cost"),
    ("simulate tiny --reset-cost nan", "--reset-cost"),
    ("simulate tiny --reset-cost inf", "--reset-cost"),
    ("simulate tiny --aging 0", "--aging"),
    ("simulate tiny --aging nan", "--aging"),
    ("simulate tiny --journal new.journal", "one --strategy"),
    ("simulate tiny -s greedy --order random --runs 2 --journal new.journal", "one --strategy"),
    ("simulate tiny -s greedy --journal old.journal", "already exists"),
    ("simulate tiny -s greedy --journal no/such/folder.journal", "no directory"),
    (f"simulate tiny -s greedy --journal {'x' * 300}.journal", "File name too long"),
    (f"simulate {'x' * 300}", "unknown application"),
    ("crawl test-ira", "did you mean test-ria? For a URL, write http://test-ira/."),
    (f"simulate {'x' * 300}.json", "File name too long"),
    ("simulate missing.json", "No such file"),
    ("simulate missing.journal", "no journal missing.journal"),
    ("simulate folder.json", "Is a directory"),
    ("simulate folder.journal", "is a directory"),
    ("simulate ./folder.txt", "not a model"),
    ("simulate binary.json", "not UTF-8"),
    ("simulate truncated.json", "not JSON"),
    ("simulate truncated.graphml", "truncated.graphml"),
    ("simulate other.json", "not a statecrawl model"),
    ("simulate empty.json", "nothing to simulate"),
    ("simulate unexplored.json", "nothing to simulate"),
    ("simulate facts.journal", "nothing to simulate"),
    ("simulate negative.journal", "is -5.0 events, but only 0 to 1,000,000 can be simulated"),
    ("simulate pipe.json", "pipe.json is a pipe or a device: copy the model into a file"),
    ("export pipe.journal", "pipe.journal is a pipe or a device"),
    ("simulate /dev/zero", "/dev/zero is a pipe or a device"),
    ("simulate esc\x1b[31m", "unknown application 'esc\\x1b[31m'"),
    ("simulate esc\x9b31m.json", "cannot read esc\\x9b31m.json"),
    ("simulate tiny -s \u202egreedy", "unknown strategy '\\u202egreedy'"),
    ("export tiny --out no/such/folder/model.json", "cannot write"),
    ("compare tiny --out folder.txt", "cannot write folder.txt: Is a directory; choose another file with --out."),
]
TROUBLED_JOURNALS = [
    ("simulate damaged.journal", "damaged.journal is not a valid journal"),
    ("simulate text.journal", "text.journal is not a valid journal"),
    ("simulate zero.journal", "empty"),
    ("export damaged.journal", "not a valid journal"),
    ("simulate newer.journal", "newer statecrawl"),
    ("simulate newer.json", "newer.json: "),
]


def files(folder: Path) -> set[str]:
    """All but what SQLite keeps beside a journal while it is read."""
    return {path.name for path in folder.iterdir() if not path.name.endswith(SIDE_FILES)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder full of trouble."""
    model = '{"format": "statecrawl-model", "version": 1, "states": [%s]}'
    texts = {
        "truncated.json": (model % "")[:-3],
        "truncated.graphml": '<?xml version="1.0"?><graphml><graph>',
        "other.json": "[1, 2]",
        "empty.json": model % "",
        "unexplored.json": model % '{"id": "A", "events": [{"event": "a", "target": null}]}',
        "newer.json": (model % "").replace('"version": 1', '"version": 99'),
        "text.journal": "this is no database " * 99,
        "zero.journal": "",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "binary.json").write_bytes(bytes(range(256)))
    for name in ("folder.json", "folder.journal", "folder.txt"):
        (tmp_path / name).mkdir()
    with closing(open_journal(tmp_path / "facts.journal")):
        pass
    for name in ("pipe.json", "pipe.journal"):
        os.mkfifo(tmp_path / name)
    with closing(open_journal(tmp_path / "negative.journal")) as journal:
        journal.append([CrawlStarted(application="x", configuration={}, reset_cost=-5.0)])
        journal.append([StateFound(state="A", events=("a",)), TransitionExplored(state="A", event="a", target="A")])
    old = tmp_path / "old.journal"
    with closing(open_journal(old)) as journal:
        measure(subject("tiny"), "greedy", StrategySettings(), journal=journal)
    for name, statement in (
        ("damaged", "UPDATE groups SET lines = replace(lines, 'A', 'Z')"),
        ("newer", f"PRAGMA user_version = {LAYOUT_VERSION + 1}"),
    ):
        path = shutil.copy(old, tmp_path / f"{name}.journal")
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute(statement)
    return tmp_path


@pytest.mark.parametrize(("line", "word"), WRONG_REQUESTS, ids=[line[:60] for line, _ in WRONG_REQUESTS])
def test_a_wrong_request(line: str, word: str, here: Command, folder: Path) -> None:
    before = files(folder)
    here(*line.split(), cwd=folder).refused(2, word)
    assert files(folder) == before


@pytest.mark.parametrize(("line", "word"), TROUBLED_JOURNALS)
def test_a_journal_that_cannot_be_used(line: str, word: str, here: Command, folder: Path) -> None:
    here(*line.split(), cwd=folder).refused(3, word)


@pytest.mark.parametrize(
    ("code", "line", "word"),
    [
        (2, "simulate alltoro", "did you mean altoro"),
        (3, "simulate damaged.journal", "not a valid journal"),
    ],
)
def test_the_same_as_a_process(code: int, line: str, word: str, folder: Path) -> None:
    statecrawl(*line.split(), cwd=folder).refused(code, word)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that even root cannot read")
def test_an_unreadable_file(here: Command, folder: Path) -> None:
    (folder / "unreadable.json").symlink_to("/proc/self/mem")
    here("simulate", "unreadable.json", cwd=folder).refused(2, "cannot read unreadable.json: ")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
def test_a_full_disk(folder: Path, here: Command) -> None:
    (folder / "full.dot").symlink_to("/dev/full")
    here("export", "tiny", "--out", "full.dot", cwd=folder).refused(2, "No space left on device")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            arguments("export", "tiny"), env=ENVIRONMENT, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    Done(done.returncode, "", done.stderr).refused(2, "No space left on device")


def test_a_terminal_that_cannot_show_every_character() -> None:
    done = statecrawl("simulate", "tiny", "-s", "greedy", env={"PYTHONIOENCODING": "ascii"}).fine()
    assert "greedy" in done.out


def test_help_says_what_exit_codes_mean(here: Command) -> None:
    done = here("--help").fine()
    words = " ".join(done.out.split())
    assert "Exit codes: 0 done; 1 a worker process died" in words
    assert "; 2 the request" in words
    assert "130 interrupted" in words
    for command in ("apps", "simulate", "compare", "export"):
        assert command in words


def test_wrong_usage_has_the_exit_code_of_a_wrong_request(here: Command, folder: Path) -> None:
    for line in ("simulate", "simulate tiny --no-such-option", "simulate tiny --runs many", "fly"):
        done = here(*line.split(), cwd=folder)
        assert (done.code, done.out) == (2, "")
        assert "Traceback" not in done.err


def test_nothing_is_loaded_before_ctrl_c_is_heeded() -> None:
    load = (
        "import sys; before = set(sys.modules); import statecrawl.__main__; print(*sorted(set(sys.modules) - before))"
    )
    told = subprocess.run([sys.executable, "-c", load], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["statecrawl", "statecrawl.__main__"]
    assert INTERRUPTED == EXIT_INTERRUPTED


@pytest.mark.parametrize("loading", ["statecrawl.cli", "statecrawl.errors", "typer"])
def test_ctrl_c_while_the_command_is_loaded_ends_it_without_a_word(loading: str) -> None:
    pressed = (
        "import sys\n"
        "class Pressed:\n"
        "    @staticmethod\n"
        "    def find_spec(name, path, target=None):\n"
        f"        if name == {loading!r}: raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Pressed)\n"
        "from statecrawl.__main__ import run\n"
        "run()"
    )
    ended = subprocess.run([sys.executable, "-c", pressed], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")
