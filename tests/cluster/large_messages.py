"""Ranks that send each other large and small messages at the same time: `mpiexec -n 3 python -m …`."""

import asyncio
import sys

from statecrawl.cluster.mpi.mailbox import MessageKind, MpiMailbox, world

SIZES = (0, 1, 70_000, 30_000_000)


def letter(rank: int, size: int) -> bytes:
    return bytes([rank + 1]) * size


async def main(post: MpiMailbox) -> None:
    others = [rank for rank in range(post.size) if rank != post.rank]
    missing = sorted((rank, size) for rank in others for size in SIZES)
    complete = asyncio.Event()

    def deliver(rank: int, kind: int, body: bytes) -> None:
        assert (kind, body) == (MessageKind.PARCEL, letter(rank, len(body)))
        missing.remove((rank, len(body)))
        if not missing:
            complete.set()

    running = asyncio.create_task(post.run(deliver))
    await asyncio.gather(
        *(post.send(to, MessageKind.PARCEL, letter(post.rank, size)) for to in others for size in SIZES)
    )
    await asyncio.wait({running, asyncio.create_task(complete.wait())}, return_when=asyncio.FIRST_COMPLETED)
    assert not running.done(), running.exception()
    running.cancel()
    sys.stdout.write(f"rank {post.rank} has all\n")


if __name__ == "__main__":
    asyncio.run(main(MpiMailbox(world())))
