"""`statecrawl apps serve`."""

import os
import re
import signal
import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.cli.command import ENVIRONMENT, TIMEOUT_SECONDS, Command, Done, arguments

ANNOUNCED = re.compile(r"serving (\S+) at (http://127\.0\.0\.1:(\d+)/) \(press Ctrl-C to stop\)\n")


class Served:
    """The running command."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        assert process.stdout is not None
        found = ANNOUNCED.fullmatch(process.stdout.readline())
        assert found
        self.name, self.url, self.port = found[1], found[2], int(found[3])

    def get(self, path: str) -> bytes:
        with urllib.request.urlopen(self.url + path, timeout=TIMEOUT_SECONDS) as answer:  # noqa: S310 — our own
            content: bytes = answer.read()
        return content

    def ended_by(self, number: signal.Signals) -> Done:
        os.kill(self._process.pid, number)
        out, err = self._process.communicate(timeout=TIMEOUT_SECONDS)
        return Done(self._process.returncode, out, err)


@contextmanager
def serving(*args: str) -> Iterator[Served]:
    with subprocess.Popen(
        arguments("apps", "serve", *args),
        env=ENVIRONMENT | {"PYTHONIOENCODING": "utf-8"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        try:
            yield Served(process)
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_a_signal_and_prints_nothing_more(number: signal.Signals) -> None:
    with serving("hypercube:10", "--port", "0") as served:
        assert served.name == "hypercube:10"
        assert served.get("board") == b'{"buttons": 10}'
        assert served.get("").lower().startswith(b"<!doctype html>")
        assert served.ended_by(number) == Done(0, "", "")


def test_it_listens_on_the_requested_port() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with serving("tiny", "--port", str(port), "--latency", "1.5") as served:
        assert served.port == port


def test_it_listens_on_the_requested_address() -> None:
    """Every address that starts with 127 belongs to this machine."""
    with subprocess.Popen(
        arguments("apps", "serve", "tiny", "--host", "127.0.0.2", "--port", "0"),
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().split(" at ")[1].split()[0]
            assert url.startswith("http://127.0.0.2:")
            with urllib.request.urlopen(url, timeout=TIMEOUT_SECONDS) as answer:  # noqa: S310 — our own
                assert answer.status == 200
        finally:
            process.kill()


def test_another_port_is_used_if_the_default_is_taken() -> None:
    with serving("tiny") as first, serving("tiny") as second:
        assert first.port != second.port


def test_a_requested_port_that_is_taken_is_refused(here: Command) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        here("apps", "serve", "tiny", "--port", str(port)).refused(2, f"cannot serve at port {port}: it is taken")


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("hypercub:10", "did you mean hypercube"),
        ("hypercube:99", "between 1 and 16"),
        ("hypercube", "hypercube:10"),
        ("tiny:3", "takes no parameters"),
        ("file-tree:nginx", "file-tree:httpd"),
        ("synthetic:1000", "as a model only"),
        ("./model.json", "unknown application"),
    ],
)
def test_unknown_applications_are_refused(line: str, word: str, here: Command) -> None:
    here("apps", "serve", *line.split()).refused(2, word)


def test_wrong_usage(here: Command) -> None:
    for line in ("", "tiny --port 65536", "tiny --port x", "tiny --latency -1", "tiny --latency nan"):
        done = here("apps", "serve", *line.split())
        assert (done.code, done.out) == (2, ""), line
        assert "Traceback" not in done.err
