"""`python -m bench.farm REDIS NODES SECONDS`: nodes that sleep where others would work, until the crawl is over.

Each has a mailbox, a connection and questions of its own, and says what any other node says. That all of them fit
beside a coordinator on two cores, they are no more than a callback each. Prints how long answers took, as JSON: as the
nodes saw it, and between question and answer by the clock of the server, which has no part in how busy the nodes are.
"""

import asyncio
import gc
import json
import sys
import time
from functools import partial
from typing import Any, cast
from urllib.parse import urlsplit

import hiredis

from bench.fleet import APP, CRAWL
from statecrawl.cluster import messages
from statecrawl.cluster.redis.keys import RedisKeys
from statecrawl.coordination.client_node import ClientNode
from statecrawl.coordination.client_server_messages import DescribeState, Heartbeat, LearnContent, RunTask, TaskRequest
from statecrawl.journal.facts import CostMeasured
from statecrawl.model.graph import Graph
from statecrawl.simulation.actor import Actor
from statecrawl.testbed.catalogue import application
from tests.cluster.sleepers import snapshot

BEAT_SECONDS = 2.0
CALM_SECONDS = 3.0  # before anything is measured
KEYS = RedisKeys(CRAWL)


class Waits:
    """How long answers took, in seconds."""

    def __init__(self) -> None:
        self.begun = time.monotonic()
        self.tasks = 0
        self.seen: list[float] = []
        self.served: list[float] = []
        self.seconds = 0.0

    def add(self, asked: float, question: bytes, answer: bytes, *, is_task: bool) -> None:
        now = time.monotonic()
        if now - self.begun > CALM_SECONDS:
            self.tasks += is_task
            self.seen.append(now - asked)
            self.served.append((_milliseconds(answer) - _milliseconds(question)) / 1e3)
            self.seconds = now - self.begun - CALM_SECONDS


def _milliseconds(entry: bytes) -> int:
    return int(entry.partition(b"-")[0])


def _packed(*words: Any) -> bytes:
    packed: bytes = hiredis.pack_command(cast("Any", words))
    return packed


class Sleeper(asyncio.Protocol):
    """One node, and its connection."""

    def __init__(self, name: str, truth: Graph, seconds: float, waits: Waits) -> None:
        self.over = asyncio.get_running_loop().create_future()
        self._seconds = seconds
        self._waits = waits
        self._actor = Actor(truth)
        self._node = ClientNode(name)
        self._mail = KEYS.mail(name)
        self._reader = hiredis.Reader()
        self._read = b"0-0"  # the last entry of its mailbox
        self._asked, self._question = 0.0, b""
        self._transport: asyncio.WriteTransport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.WriteTransport", transport)
        self._ask(self._node.next_request(None))

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        while (reply := self._reader.gets()) is not False:
            match reply:
                case bytes():
                    self._question = reply
                case [[_, [*entries]]]:
                    self._heard(entries)
                case _:
                    raise TypeError(f"{reply} is no answer of the server")

    def beat(self) -> Heartbeat:
        return self._node.heartbeat()

    def _send(self, *words: str | bytes | int) -> None:
        self._transport.write(_packed(*words))

    def _ask(self, ask: TaskRequest) -> None:
        self._asked = time.monotonic()
        self._send("XADD", KEYS.asks, "*", "m", messages.encode(ask))
        self._listen()

    def _listen(self) -> None:
        self._send("XREAD", "BLOCK", 0, "STREAMS", self._mail, self._read)

    def _heard(self, entries: list[tuple[bytes, list[bytes]]]) -> None:
        for self._read, (_, message) in entries:
            reply = self._node.handle_reply(messages.decode_reply(message))
            self._waits.add(self._asked, self._question, self._read, is_task=isinstance(reply, RunTask))
            match reply:
                case RunTask():
                    asyncio.get_running_loop().call_later(self._seconds, self._done, reply)
                case DescribeState():
                    state = self._actor.describe()
                    self._send(
                        "XADD", KEYS.evidence, "*", "p", messages.encode_evidence([(snapshot(state), b"picture")], ())
                    )
                    self._ask(self._node.describe(state))
                case LearnContent():
                    self._ask(self._node.next_request(None, [CostMeasured(reset_cost=3.0)]))
                case _ if self._node.over is not None:
                    self.over.set_result(self._node.over)
                case _:
                    self._listen()

    def _done(self, task: RunTask) -> None:
        facts = self._actor.act(task.order)
        events, resets = len(task.order.steps), int(task.order.reset)
        self._ask(self._node.next_request(self._actor.state, facts, events, resets))


async def _farm(url: str, nodes: int, seconds: float) -> None:
    model = application(APP).truth
    gc.freeze()  # the model is large, and no node would look through it again and again
    waits, loop = Waits(), asyncio.get_running_loop()
    crowd = [Sleeper(f"sleeper-{number}", model, seconds, waits) for number in range(nodes)]
    for each in crowd:
        await loop.create_connection(partial(_same, each), *_place(url))
    beating = asyncio.create_task(_beat(url, crowd))
    await asyncio.gather(*(each.over for each in crowd))
    beating.cancel()
    found: dict[str, Any] = {"tasks": waits.tasks, "seconds": waits.seconds}
    for name, waited in (("seen", sorted(waits.seen)), ("served", sorted(waits.served))):
        found[name] = waited[len(waited) // 2], waited[len(waited) * 99 // 100]
    print(json.dumps(found))


def _same(sleeper: Sleeper) -> Sleeper:
    return sleeper


def _place(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    return parts.hostname or "", parts.port or 0


async def _beat(url: str, crowd: list[Sleeper]) -> None:
    """Say that all of them are alive, one after the other."""
    _, writer = await asyncio.open_connection(*_place(url))
    writer.write(_packed("CLIENT", "REPLY", "OFF"))
    while True:
        for each in crowd:
            writer.write(_packed("XADD", KEYS.asks, "*", "m", messages.encode(each.beat())))
            await asyncio.sleep(BEAT_SECONDS / len(crowd))


if __name__ == "__main__":
    asyncio.run(_farm(sys.argv[1], int(sys.argv[2]), float(sys.argv[3])))
