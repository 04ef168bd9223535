"""Nodes and coordinators as processes with real browsers: whichever process is killed, the model is true."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from statecrawl.journal.fold import FoldedCrawl, fold
from statecrawl.stores.evidence import JOURNAL_NAME
from statecrawl.stores.sqlite_journal import open_reader
from statecrawl.testbed.catalogue import application
from statecrawl.testbed.model_match import mismatch

pytestmark = pytest.mark.browser

APP = "menusite:5,3"  # small, and large enough to be killed in the middle
QUICK = ("--no-screenshots", "--no-report", "--learn-states", "2", "--quiet")
LATENCY = 15  # milliseconds: long enough to be killed in the middle


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "statecrawl", *arguments]


@contextmanager
def process(*arguments: str, **more: str) -> Iterator[subprocess.Popen[str]]:
    running = subprocess.Popen(
        command(*arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **more}
    )
    try:
        yield running
    finally:
        running.kill()
        running.communicate()


@contextmanager
def application_served(name: str = APP, latency: int = LATENCY) -> Iterator[str]:
    with process("apps", "serve", name, "--port", "0", "--latency", str(latency)) as server:
        assert server.stdout is not None
        yield server.stdout.readline().split(" at ")[1].split(" ")[0]


def known(out: Path) -> FoldedCrawl:
    return fold(open_reader(out / JOURNAL_NAME).read())


def wait_for(what: Callable[[], bool], seconds: float = 60.0) -> None:
    ends = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < ends, "it never came to that"
        time.sleep(0.1)


def explored(out: Path, least: int) -> Callable[[], bool]:
    return lambda: (out / JOURNAL_NAME).exists() and known(out).graph.explored >= least


def assert_true(out: Path) -> None:
    found = known(out)
    assert found.ended == "complete"
    assert mismatch(found.graph, application(APP).truth) is None


def nodes_of(parent: int) -> list[int]:
    """The node processes that a crawl has started."""
    found = []
    for child in Path(f"/proc/{parent}/task/{parent}/children").read_text().split():
        with suppress(OSError):  # it has ended since
            if "node" in Path(f"/proc/{child}/cmdline").read_text().split("\0"):
                found.append(int(child))
    return found


def test_a_crawl_by_two_processes_is_true(tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    done = subprocess.run(
        command("crawl", APP, "--nodes", "2", "--out", str(out), *QUICK), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "the model equals the true model of the application" in done.stdout
    assert_true(out)
    assert len(list((out / "states").glob("*.html.gz"))) >= len(known(out).graph)
    logs = [(out / "nodes" / f"node-{number}.log").read_text() for number in (1, 2)]
    for number, log in enumerate(logs, 1):
        assert re.match(rf"working for http://127.0.0.1:\d+ as node-{number}-[0-9a-f]{{6}}\n", log)
        assert re.search(r"\n\d+ tasks?, \d+ events?, \d+ s\nthe crawl has ended: complete\n$", log)
    assert sum("learning dynamic content" in log for log in logs) == 1


def test_nodes_that_are_killed_are_started_again(tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    with application_served() as url, process("crawl", url, "--nodes", "2", "--out", str(out), *QUICK) as crawl:
        wait_for(explored(out, 60))
        for victim in nodes_of(crawl.pid):
            os.kill(victim, signal.SIGKILL)
        _, said = crawl.communicate(timeout=120)
        assert (crawl.returncode, said) == (0, "")
    assert_true(out)


def test_a_coordinator_that_is_killed_goes_on_from_its_journal(tmp_path: Path) -> None:
    out, token = tmp_path / "crawl", {"STATECRAWL_TOKEN": "known to all of us"}
    with application_served() as url:
        serve = ("serve", url, "--port", "0", "--out", str(out), *QUICK)
        with process(*serve, **token) as first:
            assert first.stderr is not None
            said = first.stderr.readline()
            port = re.search(r":(\d+) --token", said)
            assert port, said
            join = f"http://127.0.0.1:{port[1]}"
            with process("node", "--join", join, **token) as node:
                wait_for(explored(out, 60))
                first.kill()
                first.wait()
                before = known(out).graph.explored
                with process(*serve[:3], port[1], *serve[4:], **token) as second:
                    second.communicate(timeout=120)
                    assert second.returncode == 0
                _, told = node.communicate(timeout=30)
                assert node.returncode == 0, told
                assert "the crawl has ended: complete" in told
    assert before >= 60
    assert_true(out)


def test_a_node_that_is_told_to_end_hands_back_what_it_has(tmp_path: Path) -> None:
    out, token = tmp_path / "crawl", {"STATECRAWL_TOKEN": "known to all of us"}
    with application_served() as url, process("serve", url, "--port", "0", "--out", str(out), *QUICK, **token) as serve:
        assert serve.stderr is not None
        port = re.search(r":(\d+) --token", serve.stderr.readline())
        assert port
        join = f"http://127.0.0.1:{port[1]}"
        with process("node", "--join", join, **token) as first:
            wait_for(explored(out, 30))
            first.terminate()
            _, said = first.communicate(timeout=30)
            assert first.returncode == 0
            assert "this node has left" in said
        status = subprocess.run(
            command("status", join, "--json"), capture_output=True, text=True, check=False, env={**os.environ, **token}
        )
        assert (status.returncode, '"nodes": []' in status.stdout) == (0, True), status
        with process("node", "--join", join, "--pages", "2", **token) as second:
            serve.communicate(timeout=120)
            assert serve.returncode == 0
            second.communicate(timeout=30)
            assert second.returncode == 0
    assert_true(out)


def test_a_site_that_is_not_there_is_said_once(tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    done = subprocess.run(
        command("crawl", "http://127.0.0.1:9/", "--nodes", "1", "--out", str(out), *QUICK),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 5
    assert done.stderr.count("\n") == 1
    assert "http://127.0.0.1:9/" in done.stderr
