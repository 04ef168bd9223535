"""Log of peers in Redis: the journal, which every peer reads, and to which every peer appends by a script.

Theory of operation
    There is no process in the middle. The requirements of `coordination.peer_log` are met by the script `append.lua`
    and by the readers:

    A request is numbered; a request that is repeated, because its reply was lost, is answered again and not appended
    again. The server knows the last number of each peer.

    A peer appends on condition that the group it read last exists. If it does not, the server has lost its last writes
    (a power cut, or a replica that took over), and the log has another incarnation from then on: all peers read it from
    the start, and repeat their own reports. The peer that notices first draws the incarnation at random, so it was
    never used before; the ids of groups contain the server's time, and are never reused either.

    No process folds the log for all. What a peer appends is sound wherever it stands after the part that the peer has
    read, because states are never removed. Another peer may have reported it earlier; a reader that folds both learns
    nothing new from the second. Changes of members are numbered, and of two with the same number the first counts; the
    server knows the last number and does not append the second: where many peers join at once, each would otherwise try
    as often as there are others. An entry that must be the last one is appended only when the group read last is the
    last group.

    Silence is measured by the server's clock, inside the script. Times without any request do not count: when the
    server was away, no peer could send one. A peer that is silent for long is forgotten. The first facts of a run are
    written by the observer of the crawl (`fleet.peer_observer`), and the log admits no peer before. When the server has
    lost exactly these, the log ends with the end of an earlier run, which is not the end of this one: a peer sends the
    number of the run it knows, and waits until that run has started again. So does a new peer while an observer leads,
    which is about to start a run or to exit.

    A token is added to the mailbox of its peer, a stream. It may get lost with it: its sender sends it again.
"""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from statecrawl.cluster import member_messages
from statecrawl.cluster.redis.connection import ANSWER_SECONDS, RedisConnection, RedisUnavailable
from statecrawl.cluster.redis.journal import BEGINNING, Fields, facts_of, groups
from statecrawl.cluster.redis.keys import RedisKeys
from statecrawl.cluster.redis.link import MOST_EVIDENCE, RedisLink
from statecrawl.cluster.redis.mailbox import MAIL_MILLISECONDS
from statecrawl.coordination.peer_to_peer import NOTHING_HEARD, LogEntries, LogRequest, PassedToken
from statecrawl.errors import BadInput, CoordinatorLost, StoreError
from statecrawl.journal.encoding import encode
from statecrawl.journal.facts import CrawlEnded, CrawlStarted, Fact, MemberJoined, MemberLeft, TransitionExplored
from statecrawl.strategies.journal_feed import since_revision

POLL_SECONDS = 4.0  # wait for news; shorter than the silence after which a peer counts as lost
MOST_AT_ONCE = 64  # groups in one reply; more are read afterwards
MOST_ALONE = 1_000  # parcels of peers without an observer: peers need not wait for one
FORGET_MILLISECONDS = 60_000  # of silence after which the log forgets a peer; long after the peers have
MOST_MAIL = 8  # tokens in a mailbox; only the newest matters
PAUSE_SECONDS = 0.2  # between two checks of whether the crawl has started
Found = tuple[bytes, list[bytes]]  # group as returned by a script: id, and names and values of its fields


@dataclass(slots=True)
class _ReadPosition:
    """How far a peer has read."""

    incarnation: int = NOTHING_HEARD
    groups: dict[int, bytes] = field(default_factory=lambda: {0: BEGINNING})  # position -> last group before it
    mail: bytes = BEGINNING  # last entry read from its mailbox
    idle: float = 0.0  # seconds waited since its last request

    def group(self, incarnation: int, position: int) -> bytes:
        """Return the last group before a position in the log."""
        return self.groups.get(position, BEGINNING) if incarnation == self.incarnation else BEGINNING


