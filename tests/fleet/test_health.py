"""Metrics and health checks of the processes of a fleet, over HTTP."""

import re
import signal
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from statecrawl.fleet import health
from statecrawl.fleet.health import CoordinatorHealth, NodeHealth
from statecrawl.fleet.standby import Leadership
from tests.cluster.redis_server import RedisServer
from tests.fleet.test_supervisor import application_served, command, process, wait_for

WAIT_SECONDS = 30.0


def said_address(said: Path) -> str:
    """Where a process says that it answers."""
    wait_for(lambda: "/metrics" in said.read_text(), WAIT_SECONDS)
    (address,) = re.findall(r"metrics: (\S+)/metrics", said.read_text())
    return str(address)


def asked(url: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:  # noqa: S310 — what the process has said
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as answer:
        with answer:
            return answer.code, answer.read().decode()


def begun(said: Path, *arguments: str) -> subprocess.Popen[str]:
    with said.open("w") as file:
        return subprocess.Popen(command(*arguments), stdout=file, stderr=file, text=True)


def leads(address: str) -> bool:
    return "\nstatecrawl_leads 1\n" in asked(f"{address}/metrics")[1]


def ended(running: subprocess.Popen[str]) -> int:
    running.send_signal(signal.SIGTERM)
    return running.wait(WAIT_SECONDS)


def test_a_node_that_stays_is_well_while_it_waits(tmp_path: Path) -> None:
    node = begun(
        tmp_path / "node", "node", "--join", "http://127.0.0.1:9", "--token", "12345678", "--stay", "--metrics", "0"
    )
    try:
        address = said_address(tmp_path / "node")
        assert address.startswith("http://127.0.0.1:")
        assert asked(f"{address}/healthz") == (200, "healthy\n")
        assert "\nstatecrawl_joined 0\n" in asked(f"{address}/metrics")[1]
        assert asked(f"{address}/")[0] == 404
        assert ended(node) == 0
    finally:
        node.kill()
        node.wait()


@pytest.mark.cluster
def test_two_coordinators_with_the_same_command(tmp_path: Path, server: RedisServer) -> None:
    with application_served() as url:
        same = ("crawl", url, "--engine", f"{server.url}#crawl", "--nodes", "0", "--metrics", "0")
        first = begun(tmp_path / "first", *same, "--out", str(tmp_path / "a"))
        second = None
        try:
            wait_for(lambda: leads(said_address(tmp_path / "first")), WAIT_SECONDS)
            second = begun(tmp_path / "second", *same, "--out", str(tmp_path / "b"))
            address = said_address(tmp_path / "second")
            wait_for(lambda: "waiting to take over" in (tmp_path / "second").read_text(), WAIT_SECONDS)
            assert not leads(address)
            assert asked(f"{address}/healthz") == (200, "healthy\n")
            assert url not in asked(f"{said_address(tmp_path / 'first')}/metrics")[1]
            assert ended(first) == 130
            assert "stopped: the crawl continues" in (tmp_path / "first").read_text()
            wait_for(lambda: leads(address), WAIT_SECONDS)
            assert ended(second) == 130
        finally:
            for running in (first, second):
                if running is not None:
                    running.kill()
                    running.wait()


@pytest.mark.cluster
@pytest.mark.browser
def test_a_complete_crawl_that_is_begun_again_is_over_without_any_node(tmp_path: Path, server: RedisServer) -> None:
    with application_served("tiny") as url:
        engine = ("--engine", f"{server.url}#crawl", "--no-screenshots", "--reset-cost", "2")
        for nodes in ("1", "0"):
            with process("crawl", url, *engine, "--nodes", nodes, "--out", str(tmp_path / nodes)) as crawl:
                told, said = crawl.communicate(timeout=60)
                assert crawl.returncode == 0, said
                assert "4 states, 13 transitions: complete, every event was fired" in told
        with process("crawl", "http://other.test/", *engine, "--nodes", "0", "--out", str(tmp_path / "c")) as crawl:
            _, said = crawl.communicate(timeout=60)
            assert crawl.returncode == 2
            assert "holds a crawl with application" in said
            assert not (tmp_path / "c" / "crawl.journal").exists()


def test_who_hears_nobody_is_unwell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "SILENT_SECONDS", 0.05)
    node, coordinator = NodeHealth(), CoordinatorHealth(Leadership())
    assert (node.problem(), coordinator.problem()) == ("", "")
    time.sleep(0.1)
    assert "no coordinator has answered" in node.problem()
    assert "Redis has not answered" in coordinator.problem()
    node.is_waiting = True
    assert node.problem() == ""


@pytest.mark.parametrize("wrong", ["nonsense", "host:", "1:2:x"])
def test_a_wrong_address_is_one_sentence(wrong: str) -> None:
    done = subprocess.run(
        command("node", "--join", "redis://127.0.0.1:9/0#x", "--metrics", wrong),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "--metrics takes a port" in done.stderr
