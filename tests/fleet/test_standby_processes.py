"""A crawl in Redis by processes with real browsers: whichever process is killed, the model is true."""

import asyncio
import json
import os
import re
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from statecrawl.cluster.redis.connection import RedisConnection
from statecrawl.cluster.redis.crawls import find_crawl
from statecrawl.cluster.redis.journal import groups
from statecrawl.config.fleet import CLIENT_SERVER, DIST_RIA, PEER_TO_PEER
from statecrawl.journal.fold import fold
from tests.cluster.redis_server import RedisServer
from tests.fleet.test_supervisor import (
    QUICK,
    application_served,
    assert_true,
    command,
    known,
    nodes_of,
    process,
    wait_for,
)

pytestmark = pytest.mark.browser
LONG_LATENCY = 60  # milliseconds: the crawl must still run when a second node has started, on a slow machine, too
ARCHITECTURES = [CLIENT_SERVER, *(pytest.param(name, marks=pytest.mark.long) for name in (DIST_RIA, PEER_TO_PEER))]


def explored(server: RedisServer, least: int) -> Callable[[], bool]:
    async def count() -> int:
        store = RedisConnection(server.url, patience=10.0)
        try:
            keys = await find_crawl(store, "crawl")
            return fold([fact async for _, group in groups(store, keys) for fact in group]).graph.explored
        finally:
            await store.close()

    return lambda: asyncio.run(count()) >= least


def status(server: RedisServer) -> dict[str, object]:
    done = subprocess.run(
        command("status", f"{server.url}#crawl", "--json"), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, object] = json.loads(done.stdout)
    return told


def is_alive(process_id: int) -> bool:
    return Path(f"/proc/{process_id}/fd").exists()


@pytest.mark.parametrize("architecture", ARCHITECTURES[:2])
def test_a_standby_takes_over_from_a_coordinator_that_was_killed(
    tmp_path: Path, server: RedisServer, architecture: str
) -> None:
    join, out = f"{server.url}#crawl", tmp_path / "second"
    with application_served() as url:
        begun = ("--engine", join, "--nodes", "2", "--architecture", architecture, "--out", str(tmp_path / "first"))
        with process("crawl", url, *begun, *QUICK) as first:
            wait_for(explored(server, 20))
            with process("coordinate", "--join", join, "--out", str(out)) as second:
                assert second.stderr is not None
                assert "waiting to take over" in second.stderr.readline()
                nodes = nodes_of(first.pid)
                assert len(nodes) == 2
                first.kill()
                first.wait()
                told, said = second.communicate(timeout=90)
                assert second.returncode == 0, said
                assert "coordinating http://" in said
                assert "complete, every event was fired" in told
                assert re.search(r"the pages of \d+ of 21 states are in the folder of an earlier coordinator", told)
                wait_for(lambda: not any(map(is_alive, nodes)), 20)
    assert_true(out)


@pytest.mark.long
def test_peers_go_on_when_whoever_began_is_killed(tmp_path: Path, server: RedisServer) -> None:
    out = tmp_path / "crawl"
    with application_served() as url:
        asked = ("--engine", f"{server.url}#crawl", "--architecture", PEER_TO_PEER, "--nodes", "2", "--out", str(out))
        begun = ("crawl", url, *asked, *QUICK)
        with process(*begun) as first:
            wait_for(explored(server, 20))
            nodes = nodes_of(first.pid)
            assert len(nodes) == 2
            first.kill()
            first.wait()
            wait_for(lambda: not any(map(is_alive, nodes)), 60)
        done = subprocess.run(command(*begun), capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert "complete, every event was fired" in done.stdout
    assert_true(out)
    assert len(list((out / "states").glob("*.html.gz"))) == len(known(out).graph)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_nodes_and_the_server_may_be_killed_too(tmp_path: Path, server: RedisServer, architecture: str) -> None:
    join, out = f"{server.url}#crawl", tmp_path / "crawl"
    begun = ("--engine", join, "--architecture", architecture, "--out", str(out), *QUICK)
    with application_served(latency=LONG_LATENCY) as url, process("crawl", url, *begun) as crawl:
        wait_for(explored(server, 1))
        with process("node", STATECRAWL_JOIN=join) as helper:
            wait_for(lambda: len(status(server)["nodes"]) == 2)  # type: ignore[arg-type]
            wait_for(explored(server, 50))
            for victim in nodes_of(crawl.pid):
                os.kill(victim, signal.SIGKILL)
            server.kill()
            server.start()
            _, said = crawl.communicate(timeout=90)
            assert (crawl.returncode, said) == (0, "")
            _, said = helper.communicate(timeout=30)
            assert helper.returncode == 0, said
            assert f"working for {join} as " in said
            assert "the crawl has ended: complete" in said
    assert_true(out)
