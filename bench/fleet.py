"""What a coordinator with a real Redis can do: nodes that only sleep, broadcasts, and what follows when it is gone."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.table import print_table
from statecrawl.cluster.messages import decode_message
from statecrawl.cluster.redis.connection import RedisConnection
from statecrawl.cluster.redis.keys import RedisKeys
from statecrawl.cluster.redis.mailbox import RedisMailbox
from statecrawl.coordination.client_server_messages import TaskReply, TaskRequest
from statecrawl.journal.facts import TransitionExplored
from tests.cluster.redis_server import RedisServer, redis_server

APP = "bebop"
CRAWL = "sleepers"
TASK_SECONDS = 0.1
COUNTS = (50, 100, 300, 600)
RUN_SECONDS = 20
LIMITED, LONGEST_WAIT = 300, 0.020  # with so many nodes, 99 of 100 answers come within so many seconds
READERS, BROADCASTS = 20, 200
TAKEOVERS = 3
TICKS = os.sysconf("SC_CLK_TCK")


def main() -> bool:
    """True when all that has to hold holds."""
    holds = _throughput()
    _broadcast()
    _takeover()
    return holds


@contextmanager
def _redis() -> Iterator[RedisServer]:
    with tempfile.TemporaryDirectory() as folder, redis_server(Path(folder)) as server:
        yield server


@contextmanager
def _coordinator(*arguments: str, out: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "statecrawl", *arguments, "--out", out, "--quiet"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def _begun(server: RedisServer, *more: str) -> tuple[str, ...]:
    engine = ("--engine", f"{server.url}#{CRAWL}", "--nodes", "0", "--learn-states", "0", "--reset-cost", "3")
    return ("crawl", "http://127.0.0.1:9/", *engine, "--strategy", "greedy", *more)


def _farm(server: RedisServer, nodes: int, seconds: float = TASK_SECONDS) -> "subprocess.Popen[str]":
    arguments = [sys.executable, "-m", "bench.farm", server.url, str(nodes), str(seconds)]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)


def _cpu(process: int) -> float:
    """Seconds that a process has been busy."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


# -- nodes that only sleep --


def _throughput() -> bool:
    rows, holds = [], True
    for count in COUNTS:
        with _redis() as server, tempfile.TemporaryDirectory() as out:
            begun = _begun(server, "--max-time", f"{RUN_SECONDS}s")
            with _coordinator(*begun, out=out) as coordinator:
                farm = _farm(server, count)
                time.sleep(RUN_SECONDS / 4)
                since, busy, redis = time.monotonic(), _cpu(coordinator.pid), _cpu(server.process_id)
                time.sleep(RUN_SECONDS / 2)
                lasted = time.monotonic() - since
                busy, redis = _cpu(coordinator.pid) - busy, _cpu(server.process_id) - redis
                told = json.loads(farm.communicate(timeout=120)[0])
        speed = told["tasks"] / told["seconds"]
        wanted = count / TASK_SECONDS
        held = count != LIMITED or told["seen"][1] <= LONGEST_WAIT
        holds = holds and held
        rows.append(
            (
                count,
                f"{speed:,.0f}",
                f"{speed / wanted:.0%}",
                f"{busy / lasted:.0%}",
                f"{redis / lasted:.0%}",
                f"{told['seen'][0] * 1e3:.1f} ms",
                f"{told['seen'][1] * 1e3:.1f} ms",
                f"{told['served'][1] * 1e3:.0f} ms",
                "" if count != LIMITED else f"{'yes' if held else 'no'} (≤ {LONGEST_WAIT * 1e3:.0f} ms)",
            )
        )
        print(rows[-1], flush=True)
    header = (
        "nodes",
        "tasks/s",
        "of what they could",
        "coordinator's CPU",
        "Redis's CPU",
        "wait p50",
        "p99",
        "p99 at the server",
        "holds",
    )
    print_table(f"Sleeping nodes, {TASK_SECONDS * 1e3:.0f} ms a task ({APP}, greedy, Redis)", header, rows)
    return holds


