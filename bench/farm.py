"""`python -m bench.farm REDIS NODES SECONDS`: nodes that sleep where others would work, until the crawl is over.

Each has a mailbox, a connection and questions of its own, as any other node. Prints how long answers took, as JSON.
"""

import asyncio
import gc
import json
import sys
import time

from bench.fleet import APP, CRAWL
from statecrawl.cluster.redis_keys import Keys
from statecrawl.cluster.redis_line import RedisLine
from statecrawl.cluster.redis_store import Store
from statecrawl.coordination.questions import Ask, End, Reply
from statecrawl.testbed.catalogue import application
from tests.cluster import sleepers

PATIENCE = 30.0
CALM_SECONDS = 3.0  # before anything is measured


class TimedLine(RedisLine):
    """Remembers how long answers took."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, Keys(CRAWL), PATIENCE)
        self.waited: list[float] = []
        self.seconds = 0.0
        self._begun = time.monotonic()

    async def ask(self, ask: Ask) -> Reply:
        asked = time.monotonic()
        reply = await super().ask(ask)
        now = time.monotonic()
        if now - self._begun > CALM_SECONDS and not isinstance(reply, End):
            self.waited.append(now - asked)
            self.seconds = now - self._begun - CALM_SECONDS
        return reply


async def _farm(url: str, nodes: int, seconds: float) -> None:
    sleepers.BEAT_SECONDS = 2.0
    model = application(APP).truth
    gc.freeze()  # the model is large, and no node would look through it again and again
    line = TimedLine(Store(url, patience=PATIENCE))
    crowd = [sleepers.Sleeper(f"sleeper-{number}", model, line, task_seconds=seconds) for number in range(nodes)]
    await asyncio.gather(*(each.run() for each in crowd))
    await line.close()
    waited = sorted(line.waited)
    p50, p99 = waited[len(waited) // 2], waited[len(waited) * 99 // 100]
    print(json.dumps({"tasks": len(waited), "seconds": line.seconds, "p50": p50, "p99": p99}))


if __name__ == "__main__":
    asyncio.run(_farm(sys.argv[1], int(sys.argv[2]), float(sys.argv[3])))
