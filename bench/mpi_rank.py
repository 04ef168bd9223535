"""One rank of the job that `bench.mpi` starts: rank 0 sends, the others answer, and it says how long that took."""

import asyncio
import json
import resource
import statistics
import sys
import time
from typing import Any

from statecrawl.cluster.mpi.mailbox import MessageKind, MpiMailbox, world

BYTES = 256
ROUNDS = 500
COLD_ROUNDS = 60
REST_SECONDS = 0.05  # until a rank looks as seldom as it ever does
IDLE_SECONDS = 3.0


def _busy() -> float:
    """Seconds that this process has been busy."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


async def _ask(post: MpiMailbox) -> dict[str, float]:
    """To all others and back."""
    missing = 0
    all_there = asyncio.Event()

    def deliver(_: int, __: int, ___: bytes) -> None:
        nonlocal missing
        missing -= 1
        if not missing:
            all_there.set()

    async def once() -> float:
        nonlocal missing
        missing = post.size - 1
        all_there.clear()
        began = time.perf_counter()
        for rank in range(1, post.size):
            await post.send(rank, MessageKind.EXCHANGE, b"x" * BYTES)
        await all_there.wait()
        return time.perf_counter() - began

    running = asyncio.create_task(post.run(deliver))
    warm = [await once() for _ in range(ROUNDS)]
    cold = []
    for _ in range(COLD_ROUNDS):
        await asyncio.sleep(REST_SECONDS)
        cold.append(await once())
    busy = _busy()
    await asyncio.sleep(IDLE_SECONDS)
    idle = (_busy() - busy) / IDLE_SECONDS
    for rank in range(1, post.size):
        await post.send(rank, MessageKind.OVER, b"")
    running.cancel()
    return {"warm": statistics.median(warm), "cold": statistics.median(cold), "idle": idle}


async def _answer(post: MpiMailbox) -> None:
    over = asyncio.Event()
    answering: set[asyncio.Task[None]] = set()

    def deliver(rank: int, kind: int, body: bytes) -> None:
        if kind == MessageKind.OVER:
            over.set()
        else:
            answering.add(task := asyncio.create_task(post.send(rank, MessageKind.ANSWER, body)))
            task.add_done_callback(answering.discard)

    running = asyncio.create_task(post.run(deliver))
    await over.wait()
    running.cancel()


def _bare(ranks: Any) -> float:
    """Seconds of a question and its answer by MPI alone, which keeps both cores busy meanwhile."""
    buffer = bytearray(BYTES)
    took = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        if ranks.Get_rank() == 0:
            ranks.Send(buffer, 1)
            ranks.Recv(buffer, 1)
        elif ranks.Get_rank() == 1:
            ranks.Recv(buffer, 0)
            ranks.Send(buffer, 0)
        took.append(time.perf_counter() - began)
    return statistics.median(took)


def main() -> None:
    ranks = world()
    post = MpiMailbox(ranks)
    bare = _bare(ranks) if post.size == 2 else 0.0
    if post.rank:
        asyncio.run(_answer(post))
    else:
        sys.stdout.write(json.dumps({"bare": bare, **asyncio.run(_ask(post))}) + "\n")


if __name__ == "__main__":
    main()