# -- how long it takes until all have heard --


def _broadcast() -> None:
    with _redis() as server:
        taken = sorted(asyncio.run(_broadcasts(server)))
    row = (READERS, f"{taken[len(taken) // 2] * 1e3:.2f} ms", f"{taken[len(taken) * 99 // 100] * 1e3:.2f} ms")
    print_table("Broadcast through the journal, until the last reader has it", ("readers", "p50", "p99"), [row])


async def _broadcasts(server: RedisServer) -> list[float]:
    keys = RedisKeys(CRAWL)
    stores = [RedisConnection(server.url, patience=5.0) for _ in range(READERS + 1)]
    post: RedisMailbox[TaskRequest, TaskReply] = RedisMailbox(stores[0], keys, decode_message)
    await post.read()
    taken = []
    after = [b"0-0"] * READERS

    async def read(number: int) -> None:
        found = await stores[number + 1].call(lambda client: client.xread({keys.journal: after[number]}, block=5000))
        after[number] = found[0][1][-1][0]

    for number in range(BROADCASTS):
        reading = [asyncio.create_task(read(each)) for each in range(READERS)]
        await asyncio.sleep(0.02)  # until all of them wait
        begun = time.monotonic()
        await post.commit([TransitionExplored(state="a" * 40, event=f"event {number}", target="b" * 40)], [])
        await asyncio.gather(*reading)
        taken.append(time.monotonic() - begun)
    for store in stores:
        await store.close()
    return taken


# -- how soon somebody else coordinates --


def _takeover() -> None:
    killed, told = zip(*(_taken_over() for _ in range(TAKEOVERS)), strict=True)
    rows = [
        (how, *(f"{seconds:.1f} s" for seconds in (min(taken), sorted(taken)[TAKEOVERS // 2], max(taken))))
        for how, taken in (("killed (kill -9)", killed), ("told to make way", told))
    ]
    print_table("Until the standby has recorded something", ("coordinator", "least", "median", "most"), rows)


def _taken_over() -> tuple[float, float]:
    """Seconds without a new fact after a coordinator was killed, and after another was told to make way."""
    with (
        _redis() as server,
        tempfile.TemporaryDirectory() as outs,
        _coordinator(*_begun(server), out=f"{outs}/first") as first,
    ):
        farm = _farm(server, 10)
        try:
            _wait_for_facts(server, 10)
            with _coordinator(*_standby(server), out=f"{outs}/second") as second:
                killed = _until_facts(server, first, signal.SIGKILL)
                with _coordinator(*_standby(server), out=f"{outs}/third"):
                    return killed, _until_facts(server, second, signal.SIGTERM)
        finally:
            farm.kill()
            farm.communicate()


def _standby(server: RedisServer) -> tuple[str, ...]:
    return ("coordinate", "--join", f"{server.url}#{CRAWL}")


def _until_facts(server: RedisServer, coordinator: "subprocess.Popen[str]", how: signal.Signals) -> float:
    _wait_for_facts(server, _facts(server) + 100)
    time.sleep(2.0)  # until whoever stands by does
    coordinator.send_signal(how)
    begun = time.monotonic()
    if how is signal.SIGKILL:
        coordinator.wait()
    _wait_for_facts(server, _facts(server) + 5)
    return time.monotonic() - begun


def _facts(server: RedisServer) -> int:
    return asyncio.run(_length(server))


async def _length(server: RedisServer) -> int:
    store = RedisConnection(server.url, patience=10.0)
    try:
        return int(await store.call(lambda client: client.xlen(RedisKeys(CRAWL).journal)))
    finally:
        await store.close()


def _wait_for_facts(server: RedisServer, least: int) -> int:
    until = time.monotonic() + 60
    while (found := _facts(server)) < least:
        if time.monotonic() > until:
            raise TimeoutError(f"only {found} of {least} groups of facts")
        time.sleep(0.02)
    return found