class RedisLog(RedisLink):
    """Connection of one process, shared by all its pages, for any architecture."""

    def __init__(self, store: RedisConnection, keys: RedisKeys, patience: float) -> None:
        super().__init__(store, keys, patience)
        self._places: dict[str, _ReadPosition] = {}
        self._run = 0  # number of the latest run known here

    async def exchange(self, request: LogRequest) -> LogEntries:
        place, since = self._place(request.peer), time.monotonic()
        while True:
            group = place.group(request.incarnation, request.position)
            answer = await self._append(request, group, place.idle)
            if answer == b"wait":
                if (
                    await self.end_reason(since) is not None
                    and time.monotonic() - max(self._led, since) > self._patience
                ):
                    raise CoordinatorLost(
                        f"{self._store.display_url} has lost the start of {self._keys.crawl}: run the command that"
                        " started the crawl again, then start the node again."
                    )
                await asyncio.sleep(PAUSE_SECONDS)
                continue
            if answer is None:
                raise CoordinatorLost(
                    f"another node works for {self._keys.crawl} as {request.peer}: start the node again."
                )
            self.last_contact = time.monotonic()
            incarnation, appended, last, found, silence = answer
            is_current = int(incarnation) == request.incarnation
            read = await self._read_up_to(last, group if is_current else BEGINNING, found)
            if read is not None:
                break  # else the server has just lost data, which the repeated request will detect
        if not is_current and request.incarnation != NOTHING_HEARD:
            await self._send_again()
        start = request.position if is_current else 0
        facts = read if start else since_revision(read)
        self._run = max([self._run, *(fact.run for fact in facts if isinstance(fact, CrawlStarted))])
        place.idle = 0.0
        before = {request.position: group} if is_current else {}
        place.incarnation, place.groups = int(incarnation), {0: BEGINNING, **before, start + len(facts): last}
        names = [name.decode(errors="replace") for name in silence[::2]]
        lasts = dict(zip(names, [each / 1000 for each in silence[1::2]], strict=True))
        return LogEntries(request.peer, request.number, int(incarnation), tuple(facts), bool(appended), lasts)

    async def listen(self, peer: str, incarnation: int, position: int) -> PassedToken | None:
        place, since = self._place(peer), time.monotonic()
        journal, mail = self._keys.journal.encode(), self._keys.mail(peer).encode()
        token: PassedToken | None = None
        while token is None and (left := since + POLL_SECONDS - time.monotonic()) > 0:
            streams = {journal: place.group(incarnation, position), mail: place.mail}
            found = dict(await self._call(partial(_read, streams, left), left + ANSWER_SECONDS) or ())
            token = _newest(found.get(mail, ()), incarnation)
            if mail in found:
                place.mail = found[mail][-1][0]
            if journal in found:
                break
        place.idle += time.monotonic() - since
        return token

    async def pass_on(self, peer: str, passed: PassedToken) -> None:
        with contextlib.suppress(RedisUnavailable, StoreError):
            await self._store.once(partial(_put, self._keys.mail(peer), member_messages.encode(passed)))

    async def leave(self, node: str) -> None:
        if self._places.pop(node, None) is None:
            await super().leave(node)
            return
        keys = self._keys
        with contextlib.suppress(RedisUnavailable, StoreError):
            await self._store.once(lambda client: client.hdel(keys.seen, node))
            await self._store.once(lambda client: client.hdel(keys.peers, node))
            await self._store.once(lambda client: client.delete(keys.mail(node)))

    # -- inside --

    async def _has_room(self) -> bool:
        waiting = await self._waiting()
        if MOST_EVIDENCE <= waiting < MOST_ALONE and self._places:
            return await self._call(lambda client: client.get(self._keys.leader)) is None
        return waiting < MOST_EVIDENCE

    def _place(self, peer: str) -> _ReadPosition:
        return self._places.setdefault(peer, _ReadPosition())

    async def _append(self, request: LogRequest, group: bytes, idle: float) -> Any:
        keys = self._keys
        ended = [fact.reason for fact in request.facts if isinstance(fact, CrawlEnded)]
        changes = [fact for fact in request.facts if isinstance(fact, MemberJoined | MemberLeft)]
        facts = [fact for fact in request.facts if not isinstance(fact, MemberJoined | MemberLeft)]
        try:
            return await self._store.run(
                "append",
                [keys.journal, keys.log, keys.seen, keys.peers, keys.ended, keys.warnings, keys.leader],
                [
                    request.peer,
                    request.number,
                    request.incarnation,
                    secrets.randbits(48),
                    group,
                    int(request.exclusive),
                    encode(facts),
                    ended[-1] if ended else "",
                    request.events,
                    request.resets,
                    sum(isinstance(fact, TransitionExplored) for fact in request.facts),
                    round(idle * 1000),
                    MOST_AT_ONCE,
                    encode(changes),
                    changes[0].epoch if changes else "",
                    changes[-1].epoch if changes else "",
                    self._run,
                    FORGET_MILLISECONDS,
                    *request.warnings,
                ],
            )
        except StoreError as error:
            raise CoordinatorLost(str(error)) from error

    async def _read_up_to(self, last: bytes, after: bytes, found: Sequence[Found]) -> list[Fact] | None:
        """Return all facts after one group up to another; `found` are the first ones. None if the last group is
        missing.
        """
        facts: list[Fact] = []
        at = after
        for at, fields in found:
            facts += facts_of(dict(zip(fields[::2], fields[1::2], strict=True)))
            if at == last:
                return facts
        try:
            async for group, more in groups(self._store, self._keys, at):
                facts += more
                if group == last:
                    return facts
        except StoreError as error:
            raise CoordinatorLost(str(error)) from error
        return facts if at == last else None


def _newest(mail: Iterable[tuple[bytes, Fields]], incarnation: int) -> PassedToken | None:
    """Return the newest token of this incarnation."""
    tokens: list[PassedToken] = []
    for _, fields in mail:
        with contextlib.suppress(BadInput):
            tokens.append(member_messages.decode_token(fields.get(b"m", b"")))
    current = [passed for passed in tokens if passed.incarnation == incarnation]
    return max(current, key=lambda passed: (passed.token.round, passed.token.hop), default=None)


def _read(streams: dict[bytes, bytes], seconds: float, client: Any) -> Any:
    return client.xread(streams, count=MOST_MAIL, block=max(1, round(seconds * 1000)))


async def _put(key: str, token: bytes, client: Any) -> Any:
    async with client.pipeline(transaction=False) as both:
        both.xadd(key, {"m": token}, maxlen=MOST_MAIL)
        both.pexpire(key, MAIL_MILLISECONDS)
        return await both.execute()
