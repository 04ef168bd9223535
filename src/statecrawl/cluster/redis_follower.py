"""The post of whoever looks after peers in Redis, who write the journal themselves.

It leads like a coordinator (see `redis_post`), since one process should do so at a time, and reads what peers append.
It writes only what begins a run and what ends it before its time, and on the same condition as a coordinator: that the
journal ends where it has read.
"""

import time
from dataclasses import dataclass

from statecrawl.cluster import wire
from statecrawl.cluster.redis_journal import MOST_GROUPS, facts_of, has_group
from statecrawl.cluster.redis_keys import Keys
from statecrawl.cluster.redis_post import RENEW_SECONDS, RedisPost
from statecrawl.cluster.redis_store import Store
from statecrawl.coordination.questions import Ask, Reply
from statecrawl.journal.facts import Fact
from statecrawl.ports.post import Deposed, Outdated


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenPeer:
    """What the log knows of a peer; times in seconds."""

    name: str
    since: float  # how long ago it came
    silent: float
    events: int
    resets: int
    transitions: int
    idle: float


@dataclass(frozen=True, slots=True)
class Spent:
    """What all peers have told."""

    fired: int
    resets: int
    peers: list[SeenPeer]
    warnings: list[str]


class RedisFollower(RedisPost[Ask, Reply]):
    """Reads what peers write."""

    def __init__(self, store: Store, keys: Keys) -> None:
        super().__init__(store, keys, wire.to_message)
        self._looked = 0.0  # when we last saw to it that we lead

    async def follow(self, seconds: float) -> list[Fact]:
        """What was written since; waits so long for the first. Raises Outdated and Deposed."""
        if time.monotonic() - self._looked > RENEW_SECONDS:
            if not await self.lead():
                raise Deposed
            self._looked = time.monotonic()
        entries = await self._read(self._keys.journal, self._last, MOST_GROUPS, seconds)
        if not await has_group(self._store, self._keys, self._last):
            raise Outdated
        if entries:
            self._last = entries[-1][0]
        return [fact for _, fields in entries for fact in facts_of(fields)]

    async def open_log(self, fired: int, resets: int) -> None:
        """A run is about to begin, with nobody in it: so much was spent before, unless the log knows better."""
        keys = self._keys
        await self._store.call(lambda client: client.hsetnx(keys.log, "fired", fired))
        await self._store.call(lambda client: client.hsetnx(keys.log, "resets", resets))
        await self._store.call(lambda client: client.delete(keys.warnings, keys.seen, keys.peers))

    async def look(self) -> Spent:
        """What peers have told of themselves."""
        keys, call = self._keys, self._store.call
        seconds, micros = await call(lambda client: client.time())
        names = ("clock", "at", "fired", "resets")
        clock, at, fired, resets = [int(each or 0) for each in await call(lambda client: client.hmget(keys.log, names))]
        now = clock + max(0, int(seconds) * 1000 + int(micros) // 1000 - at)
        seen = await call(lambda client: client.hgetall(keys.seen))
        peers = await call(lambda client: client.hgetall(keys.peers))
        warnings = await call(lambda client: client.smembers(keys.warnings))
        return Spent(
            fired,
            resets,
            [_peer(name, told, now, int(seen.get(name, now))) for name, told in peers.items()],
            sorted(warning.decode(errors="replace") for warning in warnings),
        )


def _peer(name: bytes, told: bytes, now: int, seen: int) -> SeenPeer:
    _, _, since, events, resets, transitions, idle = told.decode().split()
    return SeenPeer(
        name=name.decode(errors="replace"),
        since=(now - int(since)) / 1000,
        silent=(now - seen) / 1000,
        events=int(events),
        resets=int(resets),
        transitions=int(transitions),
        idle=int(idle) / 1000,
    )
