"""Mailbox of the observer of peers in Redis, who write the journal themselves.

The observer leads like a coordinator (see `cluster.redis.mailbox`), so that there is one at a time, and reads what the
peers append. It only writes what starts a run and what ends it early. A run starts on the same condition as a
coordinator's writes: the journal ends where the observer has read. For the end it is enough that what it has read is
still there: busy peers write all the time, and it would never see the last entry. What they write after the end still
counts; each of them leaves when it reads the end.
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
    """Data of one peer in the log; times in seconds."""

    name: str
    since: float  # time since it joined
    silent: float
    events: int
    resets: int
    transitions: int
    idle: float


@dataclass(frozen=True, slots=True)
class PeerTotals:
    """Data reported by all peers."""

    fired: int
    resets: int
    peers: list[PeerReport]
    warnings: list[str]


class RedisFollower(RedisMailbox[TaskRequest, TaskReply]):
    """Reads what peers append to the journal."""

    def __init__(self, store: RedisConnection, keys: RedisKeys) -> None:
        super().__init__(store, keys, messages.decode_message)
        self._last_renewal = 0.0  # when the leadership was last renewed

    async def follow(self, seconds: float) -> list[Fact]:
        """Return the facts written since; wait up to `seconds` for the first. Raises JournalOutdated and Deposed."""
        if time.monotonic() - self._last_renewal > RENEW_SECONDS:
            if not await self.lead():
                raise Deposed
            self._last_renewal = time.monotonic()
        entries = await self._read(self._keys.journal, self._last, MOST_GROUPS, seconds)
        if not await has_group(self._store, self._keys, self._last):
            raise JournalOutdated
        if entries:
            self._last = entries[-1][0]
        return [fact for _, fields in entries for fact in facts_of(fields)]

    async def open_log(self, facts: Sequence[Fact], crawl: FoldedCrawl) -> None:
        """Start a run with these facts and no members; `crawl` is the journal so far, folded.

        Raises JournalOutdated and Deposed, and has done nothing then.
        """
        if not await self.lead():  # the leadership may have expired while dynamic content was learned
            raise Deposed
        keys, run = self._keys, 1 if crawl.started is None else crawl.started.run
        self._last = last_written(
            await self._store.run(
                "open_log",
                [keys.leader, keys.journal, keys.ended, keys.log, keys.seen, keys.peers, keys.warnings],
                [self._name, self._last, encode(facts), run, crawl.epoch, crawl.fired, crawl.resets],
            )
        )

    async def stop(self, ended: CrawlEnded) -> None:
        """End the run.

        Does nothing if it has ended, another process leads, or the server has lost data: `follow` tells.
        """
        keys = self._keys
        arguments: list[str | bytes | int] = [self._name, self._last, encode([ended]), ended.reason]
        await self._store.run("stop", [keys.leader, keys.journal, keys.ended, keys.log], arguments)

    async def read_totals(self) -> PeerTotals:
        """Return what the peers have reported about themselves."""
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
            [_peer(name, record, now, int(seen.get(name, now))) for name, record in peers.items()],
            sorted(warning.decode(errors="replace") for warning in warnings),
        )


def _peer(name: bytes, record: bytes, now: int, seen: int) -> PeerReport:
    _, _, since, events, resets, transitions, idle = record.decode().split()
    return PeerReport(
        name=name.decode(errors="replace"),
        since=(now - int(since)) / 1000,
        silent=(now - seen) / 1000,
        events=int(events),
        resets=int(resets),
        transitions=int(transitions),
        idle=int(idle) / 1000,
    )
