"""The post of whoever looks after peers in Redis, who write the journal themselves.

It leads like a coordinator (see `redis_post`), since one process should do so at a time, and reads what peers append.
It writes only what begins a run and what ends it before its time. A run begins on the same condition as a coordinator
writes: that the journal ends where it has read. For the end it is enough that what it has read is still there: busy
peers write all the time, and would never let it be the last. What they write behind the end counts all the same; each
of them goes when it reads the end.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from statecrawl.cluster import messages
from statecrawl.cluster.redis.connection import RedisConnection
from statecrawl.cluster.redis.journal import MOST_GROUPS, facts_of, has_group
from statecrawl.cluster.redis.keys import RedisKeys
from statecrawl.cluster.redis.mailbox import RENEW_SECONDS, RedisMailbox, last_written
from statecrawl.coordination.client_server_messages import TaskReply, TaskRequest
from statecrawl.journal.encoding import encode
from statecrawl.journal.facts import CrawlEnded, Fact
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.ports.mailbox import Deposed, JournalOutdated


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerReport:
    """What the log knows of a peer; times in seconds."""

    name: str
    since: float  # how long ago it came
    silent: float
    events: int
    resets: int
    transitions: int
    idle: float


@dataclass(frozen=True, slots=True)
class PeerTotals:
    """What all peers have told."""

    fired: int
    resets: int
    peers: list[PeerReport]
    warnings: list[str]


class RedisFollower(RedisMailbox[TaskRequest, TaskReply]):
    """Reads what peers write."""

    def __init__(self, store: RedisConnection, keys: RedisKeys) -> None:
        super().__init__(store, keys, messages.to_message)
        self._looked = 0.0  # when we last saw to it that we lead

    async def follow(self, seconds: float) -> list[Fact]:
        """What was written since; waits so long for the first. Raises Outdated and Deposed."""
        if time.monotonic() - self._looked > RENEW_SECONDS:
            if not await self.lead():
                raise Deposed
            self._looked = time.monotonic()
        entries = await self._read(self._keys.journal, self._last, MOST_GROUPS, seconds)
        if not await has_group(self._store, self._keys, self._last):
            raise JournalOutdated
        if entries:
            self._last = entries[-1][0]
        return [fact for _, fields in entries for fact in facts_of(fields)]

    async def open_log(self, facts: Sequence[Fact], crawl: FoldedCrawl) -> None:
        """A run begins, by these facts, with nobody in it; `crawl` is what the journal says then.

        Raises Outdated and Deposed, and has done nothing then.
        """
        if not await self.lead():  # else it may have vanished while we were learning
            raise Deposed
        keys, run = self._keys, 1 if crawl.started is None else crawl.started.run
        self._last = last_written(
            await self._store.run(
                "open",
                [keys.leader, keys.journal, keys.ended, keys.log, keys.seen, keys.peers, keys.warnings],
                [self._me, self._last, encode(facts), run, crawl.epoch, crawl.fired, crawl.resets],
            )
        )

    async def stop(self, ended: CrawlEnded) -> None:
        """End the run, unless it has ended, we do not lead, or the server has lost something: `follow` tells."""
        keys = self._keys
        said: list[str | bytes | int] = [self._me, self._last, encode([ended]), ended.reason]
        await self._store.run("stop", [keys.leader, keys.journal, keys.ended, keys.log], said)

    async def look(self) -> PeerTotals:
        """What peers have told of themselves."""
        keys, call = self._keys, self._store.call
        seconds, micros = await call(lambda client: client.time())
        names = ("clock", "at", "fired", "resets")
        clock, at, fired, resets = [int(each or 0) for each in await call(lambda client: client.hmget(keys.log, names))]
        now = clock + max(0, int(seconds) * 1000 + int(micros) // 1000 - at)
        seen = await call(lambda client: client.hgetall(keys.seen))
        peers = await call(lambda client: client.hgetall(keys.peers))
        warnings = await call(lambda client: client.smembers(keys.warnings))
        return PeerTotals(
            fired,
            resets,
            [_peer(name, told, now, int(seen.get(name, now))) for name, told in peers.items()],
            sorted(warning.decode(errors="replace") for warning in warnings),
        )


def _peer(name: bytes, told: bytes, now: int, seen: int) -> PeerReport:
    _, _, since, events, resets, transitions, idle = told.decode().split()
    return PeerReport(
        name=name.decode(errors="replace"),
        since=(now - int(since)) / 1000,
        silent=(now - seen) / 1000,
        events=int(events),
        resets=int(resets),
        transitions=int(transitions),
        idle=int(idle) / 1000,
    )
